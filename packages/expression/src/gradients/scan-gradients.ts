/** scan-gradients: the gradients of cumulative sums, products and extremes. */
import type { GradientValue } from "../tree/gradient-rule.ts";
import { product } from "@onebuffer/storage/internal";
import { scatterFields } from "../inference/movement-inference.ts";
import { sizesOf } from "../tree/node-lists.ts";
import type { ScanAttributes } from "../tree/op-attributes.ts";
import type { ClassGradients, GradientStep, OperandGradients } from "../tree/gradient-step.ts";
import {
  chosen,
  conjugate,
  exchangedAxes,
  filled,
  joined,
  made,
  partAlong,
  places,
  repeated,
  reshaped,
  scanned,
  shuffled,
} from "./gradient-nodes.ts";

/** The rules of scans. */
export const scanGradients: ClassGradients<"scan"> = {
  cumsum: ({ g, attributes: { axis, exclusive, reverse } }) => [scanned("cumsum", g, axis, { exclusive, reverse: !reverse })],
  cumprod: (step) => runningProduct(step),
  cummax: (step) => runningExtreme("cummax", step),
  cummin: (step) => runningExtreme("cummin", step),
};

/** A step of a scan that leaves out the element itself: the gradients of the scan that has it in, moved on by one element. */
function inclusiveGradient(g: GradientValue, { axis, exclusive, reverse }: ScanAttributes): GradientValue {
  if (!exclusive) return g;
  const size = sizesOf(g)[axis]!;
  if (size === 0) return g;
  const zero = filled(g.dtype, 0, sizesOf(g).with(axis, 1));
  return reverse ? joined([zero, partAlong(g, axis, 0, size - 1)], axis) : joined([partAlong(g, axis, 1, size), zero], axis);
}

/**
 * The gradient of element k is the sum of g y / x[k] over the products y that x[k] is in. At the first zero the products without it are those
 * of the elements with 1 in its place; behind it all others are 0.
 */
function runningProduct({ node, inputs: [x], g, attributes }: GradientStep<"cumprod">): OperandGradients {
  const { axis, exclusive, reverse } = attributes;
  const inclusive = inclusiveGradient(g, attributes);
  const products = exclusive ? scanned("cumprod", x!, axis, { reverse }) : node;
  const isZero = x!.equal(0);
  const zeros = scanned("cumsum", isZero.cast("int32"), axis, { reverse });
  const isFirst = isZero.logicalAnd(zeros.equal(1));
  const without = scanned("cumprod", chosen(isFirst, 1, x!), axis, { reverse });
  const behind = (y: GradientValue): GradientValue => scanned("cumsum", inclusive.mul(conjugate(y)), axis, { reverse: !reverse });
  return [chosen(zeros.equal(0), behind(products).div(conjugate(x!)), chosen(isFirst, behind(without), 0))];
}

/** An element gets the gradients of all places where it was the last that reached the extreme. */
function runningExtreme(
  op: "cummax" | "cummin",
  { node, inputs: [x], g, attributes }: GradientStep & { attributes: ScanAttributes },
): OperandGradients {
  const { axis, exclusive, reverse } = attributes;
  const sizes = sizesOf(x!);
  const last = sizes.length - 1;
  const order = exchangedAxes(sizes.length, axis, last);
  const extremes = shuffled(exclusive ? scanned(op, x!, axis, { reverse }) : node, order);
  const elements = shuffled(x!, order);
  const width = sizes[axis]!;
  const count = product(sizes);
  const isReached = elements.equal(extremes);
  const along = repeated(places([width]), sizesOf(elements));
  const reached = reverse
    ? scanned("cummin", chosen(isReached, along, width), last, { reverse })
    : scanned("cummax", chosen(isReached, along, -1), last, {});
  const rows = places([width === 0 ? 0 : count / width, 1], 0).mul(width);
  const at = reshaped(reached, [width === 0 ? 0 : count / width, width]);
  // Before the first element that equals the extreme there are only NaN: they name no place.
  const flat = chosen(at.less(0).logicalOr(at.equal(width)), -1, at.add(rows));
  const gradients = reshaped(shuffled(inclusiveGradient(g, attributes), order), [count]);
  const sums = made(scatterFields(filled(g.dtype, 0, [count]), reshaped(flat, [count]), gradients, 0, "add", "negative"));
  return [shuffled(reshaped(sums, sizesOf(elements)), order)];
}
