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
import { sameSizes } from "../../geometry/same-sizes.ts";

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

const product = (sizes: readonly number[]): number => sizes.reduce((a, b) => a * b, 1);

/** An operand, and its axes by their part in the product. */
interface Side {
  readonly tree: ExpressionTree;
  readonly batch: readonly number[];
  readonly free: readonly number[];
  readonly inner: readonly number[];
}

/** Returns the sizes along some axes. */
function sizesAlong({ tree }: Side, axes: readonly number[]): number[] {
  const sizes = sizesOf(tree);
  return axes.map((axis) => sizes[axis] as number);
}

/**
 * Returns the sum of products over pairs of axes. The result has the axes of the batch, then the other axes of `a`, then those of `b`. The
 * operands must have the same dtype, and the axes must have been checked.
 */
export function generalProduct(make: Make, a: ExpressionTree, b: ExpressionTree, { batch, pairs }: ProductAxes): ExpressionTree {
  if (sizesOf(a).length === 1 && sizesOf(b).length === 1 && pairs.length === 1) return sumOfProducts(make, a, b, 1);
  // The operand with more elements gives the order in which k runs.
  const lead = product(sizesOf(a)) >= product(sizesOf(b)) ? 0 : 1;
  const ordered = pairs.toSorted((x, y) => x[lead] - y[lead]);
  const side = (tree: ExpressionTree, k: 0 | 1): Side => {
    const used = [...batch, ...pairs].map((pair) => pair[k]);
    const free = sizesOf(tree)
      .map((_, d) => d)
      .filter((d) => !used.includes(d));
    return { tree, batch: batch.map((pair) => pair[k]), free, inner: ordered.map((pair) => pair[k]) };
  };
  const [left, right] = [side(a, 0), side(b, 1)];
  const [rows, columns, inner] = [sizesAlong(left, left.free), sizesAlong(right, right.free), sizesAlong(left, left.inner)];
  const dimensions = [...sizesAlong(left, left.batch), ...rows, ...columns];
  checkCount(dimensions, () => shownCall("contract", [a, b]));
  const joins = Math.max(rows.length, columns.length, inner.length) > 1;
  const isSmall = product(rows) < kFewLines || product(columns) < kFewLines || product([...rows, ...columns, ...inner]) < kLeastWork;
  if (pairs.length === 0 || (joins && isSmall)) return summedProducts(make, left, right);
  const size = product(inner);
  // An operand whose last axis is the wrong one for a matrix product is read as a transposed matrix.
  const transposeA = !left.inner.includes(sizesOf(left.tree).length - 1);
  const transposeB = right.inner.includes(sizesOf(right.tree).length - 1);
  const matrix = (of: Side, isInnerFirst: boolean, lines: readonly number[]): ExpressionTree => {
    const sizes = isInnerFirst ? [size, product(lines)] : [product(lines), size];
    return placed(make, of, isInnerFirst ? [...of.inner, ...of.free] : [...of.free, ...of.inner], [...sizesAlong(of, of.batch), ...sizes]);
  };
  const factors = [matrix(left, transposeA, rows), matrix(right, !transposeB, columns)] as const;
  return reshaped(make, make(matMulFields(...factors, { transposeA, transposeB })), dimensions);
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
  const order = [...batch, ...axes];
  const shuffled = order.every((axis, d) => axis === d) ? tree : make(shuffleFields(tree, order, "contract"));
  return reshaped(make, shuffled, sizes);
}

function reshaped(make: Make, tree: ExpressionTree, sizes: readonly number[]): ExpressionTree {
  return sameSizes(sizesOf(tree), sizes) ? tree : make(reshapeFields(tree, sizes));
}
