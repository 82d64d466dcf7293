/** schur: square matrices as triangular ones between unitary ones. */
import type { Expression, OperandLike } from "@onebuffer/expression";
import { checkTree } from "@onebuffer/expression/internal";
import { checkSquare } from "../batch/matrix-sizes.ts";
import type { MatrixDType } from "../batch/matrix-sizes.ts";
import { schurNodes } from "../nodes/schur-node.ts";

/**
 * The parts of a Schur decomposition. Assign both together (`assignTogether`), and they are computed once.
 *
 * @example
 * const a = tensorMap("float64", Float64Array.of(2), [1, 1]);
 * const { t, z }: Schur<"float64", 2> = schur(a);
 * [evaluate(t).toArray(), evaluate(z).toArray()]; // => [[[2]], [[1]]]
 */
export interface Schur<D extends MatrixDType, R extends number> {
  /** [..., N, N]: an upper triangle; of real matrices with blocks of 2 x 2 on the diagonal for conjugate pairs of eigenvalues. */
  readonly t: Expression<D, R>;
  /** [..., N, N]: orthonormal columns. */
  readonly z: Expression<D, R>;
}

/**
 * Returns T and Z of square matrices A = Z T Z^H (`scipy.linalg.schur`). Matrices are the last two axes, of sizes [..., N, N]. The eigenvalues
 * of A are those of T, on its diagonal if it is a triangle. Of real matrices both are real, and a conjugate pair of eigenvalues is a
 * block [a b; c a] with b c < 0; cast them to complex64 or complex128 for a triangle. The order of eigenvalues, and signs and phases of
 * columns, are arbitrary, so there is no gradient: UNIMPLEMENTED.
 *
 * Throws INVALID_ARGUMENT for matrices that are not square, for a dtype that is not float32, float64, complex64 or complex128, and for parts of
 * more than 2^53 - 1 elements together. Computing throws INVALID_ARGUMENT for NaN and infinities, and with a number of eigenvalues if they do
 * not converge. Copies and computes nothing.
 *
 * @example
 * const a = tensorMap("float64", Float64Array.of(1, 2, 2, 1), [2, 2]);
 * const { t, z } = schur(a);
 * evaluate(t).toArray().flat().map((x) => Math.round(x) + 0); // => [3, 0, 0, -1]
 * evaluate(z.matMul(t).matMul(z, { transposeB: true })).toArray().flat().map(Math.round); // => [1, 2, 2, 1]
 * schur(a.reshape([4, 1])); // throws INVALID_ARGUMENT
 */
export function schur<D extends MatrixDType, R extends number>(matrix: OperandLike<D, R>): Schur<D, R> {
  const tree = checkTree("schur", matrix);
  checkSquare("schur", tree);
  const [t, z] = schurNodes(tree);
  return { t, z } as unknown as Schur<D, R>;
}
