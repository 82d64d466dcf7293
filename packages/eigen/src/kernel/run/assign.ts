/**
 * assign: computes `target = expression`. Kernels compute it where they can; otherwise the plain evaluator does
 * (Eigen's `TensorDevice::operator=`).
 */
import { checkAssignment } from "../../evaluator/assignable.ts";
import type { AssignTarget, Update } from "../../evaluator/assignable.ts";
import { isTree } from "../../expression/inference/elementwise-inference.ts";
import type { OtherOperand } from "../../expression/methods/elementwise-base.ts";
import { computeInto } from "./dispatch.ts";
import { assignDirectly } from "./elementwise-fast-path.ts";

/**
 * Assigns `target = source`, or `target = target update source` if `update` is given. Throws what checkAssignment and
 * evaluateInto throw.
 */
export function assignExpression(target: AssignTarget, source: OtherOperand, update: Update | null): void {
  if (update === null && isTree(source) && "set" in target && assignDirectly(target, source)) return;
  const { places, tree } = checkAssignment(target, source, update);
  computeInto(places, tree);
}
