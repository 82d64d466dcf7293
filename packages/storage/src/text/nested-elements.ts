/**
 * The implementation of `toArray`: puts a map's elements into nested arrays.
 */
import { ResourceExhaustedError } from "@onebuffer/base";
import { product } from "../geometry/map-geometry.ts";

/** The largest number of empty arrays that `toArray` makes for a map without elements. */
const kMaxEmptyArrays = 2 ** 22;

/**
 * Returns the elements in nested arrays, one level per dimension; the element itself if there are no dimensions. Throws
 * RESOURCE_EXHAUSTED if a map without elements would need more than kMaxEmptyArrays empty arrays.
 */
export function nestedElements(dims: readonly number[], elements: Iterable<unknown>): unknown {
  if (dims.includes(0)) {
    checkEmptyNesting(dims);
    return emptyNesting(dims, 0);
  }
  let level: unknown[] = [...elements];
  for (let d = dims.length - 1; d > 0; d--) {
    const width = dims[d] as number;
    const rows: unknown[] = [];
    for (let n = 0; n < level.length; n += width) rows.push(level.slice(n, n + width));
    level = rows;
  }
  return dims.length === 0 ? level[0] : level;
}

/**
 * Throws RESOURCE_EXHAUSTED if a map without elements would need too many empty arrays. Their number is the product of the sizes before the
 * first 0 (two for `[2, 0]`), and no memory limits it.
 */
function checkEmptyNesting(dims: readonly number[]): void {
  const count = product(dims.slice(0, dims.indexOf(0)));
  if (count > kMaxEmptyArrays) throw new ResourceExhaustedError(`toArray of [${dims}] would make ${count} empty arrays`);
}

/** Returns the nested arrays of the dimensions from `d` on, for a map without elements. */
function emptyNesting(dims: readonly number[], d: number): unknown[] {
  return Array.from({ length: dims[d] as number }, () => emptyNesting(dims, d + 1));
}
