/** The nodes of a tree in a fixed order, so that an address can name one. */
import type { ExpressionTree } from "onebuffer/eigen";

/** Returns the nodes of a tree, each once, and a node before its operands. */
export function nodesOf(root: ExpressionTree): ExpressionTree[] {
  const nodes = new Set<ExpressionTree>();
  const visit = (node: ExpressionTree): void => {
    if (nodes.has(node)) return;
    nodes.add(node);
    node.inputs.forEach(visit);
  };
  visit(root);
  return [...nodes];
}
