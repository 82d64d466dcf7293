/**
 * general-product: sums of products over any axes, expressed by matrix products (StableHLO's dot_general; in Eigen TensorContraction reads
 * tensors as matrices).
 *
 *     a[8, 5, 6] and b[6, 5, 7], pairs [2, 0] and [1, 1]     a as [8, 30], b as [30, 7], the product as [8, 7]
 *
 * No operand is copied for that: the kernel of products reads the elements where they are, in several loops.
 */
import { checkCount, shownCall } from "../inference/broadcast-dims.ts";
import { binaryFields, castFields } from "../inference/elementwise-inference.ts";
import type { AxisPair } from "../inference/axis-pairs.ts";
import { reshapeFields, shuffleFields } from "../inference/movement-inference.ts";
import { matMulFields, reduceFields } from "../inference/reduction-inference.ts";
import { sizesOf } from "../tree/node-lists.ts";
import type { ExpressionFields, ExpressionTree } from "../tree/op-attributes.ts";
import { product, sameSizes } from "@onebuffer/storage/internal";

/** Makes a node of fields. */
type Make = (fields: ExpressionFields) => ExpressionTree;

/** The axes of a general product: `batch` stay and are the same in both operands, those of `pairs` are summed over. */
export interface ProductAxes {
  readonly batch: readonly AxisPair[];
  readonly pairs: readonly AxisPair[];
}

/** Smaller products whose axes would have to be joined are a product of elements and a sum, which reads operands of any strides, too. */
const kFewLines = 4;
const kLeastWork = 512;

/** Returns true if a product of these sizes is not computed as one of matrices if axes have to be joined for that. */
export function hasFewLines(rows: number, columns: number, inner: number): boolean {
  return rows < kFewLines || columns < kFewLines || rows * columns * inner < kLeastWork;
}

/** An operand, and its axes by their part in the product. */
interface Side {
  readonly tree: ExpressionTree;
  readonly batch: readonly number[];
  readonly free: readonly number[];
  readonly inner: readonly number[];
}

/** Returns operand `k` of a product with its axes. These loops run for every product that is written: `map` and `filter` take twice as long. */
function sideOf(tree: ExpressionTree, k: 0 | 1, batch: readonly AxisPair[], pairs: readonly AxisPair[]): Side {
  const ofBatch = axesOf(batch, k);
  const inner = axesOf(pairs, k);
  const free: number[] = [];
  const rank = sizesOf(tree).length;
  for (let d = 0; d < rank; d++) if (!ofBatch.includes(d) && !inner.includes(d)) free.push(d);
  return { tree, batch: ofBatch, free, inner };
}

/** Returns pairs of axes in the order of the axes of operand `k`. For a few pairs insertion takes a third of the time of the engine's sort. */
function inOrder(pairs: readonly AxisPair[], k: 0 | 1): AxisPair[] {
  const ordered: AxisPair[] = [];
  for (let p = 0; p < pairs.length; p++) {
    const pair = pairs[p]!;
    let place = ordered.push(pair) - 1;
    for (; place > 0 && ordered[place - 1]![k] > pair[k]; place--) ordered[place] = ordered[place - 1]!;
    ordered[place] = pair;
  }
  return ordered;
}

/** Returns the axes of operand `k` in pairs of axes. */
function axesOf(pairs: readonly AxisPair[], k: 0 | 1): number[] {
  const axes: number[] = [];
  for (let p = 0; p < pairs.length; p++) axes.push(pairs[p]![k]);
  return axes;
}

/** Returns the sizes along some axes. */
function sizesAlong({ tree }: Side, axes: readonly number[]): number[] {
  const sizes = sizesOf(tree);
  const along: number[] = [];
  for (let k = 0; k < axes.length; k++) along.push(sizes[axes[k]!]!);
  return along;
}

/**
 * Returns the sum of products over pairs of axes. The result has the axes of the batch, then the other axes of `a`, then those of `b`. The
 * operands must have the same dtype, and the axes must have been checked.
 */
export function generalProduct(make: Make, a: ExpressionTree, b: ExpressionTree, { batch, pairs }: ProductAxes): ExpressionTree {
  if (sizesOf(a).length === 1 && sizesOf(b).length === 1 && pairs.length === 1) return sumOfProducts(make, a, b, 1);
  // The operand with more elements gives the order in which k runs.
  const lead = product(sizesOf(a)) >= product(sizesOf(b)) ? 0 : 1;
  const ordered = inOrder(pairs, lead);
  const left = sideOf(a, 0, batch, ordered);
  const right = sideOf(b, 1, batch, ordered);
  const rows = sizesAlong(left, left.free);
  const columns = sizesAlong(right, right.free);
  const inner = sizesAlong(left, left.inner);
  const dimensions = [...sizesAlong(left, left.batch), ...rows, ...columns];
  checkCount(dimensions, () => shownCall("contract", [a, b]));
  const joins = rows.length > 1 || columns.length > 1 || inner.length > 1;
  const numRows = product(rows);
  const numColumns = product(columns);
  const size = product(inner);
  if (pairs.length === 0 || (joins && hasFewLines(numRows, numColumns, size))) return summedProducts(make, left, right);
  // An operand whose last axis is the wrong one for a matrix product is read as a transposed matrix.
  const transposeA = !left.inner.includes(sizesOf(a).length - 1);
  const transposeB = right.inner.includes(sizesOf(b).length - 1);
  const x = matrix(make, left, transposeA, numRows, size);
  const y = matrix(make, right, !transposeB, numColumns, size);
  return reshaped(make, make(matMulFields(x, y, { transposeA, transposeB })), dimensions);
}

/** Returns an operand as matrices of so many lines of `size` elements that are summed over; transposed if `isInnerFirst`. */
function matrix(make: Make, of: Side, isInnerFirst: boolean, lines: number, size: number): ExpressionTree {
  const { inner, free } = of;
  const sizes = sizesAlong(of, of.batch);
  if (isInnerFirst) sizes.push(size, lines);
  else sizes.push(lines, size);
  return placed(make, of, isInnerFirst ? [...inner, ...free] : [...free, ...inner], sizes);
}

/** Returns the products of elements, summed over the inner axes. The axes of each operand that the other one lacks have size 1 in the other. */
function summedProducts(make: Make, left: Side, right: Side): ExpressionTree {
  const ones = (axes: readonly number[]): number[] => axes.map(() => 1);
  const spread = (of: Side, lines: readonly number[]): ExpressionTree =>
    placed(make, of, [...of.free, ...of.inner], [...sizesAlong(of, of.batch), ...lines, ...sizesAlong(of, of.inner)]);
  const factors = [
    spread(left, [...sizesAlong(left, left.free), ...ones(right.free)]),
    spread(right, [...ones(left.free), ...sizesAlong(right, right.free)]),
  ];
  return sumOfProducts(make, factors[0]!, factors[1]!, left.inner.length);
}

/** Returns the products of elements, summed over so many last axes. Products of small floats are not rounded before they are added. */
function sumOfProducts(make: Make, a: ExpressionTree, b: ExpressionTree, inner: number): ExpressionTree {
  if (inner === 0) return make(binaryFields("mul", a, b));
  const { dtype } = a;
  const isSmallFloat = dtype === "float16" || dtype === "bfloat16";
  const [x, y] = isSmallFloat ? [a, b].map((factor) => make(castFields(factor, "float32", false))) : [a, b];
  const products = make(binaryFields("mul", x!, y!));
  const rank = sizesOf(products).length;
  const axes = Array.from({ length: inner }, (_, k) => rank - 1 - k);
  const sum = make(reduceFields("sum", products, axes, false));
  return isSmallFloat ? make(castFields(sum, dtype, false)) : sum;
}

/** Returns an operand with its axes of the batch first, then `axes`, and then with other sizes. */
function placed(make: Make, { tree, batch }: Side, axes: readonly number[], sizes: readonly number[]): ExpressionTree {
  const order = batch.length === 0 ? axes : [...batch, ...axes];
  let isShuffled = false;
  for (let d = 0; d < order.length; d++) if (order[d] !== d) isShuffled = true;
  const shuffled = isShuffled ? make(shuffleFields(tree, order, "contract")) : tree;
  return reshaped(make, shuffled, sizes);
}

function reshaped(make: Make, tree: ExpressionTree, sizes: readonly number[]): ExpressionTree {
  return sameSizes(sizesOf(tree), sizes) ? tree : make(reshapeFields(tree, sizes));
}
