/**
 * Arithmetic of dense maps outside the hot paths: whether a map fits its array, and the flat index of an element in a map of general rank.
 *
 * Elements are in row-major order: the flat index of (i0, i1, …) is ((i0 * d1 + i1) * d2 + i2) …
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";
import { kMaxSmallSlots } from "./map-storage.ts";

/**
 * Returns the product of the sizes; 1 for an empty list. Above 2^53 the product is rounded, so it can be compared but not used as a
 * count.
 */
export function product(dims: readonly number[]): number {
  let count = 1;
  for (let d = 0; d < dims.length; d++) count *= dims[d] as number;
  return count;
}

/** TensorFlow's limit on the number of dimensions; NumPy's is 64. */
export const kMaxRank = 254;

/** Throws INVALID_ARGUMENT above 254 dimensions; `what` has so many. */
export function checkRank(rank: number, what: string): void {
  if (rank > kMaxRank) throw new InvalidArgumentError(`${what} has ${rank} dimensions, more than ${kMaxRank}`);
}

/** Returns true if a value is a valid size or offset: an integer in [0, 2^53). */
export function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** Returns true if a value is a size or offset that the rank-specialized map classes can store: an integer in [0, 2^30). */
export function isSmall(value: unknown): boolean {
  return typeof value === "number" && (value & 0x3fffffff) === value;
}

/**
 * Throws INVALID_ARGUMENT unless a map of the sizes `dims`, of which there are at most 254, fits into an array of `length` slots. Each element
 * has `slots` slots, and the first is at slot `base * unit`. `name` is the dtype, for the messages.
 *
 * Returns true if the array and all sizes are small enough for the rank-specialized classes.
 */
export function checkGeometry(name: string, length: number, base: number, unit: number, slots: number, dims: readonly number[]): boolean {
  if (!isCount(base)) throw new InvalidArgumentError(`the base of a ${name} map must be an integer in [0, 2^53), got ${shownValue(base)}`);
  checkRank(dims.length, `a ${name} map`);
  let small = length <= kMaxSmallSlots;
  for (let d = 0; d < dims.length; d++) {
    const size = dims[d] as number;
    if (!isCount(size))
      throw new InvalidArgumentError(`dimension ${d} of a ${name} map must be an integer in [0, 2^53), got ${shownValue(size)}`);
    if (size > kMaxSmallSlots) small = false;
  }
  const start = base * unit;
  const end = start + product(dims) * slots;
  if (!(end <= length)) {
    throw new InvalidArgumentError(`a ${name} map of [${dims}] from slot ${start} ends at slot ${end}, the array has ${length} slots`);
  }
  return small;
}

/** Returns the flat index of an element, or -1 if there are too few or too many indices or one is not an integer in its range. */
export function flatIndex(dims: readonly number[], indices: readonly number[]): number {
  if (indices.length !== dims.length) return -1;
  let flat = 0;
  for (let d = 0; d < dims.length; d++) {
    const size = dims[d] as number;
    const index = indices[d];
    if (typeof index !== "number" || !(index >= 0 && index < size) || Math.floor(index) !== index) return -1;
    flat = flat * size + index;
  }
  return flat;
}
