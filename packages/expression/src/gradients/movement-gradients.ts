/** movement-gradients: the opposite of each movement, and of casts and choices: what was read from several places is added up there. */
import { reverseFields } from "../inference/movement-inference.ts";
import { saturationRange } from "../inference/saturation.ts";
import { isComplexDType, isFloat } from "../tree/dtype-groups.ts";
import { sizesOf } from "../tree/node-lists.ts";
import type { GradientStep, OperandGradients, ClassGradients } from "../tree/gradient-step.ts";
import { chosen, inverseOrder, made, partAlong, placedAlong, reshaped, shuffled, sumTo } from "./gradient-nodes.ts";
import { gatherGradients, scatterGradients } from "./row-gradients.ts";
import { foldPatches } from "./fold-patches.ts";

/** The rules of movements. */
export const movementGradients: ClassGradients<"movement"> = {
  reshape: ({ inputs: [x], g }) => [reshaped(g, sizesOf(x!))],
  shuffle: ({ g, attributes: { permutation } }) => [shuffled(g, inverseOrder(permutation))],
  slice: ({ inputs: [x], g, attributes: { begin, steps } }) => [
    // The last axis first: zeros between rows are written as whole rows.
    sizesOf(x!).reduceRight((placed, size, d) => placedAlong(placed, d, begin[d]!, steps[d]!, size), g),
  ],
  chip({ inputs: [x], g, attributes: { offset, axis } }) {
    const sizes = sizesOf(x!);
    return [placedAlong(reshaped(g, sizes.with(axis, 1)), axis, offset, 1, sizes[axis]!)];
  },
  reverse: ({ g, attributes: { axes } }) => [made(reverseFields(g, axes))],
  broadcast: ({ inputs: [x], g }) => [sumTo(g, sizesOf(x!))],
  extractPatches: ({ inputs: [x], g, attributes }) => [foldPatches(g, sizesOf(x!), attributes)],
  concatenate({ inputs, g, attributes: { axis }, needs }) {
    let end = 0;
    return inputs.map((x, k) => {
      const begin = end;
      end += sizesOf(x)[axis]!;
      return needs[k] ? partAlong(g, axis, begin, end) : null;
    });
  },
  gather: gatherGradients,
  scatter: scatterGradients,
};

/** The rules of operations that choose between two operands. */
export const choiceGradients: ClassGradients<"ternary"> = {
  select: ({ inputs: [condition, then, otherwise], g, needs }) => [
    null,
    needs[1] ? sumTo(chosen(condition!, g, 0), sizesOf(then!)) : null,
    needs[2] ? sumTo(chosen(condition!, 0, g), sizesOf(otherwise!)) : null,
  ],
};

/** Returns the gradient of a cast between floats and complex numbers: 0 where a saturating one clipped. */
export function castGradients({ node, inputs: [x], g, attributes: { saturate } }: GradientStep<"cast">): OperandGradients {
  const { dtype } = x!;
  if (!isFloat(dtype) && !isComplexDType(dtype)) return [null];
  const back = g.cast(dtype);
  const range = saturate ? saturationRange(dtype, node.dtype) : null;
  if (range === null) return [back];
  const [low, high] = range as readonly [number, number];
  return [chosen(x!.less(low).logicalOr(x!.greater(high)), 0, back)];
}
