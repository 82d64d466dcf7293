/** with-nodes: the nodes of a tree as plain objects, and trees of which some nodes are others. */
import type { ExpressionTree } from "./op-attributes.ts";
import { treeOrder } from "./tree-order.ts";

/** Returns the fields of a node as a plain object, without the methods of an expression. */
export function fieldsOf({ op, inputs, attributes, dtype, dimensions, depth }: ExpressionTree): ExpressionTree {
  return { op, inputs, attributes, dtype, dimensions, depth };
}

/** Returns the tree with some of its nodes replaced; the tree itself if it contains none of them. */
export function withNodes(tree: ExpressionTree, others: ReadonlyMap<ExpressionTree, ExpressionTree>): ExpressionTree {
  const made = new Map(others);
  for (const node of treeOrder([tree], others)) {
    if (made.has(node)) continue;
    const inputs = node.inputs.map((input) => made.get(input)!);
    made.set(node, inputs.every((input, k) => input === node.inputs[k]) ? node : { ...fieldsOf(node), inputs });
  }
  return made.get(tree)!;
}
