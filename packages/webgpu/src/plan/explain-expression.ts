/**
 * explainExpression: the shaders of an expression, written without a GPU.
 */
import type { ExpressionTree } from "@onebuffer/expression";
import { isMap, treeOrder } from "@onebuffer/expression/internal";
import { explainPlan } from "./explain-plan.ts";
import type { GpuExplanation } from "./explain-plan.ts";
import { planProgram } from "./plan-program.ts";

/** Returns what any GPU would do to compute an expression over maps. Throws UNIMPLEMENTED, by name, for what no form computes. */
export function explainExpression(tree: ExpressionTree): GpuExplanation {
  return explainPlan(planProgram([tree], treeOrder([tree]).filter(isMap)));
}
