/**
 * assign: `target = expression`, by kernels where they can, by the plain evaluator where they cannot (Eigen's
 * `TensorDevice::operator=`).
 */
import { checkAssignment } from "../../evaluator/assignable.ts";
import type { AssignTarget, Update } from "../../evaluator/assignable.ts";
import { isTree } from "../../expression/inference/elementwise-inference.ts";
import type { PlainValue } from "../../expression/inference/elementwise-inference.ts";
import type { ExpressionTree } from "../../expression/tree/op-attributes.ts";
import { computeInto } from "./dispatch.ts";
import { assignDirectly } from "./elementwise-fast-path.ts";

/** `target = source`, or `target = target update source`. Throws as checkAssignment and evaluateInto do. */
export function assignExpression(target: AssignTarget, source: ExpressionTree | PlainValue, update: Update | null): void {
  if (update === null && isTree(source) && "set" in target && assignDirectly(target, source)) return;
  const { places, tree } = checkAssignment(target, source, update);
  computeInto(places, tree);
}
