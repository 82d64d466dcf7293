/**
 * scan-gradients: the gradients of cumulative sums, products and extremes, and of the two scans that these are made of. Both add up b to a
 * total, and say what becomes of it after each element:
 *
 *     scaledCumsum(b, a, w)    give w[i] total, multiply it by a[i]; where a[i] is 0, infinite totals and NaN end, too
 *     markedCumsum(b, x, z)    give the total where x[i] = z[i] and begin anew, elsewhere give 0
 *
 * An exclusive one adds b[i] at the end of its step.
 */
import type { GradientValue } from "../tree/gradient-rule.ts";
import { sizesOf } from "../tree/node-lists.ts";
import type { ScanAttributes } from "../tree/op-attributes.ts";
import type { ClassGradients, GradientStep, OperandGradients } from "../tree/gradient-step.ts";
import { chosen, conjugate, filled, markedCumsum, partAlong, placedAlong, scaledCumsum, scanned } from "./gradient-nodes.ts";

/** The rules of scans. */
export const scanGradients: ClassGradients<"scan"> = {
  cumsum: ({ g, attributes: { axis, exclusive, reverse } }) => [scanned("cumsum", g, axis, { exclusive, reverse: !reverse })],
  cumprod: (step) => runningProduct(step),
  cummax: (step) => runningExtreme("cummax", step),
  cummin: (step) => runningExtreme("cummin", step),
  scaledCumsum: (step) => scaledSum(step),
  markedCumsum: (step) => markedSum(step),
};

/** Element k is a factor of all products from k on: it gets the product before it times the gradients, each times what is between. */
function runningProduct(step: GradientStep<"cumprod">): OperandGradients {
  const { inputs, g, attributes } = step;
  const [x, { axis, exclusive, reverse }] = [inputs[0]!, attributes];
  if (exclusive) return [exclusiveProduct(step)];
  const before = scanned("cumprod", x, axis, { exclusive: true, reverse });
  return [scaledCumsum(g, conjugate(x), conjugate(before), axis, { reverse: !reverse })];
}

/**
 * An exclusive product is 1, then the products of all elements but the last. So the gradients move one place towards the start, and the last
 * element gets 0. It is left out of the scan, because nothing was multiplied by it: if it is infinite or NaN, or the product before it is, then
 * 0 times that would be NaN.
 */
function exclusiveProduct({ node, inputs: [x], g, attributes: { axis, reverse } }: GradientStep<"cumprod">): GradientValue {
  const size = sizesOf(g)[axis]!;
  const count = Math.max(size - 1, 0);
  const first = reverse ? size - count : 0;
  const used = (value: GradientValue): GradientValue => conjugate(partAlong(value, axis, first, first + count));
  const later = partAlong(g, axis, size - count - first, size - first);
  return placedAlong(scaledCumsum(later, used(x!), used(node), axis, { reverse: !reverse }), axis, first, 1, size);
}

/** An element gets the gradients of all places where it was the last that reached the extreme: up to the next that reaches it. */
function runningExtreme(
  op: "cummax" | "cummin",
  { node, inputs: [x], g, attributes }: GradientStep & { attributes: ScanAttributes },
): OperandGradients {
  const { axis, exclusive, reverse } = attributes;
  const extremes = exclusive ? scanned(op, x!, axis, { reverse }) : node;
  return [markedCumsum(g, x!, extremes, axis, { exclusive, reverse: !reverse })];
}

/**
 * What element k adds to the total reaches all that are given from it on, times the factors between: a scan in the other direction, in which
 * factor k multiplies what is given after it. Nothing is given after the factor at the end, so it is left out, and its gradient is 0: if it is
 * infinite or NaN, or the total is, then 0 times that would be NaN.
 */
function scaledSum({ inputs: [b, a, w], g, attributes, needs }: GradientStep<"scaledCumsum">): OperandGradients {
  const { axis, exclusive, reverse } = attributes;
  const size = sizesOf(g)[axis]!;
  const count = Math.max(size - 1, 0);
  const first = reverse ? size - count : 0;
  const ones = filled(g.dtype, 1, sizesOf(g));
  const allButEnd = (value: GradientValue): GradientValue => partAlong(value, axis, first, first + count);
  const restored = (value: GradientValue): GradientValue => placedAlong(value, axis, first, 1, size);
  const factors = placedAlong(allButEnd(conjugate(a!)), axis, size - count - first, 1, size);
  const reached = scaledCumsum(g.mul(conjugate(w!)), factors, ones, axis, { reverse: !reverse });
  const later = partAlong(reached, axis, size - count - first, size - first);
  const totals = (): GradientValue => conjugate(scaledCumsum(b!, a!, ones, axis, { exclusive, reverse }));
  return [
    exclusive ? restored(later) : reached,
    needs[1] ? restored(later.mul(allButEnd(totals()))) : null,
    needs[2] ? g.mul(totals()) : null,
  ];
}

/** What element k adds to the total is given at the next place that is marked. */
function markedSum({ inputs: [b, x, z], g, attributes }: GradientStep<"markedCumsum">): OperandGradients {
  const { axis, exclusive, reverse } = attributes;
  const isMarked = x!.equal(z!);
  const given = chosen(isMarked, g, 0);
  const goesOn = isMarked.logicalNot().cast(g.dtype);
  const ones = filled(g.dtype, 1, sizesOf(b!));
  const later = scaledCumsum(given, goesOn, ones, axis, { exclusive: true, reverse: !reverse });
  return [exclusive ? later : given.add(chosen(isMarked, 0, later)), null, null];
}
