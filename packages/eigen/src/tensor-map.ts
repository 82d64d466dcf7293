/**
 * TensorMap: a typed, indexable view of memory that somebody else holds (Eigen::TensorMap, which TensorFlow's
 * TTypes<T>::Tensor names; unsupported/Eigen/CXX11/src/Tensor/TensorMap.h).
 *
 *     array   | . . . . . . | 0 1 2 | 3 4 5 | . . .      one array over the whole root memory, shared by all maps
 *     map                    ^base    dims [2, 3]        at(1, 0) reads array[base + 1 * 3 + 0]
 *
 * Row-major, as TensorFlow always is. A map holds no reference: it keeps forgotten memory reachable through its
 * owner, but once the owner frees the memory every access throws. These are the interfaces; the classes are generated,
 * one per rank and storage kind, because one class for all dtypes would be many times slower.
 *
 * For speed: keep the loop over the last index in a function of its own. Engines optimize a function when it is called
 * again, and a nest of loops that is entered once stays half-optimized.
 */
import type { DType, ElementInput, ElementOf, TypedArrayOf } from "@onebuffer/base";
import type { Indices, LowerRank, NestedArray } from "./indices.ts";
import type { MemoryOwner } from "./memory-owner.ts";

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
export interface ConstTensorMap<D extends DType, R extends number> {
  /** The element type's name. */
  readonly dtype: D;
  /** The number of dimensions; 0 for a scalar. */
  readonly rank: R;
  /** The number of elements, the product of the dimensions; 1 for a scalar. */
  readonly size: number;
  /** All sizes, outermost first: a fresh array. */
  readonly dimensions: readonly number[];
  /** Whoever owns the memory; UNOWNED over a plain typed array. */
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
   * The map with dimension `dim` fixed at `offset`: row `offset` of a matrix for dim 0. Shares the memory.
   * Throws OUT_OF_RANGE for the offset, INVALID_ARGUMENT for a dim outside [0, rank), UNIMPLEMENTED when the elements do
   * not lie side by side, that is, when a dimension before `dim` is larger than 1.
   */
  chip(offset: number, dim?: number): ConstTensorMap<D, LowerRank<R>>;
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
 * What `copyFrom` takes: a map of the same dtype and as many elements, raw elements in an array as `data` gives
 * them, or elements in a plain array.
 *
 * @example
 * const source: CopySource<"float32"> = [1, 2];
 * const map = tensorMap("float32", new Float32Array(2), [2]);
 * map.copyFrom(source);
 * map.at(1); // => 2
 */
export type CopySource<D extends DType> = ConstTensorMap<D, number> | TypedArrayOf<D> | readonly ElementInput<D>[];

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
export interface TensorMap<D extends DType, R extends number> extends ConstTensorMap<D, R> {
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
   * Copies elements in row-major order; memory may overlap. Throws INVALID_ARGUMENT if dtype or element count differ or
   * an element is of the wrong kind; nothing is stored then.
   */
  copyFrom(source: CopySource<D>): void;
  chip(offset: number, dim?: number): TensorMap<D, LowerRank<R>>;
}
