/**
 * The implementation of `toArray`: puts a map's elements into nested arrays.
 */
import { ResourceExhaustedError } from "@onebuffer/base";
import { product } from "../geometry/map-geometry.ts";

/** The largest number of empty arrays that `toArray` makes for a map without elements. */
const kMaxEmptyArrays = 2 ** 22;

/**
 * An array is made with its length, up to this one: an array that grows copies its elements each time. Engines make a table of an array that
 * is made with some more elements than these, so a longer one grows in the end.
 */
const kMostMade = 2 ** 24;

/**
 * Returns the elements in nested arrays, one level per dimension; the element itself if there are no dimensions. `next` returns one element
 * after the other, in row-major order. Throws RESOURCE_EXHAUSTED if a map without elements would need more than kMaxEmptyArrays empty arrays.
 */
export function nestedElements(dims: readonly number[], next: () => unknown): unknown {
  if (dims.includes(0)) checkEmptyNesting(dims);
  return nestedFrom(dims, 0, next);
}

/** Returns the elements of the dimensions from `d` on. */
function nestedFrom(dims: readonly number[], d: number, next: () => unknown): unknown {
  if (d === dims.length) return next();
  const size = dims[d]!;
  const row: unknown[] = new Array(Math.min(size, kMostMade));
  if (d === dims.length - 1) for (let i = 0; i < size; i++) row[i] = next();
  else for (let i = 0; i < size; i++) row[i] = nestedFrom(dims, d + 1, next);
  return row;
}

/**
 * Throws RESOURCE_EXHAUSTED if a map without elements would need too many empty arrays. Their number is the product of the sizes before the
 * first 0 (two for `[2, 0]`), and no memory limits it.
 */
function checkEmptyNesting(dims: readonly number[]): void {
  const count = product(dims.slice(0, dims.indexOf(0)));
  if (count > kMaxEmptyArrays) throw new ResourceExhaustedError(`toArray of [${dims}] would make ${count} empty arrays`);
}
