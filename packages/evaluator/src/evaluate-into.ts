/**
 * Runs a compiled tree: computes one element after the other, in the target's row-major order.
 */
import type { DType, RawDType } from "@onebuffer/base";
import type { ExpressionTree } from "@onebuffer/expression";
import { product } from "@onebuffer/storage/internal";
import type { RawPlaces } from "@onebuffer/storage";
import { compileTree } from "./compile-tree.ts";
import { accessTo } from "./element-access.ts";
import { indexMap } from "./index-map.ts";
import { overlapWith } from "./overlap.ts";
import { storedValues } from "./stored-values.ts";
import type { Read } from "./values.ts";

/**
 * Writes the elements of `tree` to `target`, which has the same sizes. `storedAs` is the dtype of the target: that of the tree, or float32
 * for a float16 or bfloat16 tree, whose values are float32 inside an expression. The tree may read memory that the target writes: the
 * result is as if it were computed aside first, and it is computed aside where necessary.
 *
 * Throws INVALID_ARGUMENT for errors in elements (an integer division by 0, an index out of range); part of the target may have been
 * written by then. Throws RESOURCE_EXHAUSTED if intermediate elements cannot be allocated.
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
