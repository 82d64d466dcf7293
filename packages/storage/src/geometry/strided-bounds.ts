/**
 * Bounds checks of strided maps: whether a caller's offset, sizes and strides fit the array, and the offset of one element in a map of
 * general rank. A view of a map that fits its array needs no check, because it selects elements of that map.
 */
import { FailedPreconditionError, InvalidArgumentError } from "@onebuffer/base";
import { isArray, shownValue } from "@onebuffer/base/internal";
import { isCount, product } from "./map-geometry.ts";
import type { StridedGeometry } from "./strided-geometry.ts";
import { checkSizes, isBroadcast, placeRange } from "./strided-geometry.ts";

/**
 * Returns a caller's offset, sizes and strides as a geometry (a copy) after checking that all elements are inside an array of `length`
 * slots, `slots` per element. `name` is the dtype, for the messages.
 *
 * Throws INVALID_ARGUMENT if an argument has the wrong type or an element is outside the array, and FAILED_PRECONDITION if the map is to
 * be `writable` and a stride of 0 repeats elements.
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
  if (!isArray(strides))
    throw new InvalidArgumentError(`the strides of a strided ${name} map must be an array, got ${shownValue(strides)}`);
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
      `a strided ${name} map of [${dims}] with strides [${strides}] from element ${offset} on needs elements ${low} to ${end - 1}, the array has ${length / slots}`,
    );
  }
  if (writable && isBroadcast({ offset, dims, strides })) {
    throw new FailedPreconditionError(
      `a map of [${dims}] with strides [${strides}] repeats elements, so one write would change several: use constStridedMap`,
    );
  }
  // Adding 0 turns -0, which engines do not store as a small integer, into 0.
  return { offset: offset + 0, dims: sizes, strides: strides.map((stride) => stride + 0) };
}

/**
 * Returns the offset of an element of a strided map, counted in elements, or -1 if there are too few or too many indices or one is not an
 * integer in its range.
 */
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
