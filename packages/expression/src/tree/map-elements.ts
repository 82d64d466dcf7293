/**
 * MapElements: what maps with and without strides have in common: sizes, elements, copies of them as text and arrays.
 */
import type { DType, ElementInput, ElementOf } from "@onebuffer/base";
import type { Indices, NestedArray, PrintOptions, TensorJson } from "@onebuffer/storage";
import type { Operand } from "./operand.ts";

/**
 * The methods of a map, strided or not, that read elements and give no map. See ConstTensorMap.
 */
export interface MapElements<D extends DType, R extends number = number> extends Operand<D, R> {
  /** The element type's name. */
  readonly dtype: D;
  /** The number of dimensions; 0 for a scalar. */
  readonly rank: R;
  /** The number of elements, the product of the dimensions; an element repeated by a stride of 0 counts each time. */
  readonly size: number;
  /** All sizes, outermost first, as a new array. */
  readonly dimensions: readonly number[];
  /**
   * The element at one index per dimension. Throws OUT_OF_RANGE with the index and the dimension; negative indices, fractions, NaN and
   * values that are not numbers are out of range too. Throws INVALID_ARGUMENT if the number of indices is not the rank.
   *
   * @example
   * const map = tensorMap("float32", Float32Array.of(1, 2, 3, 4), [2, 2]);
   * map.at(1, 0); // => 3
   * map.at(0, 7); // throws OUT_OF_RANGE
   */
  at(...indices: Indices<R>): ElementOf<D>;
  /**
   * The element of a map of any rank with exactly one element. Throws INVALID_ARGUMENT for another number of elements.
   *
   * @example
   * tensorMap("float32", Float32Array.of(7), [1, 1]).item(); // => 7
   */
  item(): ElementOf<D>;
  /**
   * The size of one dimension. Throws OUT_OF_RANGE outside [0, rank).
   *
   * @example
   * tensorMap("float32", new Float32Array(6), [2, 3]).dimension(1); // => 3
   */
  dimension(i: number): number;
  /**
   * The elements as nested arrays (one element for a scalar). Copies: every element. Throws RESOURCE_EXHAUSTED for 2^27 elements or more.
   *
   * @example
   * tensorMap("float32", Float32Array.of(1, 2, 3, 4), [2, 2]).toArray(); // => [[1, 2], [3, 4]]
   */
  toArray(): NestedArray<ElementOf<D>, R>;
  /**
   * Dtype, sizes and elements, which JSON.stringify writes: 64-bit integers, NaN and infinities as strings, a complex number as a pair.
   * Throws INVALID_ARGUMENT for more than 1,000,000 elements. Copies: every element.
   *
   * @example
   * JSON.stringify(tensorMap("float32", Float32Array.of(1, NaN), [2])); // => '{"dtype":"float32","shape":[2],"values":[1,"NaN"]}'
   */
  toJSON(): TensorJson;
  /**
   * The elements in NumPy's layout, as those of a tensor. On freed memory the kind, dtype and dimensions instead, with strides the offset,
   * too. Throws RESOURCE_EXHAUSTED if more than 2^22 elements would be shown.
   *
   * @example
   * tensorMap("float32", Float32Array.of(1, 2, 3, 4), [2, 2]).toString(); // => "[[1. 2.]\n [3. 4.]]"
   */
  toString(options?: PrintOptions): string;
  /**
   * The elements in row-major order.
   *
   * @example
   * [...tensorMap("float32", Float32Array.of(1, 2, 3, 4), [2, 2])]; // => [1, 2, 3, 4]
   */
  [Symbol.iterator](): IterableIterator<ElementOf<D>>;
}

/**
 * The methods of a writable map, strided or not, that store single values. See TensorMap.
 */
export interface WritableElements<D extends DType, R extends number = number> {
  /**
   * Stores an element: indices first, the value last. Throws as `at` does, and INVALID_ARGUMENT for a value of the wrong
   * kind (a number where a bigint belongs); nothing is stored then.
   * A string, variant or resource element is stored as a copy, and the caller keeps the value. The element that it
   * replaces ends, as in a C++ assignment. (In a plain array that the caller passed in, variants and handles are stored as they are.)
   *
   * @example
   * const map = tensorMap("float32", new Float32Array(4), [2, 2]);
   * map.set(1, 0, 7);
   * map.toArray(); // => [[0, 0], [7, 0]]
   */
  set(...args: [...indices: Indices<R>, value: ElementInput<D>]): void;
  /**
   * Stores one value in every element. Throws as `set` does.
   *
   * @example
   * const map = tensorMap("float32", new Float32Array(2), [2]);
   * map.fill(7);
   * map.toArray(); // => [7, 7]
   */
  fill(value: ElementInput<D>): void;
}
