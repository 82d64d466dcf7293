/** schur-decomposition: the parts of a Schur form, A = Z T Z^H. */
import { InvalidArgumentError } from "@onebuffer/base";
import type { Arithmetic } from "../dense/arithmetic.ts";
import type { Steps } from "../dense/steps.ts";
import { standardize } from "../spectrum/standard-block.ts";
import type { DenseMatrix, Part } from "./packed-matrices.ts";
import { matrixOfRows, schurFormOf } from "./schur-form.ts";

/** Returns T and Z. Throws INVALID_ARGUMENT for NaN and infinities, and if an eigenvalue does not converge. */
export function* decomposeSchur(by: Arithmetic, matrix: DenseMatrix, where: string): Steps<Part[]> {
  const { rows: n, isComplex } = matrix;
  const { t, z, scale } = yield* schurFormOf(by, matrix, true, (reason) => {
    throw new InvalidArgumentError(`schur: Schur decomposition was not successful. The input might not be valid. (${where}${reason})`);
  });
  if (!isComplex) turnRoundedPairs(n, t.re, z.re, (value) => roundedTo(matrix, value / scale));
  const parts = [matrixOfRows(by, n, t, isComplex, scale), matrixOfRows(by, n, z, isComplex)];
  return parts.map((part) => ({ matrix: part, rows: n, columns: n }));
}

/** Returns a number as the results store it. */
const roundedTo = ({ numbers }: DenseMatrix, value: number): number => (numbers.BYTES_PER_ELEMENT === 4 ? Math.fround(value) : value);

/**
 * Makes blocks triangular whose element above the diagonal becomes 0 when it is rounded: a block of a pair has two elements of different
 * signs beside its diagonal. The element below may be large, so it is turned to the place above.
 */
function turnRoundedPairs(n: number, t: Float64Array, z: Float64Array, round: (value: number) => number): void {
  for (let k = 0; k + 1 < n; k++) {
    const above = k * n + k + 1;
    if (t[above + n - 1] === 0 || round(t[above]!) !== 0) continue;
    t[above] = 0;
    standardize(n, t, z, k);
  }
}
