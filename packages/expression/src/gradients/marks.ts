/**
 * marks: the nodes at which the walk of gradients does not go on to the operands. A mark is a node that reshapes to the same sizes, which
 * costs nothing in kernels; what it means is kept here, by the node.
 */
import { reshapeFields } from "../inference/movement-inference.ts";
import { makeExpression } from "../methods/expression-node.ts";
import { inputsOf, sizesOf } from "../tree/node-lists.ts";
import type { ExpressionTree } from "../tree/op-attributes.ts";

/** A function that returns the gradients of operands, null where one is 0, from that of the result. */
export interface CustomRule {
  readonly inputs: readonly ExpressionTree[];
  readonly gradientsOf: (g: ExpressionTree) => readonly (ExpressionTree | null)[];
}

const rules = new WeakMap<ExpressionTree, CustomRule>();

/** Returns a node with the elements of another one, whose gradient goes where the rule says. */
export function marked(node: ExpressionTree, rule: CustomRule): ExpressionTree {
  const mark = makeExpression(reshapeFields(node, sizesOf(node)));
  rules.set(mark, rule);
  return mark;
}

/** Returns the rule of a marked node, and undefined for others. */
export function ruleOf(node: ExpressionTree): CustomRule | undefined {
  return node.op === "reshape" ? rules.get(node) : undefined;
}

/** Returns the nodes to which the gradient of a node goes on. */
export function towards(node: ExpressionTree): readonly ExpressionTree[] {
  return ruleOf(node)?.inputs ?? inputsOf(node);
}
