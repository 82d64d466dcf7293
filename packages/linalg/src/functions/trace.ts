/** trace: the sums of matrices' diagonals. */
import type { Expression, NumericDType, OperandLike, RankWithout } from "@onebuffer/expression";
import { checkTree, made, reduceFields } from "@onebuffer/expression/internal";
import { diagonalPart } from "../nodes/diagonal-part.ts";

/**
 * Returns the sum of the main diagonal of each matrix (`tf.linalg.trace`, `np.trace`). Matrices are the last two axes, of any sizes [..., M, N].
 *
 * Throws INVALID_ARGUMENT for fewer than two dimensions and for a dtype without addition. Copies and computes nothing.
 *
 * @example
 * const a = tensorMap("float64", Float64Array.of(1, 2, 3, 4, 5, 6), [2, 3]);
 * evaluate(trace(a)).toArray(); // => 6
 * trace(a.chip(0)); // throws INVALID_ARGUMENT
 */
export function trace<D extends NumericDType, R extends number>(matrix: OperandLike<D, R>): Expression<D, RankWithout<R, 2>> {
  const diagonal = diagonalPart("trace", checkTree("trace", matrix));
  return made(reduceFields("sum", diagonal, -1, false)) as unknown as Expression<D, RankWithout<R, 2>>;
}
