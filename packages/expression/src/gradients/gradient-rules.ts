/**
 * gradient-rules: the rule of every operation, by its name.
 */
import { elementwiseGradients } from "./elementwise-gradients.ts";
import type { BinaryGradient, GradientValue, UnaryGradient } from "../tree/gradient-rule.ts";
import { recordOf } from "../tree/custom-record.ts";
import { inputsOf, sizesOf } from "../tree/node-lists.ts";
import { attributesOf } from "../tree/op-attributes.ts";
import type { ExpressionTree, OpAttributes } from "../tree/op-attributes.ts";
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
  return ruleOf(node) !== null;
}

/** A rule of an operation that is not elementwise. */
type WholeRule = (step: GradientStep) => OperandGradients;

/** A rule, called in one way for all classes of operations. */
type StepRule = (node: GradientValue, inputs: readonly GradientValue[], g: GradientValue, needs: readonly boolean[]) => OperandGradients;

/** The rules by operation, null for "none". A property of an object with so many takes longer to find. */
const rules: ReadonlyMap<OpName, StepRule | null> = new Map(
  (Object.entries({ ...elementwiseGradients, ...wholeGradients }) as [OpName, "none" | object][]).map(([op, rule]) => [
    op,
    stepRule(op, rule),
  ]),
);

function stepRule(op: OpName, rule: "none" | object): StepRule | null {
  if (rule === "none") return null;
  const opClass = opTable[op].class;
  if (opClass === "unary" && op !== "cast")
    return (node, inputs, g) => [(rule as UnaryGradient)({ g, x: inputs[0]!, y: node, at: gradientFunctions })];
  if (opClass === "binary") return (node, inputs, g, needs) => binaryGradients(rule as BinaryGradient, node, inputs, g, needs);
  return (node, inputs, g, needs) => (rule as WholeRule)({ node, inputs, attributes: attributesOf(node, op), g, needs });
}

function binaryGradients(
  rule: BinaryGradient,
  node: GradientValue,
  inputs: readonly GradientValue[],
  g: GradientValue,
  needs: readonly boolean[],
): OperandGradients {
  const x = inputs[0]!;
  const z = inputs[1]!;
  const [ofX, ofZ] = rule({ g, x, y: node, at: gradientFunctions, z });
  return [ofX === null || !needs[0] ? null : sumTo(ofX(), sizesOf(x)), ofZ === null || !needs[1] ? null : sumTo(ofZ(), sizesOf(z))];
}

/** Returns the rule of a node, which is that of its record if it carries one. */
function ruleOf(node: ExpressionTree): StepRule | null {
  if (node.op !== "customCall") return rules.get(node.op)!;
  const { gradient } = recordOf(node);
  if (gradient === "none") return null;
  return (result, inputs, g, needs) =>
    gradient({ node: result, inputs, attributes: result.attributes as OpAttributes<"customCall">, g, needs });
}

/**
 * Returns the gradients of a node's operands, of the gradient `g` of the node; null for those that are not needed or 0. Each has the dtype and
 * the sizes of its operand.
 */
export function operandGradients(node: ExpressionTree, g: ExpressionTree, needs: readonly boolean[]): OperandGradients {
  const inputs = inputsOf(node) as readonly GradientValue[];
  const rule = ruleOf(node);
  return rule === null ? inputs.map(() => null) : rule(node as GradientValue, inputs, g as GradientValue, needs);
}
