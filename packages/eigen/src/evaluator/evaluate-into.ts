/**
 * Running a compiled tree: one element after the other, in the target's row-major order.
 */
import type { DType, RawDType } from "@onebuffer/base";
import type { ExpressionTree } from "../expression/tree/op-attributes.ts";
import { product } from "../geometry/map-geometry.ts";
import type { RawPlaces } from "../geometry/strided-bytes.ts";
import { compileTree } from "./compile-tree.ts";
import { accessTo } from "./element-access.ts";
import { indexMap } from "./index-map.ts";
import { overlapWith } from "./overlap.ts";
import { storedValues } from "./stored-values.ts";
import type { Read } from "./values.ts";

/**
 * Writes the elements of `tree` to `target`, which has its sizes; as `storedAs`, which is its dtype or, for float16 and bfloat16, the
 * float32 that they are inside an expression. What the tree reads may overlap the target: the result is as if
 * it were set aside first, and is where it has to be.
 *
 * Throws INVALID_ARGUMENT for what only the elements show (an integer divided by 0, an index that is not there), in which case part of the
 * target may have been written; RESOURCE_EXHAUSTED without room for intermediate elements.
 */
export function evaluateInto(target: RawPlaces, tree: ExpressionTree, storedAs: DType = tree.dtype): void {
  const count = product(target.dims);
  if (count === 0) return;
  const compiled = compileTree(tree);
  const read: Read = overlapWith(target, tree) === "mixed" ? storedValues(tree.dtype, count, compiled).read : compiled;
  const { offset, write } = accessTo(target, storedAs as RawDType);
  const at = indexMap({ offset, dims: target.dims, strides: target.strides });
  if (at === null) for (let n = 0; n < count; n++) write(n, read(n));
  else for (let n = 0; n < count; n++) write(at(n), read(n));
}
