/**
 * Nested arrays of a map's elements: what `toArray` gives.
 */
import { ResourceExhaustedError } from "@onebuffer/base";
import { product } from "../../geometry/map-geometry.ts";

/** The most empty arrays made for a map without elements. */
const kMaxEmptyArrays = 2 ** 22;

/** The elements in levels of arrays, one per dimension; the element itself without dimensions. */
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

/** `[2, 0]` gives two empty arrays: as many as the sizes before the first 0 say, which nothing in memory backs. */
function checkEmptyNesting(dims: readonly number[]): void {
  const count = product(dims.slice(0, dims.indexOf(0)));
  if (count > kMaxEmptyArrays) throw new ResourceExhaustedError(`toArray of [${dims}] would make ${count} empty arrays`);
}

/** The nested arrays from dimension `d` on. */
function emptyNesting(dims: readonly number[], d: number): unknown[] {
  return Array.from({ length: dims[d] as number }, () => emptyNesting(dims, d + 1));
}
