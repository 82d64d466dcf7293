/**
 * TensorMapKind: the factory for maps of one dtype (in C++ the compiler makes this choice when it instantiates
 * TTypes<T>).
 *
 * A kind makes a map over an existing array in about ten nanoseconds. It checks that the map fits into the array. It does not check
 * the array's class; `tensorMap` checks that too.
 */
import type { DType, TypedArrayOf } from "@onebuffer/base";
import type { MemoryOwner } from "@onebuffer/storage";
import type { ConstStridedMap, StridedMap, TensorMap } from "./tensor-map.ts";

/**
 * Makes maps of dtype `D`. `array` is the typed array over the whole root memory (a plain array for string, resource
 * and variant). `base` is the index of the first element in it, counted in elements (a complex element is two array slots wide).
 *
 * Every method throws INVALID_ARGUMENT when base or a size is negative, fractional or too large for the array. Copies: never.
 *
 * @example
 * const kind: TensorMapKind<"float64"> = tensorMapKind("float64");
 * kind.matrix(new Float64Array([0, 1, 2, 3, 4]), 1, kUnowned, 2, 2).toArray(); // => [[1, 2], [3, 4]]
 * kind.vec(new Float64Array(5), 1, kUnowned, 5); // throws INVALID_ARGUMENT
 */
export interface TensorMapKind<D extends DType> {
  /** The element type of the maps. */
  readonly dtype: D;
  /** A map of one element. */
  scalar(array: TypedArrayOf<D>, base: number, owner: MemoryOwner): TensorMap<D, 0>;
  /** A map of rank 1. */
  vec(array: TypedArrayOf<D>, base: number, owner: MemoryOwner, d0: number): TensorMap<D, 1>;
  /** A map of rank 2. */
  matrix(array: TypedArrayOf<D>, base: number, owner: MemoryOwner, d0: number, d1: number): TensorMap<D, 2>;
  /** A map of rank 3. */
  tensor3(array: TypedArrayOf<D>, base: number, owner: MemoryOwner, d0: number, d1: number, d2: number): TensorMap<D, 3>;
  /** A map of rank 4. */
  tensor4(array: TypedArrayOf<D>, base: number, owner: MemoryOwner, d0: number, d1: number, d2: number, d3: number): TensorMap<D, 4>;
  /** A map of rank 5. */
  tensor5(
    array: TypedArrayOf<D>,
    base: number,
    owner: MemoryOwner,
    d0: number,
    d1: number,
    d2: number,
    d3: number,
    d4: number,
  ): TensorMap<D, 5>;
  /** A map of rank 6. */
  tensor6(
    array: TypedArrayOf<D>,
    base: number,
    owner: MemoryOwner,
    d0: number,
    d1: number,
    d2: number,
    d3: number,
    d4: number,
    d5: number,
  ): TensorMap<D, 6>;
  /** A map of any rank. Uses the class of its rank up to 4, and the general class beyond and for arrays of 2^30 slots or more. */
  general(array: TypedArrayOf<D>, base: number, owner: MemoryOwner, dims: readonly number[]): TensorMap<D, number>;
  /**
   * A map with strides; element (0, 0, …) is at `offset`. Offset and strides are counted in elements. Throws INVALID_ARGUMENT if an
   * element would be outside the array, FAILED_PRECONDITION if a stride of 0 repeats elements.
   */
  strided(
    array: TypedArrayOf<D>,
    offset: number,
    owner: MemoryOwner,
    dims: readonly number[],
    strides: readonly number[],
  ): StridedMap<D, number>;
  /** A read-only map with strides. Strides of 0 are allowed. */
  constStrided(
    array: TypedArrayOf<D>,
    offset: number,
    owner: MemoryOwner,
    dims: readonly number[],
    strides: readonly number[],
  ): ConstStridedMap<D, number>;
}
