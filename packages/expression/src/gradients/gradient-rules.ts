/**
 * gradient-rules: the rule of every operation, by its name.
 */
import { elementwiseGradients } from "./elementwise-gradients.ts";
import type { BinaryGradient, GradientValue, UnaryGradient } from "../tree/gradient-rule.ts";
import { recordOf } from "../tree/custom-record.ts";
import { inputsOf, sizesOf } from "../tree/node-lists.ts";
import { attributesOf } from "../tree/op-attributes.ts";
import type { ExpressionTree } from "../tree/op-attributes.ts";
import { opTable } from "../tree/op-table.ts";
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

/** The rules by operation. A property of an object with so many takes longer to find. */
const rules: ReadonlyMap<OpName, "none" | object> = new Map(
  Object.entries({ ...elementwiseGradients, ...wholeGradients }) as [OpName, "none" | object][],
);

/** Returns the rule of a node, which is that of its record if it carries one. */
function ruleOf(node: ExpressionTree): "none" | object {
  return node.op === "customCall" ? recordOf(node).gradient : rules.get(node.op)!;
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
  const opClass = opTable[node.op].class;
  if (opClass === "unary" && node.op !== "cast")
    return [(rule as UnaryGradient)({ g: gradient, x: inputs[0]!, y: result, at: gradientFunctions })];
  if (opClass === "binary") {
    const [x, z] = inputs as readonly [GradientValue, GradientValue];
    const [ofX, ofZ] = (rule as BinaryGradient)({ g: gradient, x, y: result, at: gradientFunctions, z });
    return [ofX === null || !needs[0] ? null : sumTo(ofX(), sizesOf(x)), ofZ === null || !needs[1] ? null : sumTo(ofZ(), sizesOf(z))];
  }
  const attributes = node.op === "customCall" ? node.attributes : attributesOf(node, node.op);
  const step: GradientStep = { node: result, inputs, attributes, g: gradient, needs };
  return (rule as (step: GradientStep) => OperandGradients)(step);
}
