/**
 * The arithmetic of maps that is not on a hot path: do the sizes fit the array, where is an element of a map of general
 * rank, which dimension does a chip remove.
 *
 * Row-major: the flat index of (i0, i1, …) is ((i0 * d1 + i1) * d2 + i2) …
 */
import { InvalidArgumentError, shownValue } from "@onebuffer/base";
import { kMaxSmallSlots } from "./map-storage.ts";

/** The product of sizes; 1 for none. May exceed 2^53, then it is only good for comparing. */
export function product(dims: readonly number[]): number {
  let count = 1;
  for (let d = 0; d < dims.length; d++) count *= dims[d] as number;
  return count;
}

/** Whether a value is a size or offset: an integer in [0, 2^53). */
export function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** True if a value is a size or offset that the classes of one rank can hold. */
export function isSmall(value: unknown): boolean {
  return typeof value === "number" && (value & 0x3fffffff) === value;
}

/**
 * Throws INVALID_ARGUMENT unless `dims` elements of `slots` places each, from place `base * unit` on, fit into `length`
 * places. Returns whether every number is small enough for the rank-specialised classes.
 */
export function checkGeometry(name: string, length: number, base: number, unit: number, slots: number, dims: readonly number[]): boolean {
  if (!isCount(base)) throw new InvalidArgumentError(`the base of a ${name} map must be an integer in [0, 2^53), got ${shownValue(base)}`);
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
    throw new InvalidArgumentError(`a ${name} map of [${dims}] from place ${start} on ends at place ${end}, the array has ${length}`);
  }
  return small;
}

/** The flat index of an element, or -1 if the indices are wrong in count, kind or range. */
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
