/** diagonals: diagonals and bands of matrices, read, made and replaced. */
import { InvalidArgumentError } from "@onebuffer/base";
import type { DType } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";
import type { Expression, ExpressionTree, OperandLike } from "@onebuffer/expression";
import { checkTree, chosen, joined, repeated, reshaped, shownCall, sizesOf } from "@onebuffer/expression/internal";
import type { GradientValue } from "@onebuffer/expression/internal";
import type { HigherRank, LowerRank } from "@onebuffer/storage";
import { sameSizes } from "@onebuffer/storage/internal";
import { diagonalPart } from "../nodes/diagonal-part.ts";
import { bandOf, offsets, zeroOf } from "../nodes/matrix-nodes.ts";
import { checkMatrix } from "../batch/matrix-sizes.ts";

/** Throws INVALID_ARGUMENT unless a number is whole and between -2^31 and 2^31. */
function checkWhole(call: string, name: string, value: unknown): number {
  if (Number.isInteger(value) && Math.abs(value as number) < 2 ** 31) return (value as number) + 0;
  throw new InvalidArgumentError(`${call}: ${name} is a whole number, got ${shownValue(value)}`);
}

/**
 * Returns matrices of which the main diagonal, `numLower` diagonals below it and `numUpper` above it are kept, and the other elements are 0
 * (`tf.linalg.band_part`). A negative number keeps all: `bandPart(a, -1, 0)` is the lower triangle (`np.tril`), `bandPart(a, 0, -1)` the upper
 * one (`np.triu`).
 *
 * Throws INVALID_ARGUMENT for fewer than two dimensions and numbers that are not whole. Copies nothing before it is computed.
 *
 * @example
 * const a = tensorMap("int32", Int32Array.of(1, 2, 3, 4), [2, 2]);
 * evaluate(bandPart(a, -1, 0)).toArray(); // => [[1, 0], [3, 4]]
 * bandPart(a, 0.5, 0); // throws INVALID_ARGUMENT
 */
export function bandPart<D extends DType, R extends number>(
  matrix: OperandLike<D, R>,
  numLower: number,
  numUpper: number,
): Expression<D, R> {
  const a = checkTree("bandPart", matrix) as GradientValue;
  checkMatrix("bandPart", a);
  const [lower, upper] = [checkWhole("bandPart", "numLower", numLower), checkWhole("bandPart", "numUpper", numUpper)];
  return bandOf(a, lower < 0 ? -Infinity : -lower, upper < 0 ? Infinity : upper) as unknown as Expression<D, R>;
}

/**
 * Returns square matrices with the vectors of the last axis on diagonal `k`, and 0 elsewhere (`tf.linalg.diag`, `np.diag`): 0 is the main
 * diagonal, 1 the one above it.
 *
 * Throws INVALID_ARGUMENT for a scalar and for a k that is not whole. Copies nothing before it is computed.
 *
 * @example
 * const x = tensorMap("int32", Int32Array.of(1, 2), [2]);
 * evaluate(diag(x)).toArray(); // => [[1, 0], [0, 2]]
 * evaluate(diag(x, 1)).toArray(); // => [[0, 1, 0], [0, 0, 2], [0, 0, 0]]
 * diag(x, 0.5); // throws INVALID_ARGUMENT
 */
export function diag<D extends DType, R extends number>(diagonal: OperandLike<D, R>, k: number = 0): Expression<D, HigherRank<R>> {
  const x = checkTree("diag", diagonal) as GradientValue;
  const offset = checkWhole("diag", "k", k);
  const sizes = sizesOf(x);
  if (sizes.length === 0) throw new InvalidArgumentError(`${shownCall("diag", [x])}: a diagonal has at least 1 dimension`);
  const n = sizes.at(-1)! + Math.abs(offset);
  const zeros = repeated(reshaped(zeroOf(x.dtype), [1, 1]), [...sizes.slice(0, -1), n, n]);
  return withDiagonal(zeros, x, offset) as unknown as Expression<D, HigherRank<R>>;
}

/**
 * Returns diagonal `k` of each matrix (`tf.linalg.diag_part`, `np.diagonal` of the last two axes): 0 is the main diagonal, 1 the one above it.
 *
 * Throws INVALID_ARGUMENT for fewer than two dimensions, and for a k beyond the matrix. Copies nothing before it is computed.
 *
 * @example
 * const a = tensorMap("int32", Int32Array.of(1, 2, 3, 4, 5, 6), [2, 3]);
 * evaluate(diagPart(a)).toArray(); // => [1, 5]
 * evaluate(diagPart(a, 1)).toArray(); // => [2, 6]
 * diagPart(a, 3); // throws INVALID_ARGUMENT
 */
export function diagPart<D extends DType, R extends number>(matrix: OperandLike<D, R>, k: number = 0): Expression<D, LowerRank<R>> {
  return diagonalPart("diagPart", checkTree("diagPart", matrix), checkWhole("diagPart", "k", k)) as unknown as Expression<D, LowerRank<R>>;
}

/**
 * Returns matrices with other elements on diagonal `k` (`tf.linalg.set_diag`).
 *
 * Throws INVALID_ARGUMENT unless the diagonal has the dtype of the matrices, their batch, and the length of diagonal k. Copies nothing before it
 * is computed.
 *
 * @example
 * const a = tensorMap("int32", Int32Array.of(1, 2, 3, 4), [2, 2]);
 * evaluate(setDiag(a, tensorMap("int32", Int32Array.of(8, 9), [2]))).toArray(); // => [[8, 2], [3, 9]]
 * setDiag(a, tensorMap("int32", Int32Array.of(8), [1])); // throws INVALID_ARGUMENT
 */
export function setDiag<D extends DType, R extends number>(
  matrix: OperandLike<D, R>,
  diagonal: OperandLike<NoInfer<D>, number>,
  k: number = 0,
): Expression<D, R> {
  const [a, x] = [checkTree("setDiag", matrix) as GradientValue, checkTree("setDiag", diagonal) as GradientValue];
  const offset = checkWhole("setDiag", "k", k);
  const wanted = sizesOf(diagonalPart("setDiag", a, offset));
  if (x.dtype !== a.dtype || !sameSizes(sizesOf(x), wanted)) {
    throw new InvalidArgumentError(`${shownCall("setDiag", [a, x])}: diagonal ${offset} is ${a.dtype} [${wanted.join(", ")}]`);
  }
  return withDiagonal(a, x, offset) as unknown as Expression<D, R>;
}

/** Returns matrices with the elements of `x` on a diagonal. */
function withDiagonal(a: GradientValue, x: GradientValue, k: number): GradientValue {
  const sizes = sizesOf(a);
  const [rows, columns] = sizes.slice(-2) as [number, number];
  // On a diagonal above the main one element i is in row i, below it in column i.
  const lines = k >= 0 ? rows : columns;
  const length = sizesOf(x).at(-1)!;
  const batch = sizes.slice(0, -2);
  const filler = repeated(reshaped(zeroOf(x.dtype), [1]), [...batch, Math.max(0, lines - length)]);
  const line: ExpressionTree = joined([x, filler], batch.length);
  const spread = repeated(reshaped(line, k >= 0 ? [...batch, rows, 1] : [...batch, 1, columns]), sizes);
  return chosen(offsets(rows, columns).equal(k), spread, a);
}
