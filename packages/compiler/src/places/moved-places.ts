/** Where the elements of a map under movements are. */
import { isMap } from "@onebuffer/expression/internal";
import type { ExpressionTree } from "@onebuffer/expression";
import type { RawPlaces } from "@onebuffer/storage";
import type { StridedGeometry } from "@onebuffer/storage/internal";
import { leafPlaces } from "../plan/leaf-places.ts";
import { movedBase, stepGeometry } from "../plan/lowering-moves.ts";

/** Returns the places of a map, also under a few movements; null if there is something else, or if strides cannot express a movement. */
export function movedPlaces(tree: ExpressionTree): RawPlaces | null {
  const base = movedBase(tree);
  if (!isMap(base)) return null;
  const leaf = leafPlaces(base);
  const steps: ExpressionTree[] = [];
  for (let node = tree; node !== base; node = node.inputs[0]!) steps.push(node);
  let moved: StridedGeometry | null = { offset: 0, dims: leaf.dims, strides: leaf.strides };
  while (steps.length > 0 && moved !== null) moved = stepGeometry(moved, steps.pop()!);
  if (moved === null) return null;
  const { offset, dims, strides } = moved;
  return { ...leaf, byteOffset: leaf.byteOffset + offset * leaf.itemBytes, dims, strides };
}
