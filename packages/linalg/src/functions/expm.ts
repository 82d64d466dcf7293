/** expm: exponentials of matrices. */
import type { Expression, OperandLike } from "@onebuffer/expression";
import { checkTree } from "@onebuffer/expression/internal";
import { expmNode } from "../nodes/expm-node.ts";
import { checkSquare } from "../nodes/matrix-sizes.ts";
import type { MatrixDType } from "../nodes/matrix-sizes.ts";

/**
 * Returns the exponential of each square matrix (`tf.linalg.expm`, `scipy.linalg.expm`), by scaling, a Pade approximant of degree 13 and squaring. A
 * matrix with an element that is not finite gives NaN.
 *
 * Throws INVALID_ARGUMENT for matrices that are not square. Copies nothing before it is computed.
 *
 * @example
 * const a = tensorMap("float64", Float64Array.of(0, 1, 0, 0), [2, 2]);
 * evaluate(expm(a)).toArray(); // => [[1, 1], [0, 1]]
 * expm(a.reshape([4, 1])); // throws INVALID_ARGUMENT
 */
export function expm<D extends MatrixDType, R extends number>(matrix: OperandLike<D, R>): Expression<D, R> {
  const a = checkTree("expm", matrix);
  checkSquare("expm", a);
  return expmNode(a) as unknown as Expression<D, R>;
}
