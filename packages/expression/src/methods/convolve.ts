/**
 * convolve: convolutions as products over the patches of an image (tf.nn.convolution, Eigen's convolve; Eigen's SpatialConvolution is the
 * same product). The patches are never stored: the kernel of products packs them from the padded image.
 *
 *     channels last     [N, OH, OW, (KH, KW, C)] x [(KH, KW, C), F]      one product of N * OH * OW rows
 *     channels first    [F, (KH, KW, C)] x [N, (KH, KW, C), OH, OW]      a product for each image
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";
import { shownCall } from "../inference/broadcast-dims.ts";
import { binaryFields, castFields, checkDType, checkSameDType, checkTree } from "../inference/elementwise-inference.ts";
import { reshapeFields, shuffleFields } from "../inference/movement-inference.ts";
import { matMulFields, reduceFields } from "../inference/reduction-inference.ts";
import type { NumericDType } from "../tree/dtype-groups.ts";
import type { Expression } from "../tree/expression.ts";
import { sizesOf } from "../tree/node-lists.ts";
import type { ExpressionTree } from "../tree/op-attributes.ts";
import type { OperandLike } from "../tree/operand.ts";
import { makeDeferred, makeExpression } from "./expression-node.ts";
import type { AxisPair } from "../inference/axis-pairs.ts";
import { generalProduct } from "./general-product.ts";
import { kWindowOptions, numbersOf, paddedPatches, spatialWindows } from "./window-options.ts";
import type { SpatialWindows, WindowOptions } from "./window-options.ts";

/**
 * Options of `convolve`: those of windows, and the number of groups (default 1) that the channels are divided into. The dtype that
 * operands are cast to before they are multiplied, and that of the result, is `outputType`.
 *
 * @example
 * const options: ConvolveOptions = { groups: 2, padding: "same" };
 * const [x, filters] = [iota("float32", [1, 5, 4], 1), constant("float32", 1, [3, 2, 2])];
 * evaluate(convolve(x, filters, options).chip(0)).toArray(); // => [[2, 2], [6, 6], [12, 12], [18, 18], [14, 14]]
 */
export interface ConvolveOptions<E extends NumericDType = NumericDType> extends WindowOptions {
  readonly groups?: number;
  readonly outputType?: E;
}

const kConvolveOptions: readonly string[] = [...kWindowOptions, "groups", "outputType"];

/** Fewer filters than this in a group are multiplied and summed without a product of matrices, as in a depthwise convolution. */
const kFewFilters = 4;

/**
 * Returns the convolution of images with filters over one to three spatial axes (`tf.nn.convolution`, PyTorch's `conv`). As there, filters
 * are not reversed: each element of the result is the sum of products of a patch with a filter. Images are [batch, ...spatial, channels],
 * filters [...spatial, channels / groups, filters], as in TensorFlow. With `groups`, filter f reads only the channels of its group.
 *
 * Throws INVALID_ARGUMENT for ranks, sizes and options that do not fit together, and for different dtypes. Copies: nothing; an image is
 * copied once into scratch memory if it is padded, of one whose filters read one channel each only the edges.
 *
 * @example
 * const x = tensorMap("float32", Float32Array.of(1, 2, 4, 8), [1, 4, 1]);
 * const difference = tensorMap("float32", Float32Array.of(-1, 1), [2, 1, 1]);
 * evaluate(convolve(x, difference)).toArray(); // => [[[1], [2], [4]]]
 * evaluate(convolve(x, difference, { strides: 2, padding: "same" })).toArray(); // => [[[1], [4]]]
 * const images = constant("float32", 1, [8, 32, 32, 3]);
 * convolve(images, constant("float32", 1, [3, 3, 3, 16]), { padding: "same" }).dimensions; // => [8, 32, 32, 16]
 * convolve(images, constant("float32", 1, [3, 3, 4, 16])); // throws INVALID_ARGUMENT
 */
export function convolve<D extends NumericDType, R extends number, E extends NumericDType = D>(
  images: OperandLike<D, R>,
  filters: OperandLike<NoInfer<D>, R>,
  options: ConvolveOptions<E> = {},
): Expression<E, R> {
  const operands = [checkTree("convolve", images), checkTree("convolve", filters)] as const;
  const shown = (): string => shownCall("convolve", operands);
  checkDType("matMul", operands[0], "convolve");
  checkSameDType("convolve", operands, 0);
  // Other values than options are refused with those of windows, below.
  const { outputType, groups = 1 } = options ?? {};
  const cast = (tree: ExpressionTree): ExpressionTree =>
    outputType === undefined ? tree : makeExpression(castFields(tree, outputType, false));
  const [x, w] = operands;
  const rank = sizesOf(w).length;
  if (rank !== sizesOf(x).length) {
    throw new InvalidArgumentError(`${shown()}: the filters are [size along each spatial axis, channels / groups, filters]`);
  }
  const sizes = sizesOf(w).slice(0, -2);
  const windows = spatialWindows("convolve", x, sizes, options, kConvolveOptions);
  const channels = sizesOf(x)[windows.channels] as number;
  const perGroup = sizesOf(w)[rank - 2] as number;
  const numFilters = sizesOf(w)[rank - 1] as number;
  if (!Number.isSafeInteger(groups) || groups < 1 || numFilters % groups !== 0) {
    throw new InvalidArgumentError(`${shown()}: the number of groups divides that of the filters, got ${shownValue(groups)}`);
  }
  if (perGroup * groups !== channels) {
    const wanted = groups === 1 ? channels : `${channels} / ${groups}`;
    throw new InvalidArgumentError(`${shown()}: the filters have ${perGroup} channels per group, the images ${wanted}`);
  }
  const make = (): ExpressionTree =>
    product({ patches: paddedPatches("convolve", cast(x), windows, 0), filters: cast(w), windows, groups });
  const result = outputType !== undefined ? make() : makeDeferred("convolve", operands, numbersOf(windows, groups), make);
  return result as unknown as Expression<E, R>;
}

/** The patches, [N, ...spatial, C, ...window] or [N, C, ...spatial, ...window], and the filters, [...window, C / groups, F]. */
interface Factors {
  readonly patches: ExpressionTree;
  readonly filters: ExpressionTree;
  readonly windows: SpatialWindows;
  readonly groups: number;
}

function product(factors: Factors): ExpressionTree {
  const { patches, filters, windows, groups } = factors;
  const spatial = windows.axes.length;
  const numFilters = sizesOf(filters).at(-1) as number;
  if (numFilters / groups < kFewFilters) return summedPatches(factors);
  const isLast = windows.channels > 1;
  if (groups > 1) return groupedProduct(factors);
  if (isLast) {
    // The channels last, as in memory: the filters need no other order, and their gradient has theirs.
    const ordered = shuffleFields(patches, [0, ...windows.axes, ...numbersFrom(spatial + 2, spatial), windows.channels]);
    const pairs = numbersFrom(0, spatial + 1).map((axis): AxisPair => [spatial + 1 + axis, axis]);
    return generalProduct(makeExpression, makeExpression(ordered), filters, { batch: [], pairs });
  }
  const window = windows.axes.map((_, k) => spatial + 2 + k);
  const order = [0, ...window, 1, ...windows.axes];
  const shuffled = makeExpression(shuffleFields(patches, order));
  const [batch, places] = [sizesOf(patches)[0] as number, windows.axes.map((axis) => sizesOf(patches)[axis] as number)];
  const inner = sizesOf(filters)
    .slice(0, -1)
    .reduce((a, b) => a * b, 1);
  const right = makeExpression(reshapeFields(shuffled, [batch, inner, places.reduce((a, b) => a * b, 1)]));
  const left = makeExpression(reshapeFields(filters, [inner, numFilters]));
  const images = makeExpression(matMulFields(left, right, { transposeA: true }));
  return makeExpression(reshapeFields(images, [batch, numFilters, ...places]));
}

/** Returns the operands with the axis of the channels, and that of the filters, divided into groups: [groups, each]. */
function inGroups({ patches, filters, windows: { channels, axes }, groups }: Factors): readonly [ExpressionTree, ExpressionTree] {
  const [count, numFilters] = [sizesOf(patches)[channels] as number, sizesOf(filters).at(-1) as number];
  const apart = sizesOf(patches).toSpliced(channels, 1, groups, count / groups);
  const x = makeExpression(reshapeFields(patches, apart));
  const w = makeExpression(reshapeFields(filters, [...sizesOf(filters).slice(0, axes.length + 1), groups, numFilters / groups]));
  return [x, w];
}

/** Returns the products of several groups: a batch of products, whose results are moved to their places. */
function groupedProduct(factors: Factors): ExpressionTree {
  const { windows, filters } = factors;
  const { channels, axes } = windows;
  const spatial = axes.length;
  const [x, w] = inGroups(factors);
  const isLast = channels > 1;
  const window = axes.map((_, k) => [spatial + 3 + k, k] as const);
  const pairs = [...window, [channels + 1, spatial] as const];
  const images = generalProduct(makeExpression, x, w, { batch: [[channels, spatial + 1]], pairs });
  // [groups, N, ...spatial, filters of a group]
  const places = axes.map((_, k) => 2 + k);
  const order = isLast ? [1, ...places, 0, spatial + 2] : [1, 0, spatial + 2, ...places];
  const moved = makeExpression(shuffleFields(images, order));
  return reshapedTo(moved, factors, sizesOf(filters).at(-1) as number);
}

/** Returns the sums of patches times filters, element by element. The result has its final order at once. */
function summedPatches(factors: Factors): ExpressionTree {
  const { patches, filters, windows, groups } = factors;
  const { channels, axes } = windows;
  const spatial = axes.length;
  const isLast = channels > 1;
  const numFilters = sizesOf(filters).at(-1) as number;
  const perGroup = (sizesOf(patches)[channels] as number) / groups;
  // The operand becomes [N, ...spatial, groups, 1, C / groups, ...window], or [N, groups, 1, ...spatial, C / groups, ...window].
  const apart = makeExpression(reshapeFields(patches, sizesOf(patches).toSpliced(channels, 1, groups, 1, perGroup)));
  const left = isLast
    ? apart
    : makeExpression(shuffleFields(apart, [0, 1, 2, ...numbersFrom(4, spatial), 3, ...numbersFrom(4 + spatial, spatial)]));
  // The filters become [groups, F / groups, (1 per spatial axis,) C / groups, ...window].
  const w = makeExpression(reshapeFields(filters, [...sizesOf(filters).slice(0, spatial + 1), groups, numFilters / groups]));
  const turned = makeExpression(shuffleFields(w, [spatial + 1, spatial + 2, spatial, ...numbersFrom(0, spatial)]));
  const spread = (): number[] => sizesOf(turned).toSpliced(2, 0, ...new Array<number>(spatial).fill(1));
  const right = isLast ? turned : makeExpression(reshapeFields(turned, spread()));
  const { dtype } = left;
  const isSmallFloat = dtype === "float16" || dtype === "bfloat16";
  const wide = (tree: ExpressionTree): ExpressionTree => (isSmallFloat ? makeExpression(castFields(tree, "float32", false)) : tree);
  const products = makeExpression(binaryFields("mul", wide(left), wide(right)));
  const summedAxes = numbersFrom(sizesOf(products).length - spatial - 1, spatial + 1);
  const sum = makeExpression(reduceFields("sum", products, summedAxes, false));
  const rounded = isSmallFloat ? makeExpression(castFields(sum, dtype, false)) : sum;
  return reshapedTo(rounded, factors, numFilters);
}

/** Returns so many numbers, from the first one on. */
function numbersFrom(first: number, count: number): number[] {
  const numbers: number[] = [];
  for (let k = 0; k < count; k++) numbers.push(first + k);
  return numbers;
}

/** Returns the result with the groups and their filters in one axis. */
function reshapedTo(tree: ExpressionTree, { patches, windows: { channels, axes } }: Factors, numFilters: number): ExpressionTree {
  const dims = sizesOf(patches)
    .slice(0, axes.length + 2)
    .with(channels, numFilters);
  return makeExpression(reshapeFields(tree, dims));
}
