/** svd: singular values and vectors. */
import { checkOptions } from "@onebuffer/base/internal";
import type { Expression, OperandLike, RankWithout, RealPartDType } from "@onebuffer/expression";
import { checkTree } from "@onebuffer/expression/internal";
import { checkMatrix, checkMatrixDType } from "../batch/matrix-sizes.ts";
import type { MatrixDType } from "../batch/matrix-sizes.ts";
import { svdNodes } from "../nodes/svd-node.ts";
import { checkFlags } from "./flags.ts";

/**
 * Options of `svd`.
 *
 * @example
 * const options = { fullMatrices: true } satisfies SvdOptions;
 * const a = tensorMap("float64", Float64Array.of(3, 4), [2, 1]);
 * [...svd(a, options).u.dimensions]; // => [2, 2]
 */
export interface SvdOptions {
  /** True to have square U and V; false, the default, to have min(M, N) columns of each. */
  readonly fullMatrices?: boolean;
  /** False to have the singular values only, in about a quarter of the time; the default is true. */
  readonly computeUv?: boolean;
}

/**
 * The parts of a singular value decomposition, in TensorFlow's order. Assign them together (`assignTogether`), and they are computed once.
 *
 * @example
 * const a = tensorMap("float64", Float64Array.of(3, 4), [2, 1]);
 * const { s, u, v }: Svd<"float64", 2> = svd(a);
 * evaluate(s).toArray(); // => [5]
 */
export interface Svd<D extends MatrixDType, R extends number> {
  /** The singular values, real, in descending order, [..., K]. */
  readonly s: Expression<RealPartDType<D>, RankWithout<R, 1>>;
  /** The left vectors in columns, [..., M, K]. */
  readonly u: Expression<D, R>;
  /** The right vectors in columns, [..., N, K]: V, not its adjoint as in NumPy. */
  readonly v: Expression<D, R>;
}

/**
 * Returns singular values s and vectors U and V of matrices A = U diag(s) V^H (`tf.linalg.svd`, `np.linalg.svd`). Matrices are the last two
 * axes, of any sizes [..., M, N]; K is min(M, N). Signs of vectors are arbitrary. NaN or an infinity gives NaN everywhere, as in TensorFlow.
 * Equal singular values have no gradient of their vectors, and `fullMatrices` has one for square matrices only.
 *
 * Throws INVALID_ARGUMENT for fewer than two dimensions, for a dtype that is not float32, float64, complex64 or complex128, and for parts of
 * more than 2^53 - 1 elements together. Computing throws INVALID_ARGUMENT with a number of singular values if they do not converge. Copies and
 * computes nothing.
 *
 * @example
 * const a = tensorMap("float64", Float64Array.of(0, 2, 1, 0, 0, 0), [3, 2]);
 * const { s, u, v } = svd(a);
 * evaluate(s).toArray(); // => [2, 1]
 * evaluate(u.mul(s).matMul(v, { transposeB: true }).sub(a).abs().max()).toArray(); // => 0
 * evaluate(svd(a, { computeUv: false }).s).toArray(); // => [2, 1]
 * svd(a.reshape([6])); // throws INVALID_ARGUMENT
 */
export function svd<D extends MatrixDType, R extends number>(
  matrix: OperandLike<D, R>,
  options: SvdOptions & { readonly computeUv: false },
): Pick<Svd<D, R>, "s">;
export function svd<D extends MatrixDType, R extends number>(
  matrix: OperandLike<D, R>,
  options?: SvdOptions & { readonly computeUv?: true },
): Svd<D, R>;
export function svd<D extends MatrixDType, R extends number>(
  matrix: OperandLike<D, R>,
  options: SvdOptions,
): Pick<Svd<D, R>, "s"> & Partial<Svd<D, R>>;
export function svd<D extends MatrixDType, R extends number>(matrix: OperandLike<D, R>, options: SvdOptions = {}): Pick<Svd<D, R>, "s"> {
  checkOptions("svd", options, ["fullMatrices", "computeUv"]);
  const flags = checkFlags("svd", options, { fullMatrices: false, computeUv: true });
  const tree = checkTree("svd", matrix);
  checkMatrix("svd", tree);
  checkMatrixDType("svd", tree);
  const { s, u, v } = svdNodes(tree, { call: "svd", ...flags });
  return (flags.computeUv ? { s, u, v } : { s }) as unknown as Svd<D, R>;
}
