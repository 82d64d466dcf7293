/** eig: eigenvalues and vectors of any square matrices. */
import type { Expression, OperandLike, RankWithout } from "@onebuffer/expression";
import { checkTree } from "@onebuffer/expression/internal";
import { eigNodes } from "../nodes/eig-node.ts";
import { checkSquare } from "../batch/matrix-sizes.ts";
import type { MatrixDType } from "../batch/matrix-sizes.ts";

/**
 * The dtype of eigenvalues: complex64 for float32 and complex64, complex128 for the others.
 *
 * @example
 * const a = tensorMap("float32", Float32Array.of(2), [1, 1]);
 * const e: Expression<EigenDType<"float32">, 1> = eigvals(a);
 * e.dtype; // => "complex64"
 */
export type EigenDType<D extends MatrixDType> = D extends "float32" | "complex64" ? "complex64" : "complex128";

/**
 * Eigenvalues and vectors. Assign both together (`assignTogether`), and they are computed once.
 *
 * @example
 * const a = tensorMap("float64", Float64Array.of(2), [1, 1]);
 * const { e, v }: Eig<"float64", 2> = eig(a);
 * [evaluate(e).toArray(), evaluate(v).toArray()]; // => [[[2, 0]], [[[1, 0]]]]
 */
export interface Eig<D extends MatrixDType, R extends number> {
  /** The eigenvalues, complex, [..., N], in the order in which they are found. */
  readonly e: Expression<EigenDType<D>, RankWithout<R, 1>>;
  /** The vectors of norm 1, in columns, [..., N, N]. */
  readonly v: Expression<EigenDType<D>, R>;
}

/**
 * Returns eigenvalues e and vectors V of square matrices, A V = V diag(e) (`tf.linalg.eig`, `np.linalg.eig`). Matrices are the last two axes, of
 * sizes [..., N, N]. Results are complex for real matrices, too, as in TensorFlow; real eigenvalues have imaginary parts of 0, and the others of
 * real matrices are conjugate pairs. For Hermitian matrices `eigh` is faster and more accurate. Equal eigenvalues have no gradient of
 * their vectors.
 *
 * Throws INVALID_ARGUMENT for matrices that are not square, and for a dtype that is not float32, float64, complex64 or complex128. Computing
 * throws INVALID_ARGUMENT for NaN and infinities, and with a number of eigenvalues if they do not converge. Copies and computes nothing.
 *
 * @example
 * const turn = tensorMap("float64", Float64Array.of(0, 1, -1, 0), [2, 2]);
 * evaluate(eig(turn).e).toArray(); // => [[0, 1], [0, -1]]
 * eig(turn.reshape([4, 1])); // throws INVALID_ARGUMENT
 */
export function eig<D extends MatrixDType, R extends number>(matrix: OperandLike<D, R>): Eig<D, R> {
  const tree = checkTree("eig", matrix);
  checkSquare("eig", tree);
  const [e, v] = eigNodes(tree, { call: "eig", hasVectors: true });
  return { e, v } as unknown as Eig<D, R>;
}

/**
 * Returns the eigenvalues of square matrices (`tf.linalg.eigvals`, `np.linalg.eigvals`), as `eig` does.
 *
 * Throws as `eig` does. Copies and computes nothing.
 *
 * @example
 * const a = tensorMap("float64", Float64Array.of(3, 0, 0, 1), [2, 2]);
 * evaluate(eigvals(a)).toArray(); // => [[3, 0], [1, 0]]
 * eigvals(a.reshape([4])); // throws INVALID_ARGUMENT
 */
export function eigvals<D extends MatrixDType, R extends number>(matrix: OperandLike<D, R>): Expression<EigenDType<D>, RankWithout<R, 1>> {
  const tree = checkTree("eigvals", matrix);
  checkSquare("eigvals", tree);
  return eigNodes(tree, { call: "eigvals", hasVectors: false })[0] as unknown as Expression<EigenDType<D>, RankWithout<R, 1>>;
}
