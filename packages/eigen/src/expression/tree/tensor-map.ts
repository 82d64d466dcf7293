/**
 * TensorMap: a typed, indexable view of memory that somebody else holds (Eigen::TensorMap, which TensorFlow's
 * TTypes<T>::Tensor names; unsupported/Eigen/CXX11/src/Tensor/TensorMap.h).
 *
 *     array   | . . . . . . | 0 1 2 | 3 4 5 | . . .      one array over the whole root memory, shared by all maps
 *     map                    ^base    dims [2, 3]        at(1, 0) reads array[base + 1 * 3 + 0]
 *
 * Row-major, as TensorFlow always is. A map holds no reference: it keeps forgotten memory reachable through its
 * owner, but once the owner frees the memory every access throws. These are the interfaces; the classes of the ranks 0 to 4 are
 * generated for each storage kind, because one class for all dtypes would be many times slower. Maps of higher rank are of one
 * general class per kind, whose `at` takes about 20 ns instead of 2.
 *
 * StridedMap is the general form: each dimension has a stride of its own, so that slices with steps, reversals and
 * transpositions are maps, too (Eigen's TensorStridingSlicingOp, TensorReverseOp and TensorShufflingOp, as views).
 *
 *     array   | 0 1 2 3 4 5 |      strides [1, 2], dims [2, 3]       at(i, j) reads array[offset + i * 1 + j * 2]
 *
 * Both stand in this file because each gives the other.
 *
 * For speed: keep the loop over the last index in a function of its own. Engines optimize a function when it is called
 * again, and a nest of loops that is entered once stays half-optimized.
 */
import type { DType, ElementInput, ElementOf, TypedArrayOf } from "@onebuffer/base";
import type { Movements, Operations } from "./expression.ts";
import type { Assignments, Operand } from "./operand.ts";
import type { HigherRank, Indices, LowerRank, NestedArray, SliceRange } from "../../geometry/indices.ts";
import type { MemoryOwner } from "../../memory/memory-owner.ts";

/**
 * A read-only map: elements of dtype `D` in `R` dimensions. There is no `set`, neither for the compiler nor at run time;
 * the memory may still change under it, through another map.
 *
 * Every access throws FAILED_PRECONDITION once the memory is freed or its ArrayBuffer detached. Copies: never, but for
 * `toArray`.
 *
 * @example
 * const map: ConstTensorMap<"float32", 2> = tensorMap("float32", new Float32Array([1, 2, 3, 4, 5, 6]), [2, 3]).asConst();
 * map.at(1, 0); // => 4
 * map.at(1, 3); // throws OUT_OF_RANGE
 * "set" in map; // => false
 */
export interface ConstTensorMap<D extends DType, R extends number> extends Operand<D, R>, Operations, Movements {
  /** The element type's name. */
  readonly dtype: D;
  /** The number of dimensions; 0 for a scalar. */
  readonly rank: R;
  /** The number of elements, the product of the dimensions; 1 for a scalar. */
  readonly size: number;
  /** All sizes, outermost first: a fresh array. */
  readonly dimensions: readonly number[];
  /** Whoever owns the memory; kUnowned over a plain typed array. */
  readonly owner: MemoryOwner;
  /**
   * The elements as one array of raw values: bit patterns for the small floats, re and im in turn for complex numbers.
   * A view, no copy; it carries the owner, so the memory stays reachable as long as the array does (a `subarray()` of it
   * does not carry it). Throws FAILED_PRECONDITION where no such array exists: bytes at an offset that is no
   * multiple of the element size, and a part of a string, resource or variant array. The array of those is the storage
   * itself: reading it is fine, writing to it neither copies nor ends an element; use `set`.
   */
  readonly data: TypedArrayOf<D>;
  /**
   * The element at one index per dimension. Throws OUT_OF_RANGE naming index and dimension; a fraction, NaN or
   * anything that is not a number is out of range, too. INVALID_ARGUMENT for another count of indices.
   */
  at(...indices: Indices<R>): ElementOf<D>;
  /** The size of one dimension. Throws OUT_OF_RANGE outside [0, rank). */
  dimension(i: number): number;
  /**
   * The map with dimension `dim` fixed at `offset`: row `offset` of a matrix for dim 0, column `offset` for dim 1. A negative dim
   * counts from the end. Shares the memory. The result is a map without strides if its elements lie side by side, as those of dim 0
   * always do. If `dim` and a dimension before it are larger than 1 they do not, and the result is a strided map.
   * Throws OUT_OF_RANGE for the offset, INVALID_ARGUMENT for a dim outside [-rank, rank).
   */
  chip(offset: number, dim: 0): ConstTensorMap<D, LowerRank<R>>;
  chip(offset: number, dim: number): ConstTensorMap<D, LowerRank<R>> | ConstStridedMap<D, LowerRank<R>>;
  chip(offset: number): ConstTensorMap<D, LowerRank<R>>;
  /**
   * The same elements as a StridedMap, or those that a text in NumPy's index notation picks: see ConstStridedMap.strided.
   * Copies: never.
   */
  strided(): ConstStridedMap<D, R>;
  strided(text: string): ConstStridedMap<D, number>;
  /** The same map, read-only: itself, if it is already. */
  asConst(): ConstTensorMap<D, R>;
  /** The elements as nested arrays (one element for a scalar). Copies: every element. */
  toArray(): NestedArray<ElementOf<D>, R>;
  /** Kind, dtype and dimensions, no elements; works on freed memory, too. */
  toString(): string;
  /** The elements in row-major order. */
  [Symbol.iterator](): IterableIterator<ElementOf<D>>;
}

/**
 * What `copyFrom` takes: a map, strided or not, of the same dtype and as many elements, raw elements in an array as `data` gives
 * them, or elements in a plain array.
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
  | TypedArrayOf<D>
  | readonly ElementInput<D>[];

/**
 * A map that can also write. Numbers are stored as the dtype stores them: floats rounded to nearest even, integers
 * truncated and wrapped as in a typed array.
 *
 * @example
 * const memory = new Int32Array(6);
 * const map: TensorMap<"int32", 2> = tensorMap("int32", memory, [2, 3]);
 * map.set(1, 2, 7);
 * memory[5]; // => 7
 * map.set(2, 0, 7); // throws OUT_OF_RANGE
 */
export interface TensorMap<D extends DType, R extends number> extends ConstTensorMap<D, R>, Assignments<D> {
  /**
   * Stores an element: indices first, the value last. Throws as `at` does, and INVALID_ARGUMENT for a value of another
   * kind (a number where a bigint belongs); nothing is stored then.
   * A string, variant or resource element is stored as a copy of the value given, which stays the caller's; the element it
   * replaces ends, as in a C++ assignment. (In a plain array of the caller's own, variants and handles are stored as they are.)
   */
  set(...args: [...indices: Indices<R>, value: ElementInput<D>]): void;
  /** Stores one value in every element. Throws as `set` does. */
  fill(value: ElementInput<D>): void;
  /**
   * Copies elements in row-major order; memory may overlap: the result is as if the source were set aside first. Throws INVALID_ARGUMENT if dtype or element count differ or
   * an element is of the wrong kind; nothing is stored then.
   */
  copyFrom(source: CopySource<D>): void;
  chip(offset: number, dim: 0): TensorMap<D, LowerRank<R>>;
  chip(offset: number, dim: number): TensorMap<D, LowerRank<R>> | StridedMap<D, LowerRank<R>>;
  chip(offset: number): TensorMap<D, LowerRank<R>>;
  strided(): StridedMap<D, R>;
  strided(text: string): StridedMap<D, number>;
}

/**
 * A read-only map with strides: element (i, j, …) stands at place `offset + i * strides[0] + j * strides[1] + …` of the
 * array over the root memory, counted in elements. Strides may be negative (reversed) or 0 (broadcast).
 *
 * Every method that returns a map returns a view: same memory, same owner. Dimensions may be negative: they count from the end. Accesses and views throw FAILED_PRECONDITION
 * once the memory is freed or its ArrayBuffer detached. Copies: never, but for `toArray`.
 *
 * @example
 * const map: ConstStridedMap<"float32", 2> = tensorMap("float32", new Float32Array([1, 2, 3, 4, 5, 6]), [2, 3]).asConst().strided();
 * map.transpose().toArray(); // => [[1, 4], [2, 5], [3, 6]]
 * map.strided("-1, ::2").toArray(); // => [4, 6]
 * map.at(1, 3); // throws OUT_OF_RANGE
 * "set" in map; // => false
 */
export interface ConstStridedMap<D extends DType, R extends number> extends Operand<D, R>, Operations {
  /** The element type's name. */
  readonly dtype: D;
  /** The number of dimensions; 0 for a scalar. */
  readonly rank: R;
  /** The number of elements, the product of the dimensions; a broadcast one counts each time it is seen. */
  readonly size: number;
  /** All sizes, outermost first: a fresh array. */
  readonly dimensions: readonly number[];
  /** Elements from one index to the next, per dimension: a fresh array. Where a size is 0 or 1 the stride means nothing. */
  readonly strides: readonly number[];
  /** The place of element (0, 0, …), in elements from the start of the array over the root memory. */
  readonly offset: number;
  /** Whoever owns the memory; kUnowned over a plain typed array. */
  readonly owner: MemoryOwner;
  /** The element at one index per dimension. Throws as ConstTensorMap.at does; negative indices are out of range. */
  at(...indices: Indices<R>): ElementOf<D>;
  /** The size of one dimension. Throws OUT_OF_RANGE outside [0, rank). */
  dimension(i: number): number;
  /**
   * One range per dimension, from the first on; dimensions without one stay whole. NumPy's rules: nothing is out of range,
   * a range may be empty. Throws INVALID_ARGUMENT for more ranges than dimensions, a step of 0, anything but integers.
   */
  slice(...ranges: readonly SliceRange[]): ConstStridedMap<D, R>;
  /** The listed dimensions backwards, all of them unless told. INVALID_ARGUMENT for one that is not there or listed twice. */
  reverse(dims?: readonly number[]): ConstStridedMap<D, R>;
  /** Dimension `d` of the result is dimension `order[d]` of this map. INVALID_ARGUMENT unless each is named once. */
  permute(order: readonly number[]): ConstStridedMap<D, R>;
  /** All dimensions in opposite order. */
  transpose(): ConstStridedMap<D, R>;
  /**
   * This map repeated to other sizes by NumPy's rules: sizes are compared from the last, a size of 1 repeats, new
   * dimensions come first. Always read-only, since a write would hit many elements. Throws INVALID_ARGUMENT naming both
   * shapes where they do not go together.
   */
  broadcast<const S extends readonly number[]>(dims: S): ConstStridedMap<D, S["length"]>;
  /**
   * The map with one dimension fixed, any of them; a negative `dim` counts from the end. OUT_OF_RANGE for the offset, INVALID_ARGUMENT
   * for a dim outside [-rank, rank).
   */
  chip(offset: number, dim?: number): ConstStridedMap<D, LowerRank<R>>;
  /** The map with a dimension of size 1 put in, which is dimension `dim` of the result: -1 puts it last. INVALID_ARGUMENT beyond. */
  expandDims(dim: number): ConstStridedMap<D, HigherRank<R>>;
  /** Without the listed dimensions, all of size 1 unless told. INVALID_ARGUMENT for one of another size, or not there. */
  squeeze(dims?: readonly number[]): ConstStridedMap<D, number>;
  /**
   * The elements, in row-major order, under other sizes, if strides can say so, else null: `whyNotReshape` tells why. One size
   * may be -1 and is worked out. Throws INVALID_ARGUMENT when the counts differ.
   */
  reshape<const S extends readonly number[]>(dims: S): ConstStridedMap<D, S["length"]> | null;
  /** Which dimensions cannot be merged, as a sentence; null when `reshape` gives a map. Throws as `reshape` does. */
  whyNotReshape(dims: readonly number[]): string | null;
  /**
   * What a text in NumPy's basic indexing picks: `"1:3, ::2, -1"`, with `...`, `newaxis` or `None`; spaces are free. An integer
   * removes its dimension. Throws INVALID_ARGUMENT pointing at the column of what is no such text, for too many
   * indices and a step of 0, OUT_OF_RANGE for an integer outside its dimension.
   */
  strided(text: string): ConstStridedMap<D, number>;
  /** Whether the elements lie side by side in row-major order. True without elements. */
  isContiguous(): boolean;
  /** The same map without strides, null unless `isContiguous()`. */
  toTensorMap(): ConstTensorMap<D, R> | null;
  /**
   * The XLA layout of these strides: the dimensions from the fastest to the slowest, those of size 1 last and descending.
   * Null where the elements are not dense. The offset, which a layout cannot say, is left aside.
   */
  minorToMajor(): number[] | null;
  /** The same map, read-only: itself, if it is already. */
  asConst(): ConstStridedMap<D, R>;
  /** The elements as nested arrays. Copies: every element. RESOURCE_EXHAUSTED for 2^27 elements and more. */
  toArray(): NestedArray<ElementOf<D>, R>;
  /** Kind, dtype, dimensions, strides and offset, no elements; works on freed memory, too. */
  toString(): string;
  /** The elements in row-major order. */
  [Symbol.iterator](): IterableIterator<ElementOf<D>>;
}

/**
 * A strided map that can also write. It never repeats an element by a stride of 0: `broadcast` gives a read-only map.
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
export interface StridedMap<D extends DType, R extends number> extends ConstStridedMap<D, R>, Assignments<D> {
  /** Stores an element: indices first, the value last. Throws as TensorMap.set does. */
  set(...args: [...indices: Indices<R>, value: ElementInput<D>]): void;
  /** Stores one value in every element. Throws as `set` does. */
  fill(value: ElementInput<D>): void;
  /**
   * Copies elements in row-major order; memory may overlap: the result is as if the source were set aside first. Throws
   * INVALID_ARGUMENT if dtype or element count differ or an element is of the wrong kind; nothing is stored then. Where
   * this map shows one place at several indices (strides smaller than a size), which element stays is not specified.
   */
  copyFrom(source: CopySource<D>): void;
  slice(...ranges: readonly SliceRange[]): StridedMap<D, R>;
  reverse(dims?: readonly number[]): StridedMap<D, R>;
  permute(order: readonly number[]): StridedMap<D, R>;
  transpose(): StridedMap<D, R>;
  chip(offset: number, dim?: number): StridedMap<D, LowerRank<R>>;
  expandDims(dim: number): StridedMap<D, HigherRank<R>>;
  squeeze(dims?: readonly number[]): StridedMap<D, number>;
  reshape<const S extends readonly number[]>(dims: S): StridedMap<D, S["length"]> | null;
  strided(text: string): StridedMap<D, number>;
  toTensorMap(): TensorMap<D, R> | null;
}
