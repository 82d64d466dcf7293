/**
 * treeOrder: the nodes of expressions in an order of computation: every node once, its operands before it.
 *
 *     add(mul(a, b), mul(a, b))   with one mul   ->   a  b  mul  add
 *
 * Whatever looks at a whole tree goes through this list or keeps a list of its own instead of calling itself for each operand: the
 * cost is linear in the number of different nodes, however often they are shared, and a deep tree cannot overflow the stack.
 */
import type { ExpressionTree } from "./op-attributes.ts";

/** Nodes that are never looked into. */
const kNone: ReadonlySet<ExpressionTree> = new Set();

/** All nodes of the trees, operands first. What lies below nodes of `ends` is left out unless another path leads there. */
export function treeOrder(roots: readonly ExpressionTree[], ends: { has(node: ExpressionTree): boolean } = kNone): ExpressionTree[] {
  const order: ExpressionTree[] = [];
  const seen = new Set<ExpressionTree>();
  for (const root of roots) {
    if (seen.has(root)) continue;
    seen.add(root);
    // The path from the root to where the walk is, and which operand of each node comes next.
    const path = [root];
    const next = [0];
    while (path.length > 0) {
      const last = path.length - 1;
      const node = path[last]!;
      const k = next[last]!;
      if (k < node.inputs.length && !ends.has(node)) {
        next[last] = k + 1;
        const input = node.inputs[k]!;
        if (seen.has(input)) continue;
        seen.add(input);
        path.push(input);
        next.push(0);
      } else {
        order.push(node);
        path.pop();
        next.pop();
      }
    }
  }
  return order;
}
