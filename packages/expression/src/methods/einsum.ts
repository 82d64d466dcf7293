/**
 * einsum: sums of products by labels of axes (np.einsum, tf.einsum), composed of diagonals, sums, products over axes and shuffles.
 *
 *     einsum("ij,jk,kl->il", a, b, c)     two products; the pair with the smaller result comes first
 *
 * Each step takes the pair of operands that leaves the fewest elements, as opt_einsum's greedy path does. Labels that only one operand has
 * are summed before.
 */
import { checkText } from "@onebuffer/base/internal";
import type { SliceRange } from "@onebuffer/storage";
import { shownOperand } from "../inference/broadcast-dims.ts";
import { checkDType, checkSameDType, checkTree } from "../inference/elementwise-inference.ts";
import { reshapeFields, shuffleFields, sliceFields } from "../inference/movement-inference.ts";
import { reduceFields } from "../inference/reduction-inference.ts";
import type { NumericDType } from "../tree/dtype-groups.ts";
import type { Expression } from "../tree/expression.ts";
import { sizesOf } from "../tree/node-lists.ts";
import type { ExpressionTree } from "../tree/op-attributes.ts";
import type { OperandLike } from "../tree/operand.ts";
import { einsumError, parseSubscripts } from "./einsum-text.ts";
import { makeDeferred, makeExpression } from "./expression-node.ts";
import { generalProduct } from "./general-product.ts";

/** The number of letters of a text without blanks. */
type Letters<T extends string, L extends readonly unknown[] = []> = T extends `${infer C}${infer Rest}`
  ? Letters<Rest, C extends " " ? L : [...L, C]>
  : L["length"];

/**
 * The rank of the result of `einsum` for a text with an explicit output and no ellipsis; otherwise `number`.
 *
 * @example
 * const rank: EinsumRank<"ij,jk->ik"> = 2;
 */
export type EinsumRank<T extends string> = T extends `${string}.${string}`
  ? number
  : T extends `${string}->${infer O}`
    ? Letters<O>
    : number;

/** An operand, or a product of several, with the labels of its axes. */
interface Term {
  readonly tree: ExpressionTree;
  readonly labels: readonly string[];
}

/** The sizes by label. */
type Sizes = ReadonlyMap<string, number>;

/**
 * Returns sums of products by labels of axes (`tf.einsum`, NumPy's `einsum`). Each operand has a label per axis. Products are summed over
 * the labels that the output does not have. Without "->" the output has the labels that occur once, in alphabetical order. A label twice in
 * one operand means its diagonal. "..." stands for the other axes, which are broadcast. An axis of size 1 is repeated where another operand
 * has a larger one of the same label.
 *
 * Throws INVALID_ARGUMENT, with the text, if the text is malformed, or does not fit the operands' ranks and sizes; and for different dtypes.
 *
 * @example
 * const a = tensorMap("float32", Float32Array.of(1, 2, 3, 4), [2, 2]);
 * const x = tensorMap("float32", Float32Array.of(1, 10), [2]);
 * evaluate(einsum("ij,j->i", a, x)).toArray(); // => [21, 43]
 * evaluate(einsum("ii", a)).toArray(); // => 5
 * evaluate(einsum("ij,ij->ji", a, a)).toArray(); // => [[1, 9], [4, 16]]
 * einsum("ij,k->ijk", a, x).dimensions; // => [2, 2, 2]
 * einsum("ij->i", x as never); // throws INVALID_ARGUMENT
 */
export function einsum<const T extends string, D extends NumericDType>(
  text: T,
  ...operands: readonly OperandLike<D, number>[]
): Expression<D, EinsumRank<T>> {
  checkText(text, "the subscripts of einsum as a text");
  const trees = operands.map((operand) => checkTree("einsum", operand));
  const result: unknown = makeDeferred(`einsum ${text}`, trees, [], () => productByLabels(text, trees));
  return result as Expression<D, EinsumRank<T>>;
}

/** Checks the operands, and returns the nodes of their products. */
function productByLabels(text: string, trees: readonly ExpressionTree[]): ExpressionTree {
  const { operands: labels, output } = parseSubscripts(text, trees);
  for (const tree of trees) checkDType("matMul", tree, "einsum");
  checkSameDType("einsum", trees, 0);
  const sizes = labelSizes(text, trees, labels);
  let terms = trees.map((tree, k) => distinct(text, { tree, labels: labels[k]! }, sizes));
  while (terms.length > 1) terms = withOneProduct(terms, output, sizes);
  const { tree, labels: order } = summed(terms[0]!, output);
  const permutation = output.map((label) => order.indexOf(label));
  if (!permutation.every((axis, d) => axis === d)) return makeExpression(shuffleFields(tree, permutation, "einsum"));
  return trees.includes(tree) ? makeExpression(reshapeFields(tree, sizesOf(tree))) : tree;
}

/** Returns the size of each label: the one that is not 1, if there is one. Throws INVALID_ARGUMENT for different ones. */
function labelSizes(text: string, trees: readonly ExpressionTree[], labels: readonly (readonly string[])[]): Sizes {
  const sizes = new Map<string, number>();
  trees.forEach((tree, k) => {
    labels[k]!.forEach((label, axis) => {
      const size = sizesOf(tree)[axis] as number;
      const known = sizes.get(label) ?? 1;
      if (known !== 1 && size !== 1 && known !== size) {
        const name = /\d/.test(label) ? "an axis of the ellipsis" : `the label ${label}`;
        throw einsumError(text, `${name} has sizes ${known} and ${size}, the latter in ${shownOperand(tree)}`);
      }
      if (known === 1) sizes.set(label, size);
    });
  });
  return sizes;
}

/** Returns an operand with each label once: a label that is there several times becomes the diagonal. Axes that are repeated are removed. */
function distinct(text: string, { tree, labels }: Term, sizes: Sizes): Term {
  let diagonal: Term = { tree, labels };
  for (let k = 0; k < labels.length; k++) {
    const label = labels[k] as string;
    while (diagonal.labels.indexOf(label) !== diagonal.labels.lastIndexOf(label)) diagonal = diagonalOf(text, diagonal, label);
  }
  const kept = diagonal.labels.filter((label, axis) => sizesOf(diagonal.tree)[axis] === sizes.get(label));
  if (kept.length === diagonal.labels.length) return diagonal;
  const dims = sizesOf(diagonal.tree).filter((size, axis) => size === sizes.get(diagonal.labels[axis]!));
  return { tree: makeExpression(reshapeFields(diagonal.tree, dims)), labels: kept };
}

/** Returns the diagonal of the first two axes with a label; the label is then last. In row-major order its elements are size + 1 apart. */
function diagonalOf(text: string, { tree, labels }: Term, label: string): Term {
  const first = labels.indexOf(label);
  const second = labels.indexOf(label, first + 1);
  const [size, other] = [sizesOf(tree)[first] as number, sizesOf(tree)[second] as number];
  if (size !== other) throw einsumError(text, `the label ${label} has sizes ${size} and ${other} in ${shownOperand(tree)}`);
  const rest: number[] = [];
  const dims: number[] = [];
  const ranges: SliceRange[] = [];
  const left: string[] = [];
  for (let axis = 0; axis < labels.length; axis++) {
    if (axis === first || axis === second) continue;
    rest.push(axis);
    dims.push(sizesOf(tree)[axis]!);
    ranges.push(null);
    left.push(labels[axis]!);
  }
  const isLast = first === labels.length - 2 && second === labels.length - 1;
  const square = isLast ? tree : makeExpression(shuffleFields(tree, [...rest, first, second], "einsum"));
  dims.push(size * size);
  ranges.push([0, size * size, size + 1]);
  left.push(label);
  return { tree: makeExpression(sliceFields(makeExpression(reshapeFields(square, dims)), ranges)), labels: left };
}

/** Returns a term summed over the labels that are not in `needed`. */
function summed({ tree, labels }: Term, needed: readonly string[]): Term {
  const axes = labels.map((_, axis) => axis).filter((axis) => !needed.includes(labels[axis]!));
  if (axes.length === 0) return { tree, labels };
  return { tree: makeExpression(reduceFields("sum", tree, axes, false)), labels: labels.filter((label) => needed.includes(label)) };
}

/** Returns the terms with the best pair multiplied. */
function withOneProduct(terms: readonly Term[], output: readonly string[], sizes: Sizes): Term[] {
  const sizeOf = (labels: readonly string[]): number => labels.reduce((size, label) => size * (sizes.get(label) as number), 1);
  let best = { cost: Number.POSITIVE_INFINITY, left: 0, right: 1, needed: [] as readonly string[] };
  for (let left = 0; left < terms.length; left++) {
    for (let right = left + 1; right < terms.length; right++) {
      const others = terms.filter((_, k) => k !== left && k !== right).flatMap(({ labels }) => labels);
      const needed = [...output, ...others];
      const pair = [terms[left]!, terms[right]!];
      const result = [...new Set(pair.flatMap(({ labels }) => labels))].filter((label) => needed.includes(label));
      const cost = sizeOf(result) - pair.reduce((sum, { labels }) => sum + sizeOf(labels), 0);
      if (cost < best.cost) best = { cost, left, right, needed };
    }
  }
  const { left, right, needed } = best;
  const rest = terms.filter((_, k) => k !== left && k !== right);
  return [...rest, multiplied(terms[left]!, terms[right]!, needed, output)];
}

/** Returns the product of two terms with the needed labels, those of the batch first. */
function multiplied(x: Term, y: Term, needed: readonly string[], output: readonly string[]): Term {
  const a = summed(x, [...needed, ...y.labels]);
  const b = summed(y, [...needed, ...x.labels]);
  const own = (labels: readonly string[], other: Term): string[] => labels.filter((label) => !other.labels.includes(label));
  // The operand whose labels the output has first becomes the left one, so that the result need not be shuffled.
  const rank = ({ labels }: Term, other: Term): number => Math.min(...own(labels, other).map((label) => output.indexOf(label) >>> 0));
  const [left, right] = rank(b, a) < rank(a, b) ? [b, a] : [a, b];
  const common = left.labels.filter((label) => right.labels.includes(label));
  const batch = common.filter((label) => needed.includes(label)).sort((p, q) => output.indexOf(p) - output.indexOf(q));
  const pairOf = (label: string): readonly [number, number] => [left.labels.indexOf(label), right.labels.indexOf(label)];
  const pairs = common.filter((label) => !needed.includes(label)).map(pairOf);
  const tree = generalProduct(makeExpression, left.tree, right.tree, { batch: batch.map(pairOf), pairs });
  return { tree, labels: [...batch, ...own(left.labels, right), ...own(right.labels, left)] };
}
