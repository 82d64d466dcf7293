/**
 * scan-gradients: the gradients of cumulative sums, products and extremes, and of the one that these are made of:
 *
 *     y[i] = a[i] (y[i - 1] + b[i])          scaledCumsum of b and a; where a[i] is 0, infinite sums and NaN end, too
 */
import type { GradientValue } from "../tree/gradient-rule.ts";
import { sizesOf } from "../tree/node-lists.ts";
import type { ScanAttributes } from "../tree/op-attributes.ts";
import type { ClassGradients, GradientStep, OperandGradients } from "../tree/gradient-step.ts";
import { chosen, conjugate, filled, joined, partAlong, scaledCumsum, scanned } from "./gradient-nodes.ts";

/** The rules of scans. */
export const scanGradients: ClassGradients<"scan"> = {
  cumsum: ({ g, attributes: { axis, exclusive, reverse } }) => [scanned("cumsum", g, axis, { exclusive, reverse: !reverse })],
  cumprod: (step) => runningProduct(step),
  cummax: (step) => runningExtreme("cummax", step),
  cummin: (step) => runningExtreme("cummin", step),
  scaledCumsum({ node, inputs: [b, a], g, attributes, needs }) {
    const { axis, exclusive, reverse } = attributes;
    const ofSteps = gradientOfSteps(g, conjugate(a!), attributes);
    const before = exclusive ? node : scaledCumsum(b!, a!, axis, { exclusive: true, reverse });
    return [needs[0] ? ofSteps.mul(conjugate(a!)) : null, needs[1] ? ofSteps.mul(conjugate(before.add(b!))) : null];
  },
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
 * Returns the gradient of the value before it is multiplied by a factor, for a value that the next step takes on: that of its own step, and
 * that of all further ones, which it reaches through their factors.
 */
function gradientOfSteps(g: GradientValue, factors: GradientValue, attributes: ScanAttributes): GradientValue {
  const inclusive = inclusiveGradient(g, attributes);
  const { axis, reverse } = attributes;
  return inclusive.add(scaledCumsum(inclusive, factors, axis, { exclusive: true, reverse: !reverse }));
}

/** Element k is a factor of all products from k on: it gets the product before it times the gradients, each times what is between. */
function runningProduct({ inputs: [x], g, attributes }: GradientStep<"cumprod">): OperandGradients {
  const { axis, reverse } = attributes;
  const before = scanned("cumprod", x!, axis, { exclusive: true, reverse });
  return [conjugate(before).mul(gradientOfSteps(g, conjugate(x!), attributes))];
}

/** An element gets the gradients of all places where it was the last that reached the extreme: up to the next that reaches it. */
function runningExtreme(
  op: "cummax" | "cummin",
  { node, inputs: [x], g, attributes }: GradientStep & { attributes: ScanAttributes },
): OperandGradients {
  const { axis, exclusive, reverse } = attributes;
  const isReached = x!.equal(exclusive ? scanned(op, x!, axis, { reverse }) : node);
  const goesOn = isReached.logicalNot().cast(g.dtype);
  return [chosen(isReached, gradientOfSteps(g, goesOn, attributes), 0)];
}
