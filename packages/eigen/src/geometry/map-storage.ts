/**
 * MapStorage: the fields every map class has, for the code that serves all of them (error texts, copies, checks).
 *
 *     array  base  owner  [d0 .. d3 | dims]  [dtype | format | table | codec]      in this order, in every constructor
 *
 * One fixed order keeps one hidden class per map class. None of this is public: users see
 * ConstTensorMap, TensorMap and their strided forms, which have strides `s0 .. s3` behind the sizes.
 */
import type { DType, TypedArrayOf } from "@onebuffer/base";
import type { MemoryOwner } from "../memory/memory-owner.ts";

/**
 * The largest number of slots an array may have under the rank-specialised classes. Below it offsets are small integers
 * in every engine (31 bits in Chromium), and 2^30 - 2 is an index that is never inside: reading there is how
 * generated code turns a refused index into an error without leaving the loop.
 */
export const kMaxSmallSlots = 0x3ffffffe;

/** What the shared code may know of a map. */
export interface MapStorage {
  /** The array over the whole root memory; for unaligned maps the bytes of the map's own range. */
  readonly array: TypedArrayOf<DType>;
  /** Where the first element is, counted in elements. */
  readonly base: number;
  /** Whoever owns the memory. */
  readonly owner: MemoryOwner;
  /** The element type. */
  readonly dtype: DType;
  /** The number of elements. */
  readonly size: number;
  /** All sizes. */
  readonly dimensions: readonly number[];
  /** Places of `array` per element: 2 for complex numbers, the element's bytes for unaligned maps, else 1. */
  readonly slots: number;
  /** The place of the first element in `array`. */
  readonly start: number;
  /** The place behind the last element in `array`. */
  readonly end: number;
}
