/**
 * Bounds of strided maps: do offset, sizes and strides that come from a caller fit the array, and where is one element of
 * a map of general rank. Views of a map that fits need no such test.
 */
import { FailedPreconditionError, InvalidArgumentError, shownValue } from "@onebuffer/base";
import { isCount, product } from "./map-geometry.ts";
import type { StridedGeometry } from "./strided-geometry.ts";
import { checkSizes, isBroadcast, placeRange } from "./strided-geometry.ts";

/**
 * What a caller gave as offset, sizes and strides, if the elements, `slots` places each, lie within `length` places. Throws
 * INVALID_ARGUMENT if not, and FAILED_PRECONDITION when the map is to be `writable` though a stride of 0 repeats elements.
 */
export function checkStrides(
  name: string,
  length: number,
  offset: number,
  slots: number,
  dims: readonly number[],
  strides: readonly number[],
  writable: boolean,
): StridedGeometry {
  const sizes = checkSizes(dims, `a strided ${name} map`);
  if (!isCount(offset))
    throw new InvalidArgumentError(`the offset of a strided ${name} map must be an integer in [0, 2^53), got ${shownValue(offset)}`);
  if (!Array.isArray(strides))
    throw new InvalidArgumentError(`the strides of a strided ${name} map come as an array, got ${shownValue(strides)}`);
  if (strides.length !== dims.length) {
    throw new InvalidArgumentError(`a strided ${name} map of [${dims}] needs ${dims.length} strides, got ${strides.length}`);
  }
  strides.forEach((stride: unknown, d) => {
    if (!Number.isSafeInteger(stride))
      throw new InvalidArgumentError(`stride ${d} of a strided ${name} map must be an integer, got ${shownValue(stride)}`);
  });
  if (product(dims) > Number.MAX_SAFE_INTEGER)
    throw new InvalidArgumentError(`a strided ${name} map of [${dims}] has more than 2^53 - 1 elements`);
  const [low, end] = placeRange({ offset, dims, strides });
  if (!(low >= 0 && end * slots <= length)) {
    throw new InvalidArgumentError(
      `a strided ${name} map of [${dims}] with strides [${strides}] from element ${offset} on reaches elements ${low} to ${end - 1}, the array has ${length / slots}`,
    );
  }
  if (writable && isBroadcast({ offset, dims, strides })) {
    throw new FailedPreconditionError(
      `a map of [${dims}] with strides [${strides}] repeats elements, a write would hit many: constStridedMap makes it read-only`,
    );
  }
  // Adding 0 turns -0, which no engine keeps as a small integer, into 0.
  return { offset: offset + 0, dims: sizes, strides: strides.map((stride) => stride + 0) };
}

/** The place of an element of a strided map, in elements, or -1 if the indices are wrong in count, kind or range. */
export function stridedIndex(offset: number, dims: readonly number[], strides: readonly number[], indices: readonly number[]): number {
  if (indices.length !== dims.length) return -1;
  let place = offset;
  for (let d = 0; d < dims.length; d++) {
    const index = indices[d];
    if (typeof index !== "number" || !(index >= 0 && index < (dims[d] as number)) || Math.floor(index) !== index) return -1;
    if (index > 0) place += index * (strides[d] as number);
  }
  return place;
}
