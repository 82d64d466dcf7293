/**
 * bincount and histogram: how often integers occur, and how many elements are in each of some ranges (tf.math.bincount, NumPy's bincount and
 * histogram).
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { checkOptions, isArray, shownValue } from "@onebuffer/base/internal";
import { isIndex, product } from "@onebuffer/storage/internal";
import { shownOperand } from "../inference/broadcast-dims.ts";
import { roundToFloat } from "../inference/constant-value.ts";
import { castFields, checkDType, checkTree } from "../inference/elementwise-inference.ts";
import { reshapeFields, scatterFields } from "../inference/movement-inference.ts";
import { makeExpression } from "../methods/expression-node.ts";
import { constant, iota } from "../methods/generators.ts";
import { select } from "../methods/joining.ts";
import { isFloat } from "../tree/dtype-groups.ts";
import type { FloatDType, IntegerDType, RealDType } from "../tree/dtype-groups.ts";
import type { Expression } from "../tree/expression.ts";
import type { ExpressionTree } from "../tree/op-attributes.ts";
import type { OperandLike } from "../tree/operand.ts";

/** The most counters: their indices are int32. */
const kMostCounters = 2 ** 31 - 1;

/**
 * Returns how often each of the integers 0 to `length` - 1 occurs in the elements (`tf.math.bincount` with `maxlength`, and `minlength` the
 * same). Elements of `length` and more are not counted. For NumPy's length, which depends on the elements, pass
 * `Number(item(x.max())) + 1`. Sums of weights are `unsortedSegmentSum(weights, x, length)`.
 *
 * Throws INVALID_ARGUMENT for a length that is no integer from 0 to 2^31 - 1; assign throws it for a negative element.
 *
 * @example
 * const x = tensorMap("int32", Int32Array.of(1, 3, 1, 9), [4]);
 * evaluate(bincount(x, 4)).toArray(); // => [0, 2, 0, 1]
 * bincount(x, -1); // throws INVALID_ARGUMENT
 */
export function bincount(operand: OperandLike<IntegerDType, number>, length: number): Expression<"int32", 1> {
  const tree = checkTree("bincount", operand);
  checkDType("invert", tree, "bincount");
  checkCounters(`bincount(${shownOperand(tree)}): the length`, length, 0);
  // Those from 2^63 on would be negative as int64, in which places are.
  const counted = tree.dtype === "uint64" ? (tree as unknown as Expression<"uint64", number>).minimum(BigInt(length)) : tree;
  return countsOf(counted as unknown as ExpressionTree, length);
}

function countsOf(tree: ExpressionTree, length: number): Expression<"int32", 1> {
  const { dtype, dimensions } = tree;
  const held = dtype === "int64" || dtype === "uint32" || dtype === "uint64" ? "int64" : "int32";
  const cast = dtype === held ? tree : makeExpression(castFields(tree, held, false));
  const flat = dimensions.length === 1 ? cast : makeExpression(reshapeFields(cast, [-1]));
  return makeExpression(scatterFields(filled(0, length), flat, filled(1, product(dimensions)), 0, "add", "large"));
}

const filled = (value: number, count: number): ExpressionTree => checkTree("bincount", constant("int32", value, [count]));

/** Throws INVALID_ARGUMENT unless a count is an integer from `least` to kMostCounters. */
function checkCounters(what: string, count: unknown, least: number): void {
  if (isIndex(count as number, kMostCounters + 1) && (count as number) >= least) return;
  throw new InvalidArgumentError(`${what} is an integer from ${least} to ${kMostCounters}, got ${shownValue(count)}`);
}

/**
 * Options of `histogram`: the ends of the first and the last bin; the default is the smallest and the largest element.
 *
 * @example
 * const options: HistogramOptions = { range: [0, 10] };
 */
export interface HistogramOptions {
  readonly range?: readonly [low: number, high: number];
}

/**
 * The result of `histogram`: the number of elements in each bin, and the ends of the bins, one more than bins.
 *
 * @example
 * const { counts }: Histogram = histogram(tensorMap("float32", Float32Array.of(1, 2), [2]), 2);
 * counts.dtype; // => "int32"
 */
export interface Histogram {
  readonly counts: Expression<"int32", 1>;
  readonly edges: Expression<"float64", 1>;
}

/**
 * Returns the numbers of elements in bins of equal width, and the edges of the bins (NumPy's `histogram`, which `tf.histogram_fixed_width`
 * differs from: there elements outside the range count in the first and the last bin). A bin has its lower edge but not its upper one; only
 * the last bin has both. Elements outside the range and NaN are not counted. If low equals high, the range is from half below to half above;
 * from about 2^53 on this range has no width, and equal elements count in the last bin, where NumPy throws.
 * The ends of a range are rounded to the dtype of the elements if it is a float. Edges are float64; for float32, float16 and bfloat16 they are
 * rounded to float32.
 *
 * Throws INVALID_ARGUMENT for a number of bins below 1 and a range that is not finite, whose ends are in the wrong order or too far apart.
 * Without a range, elements that are NaN or infinite, or further apart than the largest number, give a histogram of zeros and edges that
 * are NaN or infinite, where NumPy throws.
 *
 * @example
 * const x = tensorMap("float32", Float32Array.of(1, 2, 2, 4, 9), [5]);
 * const { counts, edges } = histogram(x, 3, { range: [1, 4] });
 * evaluate(counts).toArray(); // => [1, 2, 1]
 * evaluate(edges).toArray(); // => [1, 2, 3, 4]
 * histogram(x, 0); // throws INVALID_ARGUMENT
 */
export function histogram(operand: OperandLike<RealDType, number>, bins: number = 10, options: HistogramOptions = {}): Histogram {
  const tree = checkTree("histogram", operand);
  checkDType("max", tree, "histogram");
  checkOptions("histogram", options, ["range"]);
  const shown = `histogram(${shownOperand(tree)})`;
  checkCounters(`${shown}: the number of bins`, bins, 1);
  const x = tree as unknown as Expression<FloatDType, number>;
  const [low, high] = options.range === undefined ? rangeOf(x) : givenRange(shown, tree, options.range);
  const isRounded = /^b?float(16|32)$/.test(tree.dtype);
  const wide = x.cast("float64");
  const width = high.sub(low) as Real;
  const step = width.div(bins) as Real;
  const edgeAt = (index: Real): Real => {
    const edge = index.mul(step).add(low) as Real;
    return isRounded ? (edge.cast("float32").cast("float64") as Real) : edge;
  };
  // The index may be off by one because of rounding; the edges decide. The upper edge of the last bin is not asked for. In a range without a
  // width all elements are the upper edge of the last bin.
  const place = wide
    .sub(low)
    .div(width)
    .mul(bins)
    .floor()
    .clip(0, bins - 1) as Real;
  const guess = select(width.equal(0), constant("float64", bins - 1), place) as Real;
  const one = constant("float64", 1);
  const isBelow = wide.less(edgeAt(guess));
  const isAbove = wide.greaterEqual(edgeAt(guess.add(one))).logicalAnd(guess.less(bins - 1));
  const index = guess.sub(select(isBelow, one, 0) as Real).add(select(isAbove, one, 0) as Real);
  const isInside = wide.greaterEqual(low).logicalAnd(wide.lessEqual(high));
  const places = iota("float64", bins + 1) as unknown as Real;
  // A range that is wider than the largest number has no bins.
  const number = select(isInside.logicalAnd(width.less(Infinity)), index, bins).cast("int32");
  return {
    counts: countsOf(number as unknown as ExpressionTree, bins),
    edges: select(places.equal(bins), high, edgeAt(places)) as unknown as Expression<"float64", 1>,
  };
}

type Real = Expression<"float64", number>;

/** Returns the smallest and the largest element as scalars; half below and half above if they are equal. */
function rangeOf(x: Expression<FloatDType, number>): readonly [Real, Real] {
  const [low, high] = [x.min().cast("float64"), x.max().cast("float64")];
  const half = select(low.equal(high), constant("float64", 0.5), 0) as Real;
  return [low.sub(half) as Real, high.add(half) as Real];
}

/** Returns the ends of a range as scalars. They are rounded to the dtype of the elements, so that an element can be the last edge. */
function givenRange(shown: string, { dtype }: ExpressionTree, range: unknown): readonly [Real, Real] {
  const ends = isArray(range) && range.length === 2 && range.every(Number.isFinite) ? (range as readonly [number, number]) : null;
  if (ends === null || ends[0] > ends[1] || ends[1] - ends[0] === Infinity) {
    throw new InvalidArgumentError(`${shown}: the range is [low, high] of finite numbers, with a finite width, got ${shownValue(range)}`);
  }
  const [low, high] = ends.map((end) => (isFloat(dtype) ? roundToFloat(dtype, end) : end)) as [number, number];
  const half = low === high ? 0.5 : 0;
  return [constant("float64", low - half), constant("float64", high + half)];
}
