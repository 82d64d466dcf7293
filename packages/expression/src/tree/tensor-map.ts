/**
 * TensorMap: a typed, indexable view of memory that another object owns (Eigen::TensorMap, which TensorFlow calls
 * TTypes<T>::Tensor; unsupported/Eigen/CXX11/src/Tensor/TensorMap.h).
 *
 *     array   | . . . . . . | 0 1 2 | 3 4 5 | . . .      one array over the whole root memory, shared by all maps
 *     map                    ^base    dims [2, 3]        at(1, 0) reads array[base + 1 * 3 + 0]
 *
 * The order is row-major, as always in TensorFlow. A map holds no reference count. It keeps its owner reachable, so the collector does
 * not reclaim the memory; but once the owner frees the memory, every access throws. This file has the interfaces. The classes for ranks 0
 * to 4 are generated for each storage kind, because one class for all dtypes would be many times slower. Maps of higher rank share one
 * general class per kind, whose `at` takes about 20 ns instead of 2 ns.
 *
 * StridedMap is the general form: each dimension has its own stride, so that slices with steps, reversals and transpositions are maps
 * too (as views, what Eigen's TensorStridingSlicingOp, TensorReverseOp and TensorShufflingOp compute).
 *
 *     array   | 0 1 2 3 4 5 |      strides [1, 2], dims [2, 3]       at(i, j) reads array[offset + i * 1 + j * 2]
 *
 * Both interfaces are in this file because each has methods that return the other.
 *
 * For speed, put the loop over the last index into its own function. Engines optimize a function when it is called again; a nest of
 * loops that is entered only once stays partly unoptimized.
 */
import type { DType, ElementInput, TypedArrayOf } from "@onebuffer/base";
import type { Expression, Movements, Operations } from "./expression.ts";
import type { MapElements, WritableElements } from "./map-elements.ts";
import type { Assignments, Operand, OperandSource } from "./operand.ts";
import type { HigherRank, LowerRank, SliceRange, StridedRank } from "@onebuffer/storage";

/** The dense maps of a dtype and a rank, by what one may do with them. */
interface TensorMaps<D extends DType, R extends number> {
  readonly readOnly: ConstTensorMap<D, R>;
  readonly writable: TensorMap<D, R>;
}

/** The strided maps of a dtype and a rank, by what one may do with them. */
interface StridedMaps<D extends DType, R extends number> {
  readonly readOnly: ConstStridedMap<D, R>;
  readonly writable: StridedMap<D, R>;
}

/** Whether maps are read-only or writable: a view of a map is as the map itself. */
type Access = keyof TensorMaps<DType, number>;

/**
 * The views of a dense map. ConstTensorMap and TensorMap have them from here, and neither extends the other: a compiler would compare all
 * views of one, and their views, with those of the other whenever it reads these declarations. A TensorMap is a ConstTensorMap all the same.
 */
interface TensorMapViews<D extends DType, R extends number, A extends Access> extends MapElements<D, R>, Operations, Movements {
  /**
   * The elements as one array of raw values: bit patterns for the small floats, alternating real and imaginary parts for complex numbers.
   * The array is a view, not a copy. It carries the owner, so the memory stays reachable as long as the array does (a `subarray()` of it
   * does not carry the owner). Throws FAILED_PRECONDITION where no such array exists: for bytes at an offset that is not a multiple of the
   * element size, and for a part of a string, resource or variant array. For those three dtypes the array is the storage itself: reading
   * it is safe, but writing to it neither copies the new element nor ends the old one; use `set`.
   */
  readonly data: TypedArrayOf<D>;
  /**
   * The map with dimension 0 fixed at `offset`, such as row `offset` of a matrix. Shares the memory. Throws OUT_OF_RANGE for the offset,
   * INVALID_ARGUMENT for a scalar.
   *
   * @example
   * const map = tensorMap("float32", Float32Array.of(1, 2, 3, 4, 5, 6), [2, 3]);
   * map.chip(1, 0).toArray(); // => [4, 5, 6]
   */
  chip(offset: number, dim: 0): TensorMaps<D, LowerRank<R>>[A];
  /**
   * The map with dimension `dim` fixed at `offset`: row `offset` of a matrix for dim 0, column `offset` for dim 1. A negative dim
   * counts from the end. Shares the memory. The result is a TensorMap if its elements are adjacent in memory, which is always so for dim
   * 0. It is a StridedMap if dimension `dim` and some dimension before it both have a size larger than 1.
   * Throws OUT_OF_RANGE for the offset, INVALID_ARGUMENT for a dim outside [-rank, rank).
   *
   * @example
   * const map = tensorMap("float32", Float32Array.of(1, 2, 3, 4, 5, 6), [2, 3]);
   * map.chip(1, -1).toArray(); // => [2, 5]
   */
  chip(offset: number, dim: number): TensorMaps<D, LowerRank<R>>[A] | StridedMaps<D, LowerRank<R>>[A];
  /**
   * As `chip(offset, 0)`: row `offset` of a matrix.
   *
   * @example
   * const map = tensorMap("float32", Float32Array.of(1, 2, 3, 4, 5, 6), [2, 3]);
   * map.chip(1).toArray(); // => [4, 5, 6]
   */
  chip(offset: number): TensorMaps<D, LowerRank<R>>[A];
  /**
   * The same elements as a StridedMap. Copies: never.
   *
   * @example
   * const map = tensorMap("float32", Float32Array.of(1, 2, 3, 4, 5, 6), [2, 3]);
   * map.strided().transpose().toArray(); // => [[1, 4], [2, 5], [3, 6]]
   */
  strided(): StridedMaps<D, R>[A];
  /**
   * The elements that a text in NumPy's index notation selects: see ConstStridedMap.strided. A literal text gives the rank in the type, too.
   * Copies: never.
   *
   * @example
   * const map = tensorMap("float32", Float32Array.of(1, 2, 3, 4, 5, 6), [2, 3]);
   * map.strided(":, ::2").toArray(); // => [[1, 3], [4, 6]]
   */
  strided<const Text extends string>(text: Text): StridedMaps<D, StridedRank<R, Text>>[A];
  /**
   * The same map, read-only. Returns this map if it is already read-only.
   *
   * @example
   * const map = tensorMap("float32", Float32Array.of(1, 2, 3, 4, 5, 6), [2, 3]);
   * "set" in map.asConst(); // => false
   */
  asConst(): ConstTensorMap<D, R>;
}

/**
 * A read-only map: elements of dtype `D` in `R` dimensions. It has no `set`, neither in the type nor at run time. The memory may still
 * change through another map.
 *
 * Every access throws FAILED_PRECONDITION once the memory is freed or its ArrayBuffer detached. Copies: never, except `toArray`.
 *
 * @example
 * const map: ConstTensorMap<"float32", 2> = tensorMap("float32", new Float32Array([1, 2, 3, 4, 5, 6]), [2, 3]).asConst();
 * map.at(1, 0); // => 4
 * map.at(1, 3); // throws OUT_OF_RANGE
 * "set" in map; // => false
 */
export interface ConstTensorMap<D extends DType, R extends number = number> extends TensorMapViews<D, R, "readOnly"> {}

/**
 * The sources that `copyFrom` accepts: a map, strided or not, or a tensor, of the same dtype and element count; raw elements in a typed
 * array as `data` returns them, for uint8 also in a Uint8ClampedArray, as an ImageData has; or elements in a plain array.
 *
 * @example
 * const source: CopySource<"float32"> = [1, 2];
 * const map = tensorMap("float32", new Float32Array(2), [2]);
 * map.copyFrom(source);
 * map.at(1); // => 2
 */
export type CopySource<D extends DType> =
  | ConstTensorMap<D, number>
  | ConstStridedMap<D, number>
  | OperandSource<D, number>
  | TypedArrayOf<D>
  | (D extends "uint8" ? Uint8ClampedArray<ArrayBufferLike> : never)
  | readonly ElementInput<D>[];

/**
 * A map that can also be written. Numbers are converted to the dtype: floats round to nearest even, integers truncate and wrap as in a
 * typed array.
 *
 * @example
 * const memory = new Int32Array(6);
 * const map: TensorMap<"int32", 2> = tensorMap("int32", memory, [2, 3]);
 * map.set(1, 2, 7);
 * memory[5]; // => 7
 * map.set(2, 0, 7); // throws OUT_OF_RANGE
 */
export interface TensorMap<D extends DType, R extends number = number>
  extends TensorMapViews<D, R, "writable">,
    WritableElements<D, R>,
    Assignments<D> {
  /**
   * Copies elements in row-major order. The memory may overlap: the result is as if the source were copied aside first. Throws
   * INVALID_ARGUMENT if the dtype or the element count differs or an element is of the wrong kind; nothing is stored then.
   *
   * @example
   * const map = tensorMap("float32", new Float32Array(4), [2, 2]);
   * map.chip(1).copyFrom([7, 8]);
   * map.toArray(); // => [[0, 0], [7, 8]]
   */
  copyFrom(source: CopySource<D>): void;
}

/** The views of a strided map: see TensorMapViews. */
interface StridedMapViews<D extends DType, R extends number, A extends Access> extends MapElements<D, R>, Operations {
  /** The distance in elements from one index to the next, per dimension, as a new array. Unspecified where a size is 0 or 1. */
  readonly strides: readonly number[];
  /** The index of element (0, 0, …) in the array over the root memory, in elements. */
  readonly offset: number;
  /**
   * A view of one range per dimension, starting with the first; dimensions without a range stay whole. (`slice` of a TensorMap gives an
   * expression.) By NumPy's rules ranges are clamped, never
   * out of range, and may be empty. Throws INVALID_ARGUMENT for more ranges than dimensions, a step of 0 or values that are not integers.
   *
   * @example
   * const map = tensorMap("float32", Float32Array.of(1, 2, 3, 4, 5, 6), [2, 3]).strided();
   * map.slice([1], [0, null, 2]).toArray(); // => [[4, 6]]
   */
  slice<E extends DType, S extends number>(this: Operand<E, S>, ...ranges: readonly SliceRange[]): StridedMaps<E, S>[A];
  /**
   * Reverses the listed dimensions; the default is all. Throws INVALID_ARGUMENT for a dimension out of range or listed twice.
   *
   * @example
   * const map = tensorMap("float32", Float32Array.of(1, 2, 3, 4, 5, 6), [2, 3]).strided();
   * map.reverse([1]).toArray(); // => [[3, 2, 1], [6, 5, 4]]
   */
  reverse<E extends DType, S extends number>(this: Operand<E, S>, dims?: readonly number[]): StridedMaps<E, S>[A];
  /**
   * Dimension `d` of the result is dimension `order[d]` of this map. Throws INVALID_ARGUMENT unless each is listed once.
   *
   * @example
   * const map = tensorMap("float32", Float32Array.of(1, 2, 3, 4, 5, 6), [2, 3]).strided();
   * map.permute([1, 0]).dimensions; // => [3, 2]
   */
  permute(order: readonly number[]): StridedMaps<D, R>[A];
  /**
   * As `permute`; the default is all dimensions in reverse order.
   *
   * @example
   * const map = tensorMap("float32", Float32Array.of(1, 2, 3, 4, 5, 6), [2, 3]).strided();
   * map.transpose().toArray(); // => [[1, 4], [2, 5], [3, 6]]
   */
  transpose<E extends DType, S extends number>(this: Operand<E, S>, order?: readonly number[]): StridedMaps<E, S>[A];
  /**
   * This map broadcast to other sizes by NumPy's rules: sizes are compared from the last dimension, a size of 1 repeats, new
   * dimensions come first. The result is always read-only, since one write would change many elements. Throws INVALID_ARGUMENT with both
   * shapes if they are incompatible.
   *
   * @example
   * const map = tensorMap("float32", Float32Array.of(1, 2, 3, 4, 5, 6), [2, 3]).strided();
   * map.broadcast([4, 2, 3]).strides; // => [0, 3, 1]
   */
  broadcast<E extends DType, const S extends readonly number[]>(this: Operand<E, number>, dims: S): ConstStridedMap<E, S["length"]>;
  /**
   * The map with dimension `dim` (default 0) fixed at `offset`; a negative `dim` counts from the end. Throws OUT_OF_RANGE for the offset,
   * INVALID_ARGUMENT for a dim outside [-rank, rank).
   *
   * @example
   * const map = tensorMap("float32", Float32Array.of(1, 2, 3, 4, 5, 6), [2, 3]).strided();
   * map.chip(1, 1).toArray(); // => [2, 5]
   */
  chip<E extends DType, S extends number>(this: Operand<E, S>, offset: number, dim?: number): StridedMaps<E, LowerRank<S>>[A];
  /**
   * Inserts a dimension of size 1, which becomes dimension `dim` of the result: -1 puts it last. Throws INVALID_ARGUMENT for a dim out of
   * range.
   *
   * @example
   * const map = tensorMap("float32", Float32Array.of(1, 2, 3, 4, 5, 6), [2, 3]).strided();
   * map.expandDims(-1).dimensions; // => [2, 3, 1]
   */
  expandDims<E extends DType, S extends number>(this: Operand<E, S>, dim: number): StridedMaps<E, HigherRank<S>>[A];
  /**
   * Removes the listed dimensions; the default is all of size 1. Throws INVALID_ARGUMENT for a dimension of another size or out of range.
   *
   * @example
   * const map = tensorMap("float32", Float32Array.of(1, 2, 3, 4, 5, 6), [2, 3]).strided();
   * map.slice([1]).squeeze().toArray(); // => [4, 5, 6]
   */
  squeeze<E extends DType>(this: Operand<E, number>, dims?: readonly number[]): StridedMaps<E, number>[A];
  /**
   * The elements in row-major order with other sizes, as an expression: it reads the memory when it is computed, and works whatever the
   * strides are. One size may be -1 and is computed from the others. `reshapeView` returns a map instead. Throws INVALID_ARGUMENT if the
   * element counts differ.
   *
   * @example
   * const map = tensorMap("float32", Float32Array.of(1, 2, 3, 4, 5, 6), [2, 3]).strided();
   * evaluate(map.transpose().reshape([6])).toArray(); // => [1, 4, 2, 5, 3, 6]
   */
  reshape<E extends DType, const S extends readonly number[]>(this: Operand<E, number>, dims: S): Expression<E, S["length"]>;
  /**
   * As `reshape`, as a view if strides can express it, otherwise null: `whyNotReshape` gives the reason. Copies: never.
   *
   * @example
   * const map = tensorMap("float32", Float32Array.of(1, 2, 3, 4, 5, 6), [2, 3]).strided();
   * map.reshapeView([3, 2])?.toArray(); // => [[1, 2], [3, 4], [5, 6]]
   * map.transpose().reshapeView([6]); // => null
   */
  reshapeView<const S extends readonly number[]>(dims: S): StridedMaps<D, S["length"]>[A] | null;
  /**
   * A sentence that says which dimensions cannot be merged; null if `reshapeView` returns a map. Throws as `reshapeView` does.
   *
   * @example
   * const map = tensorMap("float32", Float32Array.of(1, 2, 3, 4, 5, 6), [2, 3]).strided();
   * map.whyNotReshape([3, 2]); // => null
   */
  whyNotReshape(dims: readonly number[]): string | null;
  /**
   * The elements selected by a text in NumPy's basic indexing: `"1:3, ::2, -1"`, with `...`, `newaxis` or `None`; spaces are ignored. An
   * integer removes its dimension. Throws INVALID_ARGUMENT with the column of a syntax error, for too many indices and for a step of 0, and
   * OUT_OF_RANGE for an integer outside its dimension.
   *
   * @example
   * const map = tensorMap("float32", Float32Array.of(1, 2, 3, 4, 5, 6), [2, 3]).strided();
   * map.strided("-1, ::2").toArray(); // => [4, 6]
   */
  strided<const Text extends string>(text: Text): StridedMaps<D, StridedRank<R, Text>>[A];
  /**
   * True if the elements are adjacent in memory in row-major order. True for a map without elements.
   *
   * @example
   * const map = tensorMap("float32", Float32Array.of(1, 2, 3, 4, 5, 6), [2, 3]).strided();
   * [map.isContiguous(), map.transpose().isContiguous()]; // => [true, false]
   */
  isContiguous(): boolean;
  /**
   * The same map without strides; null unless `isContiguous()`.
   *
   * @example
   * const map = tensorMap("float32", Float32Array.of(1, 2, 3, 4, 5, 6), [2, 3]).strided();
   * [map.toTensorMap()?.dimensions, map.transpose().toTensorMap()]; // => [[2, 3], null]
   */
  toTensorMap(): TensorMaps<D, R>[A] | null;
  /**
   * The XLA layout of these strides: the dimensions from the fastest to the slowest; those of size 1 come last, in descending order.
   * Null if the elements are not dense. The offset is not part of a layout and is ignored.
   *
   * @example
   * const map = tensorMap("float32", Float32Array.of(1, 2, 3, 4, 5, 6), [2, 3]).strided();
   * [map.minorToMajor(), map.transpose().minorToMajor()]; // => [[1, 0], [0, 1]]
   */
  minorToMajor(): number[] | null;
  /**
   * The same map, read-only. Returns this map if it is already read-only.
   *
   * @example
   * const map = tensorMap("float32", Float32Array.of(1, 2, 3, 4, 5, 6), [2, 3]).strided();
   * "set" in map.asConst(); // => false
   */
  asConst(): ConstStridedMap<D, R>;
}

/**
 * A read-only map with strides: element (i, j, …) is at index `offset + i * strides[0] + j * strides[1] + …` of the array over the root
 * memory, counted in elements. Strides may be negative (reversed) or 0 (broadcast).
 *
 * Every method that returns a map returns a view: same memory, same owner. A dimension argument may be negative and then counts from the
 * end. Accesses and views throw FAILED_PRECONDITION once the memory is freed or its ArrayBuffer detached. Copies: never, except `toArray`.
 *
 * @example
 * const map: ConstStridedMap<"float32", 2> = tensorMap("float32", new Float32Array([1, 2, 3, 4, 5, 6]), [2, 3]).asConst().strided();
 * map.transpose().toArray(); // => [[1, 4], [2, 5], [3, 6]]
 * map.strided("-1, ::2").toArray(); // => [4, 6]
 * map.at(1, 3); // throws OUT_OF_RANGE
 * "set" in map; // => false
 */
export interface ConstStridedMap<D extends DType, R extends number = number> extends StridedMapViews<D, R, "readOnly"> {}

/**
 * A strided map that can also be written. It never repeats an element by a stride of 0: `broadcast` returns a read-only map.
 *
 * @example
 * const memory = new Int32Array(6);
 * const map: StridedMap<"int32", 2> = tensorMap("int32", memory, [2, 3]).strided().reverse([1]);
 * map.set(0, 0, 7);
 * [...memory]; // => [0, 0, 7, 0, 0, 0]
 * map.slice([1], [0, null, 2]).fill(5);
 * [...memory]; // => [0, 0, 7, 5, 0, 5]
 * map.set(2, 0, 7); // throws OUT_OF_RANGE
 */
export interface StridedMap<D extends DType, R extends number = number>
  extends StridedMapViews<D, R, "writable">,
    WritableElements<D, R>,
    Assignments<D> {
  /**
   * Copies elements in row-major order. The memory may overlap: the result is as if the source were copied aside first. Throws
   * INVALID_ARGUMENT if the dtype or the element count differs or an element is of the wrong kind; nothing is stored then. If this map
   * shows one element of the memory at several indices (strides smaller than a size), it is unspecified which value that element gets.
   *
   * @example
   * const map = tensorMap("float32", new Float32Array(4), [2, 2]);
   * map.strided(":, 1").copyFrom([7, 8]);
   * map.toArray(); // => [[0, 7], [0, 8]]
   */
  copyFrom(source: CopySource<D>): void;
}
