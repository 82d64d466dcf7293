/**
 * Finds out whether an expression reads memory that assigning it writes. (In Eigen the caller must know, and call `eval()`.)
 *
 *     apart      no
 *     in place   yes, but element i is read only to compute element i: `a.assign(a.mul(b))` needs no copy
 *     mixed      an element may be overwritten before it is read for another element: `a.assign(a.reverse())`
 *
 * Overlap is decided by byte ranges, from the lowest to the highest byte of a map, unless the two are interleaved, as columns of one matrix
 * are. Two SharedArrayBuffer objects may be the same memory, so they count as one.
 */
import { mayOverlap, sameSizes } from "@onebuffer/storage/internal";
import type { ExpressionTree } from "@onebuffer/expression";
import type { RawPlaces } from "@onebuffer/storage";
import type { MapLeaf } from "./compile-tree.ts";
import { inputsOf, isElementwise, isMap, sizesOf } from "@onebuffer/expression/internal";

/** How an expression reads the memory it is assigned to. */
export type Overlap = "apart" | "in place" | "mixed";

/** Returns how `tree` reads the memory of `target`. Both have the same sizes. */
export function overlapWith(target: RawPlaces, tree: ExpressionTree): Overlap {
  const seen = new Map<ExpressionTree, boolean>();
  let found: Overlap = "apart";
  const path: [node: ExpressionTree, inOrder: boolean][] = [[tree, true]];
  for (let next = path.pop(); next !== undefined; next = path.pop()) {
    const [node, inOrder] = next;
    const before = seen.get(node);
    // Nothing new can be found below a node that was visited out of order, or twice in the same way.
    if (before === false || before === inOrder) continue;
    seen.set(node, inOrder);
    if (isMap(node)) {
      const places = (node as MapLeaf).rawPlaces();
      if (places === null || !mayOverlap(places, target)) continue;
      if (!inOrder || !samePlaces(places, target)) return "mixed";
      found = "in place";
      continue;
    }
    const elementwise = isElementwise(node);
    for (const input of inputsOf(node)) path.push([input, inOrder && elementwise && sameSizes(sizesOf(input), sizesOf(node))]);
  }
  return found;
}

/** Returns true if both hold the same elements at the same indices. */
function samePlaces(a: RawPlaces, b: RawPlaces): boolean {
  if (a.buffer !== b.buffer || a.byteOffset !== b.byteOffset || a.itemBytes !== b.itemBytes || !sameSizes(a.dims, b.dims)) return false;
  return a.strides.every((stride, d) => stride === b.strides[d] || a.dims[d] === 1);
}
