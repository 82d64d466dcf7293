/**
 * interpolations: trees that are one pass over rows instead of gathers, products and sums (array-loops/blended-rows.ts, spread-rows.ts).
 *
 *     gather(x, low) + (gather(x, high) - gather(x, low)) * share                 a linear interpolation along an axis, as resize has two
 *     scatter(0, low, g - g * share, add) + scatter(0, high, g * share, add)      the gradient of one
 */
import { attributesOf, isConstant } from "@onebuffer/expression/internal";
import type { ExpressionTree, OpName } from "@onebuffer/expression";
import { sameSizes } from "@onebuffer/storage/internal";

/** The operation of each node of a form, and the names of its operands. A name without a rule is any node, a name that occurs twice one node. */
interface Pattern {
  readonly root: Rule;
  readonly [name: string]: Rule;
}
type Rule = readonly [op: OpName, ...operands: readonly string[]];
type Operands<R> = R extends readonly [unknown, ...infer Names extends readonly string[]] ? Names[number] : never;
type Root = Pick<ExpressionTree, "op" | "inputs">;

/** Returns the nodes below a tree by their names in a pattern; null if the tree has another form. */
function matched<P extends Pattern>(pattern: P, root: Root): Readonly<Record<Operands<P[keyof P]>, ExpressionTree>> | null {
  const found: Record<string, ExpressionTree> = {};
  const isBy = (rule: Rule | undefined, node: Root): boolean =>
    rule === undefined ||
    (node.op === rule[0] &&
      node.inputs.every((input, k) => (found[rule[k + 1]!] ??= input) === input && isBy(pattern[rule[k + 1]!], input)));
  return isBy(pattern.root, root) ? (found as Record<Operands<P[keyof P]>, ExpressionTree>) : null;
}

/** An interpolation along an axis: the operand, two indices and a share for each index of the result. */
export interface Blend {
  readonly tree: ExpressionTree;
  readonly operand: ExpressionTree;
  readonly axis: number;
  /** The indices of the first and of the second row, int32, and the shares, float32. */
  readonly tables: readonly [low: ExpressionTree, high: ExpressionTree, share: ExpressionTree];
}

const kBlend = {
  root: ["add", "first", "scaled"],
  scaled: ["mul", "difference", "share"],
  difference: ["sub", "second", "first"],
  first: ["gather", "operand", "low"],
  second: ["gather", "operand", "high"],
} as const satisfies Pattern;

/** Returns the interpolation of float32 that a tree is; null for other trees. */
export function blendOf(tree: ExpressionTree): Blend | null {
  const found = tree.dtype === "float32" ? matched(kBlend, tree) : null;
  if (found === null) return null;
  const { operand, first, second, low, high, share } = found;
  const { axis } = attributesOf(first, "gather");
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

const kSpread = {
  root: ["add", "first", "second"],
  first: ["scatter", "zeros", "low", "rest"],
  rest: ["add", "g", "negative"],
  negative: ["neg", "scaled"],
  second: ["scatter", "others", "high", "scaled"],
  scaled: ["mul", "g", "share"],
} as const satisfies Pattern;

/** Returns the gradient of an interpolation of float32 that a tree is; null for other trees. */
export function spreadOf(tree: ExpressionTree): Spread | null {
  if (tree.dtype !== "float32" || tree.dimensions.includes(0)) return null;
  const found = matched(kSpread, tree) ?? matched(kSpread, { op: tree.op, inputs: tree.inputs.toReversed() });
  if (found === null) return null;
  const { first, second, rest, g, low, high, share } = found;
  if (!isSum(first, tree) || !isSum(second, tree)) return null;
  const { axis } = attributesOf(first, "scatter");
  const along = rest.dimensions.map((size, d) => (d === axis ? size : 1));
  const isAlike = attributesOf(second, "scatter").axis === axis;
  return isAlike && sameSizes(g.dimensions, rest.dimensions) && sameSizes(share.dimensions, along)
    ? { tree, axis, operands: [g, low, high, share] }
    : null;
}

/** Returns true for a scatter that adds rows to zeros of the sizes of a tree. Rows that get nothing would stay -0, if the zeros were that. */
function isSum(scatter: ExpressionTree, tree: ExpressionTree): boolean {
  const { reduction, skips } = attributesOf(scatter, "scatter");
  const [zeros, indices] = scatter.inputs as readonly [ExpressionTree, ExpressionTree];
  if (reduction !== "add" || skips !== "none" || !isConstant(zeros) || indices.dtype !== "int32") return false;
  return sameSizes(scatter.dimensions, tree.dimensions) && Object.is(attributesOf(zeros, "constant").value, 0);
}

/** Returns true for an interpolation and for the gradient of one: they are stored, and what reads them reads that. */
export function isInterpolation(tree: ExpressionTree): boolean {
  return tree.op === "add" && (blendOf(tree) !== null || spreadOf(tree) !== null);
}
