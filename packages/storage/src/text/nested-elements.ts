/**
 * The implementation of `toArray`: puts a map's elements into nested arrays.
 */
import { ResourceExhaustedError } from "@onebuffer/base";
import { product } from "../geometry/map-geometry.ts";

/** The largest number of empty arrays that `toArray` makes for a map without elements. */
const kMaxEmptyArrays = 2 ** 22;

/**
 * Rows of up to this many elements are made with their length: an array that grows has room for 17 elements at once, whose memory takes most
 * of the time of rows of three. Engines make a table of an array that is made with millions of elements, so longer ones grow.
 */
const kShortRow = 64;

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
  const row: unknown[] = size <= kShortRow ? new Array(size) : [];
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
