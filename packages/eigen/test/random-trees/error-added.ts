// Bounds of sums with a product of matrices, which kernels may add to the target in blocks (compiler/contraction/added-product.ts): the target
// is rounded once for each block, and not only at the end.
import type { ExpressionTree } from "@onebuffer/eigen";
import { broadcastMap } from "@onebuffer/evaluator/src/index-map";
import { attributesOf } from "@onebuffer/expression/src/tree/op-attributes";
import { kDepth } from "@onebuffer/kernels/src/products/block-shape";
import { unitAt } from "./float-units.ts";
import type { Errors, Step } from "./step.ts";

/** Returns the number of blocks in which a product adds. */
function blocksOf(product: ExpressionTree): number {
  const { transposeA } = attributesOf(product, "matMul");
  return Math.ceil((product.inputs[0]!.dimensions.at(transposeA ? -2 : -1) as number) / kDepth);
}

/** Returns the bounds of a node, given those of a sum that both evaluations round once. Each rounding is off by half a unit at most. */
export function addedErrors(node: ExpressionTree, inputs: readonly Step[], errors: Errors): Errors {
  if (node.op !== "add" || errors === null || !/^float(32|64)$/.test(node.dtype)) return errors;
  const p = node.inputs.findIndex(({ op }) => op === "matMul");
  const blocks = p < 0 ? 1 : blocksOf(node.inputs[p]!);
  if (blocks === 1) return errors;
  const map = inputs[1 - p]!;
  const place = broadcastMap(map.dimensions, node.dimensions) ?? ((k: number) => k);
  return errors.map((error, k) => error + ((blocks + 1) / 2) * unitAt(node.dtype, Math.abs(map.read(place(k)) as number)));
}
