/**
 * treeOrder: lists the nodes of expressions in an order in which they can be computed: every node once, after its operands.
 *
 *     add(mul(a, b), mul(a, b))   with one mul   ->   a  b  mul  add
 *
 * Code that visits a whole tree uses this list, or an explicit stack, instead of recursion. The cost is then linear in the number of
 * distinct nodes, however often they are shared, and a deep tree cannot overflow the call stack.
 */
import { inputsOf } from "./node-lists.ts";
import type { ExpressionTree } from "./op-attributes.ts";

/** The default of `ends`: every node is entered. */
const kNone: ReadonlySet<ExpressionTree> = new Set();

/**
 * Returns all nodes of the trees, operands first. Operands of nodes in `ends` are left out unless another path leads to them. `operandsOf`
 * gives the nodes that are visited before a node: by default its operands, which are not frozen.
 */
export function treeOrder(
  roots: readonly ExpressionTree[],
  ends: { has(node: ExpressionTree): boolean } = kNone,
  operandsOf: (node: ExpressionTree) => readonly ExpressionTree[] = inputsOf,
): ExpressionTree[] {
  const order: ExpressionTree[] = [];
  const seen = new Set<ExpressionTree>();
  for (const root of roots) {
    if (seen.has(root)) continue;
    seen.add(root);
    // The path from the root to the current node, and for each node on it the index of the operand to visit next.
    const path = [root];
    const next = [0];
    while (path.length > 0) {
      const last = path.length - 1;
      const node = path[last]!;
      const k = next[last]!;
      const inputs = operandsOf(node);
      if (k < inputs.length && !ends.has(node)) {
        next[last] = k + 1;
        const input = inputs[k]!;
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
