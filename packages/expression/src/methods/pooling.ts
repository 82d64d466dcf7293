/**
 * pooling: the largest element or the mean of each window of an image (tf.nn.max_pool, tf.nn.avg_pool), as reductions over its patches.
 */
import { integerRange } from "../inference/constant-value.ts";
import { binaryFields, checkDType, checkFloats, checkTree } from "../inference/elementwise-inference.ts";
import { patchFields, reshapeFields } from "../inference/movement-inference.ts";
import { reduceFields } from "../inference/reduction-inference.ts";
import { isBig } from "../tree/dtype-groups.ts";
import type { FloatDType, RealDType } from "../tree/dtype-groups.ts";
import type { Expression } from "../tree/expression.ts";
import { sizesOf } from "../tree/node-lists.ts";
import type { ExpressionTree } from "../tree/op-attributes.ts";
import type { OperandLike } from "../tree/operand.ts";
import { makeDeferred, makeExpression } from "./expression-node.ts";
import { constant } from "./generators.ts";
import { numbersOf, paddedPatches, spatialWindows } from "./window-options.ts";
import type { SpatialWindows, WindowOptions } from "./window-options.ts";

/**
 * Returns the largest element of each window of images (`tf.nn.max_pool`); NaN if any is NaN. Images are [batch, ...spatial, channels]; the
 * windows have `sizes` along the spatial axes (a number: the same along each), and begin `sizes` apart unless `strides` says otherwise.
 * Padding adds no elements that could be the largest.
 *
 * Throws INVALID_ARGUMENT for sizes and options that do not fit the images.
 *
 * @example
 * const x = tensorMap("float32", Float32Array.of(1, 5, 3, 2, 4, 0), [1, 2, 3, 1]);
 * evaluate(maxPool(x, [2, 2], { strides: 1 })).toArray(); // => [[[[5], [5]]]]
 * evaluate(maxPool(x, [2, 2], { padding: "same" })).toArray(); // => [[[[5], [3]]]]
 * maxPool(x, [2]); // throws INVALID_ARGUMENT
 */
export function maxPool<D extends RealDType, R extends number>(
  images: OperandLike<D, R>,
  sizes: number | readonly number[],
  options: WindowOptions = {},
): Expression<D, R> {
  const tree = checkTree("maxPool", images);
  checkDType("max", tree, "maxPool");
  const windows = spatialWindows("maxPool", tree, sizes, withStrides(sizes, options));
  const make = (): ExpressionTree => overWindows("max", paddedPatches("maxPool", tree, windows, lowestValue(tree.dtype)), windows);
  return makeDeferred("maxPool", [tree], numbersOf(windows), make) as unknown as Expression<D, R>;
}

/**
 * Returns the mean of each window of images (`tf.nn.avg_pool`); sizes and options are those of `maxPool`. Elements that padding added do
 * not count, as in TensorFlow.
 *
 * Throws INVALID_ARGUMENT for sizes and options that do not fit the images, and for dtypes that are not floats.
 *
 * @example
 * const x = tensorMap("float32", Float32Array.of(1, 5, 3, 2, 4, 0), [1, 2, 3, 1]);
 * evaluate(avgPool(x, [2, 2])).toArray(); // => [[[[3]]]]
 * evaluate(avgPool(x, [2, 2], { padding: "same" })).toArray(); // => [[[[3], [1.5]]]]
 */
export function avgPool<D extends FloatDType, R extends number>(
  images: OperandLike<D, R>,
  sizes: number | readonly number[],
  options: WindowOptions = {},
): Expression<D, R> {
  const tree = checkTree("avgPool", images);
  checkFloats("avgPool", tree);
  const windows = spatialWindows("avgPool", tree, sizes, withStrides(sizes, options));
  return makeDeferred("avgPool", [tree], numbersOf(windows), () => meanOver(tree, windows)) as unknown as Expression<D, R>;
}

/** Returns the mean of each window. */
function meanOver(tree: ExpressionTree, windows: SpatialWindows): ExpressionTree {
  const patches = paddedPatches("avgPool", tree, windows, 0);
  const isPadded = windows.paddings.some(([before, after]) => before + after > 0);
  return isPadded
    ? makeExpression(binaryFields("div", overWindows("sum", patches, windows), countsOf(tree, windows)))
    : overWindows("mean", patches, windows);
}

/** Returns the value that is no element's maximum except its own. */
function lowestValue(dtype: ExpressionTree["dtype"]): number | bigint {
  const range = integerRange(dtype);
  return range === null ? Number.NEGATIVE_INFINITY : isBig(dtype) ? range[0] : Number(range[0]);
}

/** Windows begin their size apart unless the options say otherwise. */
function withStrides(sizes: number | readonly number[], options: WindowOptions): WindowOptions {
  return typeof options === "object" && options !== null && options.strides === undefined ? { ...options, strides: sizes } : options;
}

/** Reduces patches over the elements of their windows. */
function overWindows(op: "max" | "sum" | "mean", patches: ExpressionTree, { axes }: SpatialWindows): ExpressionTree {
  const rank = sizesOf(patches).length;
  const last = axes.map((_, k) => rank - axes.length + k);
  return makeExpression(reduceFields(op, patches, last, false));
}

/** Returns the number of elements of each window that padding did not add, to be broadcast over images and channels. */
function countsOf(x: ExpressionTree, windows: SpatialWindows): ExpressionTree {
  const dims = sizesOf(x);
  const { axes } = windows;
  const first = numbersAlong(x, windows, 0);
  const alongAxes = axes.map((axis, k) => {
    const numbers = k === 0 || isLikeFirst(dims, windows, k) ? first : numbersAlong(x, windows, k);
    const shape = new Array<number>(dims.length).fill(1).with(axis, sizesOf(numbers)[0] as number);
    return makeExpression(reshapeFields(numbers, shape));
  });
  return alongAxes.reduce((a, b) => makeExpression(binaryFields("mul", a, b)));
}

/** Returns the number of elements that padding did not add in each window along an axis. */
function numbersAlong(x: ExpressionTree, { axes, sizes, strides, dilations, paddings }: SpatialWindows, k: number): ExpressionTree {
  const line = constant(x.dtype as FloatDType, 1, [sizesOf(x)[axes[k]!] as number]).pad([paddings[k]!]);
  const one = { axes: [0], sizes: [sizes[k]!], strides: [strides[k]!], dilations: [dilations[k]!] };
  const patches: ExpressionTree = makeExpression(patchFields("avgPool", line as unknown as ExpressionTree, one));
  return makeExpression(reduceFields("sum", patches, [1], false));
}

/** Returns true if axis `k` has the size and the windows of the first one. */
function isLikeFirst(dims: readonly number[], { axes, sizes, strides, dilations, paddings }: SpatialWindows, k: number): boolean {
  const isSame = (list: readonly number[]): boolean => list[k] === list[0];
  const padding = paddings[k]!;
  return (
    dims[axes[k]!] === dims[axes[0]!] &&
    isSame(sizes) &&
    isSame(strides) &&
    isSame(dilations) &&
    padding[0] === paddings[0]![0] &&
    padding[1] === paddings[0]![1]
  );
}
