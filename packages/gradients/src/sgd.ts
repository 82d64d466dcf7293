/** sgd: gradient descent (TensorFlow's ApplyGradientDescent). */
import type { DType } from "@onebuffer/base";
import { checkOptions } from "@onebuffer/base/internal";
import type { Assigned } from "@onebuffer/eigen";
import type { FloatDType, OperandLike } from "@onebuffer/expression";
import type { GradientValue } from "@onebuffer/expression/internal";
import { pairOf, ruleNumber, slotsOf } from "./update-parameters.ts";
import type { Parameter, RuleNumber } from "./update-parameters.ts";

/**
 * Options of `sgd`. The learning rate is 0.01 unless given.
 *
 * @example
 * using w = Tensor.from([1]);
 * const options: SgdOptions = { learningRate: 0.5 };
 * updateTogether(sgd([w], gradients(w.vec().square().sum(), [w]), options));
 * w.toArray(); // => [0]
 */
export interface SgdOptions {
  readonly learningRate?: RuleNumber;
}

/**
 * Returns the pairs of a step of gradient descent, for `updateTogether`: x becomes x - learningRate g. Make them once and use them for every
 * step. Computes and copies nothing.
 *
 * Throws INVALID_ARGUMENT unless the parameters are tensors or maps of floats, each with a gradient of its dtype and sizes.
 *
 * @example
 * using w = Tensor.from([4, -2]);
 * const step = sgd([w], gradients(w.vec().square().sum(), [w]), { learningRate: 0.25 });
 * updateTogether(step);
 * updateTogether(step);
 * w.toArray(); // => [1, -0.5]
 * sgd([w], []); // throws INVALID_ARGUMENT
 */
export function sgd(
  parameters: readonly Parameter[],
  gradients: readonly OperandLike<FloatDType, number>[],
  options: SgdOptions = {},
): Assigned[] {
  checkOptions("sgd", options, ["learningRate"]);
  // One node for all parameters of a dtype: expressions that are made anew for each step have fewer to describe.
  const rates: Partial<Record<DType, GradientValue>> = {};
  return slotsOf("sgd", parameters, gradients).map((slot) => {
    const { x, g } = slot;
    const rate = (rates[x.dtype] ??= ruleNumber("sgd", "learningRate", options.learningRate ?? 0.01, x.dtype));
    return pairOf(slot, x.sub(g.mul(rate)));
  });
}
