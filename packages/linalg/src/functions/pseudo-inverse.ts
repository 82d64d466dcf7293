/** pseudo-inverse: the inverse of what a matrix does not map to 0, and the number of its dimensions. */
import { checkOptions } from "@onebuffer/base/internal";
import type { Expression, OperandLike, RankWithout } from "@onebuffer/expression";
import { checkTree, filled, made, reduceFields } from "@onebuffer/expression/internal";
import type { GradientValue } from "@onebuffer/expression/internal";
import { checkMatrix, checkMatrixDType } from "../batch/matrix-sizes.ts";
import type { MatrixDType } from "../batch/matrix-sizes.ts";
import { pseudoInverseNode } from "../nodes/pseudo-inverse-node.ts";
import { largestOf } from "../nodes/scaled-matrices.ts";
import { svdNodes } from "../nodes/svd-node.ts";
import { checkSize, defaultCutoff } from "./singular-operands.ts";

/**
 * Returns the Moore-Penrose inverse of matrices of any sizes [..., M, N], [..., N, M] (`tf.linalg.pinv`, `np.linalg.pinv`). Singular values
 * of at most `rcond` times the largest are taken for 0; the default is TensorFlow's, 10 max(M, N) times the unit of the dtype. NaN and
 * infinities give NaN.
 *
 * Throws INVALID_ARGUMENT for fewer than two dimensions, for a dtype that is not float32, float64, complex64 or complex128, and for an
 * `rcond` that is not a number from 0. Computing throws as `svd` does. Copies and computes nothing.
 *
 * @example
 * const a = tensorMap("float64", Float64Array.of(2, 0, 0, 0), [2, 2]);
 * evaluate(pseudoInverse(a)).toArray(); // => [[0.5, 0], [0, 0]]
 * pseudoInverse(a, { rcond: -1 }); // throws INVALID_ARGUMENT
 */
export function pseudoInverse<D extends MatrixDType, R extends number>(
  matrix: OperandLike<D, R>,
  options: { readonly rcond?: number } = {},
): Expression<D, R> {
  const call = "pseudoInverse";
  checkOptions(call, options, ["rcond"]);
  const rcond = checkSize(call, "rcond", options.rcond);
  const a = checkedMatrix(call, matrix);
  return pseudoInverseNode(call, a, rcond ?? 10 * defaultCutoff(a)) as never;
}

/**
 * Returns the number of singular values above `tolerance` of each matrix (`tf.linalg.matrix_rank`, `np.linalg.matrix_rank`). The default is
 * max(M, N) times the unit of the dtype times the largest singular value.
 *
 * Throws INVALID_ARGUMENT as `pseudoInverse` does. Copies and computes nothing.
 *
 * @example
 * const a = tensorMap("float64", Float64Array.of(1, 2, 2, 4), [2, 2]);
 * evaluate(matrixRank(a)).toArray(); // => 1
 * matrixRank(a, { tolerance: NaN }); // throws INVALID_ARGUMENT
 */
export function matrixRank<D extends MatrixDType, R extends number>(
  matrix: OperandLike<D, R>,
  options: { readonly tolerance?: number } = {},
): Expression<"int32", RankWithout<R, 2>> {
  const call = "matrixRank";
  checkOptions(call, options, ["tolerance"]);
  const tolerance = checkSize(call, "tolerance", options.tolerance);
  const a = checkedMatrix(call, matrix);
  const { s } = svdNodes(a, { call, computeUv: false, fullMatrices: false });
  const least = tolerance === null ? largestOf(s).mul(defaultCutoff(a)) : filled(s.dtype, tolerance, []);
  return made(reduceFields("sum", s.greater(least).cast("int32"), -1, false)) as never;
}

/** Returns an operand as matrices. Throws INVALID_ARGUMENT for fewer than two dimensions, and for dtypes without singular values. */
export function checkedMatrix(call: string, matrix: unknown): GradientValue {
  const tree = checkTree(call, matrix) as GradientValue;
  checkMatrix(call, tree);
  checkMatrixDType(call, tree);
  return tree;
}
