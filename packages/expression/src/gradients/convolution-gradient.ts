/**
 * convolution-gradient: the gradient of the images of a convolution is a convolution again, of the gradient of the result with the filters
 * reversed, and of complex numbers with their conjugates. It is found by the product of patches with filters that `convolve` writes.
 *
 *     y[o] = sum over w of x[o + w] k[w]       ->       dx[i] = sum over w of g[i - w] k[w]
 *
 * Patches added up at their places would read each element of g once for each element of the window. If windows are more than one element
 * apart, that is still less than a convolution of g with zeros between its elements.
 */
import { product } from "@onebuffer/storage/internal";
import { reverseFields } from "../inference/movement-inference.ts";
import { convolve } from "../methods/convolve.ts";
import type { GradientValue } from "../tree/gradient-rule.ts";
import { inputsOf, sizesOf } from "../tree/node-lists.ts";
import { attributesOf } from "../tree/op-attributes.ts";
import type { ExpressionTree } from "../tree/op-attributes.ts";
import { conjugate, inverseOrder, made, partAlong, placedAlong, reshaped, shuffled } from "./gradient-nodes.ts";
import { withoutPadding } from "./padded-patches.ts";
import type { OperandGradients } from "../tree/gradient-step.ts";
import { operandGradients } from "./gradient-rules.ts";

/** The patches that are the left factor of a product, [batch, ...places, channels, ...window]. */
interface PatchFactor {
  readonly patches: ExpressionTree;
  /** The order in which a row of the factor has the channels and the window: axes of the patches. */
  readonly inner: readonly number[];
  readonly parts: readonly ExpressionTree[];
}

/** Returns the rule of a product of patches with filters; null for any other product. */
export function convolutionOf(
  node: ExpressionTree,
): { inputs: readonly ExpressionTree[]; parts: readonly ExpressionTree[]; gradientsOf: (g: GradientValue) => OperandGradients } | null {
  const [left, right] = inputsOf(node) as readonly [ExpressionTree, ExpressionTree];
  const { transposeA, transposeB } = attributesOf(node, "matMul");
  const factor = transposeA || sizesOf(node).length !== 2 ? null : patchFactorOf(left);
  if (factor === null) return null;
  const { image, parts, before } = withoutPadding(factor.patches);
  const gradientsOf = (g: GradientValue): OperandGradients => {
    const filters = conjugate(transposeB ? shuffled(right, [1, 0]) : (right as GradientValue));
    return [gradientOfImages(g, factor, filters, sizesOf(image), before), operandGradients(node, g, [false, true])[1]!];
  };
  return { inputs: [image, right], parts: [...factor.parts, ...parts], gradientsOf };
}

/** Returns the patches that a factor has in its rows: one row for each place of a window; null if the factor is another one. */
function patchFactorOf(left: ExpressionTree): PatchFactor | null {
  const parts: ExpressionTree[] = [];
  let node = left;
  if (node.op === "reshape") {
    parts.push(node);
    node = inputsOf(node)[0]!;
  }
  let order: readonly number[] | null = null;
  if (node.op === "shuffle") {
    parts.push(node);
    order = attributesOf(node, "shuffle").permutation;
    node = inputsOf(node)[0]!;
  }
  if (node.op !== "extractPatches") return null;
  parts.push(node);
  const { axes, strides } = attributesOf(node, "extractPatches");
  const spatial = axes.length;
  const sizes = sizesOf(node);
  const all = order ?? sizes.map((_, d) => d);
  const isChannelLast = sizes.length === 2 * spatial + 2 && axes.every((axis, k) => axis === k + 1);
  const hasRows = all.every((axis, d) => d > spatial || axis === d) && sizesOf(left)[0] === product(sizes.slice(0, spatial + 1));
  const isDense = strides.every((stride) => stride === 1);
  return isChannelLast && hasRows && isDense ? { patches: node, inner: all.slice(spatial + 1), parts } : null;
}

/**
 * Returns the convolution of g with the filters, [rows of a patch, filters], reversed along the window: the gradient of images of these sizes,
 * `before` the first element of which the windows begin.
 */
function gradientOfImages(
  g: GradientValue,
  { patches, inner }: PatchFactor,
  filters: GradientValue,
  imageSizes: readonly number[],
  before: readonly number[],
): GradientValue {
  const { axes, dilations } = attributesOf(patches, "extractPatches");
  const sizes = sizesOf(patches);
  const spatial = axes.length;
  const count = sizesOf(g)[1]!;
  // [...inner, filters] to [...window, filters, channels]
  const apart = reshaped(filters, [...inner.map((axis) => sizes[axis]!), count]);
  const channelsFirst = inverseOrder(inner.map((axis) => axis - spatial - 1));
  const ordered = shuffled(apart, [...channelsFirst.slice(1), spatial + 1, channelsFirst[0]!]);
  const turned = made(
    reverseFields(
      ordered,
      axes.map((_, k) => k),
    ),
  );
  const places = reshaped(g, [...sizes.slice(0, spatial + 1), count]);
  const padded = axes.reduce((placed, axis, k) => {
    const reach = (sizes[spatial + 2 + k]! - 1) * dilations[k]!;
    const [low, size] = [reach - before[k]!, imageSizes[axis]! + reach];
    const read = partAlong(placed, axis, Math.max(0, -low), Math.min(sizes[axis]!, size - low));
    return placedAlong(read, axis, Math.max(0, low), 1, size);
  }, places);
  return convolve(padded as never, turned as never, { dilations }) as unknown as GradientValue;
}
