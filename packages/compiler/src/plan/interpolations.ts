/**
 * interpolations: trees that are one pass over rows instead of gathers, products and sums (array-loops/blended-rows.ts, spread-rows.ts).
 *
 *     gather(x, low) + (gather(x, high) - gather(x, low)) * share                 a linear interpolation along an axis, as resize has two
 *     scatter(0, low, g - g * share, add) + scatter(0, high, g * share, add)      the gradient of one
 */
import { attributesOf, isConstant, movementReads } from "@onebuffer/expression/internal";
import type { ExpressionTree } from "@onebuffer/expression";
import { sameSizes } from "@onebuffer/storage/internal";

/** An interpolation along an axis: the operand, two indices and a share for each index of the result. */
export interface Blend {
  readonly tree: ExpressionTree;
  readonly operand: ExpressionTree;
  readonly axis: number;
  /** The indices of the first and of the second row, int32, and the shares, float32. */
  readonly tables: readonly [low: ExpressionTree, high: ExpressionTree, share: ExpressionTree];
}

/** Returns the interpolation of float32 that a tree is; null for other trees. */
export function blendOf(tree: ExpressionTree): Blend | null {
  if (tree.op !== "add" || tree.dtype !== "float32" || tree.inputs[1]!.op !== "mul") return null;
  const [first, scaled] = tree.inputs as readonly [ExpressionTree, ExpressionTree];
  const [difference, share] = scaled.inputs as readonly [ExpressionTree, ExpressionTree];
  if (difference.op !== "sub" || difference.inputs[1] !== first) return null;
  const second = difference.inputs[0]!;
  const isGather = ({ op }: ExpressionTree): boolean => (movementReads as Readonly<Partial<Record<string, string>>>)[op] === "indices";
  if (![first, second].every(isGather) || first.inputs[0] !== second.inputs[0]) return null;
  const { axis } = attributesOf(first, "gather");
  const [operand, low] = first.inputs as readonly [ExpressionTree, ExpressionTree];
  const high = second.inputs[1]!;
  const isTable = ({ dtype, dimensions }: ExpressionTree): boolean => dtype === "int32" && dimensions.length === 1;
  const rank = tree.dimensions.length;
  const along = tree.dimensions.map((size, d) => (d === axis ? size : 1));
  const isAlike = attributesOf(second, "gather").axis === axis && operand.dimensions.length === rank;
  const isWhole = [first, second].every(({ dimensions }) => sameSizes(dimensions, tree.dimensions)) && sameSizes(share.dimensions, along);
  if (!isAlike || !isWhole || ![low, high].every(isTable) || share.dtype !== "float32" || tree.dimensions.includes(0)) return null;
  return { tree, operand, axis, tables: [low, high, share] };
}

/** Returns the interpolation inside another one, along the axis behind its own; null if there is none. */
export function innerBlend({ operand, axis }: Blend): Blend | null {
  const inner = blendOf(operand);
  return inner !== null && inner.axis === axis + 1 ? inner : null;
}

/** The gradient of an interpolation: that of its result, two indices and a share for each row of it. */
export interface Spread {
  readonly tree: ExpressionTree;
  readonly axis: number;
  readonly operands: readonly [g: ExpressionTree, low: ExpressionTree, high: ExpressionTree, share: ExpressionTree];
}

/** Returns the gradient of an interpolation of float32 that a tree is; null for other trees. */
export function spreadOf(tree: ExpressionTree): Spread | null {
  if (tree.op !== "add" || tree.dtype !== "float32" || tree.dimensions.includes(0)) return null;
  const [a, b] = tree.inputs as readonly [ExpressionTree, ExpressionTree];
  if (!isSum(a, tree) || !isSum(b, tree)) return null;
  return spreadBy(tree, a, b) ?? spreadBy(tree, b, a);
}

/** Returns true for a scatter that adds rows to zeros of the sizes of a tree. Rows that get nothing would stay -0, if the zeros were that. */
function isSum({ op, inputs: [zeros, indices], dimensions, attributes }: ExpressionTree, tree: ExpressionTree): boolean {
  if (op !== "scatter" || !sameSizes(dimensions, tree.dimensions)) return false;
  const { reduction, skips } = attributes as { reduction?: string; skips?: string };
  if (reduction !== "add" || skips !== "none" || !isConstant(zeros!) || indices!.dtype !== "int32") return false;
  return Object.is(attributesOf(zeros!, "constant").value, 0);
}

/** Returns the gradient whose scatter of g - g * share is the first, and that of g * share the second. */
function spreadBy(tree: ExpressionTree, first: ExpressionTree, second: ExpressionTree): Spread | null {
  const [, low, rest] = first.inputs as readonly [ExpressionTree, ExpressionTree, ExpressionTree];
  const [, high, scaled] = second.inputs as readonly [ExpressionTree, ExpressionTree, ExpressionTree];
  const { axis } = attributesOf(first, "scatter");
  if (rest.op !== "add" || rest.inputs[1]!.op !== "neg" || rest.inputs[1]!.inputs[0] !== scaled || scaled.op !== "mul") return null;
  const [g, share] = scaled.inputs as readonly [ExpressionTree, ExpressionTree];
  const along = rest.dimensions.map((size, d) => (d === axis ? size : 1));
  if (rest.inputs[0] !== g || attributesOf(second, "scatter").axis !== axis) return null;
  return sameSizes(g.dimensions, rest.dimensions) && sameSizes(share.dimensions, along)
    ? { tree, axis, operands: [g, low, high, share] }
    : null;
}

/** Returns true for an interpolation and for the gradient of one: they are stored, and what reads them reads that. */
export function isInterpolation(tree: ExpressionTree): boolean {
  return tree.op === "add" && (blendOf(tree) !== null || spreadOf(tree) !== null);
}
