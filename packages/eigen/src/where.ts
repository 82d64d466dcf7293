/**
 * where and nonzero: the indices of the elements that are not zero (tf.where with one argument, NumPy's nonzero). They compute at once: the
 * size of the result depends on the elements, so they cannot be expressions. `where` with three arguments is `select`.
 */
import type { DType } from "@onebuffer/base";
import { InvalidArgumentError } from "@onebuffer/base";
import { checkOptions, shownValue, warnOldForm } from "@onebuffer/base/internal";
import { checkTree, shownOperand } from "@onebuffer/expression/internal";
import { select } from "@onebuffer/expression";
import type { BroadcastRank, Expression, OperandLike, PlaceOptions, Scalar, TensorMap } from "@onebuffer/expression";
import { freshArray } from "@onebuffer/storage/internal";
import { tensorMap } from "./map/wrap-typed-array.ts";
import { nonzeroPlaces } from "./nonzero-places.ts";

/**
 * With one argument: computes the operand at once, and returns the indices of its elements that are true or not 0 as the rows of an int64
 * matrix, one column per dimension, in row-major order (`tf.where`). NaN is not 0. The result is a new map, not an expression: its number
 * of rows depends on the elements.
 *
 * With three arguments: the same as `select(condition, then, otherwise)`, an expression.
 *
 * Throws INVALID_ARGUMENT for dtypes that cannot be cast to bool, RESOURCE_EXHAUSTED for more than 4 GiB of indices, and as `evaluate` or
 * `select` does. Copies: the indices.
 *
 * @example
 * const m = tensorMap("float32", Float32Array.of(0, 5, 7, 0), [2, 2]);
 * where(m.greater(0)).toArray(); // => [[0n, 1n], [1n, 0n]]
 * evaluate(where(m.greater(6), -1, m)).toArray(); // => [[0, 5], [-1, 0]]
 * where(tensorMap("qint8", new Int8Array(2), [2])); // throws INVALID_ARGUMENT
 */
export function where(operand: OperandLike<DType, number>): TensorMap<"int64", 2>;
/**
 * The element of `then` where `condition` is true, otherwise that of `otherwise`, as an expression: `select` under NumPy's name.
 *
 * @example
 * const m = tensorMap("int32", Int32Array.of(-5, 7), [2]);
 * evaluate(where(m.less(0), m.neg(), m)).toArray(); // => [5, 7]
 */
export function where<R extends number, D extends DType, S extends number, T extends number = 0>(
  condition: OperandLike<"bool", R>,
  then: OperandLike<D, S>,
  otherwise: OperandLike<NoInfer<D>, T> | Scalar<NoInfer<D>>,
): Expression<D, BroadcastRank<BroadcastRank<R, S>, T>>;
/**
 * The plain value `then` where `condition` is true, otherwise the element of `otherwise`, as an expression.
 *
 * @example
 * const m = tensorMap("int32", Int32Array.of(-5, 7), [2]);
 * evaluate(where(m.less(0), 0, m)).toArray(); // => [0, 7]
 */
export function where<R extends number, D extends DType, S extends number>(
  condition: OperandLike<"bool", R>,
  then: Scalar<NoInfer<D>>,
  otherwise: OperandLike<D, S>,
): Expression<D, BroadcastRank<R, S>>;
export function where(...operands: readonly unknown[]): unknown {
  if (operands.length > 1) return (select as (...operands: readonly unknown[]) => unknown)(...operands);
  const tree = checkTree("where", operands[0]);
  const places = nonzeroPlaces("where", tree);
  const rank = tree.dimensions.length;
  const indices = freshArray("int64", places.length * rank, () => "where") as BigInt64Array<ArrayBuffer>;
  writeIndices(places, tree.dimensions, (d) => ({ words: lowWords(indices), start: 2 * d, step: 2 * rank }));
  return tensorMap("int64", indices, [places.length, rank]);
}

/**
 * Computes the operand at once, and returns the indices of its elements that are true or not 0: one vector per dimension (NumPy's nonzero).
 * Vector d has the indices along dimension d, in row-major order of the elements. `where` returns the same indices as one matrix.
 *
 * Throws INVALID_ARGUMENT for scalars, for dtypes that cannot be cast to bool, and for an output type other than int32 and int64;
 * RESOURCE_EXHAUSTED for more than 4 GiB of indices along a dimension; and as `evaluate` does. Copies: the indices.
 *
 * @example
 * const m = tensorMap("int32", Int32Array.of(0, 5, 7, 0), [2, 2]);
 * nonzero(m).map((indices) => indices.toArray()); // => [[0n, 1n], [1n, 0n]]
 * const [positions] = nonzero(m.reshape([4]), { outputType: "int32" });
 * positions?.toArray(); // => [1, 2]
 * nonzero(m.sum()); // throws INVALID_ARGUMENT
 */
export function nonzero<E extends "int64" | "int32" = "int64">(
  operand: OperandLike<DType, number>,
  options: PlaceOptions<E> = {},
): TensorMap<E, 1>[] {
  const tree = checkTree("nonzero", operand);
  const outputType = outputTypeOf(options) as E;
  if (tree.dimensions.length === 0) throw new InvalidArgumentError(`nonzero(${shownOperand(tree)}): a scalar has no axis`);
  const places = nonzeroPlaces("nonzero", tree);
  const isWide = outputType === "int64";
  const lists = tree.dimensions.map(() => freshArray(outputType, places.length, () => "nonzero") as Indices);
  writeIndices(places, tree.dimensions, (d) => ({ words: lowWords(lists[d]!), start: 0, step: isWide ? 2 : 1 }));
  return lists.map((list) => tensorMap(outputType as DType, list as never, [places.length]) as unknown as TensorMap<E, 1>);
}

/** Returns the option of nonzero; the output type itself is the old form. Throws INVALID_ARGUMENT unless it is int32 or int64. */
function outputTypeOf(options: PlaceOptions | string): string {
  const isOld = typeof options === "string";
  if (!isOld) checkOptions("nonzero", options, ["outputType"]);
  const outputType = isOld ? options : (options.outputType ?? "int64");
  if (outputType !== "int64" && outputType !== "int32")
    throw new InvalidArgumentError(`nonzero: the output type is int32 or int64, got ${shownValue(outputType)}`);
  if (isOld) warnOldForm(`nonzero(x, "${outputType}")`, `nonzero(x, { outputType: "${outputType}" })`);
  return outputType;
}

/** Where the indices along one dimension are stored: every `step`-th word from `start` on. */
interface IndexColumn {
  readonly words: Int32Array;
  readonly start: number;
  readonly step: number;
}

type Indices = Int32Array<ArrayBuffer> | BigInt64Array<ArrayBuffer>;

/** Returns integers as 32-bit words. The high word of an int64 index stays 0, because `nonzeroPlaces` refuses 2^31 elements. */
function lowWords({ buffer }: Indices): Int32Array {
  return new Int32Array(buffer);
}

/**
 * Stores the indices of row-major places along each dimension. The places are overwritten: after each dimension they are those within the
 * dimensions before it.
 */
function writeIndices(places: Int32Array, dimensions: readonly number[], columnOf: (d: number) => IndexColumn): void {
  for (let d = dimensions.length - 1; d > 0; d--) divideColumn(places, dimensions[d] as number, columnOf(d));
  if (dimensions.length > 0) copyColumn(places, columnOf(0));
}

/** Stores the remainders of places by a size, and replaces the places by the quotients. */
function divideColumn(places: Int32Array, size: number, { words, start, step }: IndexColumn): void {
  for (let k = 0, at = start; k < places.length; k++, at += step) {
    const place = places[k] as number;
    const quotient = (place / size) | 0;
    words[at] = place - Math.imul(quotient, size);
    places[k] = quotient;
  }
}

/** Stores the indices along the first dimension. */
function copyColumn(places: Int32Array, { words, start, step }: IndexColumn): void {
  for (let k = 0, at = start; k < places.length; k++, at += step) words[at] = places[k] as number;
}
