/**
 * MapStorage: the fields that every map class has, for code that works on all of them (error messages, copies, checks).
 *
 *     array  base  owner  [d0 .. d3 | dims]  [dtype | format | table | codec]      in this order, in every constructor
 *
 * Strided maps have the strides `s0 .. s3` after the sizes. The fixed order gives each map class a single hidden class in the engine.
 * None of these fields is public: users see the interfaces ConstTensorMap, TensorMap, ConstStridedMap and StridedMap.
 *
 * A slot is one entry of the array. An element takes one slot, except that a complex number takes two, and an element of an unaligned map
 * as many as it has bytes.
 */
import type { DType, TypedArrayOf } from "@onebuffer/base";
import type { MemoryOwner } from "../memory/memory-owner.ts";

/**
 * The largest number of slots of an array in the rank-specialized classes: 2^30 - 2. Up to this length offsets are small integers in every
 * engine (31 bits with sign in Chromium), and index 2^30 - 2 is always outside the array. For a wrong index, generated code reads at
 * that index and gets `undefined`, so that its loops need no branch of their own for wrong indices.
 */
export const kMaxSmallSlots = 0x3ffffffe;

/** The part of a map that shared code may use. */
export interface MapStorage {
  /** The array over the whole root memory; for an unaligned map, a Uint8Array over the bytes of this map only. */
  readonly array: TypedArrayOf<DType>;
  /** The offset of the first element in `array`, in elements. */
  readonly base: number;
  /** The owner of the memory. */
  readonly owner: MemoryOwner;
  /** The element type. */
  readonly dtype: DType;
  /** The number of elements. */
  readonly size: number;
  /** The sizes of all dimensions. */
  readonly dimensions: readonly number[];
  /** The number of slots of `array` per element: 2 for complex numbers, the element's bytes for unaligned maps, otherwise 1. */
  readonly slots: number;
  /** The first slot of the first element in `array`. */
  readonly start: number;
  /** The slot after the last element in `array` (after the highest element, if the map is strided). */
  readonly end: number;
}
