/** cholesky: Cholesky factors, and solutions by them. */
import { checkOptions } from "@onebuffer/base/internal";
import type { Expression, OperandLike } from "@onebuffer/expression";
import { checkTree } from "@onebuffer/expression/internal";
import { choleskyNode } from "../nodes/cholesky-node.ts";
import { checkSquare } from "../batch/matrix-sizes.ts";
import type { MatrixDType } from "../batch/matrix-sizes.ts";
import { triangularNode } from "../nodes/triangular-node.ts";
import { checkFlags } from "./flags.ts";
import { checkSystem } from "./operands.ts";
import type { SolutionRank } from "./operands.ts";

/**
 * Returns the lower triangular L of A = L L^H for each Hermitian positive definite matrix of [..., n, n] (`tf.linalg.cholesky`,
 * `np.linalg.cholesky`). Only the lower triangle of A is read; above the diagonal L is 0.
 *
 * Throws INVALID_ARGUMENT for matrices that are not square. Computing throws INVALID_ARGUMENT, with the matrix and the pivot, for a matrix that
 * is not positive definite, and leaves the target as it was; with `check: false` the lower triangle of its result is NaN instead. Copies
 * nothing before it is computed.
 *
 * @example
 * const a = tensorMap("float64", Float64Array.of(4, 2, 2, 5), [2, 2]);
 * evaluate(cholesky(a)).toArray(); // => [[2, 0], [1, 2]]
 * evaluate(cholesky(a.neg())); // throws INVALID_ARGUMENT
 */
export function cholesky<D extends MatrixDType, R extends number>(
  matrix: OperandLike<D, R>,
  options: { readonly check?: boolean } = {},
): Expression<D, R> {
  checkOptions("cholesky", options, ["check"]);
  const { check } = checkFlags("cholesky", options, { check: true });
  const a = checkTree("cholesky", matrix);
  checkSquare("cholesky", a);
  return choleskyNode(a, { call: "cholesky", check }) as unknown as Expression<D, R>;
}

/**
 * Returns the solution x of A x = b by the Cholesky factor of A (`tf.linalg.cholesky_solve`, `scipy.linalg.cho_solve`). b is [..., n, k] or
 * vectors, as for `solve`. Only the lower triangle of the factor is read.
 *
 * Throws INVALID_ARGUMENT for operands that do not fit. Copies nothing before it is computed.
 *
 * @example
 * const factor = tensorMap("float64", Float64Array.of(2, 0, 1, 2), [2, 2]);
 * evaluate(choleskySolve(factor, tensorMap("float64", Float64Array.of(6, 7), [2]))).toArray(); // => [1, 1]
 * choleskySolve(factor, factor.reshape([4, 1])); // throws INVALID_ARGUMENT
 */
export function choleskySolve<D extends MatrixDType, A extends number, B extends number>(
  factor: OperandLike<D, A>,
  rhs: OperandLike<NoInfer<D>, B>,
): Expression<D, SolutionRank<A, B>> {
  const { matrix, right, shaped } = checkSystem("choleskySolve", factor, rhs);
  const lower = { lower: true, isUnit: false };
  const half = triangularNode(matrix, right, { ...lower, adjoint: false });
  return shaped(triangularNode(matrix, half, { ...lower, adjoint: true })) as unknown as Expression<D, SolutionRank<A, B>>;
}
