/**
 * node-lists: the operands and sizes of any node without freezing them (StoredTree), for code that is not on the shortest ways: a function
 * that all kinds of nodes pass through takes some nanoseconds more than a property.
 */
import type { ExpressionTree, StoredTree } from "./op-attributes.ts";

/** Returns the operands of a node. The caller must not change them, nor pass them to programs. */
export function inputsOf(node: ExpressionTree): readonly ExpressionTree[] {
  return (node as StoredTree).rawInputs ?? node.inputs;
}

/** Returns the sizes of a node. The caller must not change them, nor pass them to programs. */
export function sizesOf(node: ExpressionTree): readonly number[] {
  return (node as StoredTree).rawDimensions ?? node.dimensions;
}
