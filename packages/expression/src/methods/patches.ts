/**
 * patches: windows over tensors as views (NumPy's sliding_window_view, Eigen's extract_patches, tf.image.extract_patches). Kernels read them
 * by strides, so patches that overlap are not stored.
 */
import type { DType } from "@onebuffer/base";
import { InvalidArgumentError } from "@onebuffer/base";
import { checkOptions, isArray, shownValue } from "@onebuffer/base/internal";
import { product } from "@onebuffer/storage/internal";
import { checkAxisList } from "../inference/axes.ts";
import { shownOperand } from "../inference/broadcast-dims.ts";
import { checkDType, checkTree } from "../inference/elementwise-inference.ts";
import { patchFields, reshapeFields, shuffleFields } from "../inference/movement-inference.ts";
import type { RealDType } from "../tree/dtype-groups.ts";
import type { Expression } from "../tree/expression.ts";
import { sizesOf } from "../tree/node-lists.ts";
import type { OperandLike, OperandSource } from "../tree/operand.ts";
import type { RankWith } from "../tree/rank-types.ts";
import { makeExpression } from "./expression-node.ts";
import { counts, paddedPatches, spatialWindows } from "./window-options.ts";
import type { WindowOptions } from "./window-options.ts";

/**
 * Options of `extractPatches`: the axes that the windows run along (default: all), the distance of their beginnings, and that of their
 * elements (default 1). A number stands for the same one along every axis.
 *
 * @example
 * const options: PatchOptions = { axes: [-1], strides: 2 };
 * extractPatches(iota("int32", [3, 9], 1), [5], options).dimensions; // => [3, 3, 5]
 */
export interface PatchOptions {
  readonly axes?: readonly number[];
  readonly strides?: number | readonly number[];
  readonly dilations?: number | readonly number[];
}

/**
 * Returns all windows of these sizes (NumPy's `sliding_window_view`, Eigen's `extract_patches`): the places of the windows along each axis,
 * then their elements.
 *
 * Throws INVALID_ARGUMENT for a window that is larger than its axis, and unless there is a size per axis.
 *
 * @example
 * const x = iota("int32", [5]);
 * evaluate(extractPatches(x, [3])).toArray(); // => [[0, 1, 2], [1, 2, 3], [2, 3, 4]]
 * evaluate(extractPatches(x, [2], { strides: 2, dilations: 2 })).toArray(); // => [[0, 2], [2, 4]]
 * evaluate(extractPatches(x, [3]).max([1])).toArray(); // => [2, 3, 4]
 * extractPatches(x, [6]); // throws INVALID_ARGUMENT
 */
export function extractPatches<D extends DType, R extends number, const S extends readonly number[]>(
  operand: OperandLike<D, R>,
  sizes: S,
  options: PatchOptions = {},
): Expression<D, RankWith<R, S["length"]>> {
  const tree = checkTree("extractPatches", operand);
  checkOptions("extractPatches", options, ["axes", "strides", "dilations"]);
  const shown = (): string => `extractPatches(${shownOperand(tree)})`;
  const axes = checkAxisList("extractPatches", options.axes ?? sizesOf(tree).map((_, d) => d), tree);
  if (!isArray(sizes)) throw new InvalidArgumentError(`${shown()}: the sizes are a list, got ${shownValue(sizes)}`);
  const each = (name: string, given: unknown): readonly number[] => counts(shown, name, given, axes.length);
  const [strides, dilations] = [each("strides", options.strides ?? 1), each("dilations", options.dilations ?? 1)];
  return makeExpression(patchFields("extractPatches", tree, { axes, sizes: each("sizes", sizes), strides, dilations }));
}

/**
 * Returns the patches of images, each as one row of elements (`tf.image.extract_patches`): from [batch, height, width, channels] to
 * [batch, rows, columns, height * width of a patch * channels]. A row has the elements of a patch in the order row, column, channel. What padding
 * adds is 0.
 *
 * Throws INVALID_ARGUMENT unless the images have four dimensions, and for sizes and options that do not fit them.
 *
 * @example
 * const x = iota("float32", [1, 3, 3, 1], 2);
 * evaluate(extractImagePatches(x, [2, 2])).toArray(); // => [[[[0, 1, 0, 1], [1, 2, 1, 2]], [[0, 1, 0, 1], [1, 2, 1, 2]]]]
 * extractImagePatches(x, [2, 2], { padding: "same" }).dimensions; // => [1, 3, 3, 4]
 */
export function extractImagePatches<D extends RealDType>(
  images: OperandLike<D, 4> | OperandSource<D, number>,
  sizes: number | readonly [number, number],
  options: Omit<WindowOptions, "dataFormat"> = {},
): Expression<D, 4> {
  const tree = checkTree("extractImagePatches", images);
  checkDType("max", tree, "extractImagePatches");
  if (sizesOf(tree).length !== 4) {
    throw new InvalidArgumentError(`extractImagePatches(${shownOperand(tree)}): images are [batch, height, width, channels]`);
  }
  checkOptions("extractImagePatches", options, ["strides", "dilations", "padding"]);
  const windows = spatialWindows("extractImagePatches", tree, sizes, options);
  const patches = makeExpression(shuffleFields(paddedPatches("extractImagePatches", tree, windows, 0), [0, 1, 2, 4, 5, 3]));
  const [batch, rows, columns, ...patch] = sizesOf(patches) as [number, number, number, ...number[]];
  return makeExpression(reshapeFields(patches, [batch, rows, columns, product(patch)]));
}
