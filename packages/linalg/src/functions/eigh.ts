/** eigh: eigenvalues and vectors of Hermitian matrices. */
import type { Expression, OperandLike, RankWithout } from "@onebuffer/expression";
import { checkTree } from "@onebuffer/expression/internal";
import { eighNodes } from "../nodes/eigh-node.ts";
import { checkSquare } from "../batch/matrix-sizes.ts";
import type { MatrixDType } from "../batch/matrix-sizes.ts";

/**
 * Eigenvalues and vectors of Hermitian matrices. Assign both together (`assignTogether`), and they are computed once.
 *
 * @example
 * const a = tensorMap("float64", Float64Array.of(2, 0, 0, 1), [2, 2]);
 * const { e, v }: Eigh<"float64", 2> = eigh(a);
 * [evaluate(e).toArray(), [...v.dimensions]]; // => [[1, 2], [2, 2]]
 */
export interface Eigh<D extends MatrixDType, R extends number> {
  /** The eigenvalues in ascending order, [..., N]. Of complex matrices they are complex with imaginary parts of 0, as in TensorFlow. */
  readonly e: Expression<D, RankWithout<R, 1>>;
  /** The vectors of norm 1, in columns, [..., N, N]. */
  readonly v: Expression<D, R>;
}

/**
 * Returns eigenvalues e and vectors V of Hermitian matrices A = V diag(e) V^H (`tf.linalg.eigh`, `np.linalg.eigh`): symmetric ones, if they are
 * real. Only the lower triangle is used. Matrices are the last two axes, of sizes [..., N, N]. An infinity gives eigenvalues of NaN and
 * vectors of an identity, as in TensorFlow. The gradient is that of the lower triangle; equal eigenvalues have no gradient of their vectors.
 *
 * Throws INVALID_ARGUMENT for matrices that are not square, and for a dtype that is not float32, float64, complex64 or complex128. Computing
 * throws INVALID_ARGUMENT for NaN, and with a number of eigenvalues if they do not converge. Copies and computes nothing.
 *
 * @example
 * const a = tensorMap("float64", Float64Array.of(2, 1, 1, 2), [2, 2]);
 * const { e, v } = eigh(a);
 * evaluate(e).toArray().map(Math.round); // => [1, 3]
 * evaluate(a.matMul(v).sub(v.mul(e)).abs().max()).toArray() < 1e-15; // => true
 * eigh(a.reshape([4, 1])); // throws INVALID_ARGUMENT
 */
export function eigh<D extends MatrixDType, R extends number>(matrix: OperandLike<D, R>): Eigh<D, R> {
  const tree = checkTree("eigh", matrix);
  checkSquare("eigh", tree);
  const [e, v] = eighNodes(tree, { call: "eigh", hasVectors: true });
  return { e, v } as unknown as Eigh<D, R>;
}

/**
 * Returns the eigenvalues of Hermitian matrices in ascending order (`tf.linalg.eigvalsh`, `np.linalg.eigvalsh`), as `eigh` does, in about a
 * quarter of its time.
 *
 * Throws as `eigh` does. Copies and computes nothing.
 *
 * @example
 * const a = tensorMap("float64", Float64Array.of(2, 1, 1, 2), [2, 2]);
 * evaluate(eigvalsh(a)).toArray().map(Math.round); // => [1, 3]
 * eigvalsh(a.reshape([4])); // throws INVALID_ARGUMENT
 */
export function eigvalsh<D extends MatrixDType, R extends number>(matrix: OperandLike<D, R>): Expression<D, RankWithout<R, 1>> {
  const tree = checkTree("eigvalsh", matrix);
  checkSquare("eigvalsh", tree);
  return eighNodes(tree, { call: "eigvalsh", hasVectors: false })[0] as unknown as Expression<D, RankWithout<R, 1>>;
}
