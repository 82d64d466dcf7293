/**
 * gradient-rules: the rule of every operation, by its name.
 */
import { elementwiseGradients } from "./elementwise-gradients.ts";
import type { BinaryGradient, GradientValue, UnaryGradient } from "../tree/gradient-rule.ts";
import { recordOf } from "../tree/custom-record.ts";
import { inputsOf, sizesOf } from "../tree/node-lists.ts";
import { attributesOf } from "../tree/op-attributes.ts";
import type { ExpressionTree } from "../tree/op-attributes.ts";
import type { OpName } from "../tree/op-table.ts";
import type { ClassGradients, GradientRule, GradientStep, OperandGradients } from "../tree/gradient-step.ts";
import { gradientFunctions, sumTo } from "./gradient-nodes.ts";
import { castGradients, choiceGradients, movementGradients } from "./movement-gradients.ts";
import { orderingGradients } from "./ordering-gradients.ts";
import { contractionGradients } from "./product-gradients.ts";
import { reductionGradients } from "./reduction-gradients.ts";
import { scanGradients } from "./scan-gradients.ts";

/** Leaves and generators have no operands. */
const sourceGradients: ClassGradients<"leaf"> & ClassGradients<"generator"> & ClassGradients<"random"> = {
  map: "none",
  constant: "none",
  iota: "none",
  linspace: "none",
  randomUniform: "none",
  randomUniformInt: "none",
  randomNormal: "none",
};

/** The rules of all operations but the elementwise ones. */
const wholeGradients = {
  ...sourceGradients,
  ...choiceGradients,
  ...movementGradients,
  ...reductionGradients,
  ...scanGradients,
  ...contractionGradients,
  ...orderingGradients,
  cast: castGradients,
} as const satisfies { readonly [O in Exclude<OpName, keyof typeof elementwiseGradients | "customCall">]: GradientRule<O> };

/** Returns true if the result of a node's operation changes smoothly with an operand. */
export function hasGradient(node: ExpressionTree): boolean {
  return ruleOf(node) !== "none";
}

/** Returns the rule of a node, which is that of its record if it carries one. */
function ruleOf(node: ExpressionTree): "none" | object {
  const { op } = node;
  if (op === "customCall") return recordOf(node).gradient;
  return (elementwiseGradients as Readonly<Record<string, "none" | object>>)[op] ?? wholeGradients[op as keyof typeof wholeGradients];
}

/**
 * Returns the gradients of a node's operands, of the gradient `g` of the node; null for those that are not needed or 0. Each has the dtype and
 * the sizes of its operand.
 */
export function operandGradients(node: ExpressionTree, g: ExpressionTree, needs: readonly boolean[]): OperandGradients {
  const rule = ruleOf(node);
  const inputs = inputsOf(node) as readonly GradientValue[];
  if (rule === "none") return inputs.map(() => null);
  const [result, gradient] = [node as GradientValue, g as GradientValue];
  if (!(node.op in elementwiseGradients)) {
    const attributes = node.op === "customCall" ? node.attributes : attributesOf(node, node.op);
    const step: GradientStep = { node: result, inputs, attributes, g: gradient, needs };
    return (rule as (step: GradientStep) => OperandGradients)(step);
  }
  const [x, z] = inputs;
  const step = { g: gradient, x: x!, y: result, at: gradientFunctions };
  if (z === undefined) return [(rule as UnaryGradient)(step)];
  const pair = (rule as BinaryGradient)({ ...step, z });
  return pair.map((make, k) => (make === null || !needs[k] ? null : sumTo(make(), sizesOf(inputs[k]!))));
}
