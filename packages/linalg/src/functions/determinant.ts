/** determinant: determinants, and their signs and logarithms, by LU. */
import type { Expression, OperandLike, RankWithout } from "@onebuffer/expression";
import { checkTree, chosen, filled, isComplexDType, made, reduceFields, sizesOf } from "@onebuffer/expression/internal";
import type { GradientValue } from "@onebuffer/expression/internal";
import { diagonalPart } from "../nodes/diagonal-part.ts";
import { factorsOf } from "../nodes/lu-factors.ts";
import { luNode } from "../nodes/lu-node.ts";
import { checkSquare } from "../batch/matrix-sizes.ts";
import type { MatrixDType } from "../batch/matrix-sizes.ts";

/** Returns the pivots of square matrices and the signs of the permutations. A pivot may be 0. */
function pivotsOf(call: string, matrix: unknown): { readonly pivots: GradientValue; readonly sign: GradientValue } {
  const a = checkTree(call, matrix);
  checkSquare(call, a);
  const { lu, sign } = factorsOf(luNode(a, { call, singular: "keep" }), sizesOf(a));
  return { pivots: diagonalPart(call, lu), sign };
}

/**
 * Returns the determinant of each matrix of [..., n, n] (`tf.linalg.det`, `np.linalg.det`): 1 for 0 x 0, and 0 for a matrix that is not
 * invertible, whose gradient has NaN. Of large matrices it may overflow: see `logDeterminant`.
 *
 * Throws INVALID_ARGUMENT for matrices that are not square. Copies nothing before it is computed.
 *
 * @example
 * const a = tensorMap("float64", Float64Array.of(0, 2, 3, 4), [2, 2]);
 * evaluate(determinant(a)).toArray(); // => -6
 * determinant(a.reshape([1, 4])); // throws INVALID_ARGUMENT
 */
export function determinant<D extends MatrixDType, R extends number>(matrix: OperandLike<D, R>): Expression<D, RankWithout<R, 2>> {
  const { pivots, sign } = pivotsOf("determinant", matrix);
  return made(reduceFields("prod", pivots, -1, false)).mul(sign) as unknown as Expression<D, RankWithout<R, 2>>;
}

/**
 * The sign and the logarithm of determinants. Assign both together (`assignTogether`), and the matrices are factored once.
 *
 * @example
 * const a = tensorMap("float64", Float64Array.of(0, 1, 1, 0), [2, 2]);
 * const { sign, logAbsDeterminant }: LogDeterminant<"float64", 0> = logDeterminant(a);
 * [evaluate(sign).toArray(), evaluate(logAbsDeterminant).toArray()]; // => [-1, 0]
 */
export interface LogDeterminant<D extends MatrixDType, R extends number> {
  /** 1, -1 or 0; of complex matrices on the unit circle, or 0. */
  readonly sign: Expression<D, R>;
  /** The logarithm of the absolute value, -Infinity for 0; of complex matrices complex, with an imaginary part of 0. */
  readonly logAbsDeterminant: Expression<D, R>;
}

/**
 * Returns the sign and the logarithm of the absolute value of each determinant (`tf.linalg.slogdet`, `np.linalg.slogdet`), which do not
 * overflow.
 *
 * Throws INVALID_ARGUMENT for matrices that are not square. Copies nothing before it is computed.
 *
 * @example
 * const a = tensorMap("float64", Float64Array.of(2, 0, 0, -2), [2, 2]);
 * evaluate(logDeterminant(a).sign).toArray(); // => -1
 * logDeterminant(a.chip(0) as never); // throws INVALID_ARGUMENT
 */
export function logDeterminant<D extends MatrixDType, R extends number>(matrix: OperandLike<D, R>): LogDeterminant<D, RankWithout<R, 2>> {
  const { pivots, sign } = pivotsOf("logDeterminant", matrix);
  const sizes = pivots.abs();
  const directions = isComplexDType(pivots.dtype)
    ? chosen(sizes.equal(0), filled(pivots.dtype, 0, []), pivots.div(sizes.cast(pivots.dtype)))
    : pivots.sign();
  return {
    sign: made(reduceFields("prod", directions, -1, false)).mul(sign) as never,
    logAbsDeterminant: made(reduceFields("sum", sizes.log(), -1, false)).cast(pivots.dtype) as never,
  };
}
