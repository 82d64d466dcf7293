/** tridiagonal-solve: systems with tridiagonal matrices. */
import { InvalidArgumentError } from "@onebuffer/base";
import type { Expression, OperandLike } from "@onebuffer/expression";
import { checkTree, repeated, reshaped, shownCall, sizesOf } from "@onebuffer/expression/internal";
import type { MatrixDType } from "../batch/matrix-sizes.ts";
import { checkMatrixDType } from "../batch/matrix-sizes.ts";
import { tridiagonalNode } from "../nodes/tridiagonal-node.ts";
import { broadcastBatch, checkSameDType } from "./operands.ts";
import type { SolutionRank } from "./operands.ts";

/**
 * Returns the solution x of T x = b with tridiagonal matrices, by elimination with partial pivoting (`tf.linalg.tridiagonal_solve`). The
 * diagonals are [..., 3, n]: above the main one, the main one, below it. Element i of each is in row i of the matrix; the last of the first
 * and the first of the last are not used. b is [..., n, k], or vectors [..., n], as for `solve`.
 *
 * Throws INVALID_ARGUMENT for operands that do not fit. Computing throws INVALID_ARGUMENT for a matrix that is not invertible. Copies
 * nothing before it is computed.
 *
 * @example
 * const diagonals = tensorMap("float64", Float64Array.of(1, 0, 2, 2, 0, 1), [3, 2]);
 * evaluate(tridiagonalSolve(diagonals, tensorMap("float64", Float64Array.of(3, 3), [2]))).toArray(); // => [1, 1]
 * tridiagonalSolve(diagonals.chip(0) as never, diagonals); // throws INVALID_ARGUMENT
 */
export function tridiagonalSolve<D extends MatrixDType, A extends number, B extends number>(
  diagonals: OperandLike<D, A>,
  rhs: OperandLike<NoInfer<D>, B>,
): Expression<D, SolutionRank<A, B>> {
  const [all, given] = [checkTree("tridiagonalSolve", diagonals), checkTree("tridiagonalSolve", rhs)];
  const fail = (reason: string): never => {
    throw new InvalidArgumentError(`${shownCall("tridiagonalSolve", [all, given])}: ${reason}`);
  };
  checkMatrixDType("tridiagonalSolve", all);
  const [sizes, rightSizes] = [sizesOf(all), sizesOf(given)];
  if (sizes.length < 2 || sizes.at(-2) !== 3) fail("the diagonals are [..., 3, n]");
  checkSameDType("tridiagonalSolve", all, given);
  const n = sizes.at(-1)!;
  const isVectors = rightSizes.length === 1 || rightSizes.length === sizes.length - 1;
  const right = isVectors ? reshaped(given, [...rightSizes, 1]) : given;
  const shape = sizesOf(right);
  if (shape.length < 2 || shape.at(-2) !== n) fail(`Input matrix and rhs are incompatible: ${n} and ${shape.at(-2) ?? 0} rows`);
  const batch = broadcastBatch(sizes.slice(0, -2), shape.slice(0, -2)) ?? fail("the batches are incompatible");
  const x = tridiagonalNode(repeated(all, [...batch, 3, n]), repeated(right, [...batch, n, shape.at(-1)!]));
  return (isVectors ? reshaped(x, [...batch, n]) : x) as unknown as Expression<D, SolutionRank<A, B>>;
}
