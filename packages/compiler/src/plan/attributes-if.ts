/**
 * attributes-if: asks at once whether a node is of an operation and for its attributes, as code that looks for the form of a tree does.
 */
import type { ExpressionTree, OpAttributes, OpName } from "@onebuffer/expression";
import { attributesOf } from "@onebuffer/expression/internal";

/** Returns the attributes of a node of operation `op`; null for nodes of other operations. */
export function attributesIf<O extends OpName>(node: ExpressionTree, op: O): OpAttributes<O> | null {
  return node.op === op ? attributesOf(node, op) : null;
}
