/**
 * quantile, median, nthElements: elements at places of the sorted order, by selection (tf.math.nth_element, NumPy's partition and quantile).
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { checkOptions, isArray, shownValue } from "@onebuffer/base/internal";
import { checkAxes, checkFlag } from "../inference/axes.ts";
import { shownOperand } from "../inference/broadcast-dims.ts";
import { checkDType, checkTree } from "../inference/elementwise-inference.ts";
import { reshapeFields, shuffleFields } from "../inference/movement-inference.ts";
import { nthFields } from "../inference/reduction-inference.ts";
import { makeExpression } from "../methods/expression-node.ts";
import { select, stack } from "../methods/joining.ts";
import { isFloat } from "../tree/dtype-groups.ts";
import type { FloatDType, RealDType } from "../tree/dtype-groups.ts";
import type { Expression } from "../tree/expression.ts";
import type { ExpressionTree } from "../tree/op-attributes.ts";
import type { OperandLike } from "../tree/operand.ts";
import type { Axes } from "../tree/rank-types.ts";

/**
 * Options of `quantile` and `median`. `axes` are reduced, by default all; `keepDims` leaves sizes of 1. `method` says what a quantile between
 * two elements is: "linear", the default, is interpolated, "midpoint" their mean; the others are one of them.
 *
 * @example
 * const options: QuantileOptions = { axes: 1, method: "lower" };
 * [...evaluate(quantile(tensorMap("int8", Int8Array.of(1, 2, 8, 9), [2, 2]), 0.5, options))]; // => [1, 8]
 */
export interface QuantileOptions {
  readonly axes?: Axes;
  readonly keepDims?: boolean;
  readonly method?: QuantileMethod;
}

/**
 * What a quantile between two elements is.
 *
 * @example
 * const method: QuantileMethod = "midpoint";
 */
export type QuantileMethod = "linear" | "lower" | "higher" | "nearest" | "midpoint";

/** The dtype of a quantile: that of the elements if they are floats, otherwise float64. */
type QuantileDType<D extends RealDType> = D extends FloatDType ? D : "float64";

/**
 * Returns the elements at some places of each sorted row, along the last axis (`tf.math.nth_element` for several places): `places` are
 * distinct, ascending and start at 0. NaN is last, zeros are +0. Rows are not sorted: a median of a million takes a fraction of a sort.
 *
 * Throws INVALID_ARGUMENT for a scalar, and for places that are not ascending or not in the last axis.
 *
 * @example
 * const x = tensorMap("float32", Float32Array.of(7, 3, 9, 1), [4]);
 * evaluate(nthElements(x, [0, 2])).toArray(); // => [1, 7]
 * nthElements(x, [4]); // throws INVALID_ARGUMENT
 */
export function nthElements<D extends RealDType, R extends number>(
  operand: OperandLike<D, R>,
  places: readonly number[],
): Expression<D, R> {
  return makeExpression(nthFields(checkTree("nthElements", operand), places));
}

/**
 * Returns the quantiles of elements over axes (NumPy's `quantile`, `tfp.stats.percentile` with q in [0, 1]). A list of `q` gives them along a
 * new first axis. NaN if there is a NaN. Quantiles of integers are float64, others have the dtype of the elements; they are interpolated in
 * float64 and rounded once. Between equal elements nothing is interpolated, so quantiles of infinities are not NaN.
 *
 * Throws INVALID_ARGUMENT for q outside [0, 1] and for no elements.
 *
 * @example
 * const x = tensorMap("float32", Float32Array.of(4, 1, 3, 2), [4]);
 * evaluate(quantile(x, 0.5)).at(); // => 2.5
 * evaluate(quantile(x, [0, 0.25, 1])).toArray(); // => [1, 1.75, 4]
 * quantile(x, 2); // throws INVALID_ARGUMENT
 */
export function quantile<D extends RealDType>(
  operand: OperandLike<D, number>,
  q: number | readonly number[],
  options: QuantileOptions = {},
): Expression<QuantileDType<D>, number> {
  return quantilesOf("quantile", operand, q, options) as Expression<QuantileDType<D>, number>;
}

/**
 * Returns the median of elements over axes, by default all: the quantile 0.5, of an even number of elements the mean of the two in the middle
 * (NumPy's `median`). NaN if there is a NaN.
 *
 * Throws INVALID_ARGUMENT for no elements.
 *
 * @example
 * const x = tensorMap("int32", Int32Array.of(5, 1, 4, 2, 3, 9), [2, 3]);
 * evaluate(median(x)).at(); // => 3.5
 * evaluate(median(x, { axes: 1 })).toArray(); // => [4, 3]
 */
export function median<D extends RealDType>(
  operand: OperandLike<D, number>,
  options: Omit<QuantileOptions, "method"> = {},
): Expression<QuantileDType<D>, number> {
  return quantilesOf("median", operand, 0.5, options) as Expression<QuantileDType<D>, number>;
}

/** The most quantiles in a list. */
const kMostQuantiles = 1000;

/** A quantile as places of the sorted row: of the element at or below it, of that at or above it, and how far it is between them. */
interface Between {
  readonly low: number;
  readonly high: number;
  readonly share: number;
}

type Real = Expression<"float64", number>;

function quantilesOf(call: string, operand: unknown, q: unknown, options: QuantileOptions): Real {
  const tree = checkTree(call, operand);
  checkOptions(call, options, call === "median" ? ["axes", "keepDims"] : ["axes", "keepDims", "method"]);
  checkDType("nthElements", tree, call);
  const axes = checkAxes(call, options.axes, tree);
  const keepDims = checkFlag(call, "keepDims", options.keepDims ?? false);
  const shown = `${call}(${shownOperand(tree)})`;
  const list: unknown[] = !isArray(q) ? [q] : q.length <= kMostQuantiles ? Array.from(q as unknown[]) : [];
  if (list.length === 0 || !list.every((each) => typeof each === "number" && each >= 0 && each <= 1)) {
    throw new InvalidArgumentError(
      `${shown}: a quantile is a number from 0 to 1, or a list of at most ${kMostQuantiles} such, got ${shownValue(q)}`,
    );
  }
  const rows = rowsOf(tree, axes);
  const width = rows.dimensions.at(-1) as number;
  if (width === 0) throw new InvalidArgumentError(`${shown}: no elements along the axes [${axes}]`);
  const between = list.map((each) => placesOf(shown, each as number, width, options.method ?? "linear"));
  // NaN comes last: if the last element is NaN, the quantile is.
  const hasNaN = isFloat(tree.dtype);
  const places = [...new Set([...between.flatMap(({ low, high }) => [low, high]), ...(hasNaN ? [width - 1] : [])])].sort((a, b) => a - b);
  const picked = makeExpression<"float64", number>(nthFields(rows, places)).cast("float64") as Real;
  const at = (place: number): Real => picked.chip(places.indexOf(place), -1) as Real;
  const sizes = tree.dimensions.flatMap((size, d) => (!axes.includes(d) ? [size] : keepDims ? [1] : []));
  const results = between.map(({ low, high, share }) => {
    const isMean = call === "median" && low !== high;
    const value = isMean ? meanOf(at(low), at(high)) : interpolated(at(low), at(high), low === high ? 0 : share);
    const result = hasNaN ? select(at(width - 1).isNan(), NaN, value) : value;
    const held = (hasNaN && tree.dtype !== "float64" ? result.cast(tree.dtype as "float64") : result) as Real;
    return held.reshape(sizes) as Real;
  });
  return isArray(q) ? (stack(results) as Real) : results[0]!;
}

/** Returns the elements over some axes as the last axis. */
function rowsOf(tree: ExpressionTree, axes: readonly number[]): ExpressionTree {
  const { dimensions } = tree;
  const kept = dimensions.map((_, d) => d).filter((d) => !axes.includes(d));
  const order = [...kept, ...axes];
  const moved = order.every((axis, d) => axis === d) ? tree : makeExpression(shuffleFields(tree, order));
  if (axes.length === 1) return moved;
  const count = axes.reduce((product, axis) => product * (dimensions[axis] as number), 1);
  return makeExpression(reshapeFields(moved, [...kept.map((d) => dimensions[d] as number), count]));
}

function placesOf(shown: string, q: number, width: number, method: unknown): Between {
  const place = q * (width - 1);
  const [low, high] = [Math.floor(place), Math.ceil(place)];
  switch (method) {
    case "linear":
      return { low, high, share: place - low };
    case "midpoint":
      return { low, high, share: 0.5 };
    case "lower":
      return { low, high: low, share: 0 };
    case "higher":
      return { low: high, high, share: 0 };
    case "nearest": {
      // Ties go to the even place.
      const isLow = place - low < 0.5 || (place - low === 0.5 && low % 2 === 0);
      return isLow ? { low, high: low, share: 0 } : { low: high, high, share: 0 };
    }
    default:
      throw new InvalidArgumentError(`${shown}: the method is linear, lower, higher, nearest or midpoint, got ${shownValue(method)}`);
  }
}

/**
 * Returns the mean of two numbers. Their difference and their sum may be larger than the largest number, and halves of the smallest numbers
 * are 0: of equal numbers it is one of them.
 */
const meanOf = (low: Real, high: Real): Real =>
  select(low.equal(high), interpolated(low, high, 0.5), low.mul(0.5).add(high.mul(0.5))) as Real;

/**
 * Returns low + (high - low) * share, computed from the nearer end as NumPy does. Of equal infinities, whose difference is NaN, it is one of
 * them. Other equal numbers are interpolated, too, so that each has its share of the gradient.
 */
function interpolated(low: Real, high: Real, share: number): Real {
  if (share === 0) return low;
  const step = high.sub(low);
  const isInfinite = low.equal(high).logicalAnd(low.isInf());
  return select(isInfinite, low, share < 0.5 ? low.add(step.mul(share)) : high.sub(step.mul(1 - share))) as Real;
}
