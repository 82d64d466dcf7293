/** schur-decomposition: the parts of a Schur form, A = Z T Z^H. */
import { InvalidArgumentError } from "@onebuffer/base";
import type { Arithmetic } from "../dense/arithmetic.ts";
import type { Steps } from "../dense/steps.ts";
import type { DenseMatrix, Part } from "./packed-matrices.ts";
import { matrixOfRows, schurFormOf } from "./schur-form.ts";

/** Returns T and Z. Throws INVALID_ARGUMENT for NaN and infinities, and if an eigenvalue does not converge. */
export function* decomposeSchur(by: Arithmetic, matrix: DenseMatrix, where: string): Steps<Part[]> {
  const { rows: n, isComplex } = matrix;
  const { t, z, scale } = yield* schurFormOf(by, matrix, true, (reason) => {
    throw new InvalidArgumentError(`schur: Schur decomposition was not successful. The input might not be valid. (${where}${reason})`);
  });
  const parts = [matrixOfRows(by, n, t, isComplex, scale), matrixOfRows(by, n, z, isComplex)];
  return parts.map((part) => ({ matrix: part, rows: n, columns: n }));
}
