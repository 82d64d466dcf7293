/**
 * window-options: the options of convolutions, pooling and patches, as tf.nn names them, and the windows that they describe.
 *
 *     "same", 7 elements, windows of 3, stride 2      0 [1 2 3 4 5 6 7] 0       4 windows; if the padding is odd, there is one more behind
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { checkOptions, isArray, shownValue } from "@onebuffer/base/internal";
import { shownOperand } from "../inference/broadcast-dims.ts";
import { patchFields } from "../inference/movement-inference.ts";
import type { Windows } from "../inference/movement-inference.ts";
import type { Expression } from "../tree/expression.ts";
import { sizesOf } from "../tree/node-lists.ts";
import type { NumericDType } from "../tree/dtype-groups.ts";
import type { ExpressionTree } from "../tree/op-attributes.ts";
import type { Scalar } from "../tree/rank-types.ts";
import { makeExpression } from "./expression-node.ts";

/**
 * What is added around an operand before windows are taken: nothing ("valid"), as much as makes ceil(size / stride) windows ("same"), or
 * [before, after] for each spatial axis.
 *
 * @example
 * const padding: WindowPadding = [[1, 1]];
 * const x = tensorMap("float32", Float32Array.of(1, 2, 3), [1, 3, 1]);
 * evaluate(maxPool(x, [3], { strides: 1, padding })).toArray(); // => [[[2], [3], [3]]]
 */
export type WindowPadding = "valid" | "same" | readonly (readonly [number, number])[];

/**
 * Options of windows over the spatial axes of [batch, ...spatial, channels], or of [batch, channels, ...spatial] if `dataFormat` is
 * "channelsFirst". The default is "channelsLast", TensorFlow's NWC, NHWC and NDHWC. A number stands for the same one along every axis.
 *
 * @example
 * const options: WindowOptions = { strides: 2, padding: "same", dataFormat: "channelsFirst" };
 * const x = tensorMap("float32", Float32Array.of(1, 2, 3, 4, 5), [1, 1, 5]);
 * evaluate(maxPool(x, [3], options)).toArray(); // => [[[2, 4, 5]]]
 */
export interface WindowOptions {
  /** The distance between the beginnings of windows. The default is 1; for pooling, the size of the window. */
  readonly strides?: number | readonly number[];
  /** The distance between the elements of a window; the default is 1. */
  readonly dilations?: number | readonly number[];
  /** The default is "valid". */
  readonly padding?: WindowPadding;
  readonly dataFormat?: "channelsLast" | "channelsFirst";
}

/** The windows over an operand, and where its channels are. */
export interface SpatialWindows extends Windows {
  readonly channels: number;
  readonly paddings: readonly (readonly [number, number])[];
}

/** The names of the options of windows. */
export const kWindowOptions: readonly string[] = ["strides", "dilations", "padding", "dataFormat"];

/** Returns the windows of these sizes over the spatial axes of an operand. Throws INVALID_ARGUMENT for options that do not fit it. */
export function spatialWindows(
  call: string,
  x: ExpressionTree,
  sizes: number | readonly number[],
  options: WindowOptions,
  known: readonly string[] = kWindowOptions,
): SpatialWindows {
  checkOptions(call, options, known);
  const count = sizesOf(x).length - 2;
  const shown = (): string => `${call}(${shownOperand(x)})`;
  const { dataFormat = "channelsLast", padding = "valid" } = options;
  if (dataFormat !== "channelsLast" && dataFormat !== "channelsFirst") {
    throw new InvalidArgumentError(`${shown()}: the data format is channelsLast or channelsFirst, got ${shownValue(dataFormat)}`);
  }
  if (count < 1 || count > 3) {
    throw new InvalidArgumentError(`${shown()}: the operand has a batch, one to three spatial axes, and channels`);
  }
  const first = dataFormat === "channelsLast" ? 1 : 2;
  const axes: number[] = [];
  for (let d = 0; d < count; d++) axes.push(first + d);
  // Pooling takes the sizes as strides, too, so the sizes are refused first.
  const lengths = counts(shown, "sizes", sizes, count);
  const strides = counts(shown, "strides", options.strides ?? 1, count);
  const dilations = counts(shown, "dilations", options.dilations ?? 1, count);
  const windows = { axes, sizes: lengths, strides, dilations };
  const channels = dataFormat === "channelsLast" ? count + 1 : 1;
  const paddings = paddingsOf(shown, x, windows, padding);
  return { axes, sizes: lengths, strides, dilations, channels, paddings };
}

/** Returns all that windows over operands of some sizes can differ in, and the number of groups of channels. */
export function numbersOf({ channels, sizes, strides, dilations, paddings }: SpatialWindows, groups: number = 1): number[] {
  const numbers = [groups, channels];
  for (let k = 0; k < sizes.length; k++) numbers.push(sizes[k]!, strides[k]!, dilations[k]!, paddings[k]![0], paddings[k]![1]);
  return numbers;
}

const isCount = (each: unknown): each is number => Number.isSafeInteger(each) && (each as number) > 0;

/**
 * Returns a list of `count` positive integers. Loops, here and below, because `fill`, `every` and `map` take longer than the rest of a small
 * convolution.
 */
export function counts(shown: () => string, name: string, given: unknown, count: number): readonly number[] {
  const list: number[] = [];
  if (isCount(given)) {
    for (let k = 0; k < count; k++) list.push(given);
    return list;
  }
  if (isArray(given) && given.length === count) {
    // Only a list of the right length is copied, with its holes as undefined: another may have a billion of them.
    for (let k = 0; k < count; k++) if (isCount(given[k])) list.push(given[k] as number);
    if (list.length === count) return list;
  }
  throw new InvalidArgumentError(
    `${shown()}: the ${name} are ${count} positive integer${count === 1 ? "" : "s"}, got ${shownValue(given)}`,
  );
}

type Padding = readonly [before: number, after: number];

function paddingsOf(shown: () => string, x: ExpressionTree, windows: Windows, padding: unknown): readonly Padding[] {
  const count = windows.axes.length;
  const paddings: Padding[] = [];
  if (padding === "valid" || padding === "same") {
    for (let k = 0; k < count; k++) paddings.push(padding === "valid" ? kUnpadded : samePadding(sizesOf(x), windows, k));
    return paddings;
  }
  const isSize = (each: unknown): boolean => Number.isSafeInteger(each) && (each as number) >= 0;
  const isPair = (pair: unknown): boolean => isArray(pair) && pair.length === 2 && isSize(pair[0]) && isSize(pair[1]);
  if (isArray(padding) && padding.length === count && windows.axes.every((_, k) => isPair(padding[k])))
    return padding.map((pair) => [...(pair as Padding)] as const);
  throw new InvalidArgumentError(
    `${shown()}: the padding is "valid", "same" or [before, after] for each of ${count} axes, got ${shownValue(padding)}`,
  );
}

/** Returns what is added along axis `k` for ceil(size / stride) windows. */
function samePadding(dims: readonly number[], { axes, sizes, strides, dilations }: Windows, k: number): Padding {
  const size = dims[axes[k]!]!;
  const step = strides[k]!;
  const reach = (sizes[k]! - 1) * dilations[k]! + 1;
  const all = Math.max(0, (Math.ceil(size / step) - 1) * step + reach - size);
  return [Math.floor(all / 2), Math.ceil(all / 2)];
}

const kUnpadded: Padding = [0, 0];

/** Returns the patches of an operand, after padding it with a value: the elements of a window come last. */
export function paddedPatches(call: string, x: ExpressionTree, windows: SpatialWindows, value: number | bigint): ExpressionTree {
  const { axes, paddings } = windows;
  const all = new Array<readonly [number, number]>(sizesOf(x).length).fill(kUnpadded);
  for (let k = 0; k < axes.length; k++) all[axes[k]!] = paddings[k]!;
  const isPadded = paddings.some((pair) => pair[0] + pair[1] > 0);
  const operand = x as unknown as Expression<NumericDType, number>;
  const padded: unknown = isPadded ? operand.pad(all, { value: value as Scalar<NumericDType> }) : x;
  return makeExpression(patchFields(call, padded as ExpressionTree, windows));
}
