/**
 * Does an expression read memory that assigning it writes? (Eigen leaves that to the caller's `eval()`.)
 *
 *     apart      no
 *     in place   yes, but element i is read only for element i: `a.assign(a.mul(b))` is fine as it stands
 *     mixed      an element may be overwritten before it is read for another: `a.assign(a.reverse())`
 *
 * Overlap is found by byte ranges, from the lowest to the highest byte of a map; two maps that interleave without sharing a byte count as
 * mixed, which costs a copy, not the result. Two SharedArrayBuffer objects may be one memory: they count as one.
 */
import { sameSizes } from "../geometry/same-sizes.ts";
import type { ExpressionTree } from "../expression/tree/op-attributes.ts";
import { opTable } from "../expression/tree/op-table.ts";
import type { RawPlaces } from "../geometry/strided-bytes.ts";
import { mayOverlap } from "../geometry/strided-bytes.ts";
import type { MapLeaf } from "./compile-tree.ts";

/** How an expression reads the memory it is assigned to. */
export type Overlap = "apart" | "in place" | "mixed";

/** How `tree` reads the memory of `target`, which has the same sizes. */
export function overlapWith(target: RawPlaces, tree: ExpressionTree): Overlap {
  const seen = new Map<ExpressionTree, boolean>();
  let found: Overlap = "apart";
  const path: [node: ExpressionTree, inOrder: boolean][] = [[tree, true]];
  for (let next = path.pop(); next !== undefined; next = path.pop()) {
    const [node, inOrder] = next;
    const before = seen.get(node);
    // Once out of order is the worst that can be found about a node.
    if (before === false || before === inOrder) continue;
    seen.set(node, inOrder);
    if (node.op === "map") {
      const places = (node as MapLeaf).rawPlaces();
      if (places === null || !mayOverlap(places, target)) continue;
      if (!inOrder || !samePlaces(places, target)) return "mixed";
      found = "in place";
      continue;
    }
    const opClass = opTable[node.op].class;
    const elementwise = opClass === "unary" || opClass === "binary" || opClass === "ternary";
    for (const input of node.inputs) path.push([input, inOrder && elementwise && sameSizes(input.dimensions, node.dimensions)]);
  }
  return found;
}

function samePlaces(a: RawPlaces, b: RawPlaces): boolean {
  if (a.buffer !== b.buffer || a.byteOffset !== b.byteOffset || a.itemBytes !== b.itemBytes || !sameSizes(a.dims, b.dims)) return false;
  return a.strides.every((stride, d) => stride === b.strides[d] || a.dims[d] === 1);
}
