/**
 * shared-extremes: the gradient of the extremes of windows of images, as one operation: each extreme gets the gradient of its window, and equal
 * ones share it (XLA's SelectAndScatter, where the first gets all).
 *
 *     the largest of [1, 5, 5] has the gradient 4   ->   0, 2, 2, added to what other windows give
 *
 * Only gradients make it, so it is no operation of the table: its nodes carry this record. The kernel is the compiler's, the form in
 * StableHLO is stablehlo's: programs load neither with the rules of gradients.
 */
import { product } from "@onebuffer/storage/internal";
import type { CustomRecord } from "../tree/custom-record.ts";
import { makeCustomCall } from "../methods/custom-call.ts";
import { patchFields } from "../inference/movement-inference.ts";
import type { GradientValue } from "../tree/gradient-rule.ts";
import type { OperandGradients } from "../tree/gradient-step.ts";
import { isConstant } from "../tree/node-kinds.ts";
import { inputsOf, sizesOf } from "../tree/node-lists.ts";
import { attributesOf } from "../tree/op-attributes.ts";
import type { ExpressionTree } from "../tree/op-attributes.ts";
import { filled, joined, made, reshaped, sumOver } from "./gradient-nodes.ts";
import { withoutPadding } from "./padded-patches.ts";
import { windowGeometry, windowPlaces } from "./window-geometry.ts";
import type { Windows } from "./window-geometry.ts";

/** The most elements of a window for which there is a kernel, which has a register for each. */
const kMostElements = 9;

/** The nodes that an extreme of windows is a function of. */
interface Extremes {
  readonly inputs: readonly ExpressionTree[];
  readonly parts: readonly ExpressionTree[];
  readonly gradientsOf: (g: GradientValue) => OperandGradients;
}

/** Returns the rule of extremes of windows of float32 or float64, of images that are padded with what is never an extreme; null for others. */
export function extremesOfWindows(node: ExpressionTree): Extremes | null {
  const { axes: reduced, keepDims } = attributesOf(node, "max");
  const patches = inputsOf(node)[0]!;
  if (keepDims || !sharedExtremes.dtypes.includes(node.dtype) || patches.op !== "extractPatches" || sizesOf(patches).includes(0))
    return null;
  const { axes, strides, dilations } = attributesOf(patches, "extractPatches");
  const rank = sizesOf(node).length;
  const sizes = sizesOf(patches).slice(rank);
  const isOfWindows = reduced.length === axes.length && reduced.every((axis) => axis >= rank);
  const isFit = axes.length <= 2 && axes.every((axis, k) => axis === axes[0]! + k) && product(sizes) <= kMostElements;
  const { image, parts, before } = withoutPadding(patches);
  if (!isOfWindows || !isFit || !parts.every((part) => inputsOf(part).every((each) => each === image || isNeverReached(each, node, parts))))
    return null;
  const padded = sizesOf(inputsOf(patches)[0]!);
  const after = axes.map((axis, k) => padded[axis]! - sizesOf(image)[axis]! - before[k]!);
  const windows: Windows = { axes, sizes, strides, dilations, before, after };
  const gradientsOf = (g: GradientValue): OperandGradients => [
    makeCustomCall(sharedExtremes, [image, node, g], windows) as ExpressionTree as GradientValue,
  ];
  return { inputs: [image], parts: [patches, ...parts], gradientsOf };
}

/** Returns true for a padding node, and for padding with an infinite number that is no extreme. */
function isNeverReached(node: ExpressionTree, { op }: ExpressionTree, parts: readonly ExpressionTree[]): boolean {
  if (parts.includes(node)) return true;
  const filler = isConstant(node) ? node : inputsOf(node)[0]!;
  return attributesOf(filler, "constant").value === (op === "max" ? -Infinity : Infinity);
}

/** The record: the operands are the images, the extremes, and the gradients of these; the result has the sizes of the images. */
const sharedExtremes: CustomRecord<Windows> = {
  name: "sharedExtremes",
  dtypes: ["float32", "float64"],
  tensorflow: null,
  numpy: null,
  named: "sharedExtremes",
  infer: ([images]) => ({ dtype: images!.dtype, dimensions: sizesOf(images!).slice() }),
  flops: ({ inputs: [, extremes], attributes: { sizes } }) => 3 * product(extremes!.dimensions) * product(sizes),
  evaluate({ dtype, dimensions, attributes }, [image, extreme, gradient], write) {
    const geometry = windowGeometry(dimensions, attributes);
    const round = dtype === "float32" ? Math.fround : (value: number): number => value;
    const sums = new Float64Array(product(dimensions));
    let window = 0;
    for (const places of windowPlaces(geometry)) {
      for (let channel = 0; channel < geometry.inner; channel++, window++) {
        const reached = places.map((place) => place + channel).filter((place) => image!(place) === extreme!(window));
        const share = round((gradient!(window) as number) / reached.length);
        for (const place of reached) sums[place] = round(sums[place]! + share);
      }
    }
    sums.forEach((sum, place) => write(place, sum));
  },
  kernel: () => null,
  gradient: ({ inputs: [images, extremes], g, attributes }) => [null, null, sharesOf(images!, extremes!, g, attributes)],
  stableHLO: "the lowering has it, by its name",
};

/** Returns the gradient of the gradients of extremes: what their shares of them are at the places of the extremes, added up. */
function sharesOf(images: ExpressionTree, extremes: ExpressionTree, g: ExpressionTree, windows: Windows): GradientValue {
  const { axes, sizes, strides, dilations, before, after } = windows;
  const rank = sizesOf(images).length;
  const patches = (value: ExpressionTree, fill: number): GradientValue => {
    const padded = axes.reduce((inside, axis, k) => {
      const part = (size: number): GradientValue => filled(value.dtype, fill, sizesOf(inside).with(axis, size));
      return joined([part(before[k]!), inside, part(after[k]!)], axis);
    }, value);
    return made(patchFields("gradients", padded, { axes, sizes, strides, dilations }));
  };
  const last = axes.map((_, k) => rank + k);
  const kept = reshaped(extremes, [...sizesOf(extremes), ...last.map(() => 1)]);
  const hits = patches(images, Number.NaN).equal(kept).cast(g.dtype);
  return sumOver(hits.mul(patches(g, 0)), last, false).div(sumOver(hits, last, false));
}
