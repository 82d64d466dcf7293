/**
 * Running a compiled tree: one element after the other, in the target's row-major order.
 */
import type { RawDType } from "@onebuffer/base";
import type { ExpressionTree } from "../expression/op-attributes.ts";
import { product } from "../map-geometry.ts";
import type { RawPlaces } from "../raw-places.ts";
import { compileTree } from "./compile-tree.ts";
import { accessTo } from "./element-access.ts";
import { indexMap } from "./index-map.ts";
import { overlapWith } from "./overlap.ts";
import { storedValues } from "./stored-values.ts";
import type { Read } from "./values.ts";

/**
 * Writes the elements of `tree` to `target`, which has its sizes and dtype. What the tree reads may overlap the target: the result is as if
 * it were set aside first, and is where it has to be.
 *
 * Throws INVALID_ARGUMENT for what only the elements show (an integer divided by 0, an index that is not there), in which case part of the
 * target may have been written; RESOURCE_EXHAUSTED without room for intermediate elements.
 */
export function evaluateInto(target: RawPlaces, tree: ExpressionTree): void {
  const count = product(target.dims);
  if (count === 0) return;
  const compiled = compileTree(tree);
  const read: Read = overlapWith(target, tree) === "mixed" ? storedValues(tree.dtype, count, compiled).read : compiled;
  const { offset, write } = accessTo(target, tree.dtype as RawDType);
  const at = indexMap({ offset, dims: target.dims, strides: target.strides });
  if (at === null) for (let n = 0; n < count; n++) write(n, read(n));
  else for (let n = 0; n < count; n++) write(at(n), read(n));
}
