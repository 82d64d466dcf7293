/**
 * last-readers: which of several trees reads a map last. The target of an assignment may be a map that no later one reads.
 */
import type { ExpressionTree } from "@onebuffer/expression";
import { treeOrder } from "@onebuffer/expression/internal";

/** Returns for each map the number of the last tree that reads it. */
export function lastReaders(trees: readonly ExpressionTree[]): ReadonlyMap<ExpressionTree, number> {
  const last = new Map<ExpressionTree, number>();
  for (let t = trees.length - 1; t >= 0; t--) for (const node of treeOrder([trees[t]!], last)) if (!last.has(node)) last.set(node, t);
  return last;
}
