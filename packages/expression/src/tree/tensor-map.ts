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
import type { DType, ElementInput, ElementOf, TypedArrayOf } from "@onebuffer/base";
import type { Movements, Operations } from "./expression.ts";
import type { Assignments, Operand, OperandSource } from "./operand.ts";
import type { HigherRank, Indices, LowerRank, NestedArray, PrintOptions, SliceRange, StridedRank, TensorJson } from "@onebuffer/storage";

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
export interface ConstTensorMap<D extends DType, R extends number = number> extends Operand<D, R>, Operations, Movements {
  /** The element type's name. */
  readonly dtype: D;
  /** The number of dimensions; 0 for a scalar. */
  readonly rank: R;
  /** The number of elements, the product of the dimensions; 1 for a scalar. */
  readonly size: number;
  /** All sizes, outermost first, as a new array. */
  readonly dimensions: readonly number[];
  /**
   * The elements as one array of raw values: bit patterns for the small floats, alternating real and imaginary parts for complex numbers.
   * The array is a view, not a copy. It carries the owner, so the memory stays reachable as long as the array does (a `subarray()` of it
   * does not carry the owner). Throws FAILED_PRECONDITION where no such array exists: for bytes at an offset that is not a multiple of the
   * element size, and for a part of a string, resource or variant array. For those three dtypes the array is the storage itself: reading
   * it is safe, but writing to it neither copies the new element nor ends the old one; use `set`.
   */
  readonly data: TypedArrayOf<D>;
  /**
   * The element at one index per dimension. Throws OUT_OF_RANGE with the index and the dimension; fractions, NaN and values that are not
   * numbers are out of range too. Throws INVALID_ARGUMENT if the number of indices is not the rank.
   */
  at(...indices: Indices<R>): ElementOf<D>;
  /** The element of a map of any rank with exactly one element. Throws INVALID_ARGUMENT for another number of elements. */
  item(): ElementOf<D>;
  /** The size of one dimension. Throws OUT_OF_RANGE outside [0, rank). */
  dimension(i: number): number;
  /**
   * The map with dimension `dim` fixed at `offset`: row `offset` of a matrix for dim 0, column `offset` for dim 1. A negative dim
   * counts from the end. Shares the memory. The result is a TensorMap if its elements are adjacent in memory, which is always so for dim
   * 0. It is a StridedMap if dimension `dim` and some dimension before it both have a size larger than 1.
   * Throws OUT_OF_RANGE for the offset, INVALID_ARGUMENT for a dim outside [-rank, rank).
   */
  chip(offset: number, dim: 0): ConstTensorMap<D, LowerRank<R>>;
  chip(offset: number, dim: number): ConstTensorMap<D, LowerRank<R>> | ConstStridedMap<D, LowerRank<R>>;
  chip(offset: number): ConstTensorMap<D, LowerRank<R>>;
  /**
   * The same elements as a StridedMap, or the elements that a text in NumPy's index notation selects: see ConstStridedMap.strided. A
   * literal text gives the rank in the type, too.
   * Copies: never.
   */
  strided(): ConstStridedMap<D, R>;
  strided<const Text extends string>(text: Text): ConstStridedMap<D, StridedRank<R, Text>>;
  /** The same map, read-only. Returns this map if it is already read-only. */
  asConst(): ConstTensorMap<D, R>;
  /** The elements as nested arrays (one element for a scalar). Copies: every element. */
  toArray(): NestedArray<ElementOf<D>, R>;
  /**
   * Dtype, sizes and elements, which JSON.stringify writes: 64-bit integers, NaN and infinities as strings, a complex number as a pair.
   * Throws INVALID_ARGUMENT for more than 1,000,000 elements. Copies: every element.
   */
  toJSON(): TensorJson;
  /**
   * The elements in NumPy's layout, as those of a tensor. On freed memory the kind, dtype and dimensions instead. Throws
   * RESOURCE_EXHAUSTED if more than 2^22 elements would be shown.
   */
  toString(options?: PrintOptions): string;
  /** The elements in row-major order. */
  [Symbol.iterator](): IterableIterator<ElementOf<D>>;
}

/**
 * The sources that `copyFrom` accepts: a map, strided or not, or a tensor, of the same dtype and element count; raw elements in a typed array as `data`
 * returns them, for uint8 also in a Uint8ClampedArray, as an ImageData has; or elements in a plain array.
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
export interface TensorMap<D extends DType, R extends number = number> extends ConstTensorMap<D, R>, Assignments<D> {
  /**
   * Stores an element: indices first, the value last. Throws as `at` does, and INVALID_ARGUMENT for a value of the wrong
   * kind (a number where a bigint belongs); nothing is stored then.
   * A string, variant or resource element is stored as a copy, and the caller keeps the value. The element that it
   * replaces ends, as in a C++ assignment. (In a plain array that the caller passed in, variants and handles are stored as they are.)
   */
  set(...args: [...indices: Indices<R>, value: ElementInput<D>]): void;
  /** Stores one value in every element. Throws as `set` does. */
  fill(value: ElementInput<D>): void;
  /**
   * Copies elements in row-major order. The memory may overlap: the result is as if the source were copied aside first. Throws
   * INVALID_ARGUMENT if the dtype or the element count differs or an element is of the wrong kind; nothing is stored then.
   */
  copyFrom(source: CopySource<D>): void;
  chip(offset: number, dim: 0): TensorMap<D, LowerRank<R>>;
  chip(offset: number, dim: number): TensorMap<D, LowerRank<R>> | StridedMap<D, LowerRank<R>>;
  chip(offset: number): TensorMap<D, LowerRank<R>>;
  strided(): StridedMap<D, R>;
  strided<const Text extends string>(text: Text): StridedMap<D, StridedRank<R, Text>>;
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
export interface ConstStridedMap<D extends DType, R extends number = number> extends Operand<D, R>, Operations {
  /** The element type's name. */
  readonly dtype: D;
  /** The number of dimensions; 0 for a scalar. */
  readonly rank: R;
  /** The number of elements, the product of the dimensions; an element repeated by a stride of 0 counts each time. */
  readonly size: number;
  /** All sizes, outermost first, as a new array. */
  readonly dimensions: readonly number[];
  /** The distance in elements from one index to the next, per dimension, as a new array. Unspecified where a size is 0 or 1. */
  readonly strides: readonly number[];
  /** The index of element (0, 0, …) in the array over the root memory, in elements. */
  readonly offset: number;
  /** The element at one index per dimension. Throws as ConstTensorMap.at does; negative indices are out of range. */
  at(...indices: Indices<R>): ElementOf<D>;
  /** The element of a map of any rank with exactly one element. Throws INVALID_ARGUMENT for another number of elements. */
  item(): ElementOf<D>;
  /** The size of one dimension. Throws OUT_OF_RANGE outside [0, rank). */
  dimension(i: number): number;
  /**
   * A view of one range per dimension, starting with the first; dimensions without a range stay whole. (`slice` of a TensorMap gives an
   * expression.) By NumPy's rules ranges are clamped, never
   * out of range, and may be empty. Throws INVALID_ARGUMENT for more ranges than dimensions, a step of 0 or values that are not integers.
   */
  slice(...ranges: readonly SliceRange[]): ConstStridedMap<D, R>;
  /** Reverses the listed dimensions; the default is all. Throws INVALID_ARGUMENT for a dimension out of range or listed twice. */
  reverse(dims?: readonly number[]): ConstStridedMap<D, R>;
  /** Dimension `d` of the result is dimension `order[d]` of this map. Throws INVALID_ARGUMENT unless each is listed once. */
  permute(order: readonly number[]): ConstStridedMap<D, R>;
  /** As `permute`; the default is all dimensions in reverse order. */
  transpose(order?: readonly number[]): ConstStridedMap<D, R>;
  /**
   * This map broadcast to other sizes by NumPy's rules: sizes are compared from the last dimension, a size of 1 repeats, new
   * dimensions come first. The result is always read-only, since one write would change many elements. Throws INVALID_ARGUMENT with both
   * shapes if they are incompatible.
   */
  broadcast<const S extends readonly number[]>(dims: S): ConstStridedMap<D, S["length"]>;
  /**
   * The map with dimension `dim` (default 0) fixed at `offset`; a negative `dim` counts from the end. Throws OUT_OF_RANGE for the offset,
   * INVALID_ARGUMENT for a dim outside [-rank, rank).
   */
  chip(offset: number, dim?: number): ConstStridedMap<D, LowerRank<R>>;
  /**
   * Inserts a dimension of size 1, which becomes dimension `dim` of the result: -1 puts it last. Throws INVALID_ARGUMENT for a dim out of
   * range.
   */
  expandDims(dim: number): ConstStridedMap<D, HigherRank<R>>;
  /**
   * Removes the listed dimensions; the default is all of size 1. Throws INVALID_ARGUMENT for a dimension of another size or out of range.
   */
  squeeze(dims?: readonly number[]): ConstStridedMap<D, number>;
  /**
   * The elements in row-major order with other sizes, as a view if strides can express it, otherwise null: `whyNotReshape` gives the
   * reason. One size may be -1 and is computed from the others. Throws INVALID_ARGUMENT if the element counts differ.
   */
  reshape<const S extends readonly number[]>(dims: S): ConstStridedMap<D, S["length"]> | null;
  /** A sentence that says which dimensions cannot be merged; null if `reshape` returns a map. Throws as `reshape` does. */
  whyNotReshape(dims: readonly number[]): string | null;
  /**
   * The elements selected by a text in NumPy's basic indexing: `"1:3, ::2, -1"`, with `...`, `newaxis` or `None`; spaces are ignored. An
   * integer removes its dimension. Throws INVALID_ARGUMENT with the column of a syntax error, for too many indices and for a step of 0, and
   * OUT_OF_RANGE for an integer outside its dimension.
   */
  strided<const Text extends string>(text: Text): ConstStridedMap<D, StridedRank<R, Text>>;
  /** True if the elements are adjacent in memory in row-major order. True for a map without elements. */
  isContiguous(): boolean;
  /** The same map without strides; null unless `isContiguous()`. */
  toTensorMap(): ConstTensorMap<D, R> | null;
  /**
   * The XLA layout of these strides: the dimensions from the fastest to the slowest; those of size 1 come last, in descending order.
   * Null if the elements are not dense. The offset is not part of a layout and is ignored.
   */
  minorToMajor(): number[] | null;
  /** The same map, read-only. Returns this map if it is already read-only. */
  asConst(): ConstStridedMap<D, R>;
  /** The elements as nested arrays. Copies: every element. Throws RESOURCE_EXHAUSTED for 2^27 elements or more. */
  toArray(): NestedArray<ElementOf<D>, R>;
  /** Dtype, sizes and elements, which JSON.stringify writes: see ConstTensorMap.toJSON. */
  toJSON(): TensorJson;
  /** The elements: see ConstTensorMap.toString. On freed memory the kind, dtype, dimensions, strides and offset instead. */
  toString(options?: PrintOptions): string;
  /** The elements in row-major order. */
  [Symbol.iterator](): IterableIterator<ElementOf<D>>;
}

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
export interface StridedMap<D extends DType, R extends number = number> extends ConstStridedMap<D, R>, Assignments<D> {
  /** Stores an element: indices first, the value last. Throws as TensorMap.set does. */
  set(...args: [...indices: Indices<R>, value: ElementInput<D>]): void;
  /** Stores one value in every element. Throws as `set` does. */
  fill(value: ElementInput<D>): void;
  /**
   * Copies elements in row-major order. The memory may overlap: the result is as if the source were copied aside first. Throws
   * INVALID_ARGUMENT if the dtype or the element count differs or an element is of the wrong kind; nothing is stored then. If this map
   * shows one element of the memory at several indices (strides smaller than a size), it is unspecified which value that element gets.
   */
  copyFrom(source: CopySource<D>): void;
  slice(...ranges: readonly SliceRange[]): StridedMap<D, R>;
  reverse(dims?: readonly number[]): StridedMap<D, R>;
  permute(order: readonly number[]): StridedMap<D, R>;
  transpose(order?: readonly number[]): StridedMap<D, R>;
  chip(offset: number, dim?: number): StridedMap<D, LowerRank<R>>;
  expandDims(dim: number): StridedMap<D, HigherRank<R>>;
  squeeze(dims?: readonly number[]): StridedMap<D, number>;
  reshape<const S extends readonly number[]>(dims: S): StridedMap<D, S["length"]> | null;
  strided<const Text extends string>(text: Text): StridedMap<D, StridedRank<R, Text>>;
  toTensorMap(): TensorMap<D, R> | null;
}
