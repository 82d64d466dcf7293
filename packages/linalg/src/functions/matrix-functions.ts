/** matrix-functions: exponentials, square roots and logarithms of matrices. */
import type { Expression, OperandLike } from "@onebuffer/expression";
import { checkTree } from "@onebuffer/expression/internal";
import { expmNode } from "../nodes/expm-node.ts";
import { functionNode } from "../nodes/matrix-function-node.ts";
import { checkSquare } from "../batch/matrix-sizes.ts";
import type { MatrixDType } from "../batch/matrix-sizes.ts";

/**
 * Returns the exponential of each square matrix (`tf.linalg.expm`, `scipy.linalg.expm`), by scaling, a Pade approximant of degree 13 and
 * squaring. A matrix with an element that is not finite gives NaN.
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

/**
 * Returns the principal square root X of each square matrix, X X = A (`tf.linalg.sqrtm`, `scipy.linalg.sqrtm`), by the Schur form: its
 * eigenvalues have real parts that are not negative. A real matrix with a negative eigenvalue has no real root and gives NaN, as in
 * TensorFlow; cast it to complex64 or complex128 for the complex one. An eigenvalue that is negative by no more than rounding counts as 0.
 * A matrix with an element that is not finite gives NaN, and one that has no root, such as [[0, 1], [0, 0]], what is not finite.
 *
 * Throws INVALID_ARGUMENT for matrices that are not square, and for a dtype that is not float32, float64, complex64 or complex128. Computing
 * throws INVALID_ARGUMENT with a number of eigenvalues if they do not converge. Copies nothing before it is computed.
 *
 * @example
 * const a = tensorMap("float32", Float32Array.of(4, 1, 0, 9), [2, 2]);
 * evaluate(sqrtm(a)).toArray().flat().map((x) => x.toFixed(3)); // => ["2.000", "0.200", "0.000", "3.000"]
 * sqrtm(a.reshape([4, 1])); // throws INVALID_ARGUMENT
 */
export function sqrtm<D extends MatrixDType, R extends number>(matrix: OperandLike<D, R>): Expression<D, R> {
  const a = checkTree("sqrtm", matrix);
  checkSquare("sqrtm", a);
  return functionNode("sqrtm", a) as unknown as Expression<D, R>;
}

/**
 * Returns the principal logarithm X of each square matrix, exp(X) = A (`tf.linalg.logm`, `scipy.linalg.logm`), by the Schur form, square roots
 * and a Pade approximant: its eigenvalues have imaginary parts in (-pi, pi]. TensorFlow takes complex matrices only. A real matrix with a
 * negative eigenvalue has no real logarithm and gives NaN; cast it to complex64 or complex128 for the complex one. A matrix with an element that
 * is not finite gives NaN, and one that is not invertible what is not finite.
 *
 * Throws as `sqrtm` does. Copies nothing before it is computed.
 *
 * @example
 * const a = tensorMap("float64", Float64Array.of(1, 2, 0, 1), [2, 2]);
 * evaluate(logm(a)).toArray().flat().map((x) => x.toFixed(3)); // => ["0.000", "2.000", "0.000", "0.000"]
 * logm(a.reshape([4, 1])); // throws INVALID_ARGUMENT
 */
export function logm<D extends MatrixDType, R extends number>(matrix: OperandLike<D, R>): Expression<D, R> {
  const a = checkTree("logm", matrix);
  checkSquare("logm", a);
  return functionNode("logm", a) as unknown as Expression<D, R>;
}
