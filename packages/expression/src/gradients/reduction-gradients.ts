/** reduction-gradients: the gradients of reductions: what one number was made of. */
import { dtypeRows } from "@onebuffer/base/internal";
import type { GradientValue } from "../tree/gradient-rule.ts";
import { sizesOf } from "../tree/node-lists.ts";
import type { ClassGradients, GradientStep, OperandGradients } from "../tree/gradient-step.ts";
import type { ReduceAttributes } from "../tree/op-attributes.ts";
import { conjugate, countAlong, inverseOrder, repeated, reshaped, scanned, shuffled, sumOver } from "./gradient-nodes.ts";

/** The rules of reductions. */
export const reductionGradients: ClassGradients<"reduction"> = {
  sum: ({ inputs: [x], g, attributes: { axes } }) => [repeated(reshaped(g, keptSizes(x!, axes)), sizesOf(x!))],
  mean({ inputs: [x], g, attributes: { axes } }) {
    return [repeated(reshaped(dividedBy(g, countAlong(x!, axes)), keptSizes(x!, axes)), sizesOf(x!))];
  },
  prod: productOfOthers,
  max: sharedByExtremes,
  min: sharedByExtremes,
  any: "none",
  all: "none",
  argmax: "none",
  argmin: "none",
};

/** Returns the sizes of a reduction that keeps its axes. */
function keptSizes(x: GradientValue, axes: readonly number[]): number[] {
  const kept = sizesOf(x).slice();
  for (const axis of axes) kept[axis] = 1;
  return kept;
}

/** The largest float16. */
const kLargestHalf: number = dtypeRows.float16.float![2];

/** Returns g divided by a number of elements, which may be larger than the largest float16. */
function dividedBy(g: GradientValue, count: number): GradientValue {
  const isTooLarge = g.dtype === "float16" && count > kLargestHalf;
  return isTooLarge ? (g.cast("float32").div(count).cast(g.dtype) as GradientValue) : g.div(count);
}

/** Each element gets the product of all others: of those before it, and of those behind it times the gradient, so that zeros need no care. */
function productOfOthers({ inputs: [x], g, attributes: { axes } }: GradientStep<"prod">): OperandGradients {
  const sizes = sizesOf(x!);
  const apart = axes.some((axis, k) => axis !== axes[0]! + k);
  // The axes become neighbors, then one.
  const order = apart ? [...sizes.flatMap((_, d) => (axes.includes(d) ? [] : [d])), ...axes] : sizes.map((_, d) => d);
  const ordered = shuffled(x!, order);
  const axis = apart ? sizes.length - axes.length : (axes[0] ?? sizes.length);
  const flat = reshaped(ordered, sizesOf(ordered).toSpliced(axis, axes.length, countAlong(x!, axes)));
  const before = scanned("cumprod", flat, axis, { exclusive: true });
  const behind = scanned("cumprod", flat, axis, { exclusive: true, reverse: true });
  const gradient = conjugate(before.mul(behind)).mul(reshaped(g, sizesOf(flat).with(axis, 1)));
  return [shuffled(reshaped(gradient, sizesOf(ordered)), inverseOrder(order))];
}

/** Equal extremes share, as in TensorFlow. */
function sharedByExtremes({
  node,
  inputs: [x],
  g,
  attributes: { axes },
}: GradientStep & { attributes: ReduceAttributes }): OperandGradients {
  const kept = keptSizes(x!, axes);
  const hits = x!.equal(reshaped(node, kept)).cast(g.dtype);
  return [hits.mul(reshaped(g, kept).div(sumOver(hits, axes, true)))];
}
