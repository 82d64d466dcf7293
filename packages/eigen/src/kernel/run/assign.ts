/**
 * assign: computes `target = expression`. Kernels compute it where they can; otherwise the plain evaluator does
 * (Eigen's `TensorDevice::operator=`).
 */
import { checkAssignment } from "../../evaluator/assignable.ts";
import type { AssignTarget, Update } from "../../evaluator/assignable.ts";
import { isTree } from "../../expression/inference/elementwise-inference.ts";
import type { ExpressionTree } from "../../expression/tree/op-attributes.ts";
import type { OtherOperand } from "../../expression/methods/elementwise-base.ts";
import { linearMemory } from "@onebuffer/wasm";
import { assignKept, computeKept } from "./assign-kept.ts";
import { boundPlan } from "./bound-plan.ts";
import { computeInto } from "./dispatch.ts";
import { assignDirectly, computeDirectly, mayGoDirectly } from "./elementwise-fast-path.ts";

/**
 * Assigns `target = source`, or `target = target update source` if `update` is given. Throws what checkAssignment and
 * evaluateInto throw.
 */
export function assignExpression(target: AssignTarget, source: OtherOperand, update: Update | null): void {
  if (update === null && isTree(source) && "set" in target && assignAsBefore(target, source)) return;
  const { places, tree } = checkAssignment(target, source, update);
  if (update === null || !assignAsBefore(target, tree)) computeInto(places, tree);
}

/** Assigns an expression by a kernel or plan that exists already. Returns false if the general path has to compute it. */
function assignAsBefore(target: ExpressionTree, tree: ExpressionTree): boolean {
  return (boundPlan(tree) === null && assignDirectly(target, tree)) || assignKept(target, tree);
}

/**
 * Computes an expression into `numElements` elements of its dtype at `byteOffset` of `bytes`. The memory has exactly as
 * many elements as the expression and was allocated for it just now. Returns false if the caller has to use a map and
 * its `assign` instead, for instance if the bytes are not in the linear memory; the elements are then undefined until
 * they are assigned. Checks nothing and throws nothing. The result is not copied.
 *
 * @example
 * const a = tensorMap("float32", Float32Array.of(1, 2), [2]);
 * assignFresh(treeOf(a.add(a)), new ArrayBuffer(8), 0, 2); // => false
 */
export function assignFresh(expression: ExpressionTree, bytes: ArrayBufferLike | null, byteOffset: number, numElements: number): boolean {
  const memory = linearMemory();
  if (numElements === 0 || !memory.isConstructed || bytes !== memory.buffer) return false;
  return (mayGoDirectly(expression) && computeDirectly(expression, byteOffset, numElements)) || computeKept(expression, byteOffset);
}
