/**
 * split-axis: an expression with one axis divided into two, of which the first counts blocks.
 *
 *     x [1000] + 1     66 blocks of 15 from 0 on       x [66, 15] + 1      the elements 0 .. 990 of x, without a copy
 *                      1 block of 10 from 990 on       x [1, 10] + 1       the other elements
 */
import { fieldsOf, isConstant, isElementwise, isMap, treeOrder } from "@onebuffer/expression/internal";
import type { ExpressionTree } from "@onebuffer/expression";
import { treeNode } from "../plan/plain-nodes.ts";

/** The blocks of an axis: `count` blocks of `length` elements, from element `begin` on. */
export interface AxisBlocks {
  readonly begin: number;
  readonly count: number;
  readonly length: number;
}

/**
 * Returns the blocks of a tree along an axis as an expression of sizes [.., count, length, ..]. Returns null if elements along the axis are
 * computed by operations other than elementwise ones and broadcasts.
 */
export function splitAxis(tree: ExpressionTree, axis: number, { begin, count, length }: AxisBlocks): ExpressionTree | null {
  const size = tree.dimensions[axis] as number;
  const fromRight = tree.dimensions.length - axis;
  const ownAxis = ({ dimensions }: ExpressionTree): number => dimensions.length - fromRight;
  const isAlong = (node: ExpressionTree): boolean => node.dimensions[ownAxis(node)] === size;
  const splitSizes = (node: ExpressionTree): readonly number[] => {
    const own = ownAxis(node);
    if (own < 0) return node.dimensions;
    return node.dimensions.toSpliced(own, 1, ...(isAlong(node) ? [count, length] : [1, 1]));
  };
  /** Reads the elements of a node under the divided sizes. */
  const read = (node: ExpressionTree): ExpressionTree => {
    const own = ownAxis(node);
    if (own < 0) return node;
    const inputs = [isAlong(node) ? sliced(node, own, begin, count * length) : node];
    return treeNode("reshape", inputs, splitSizes(node));
  };
  // What does not run along the axis is read as it is, whatever computes it.
  const still = new Set(treeOrder([tree]).filter((node) => !isConstant(node) && !isAlong(node)));
  const made = new Map<ExpressionTree, ExpressionTree>();
  for (const node of treeOrder([tree], still)) {
    const { op, inputs } = node;
    if (still.has(node) || isMap(node)) made.set(node, read(node));
    else if (isConstant(node) || op === "broadcast" || isElementwise(node)) {
      const operands = inputs.map((input) => made.get(input)!);
      const { dtype } = node;
      const dimensions = splitSizes(node);
      made.set(node, isConstant(node) ? { ...fieldsOf(node), dimensions } : treeNode(op, operands, dimensions, node.attributes, dtype));
    } else return null;
  }
  return made.get(tree)!;
}

function sliced(node: ExpressionTree, axis: number, begin: number, size: number): ExpressionTree {
  if (begin === 0 && size === node.dimensions[axis]) return node;
  const zeros = node.dimensions.map(() => 0);
  const attributes = { begin: zeros.with(axis, begin), steps: zeros.map(() => 1) };
  return treeNode("slice", [node], node.dimensions.with(axis, size), attributes);
}
