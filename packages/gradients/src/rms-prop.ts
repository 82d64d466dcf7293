/** rms-prop: steps scaled by a running mean of the squares of the gradients (TensorFlow's ApplyRMSProp without momentum). */
import { checkOptions } from "@onebuffer/base/internal";
import type { Tensor } from "@onebuffer/core";
import type { Assigned } from "@onebuffer/eigen";
import type { FloatDType, OperandLike } from "@onebuffer/expression";
import type { GradientValue } from "@onebuffer/expression/internal";
import { pairOf, ruleNumber, slotsOf, stateOf, zerosFor } from "./update-parameters.ts";
import type { Parameter, RuleNumber } from "./update-parameters.ts";

/**
 * Options of `rmsProp`: unless given the learning rate is 0.001, `rho`, the share of the mean that stays, 0.9, and `epsilon` 1e-7.
 *
 * @example
 * const options: RmsPropOptions = { rho: 0.95 };
 * options.rho; // => 0.95
 */
export interface RmsPropOptions {
  readonly learningRate?: RuleNumber;
  readonly rho?: RuleNumber;
  readonly epsilon?: RuleNumber;
}

/**
 * Returns the running means of squares with which `rmsProp` begins: a tensor of zeros for each parameter. The caller disposes them.
 *
 * Throws INVALID_ARGUMENT unless the parameters are tensors or maps of floats.
 *
 * @example
 * using w = Tensor.from([1, 2]);
 * const squares = rmsPropState([w]);
 * squares.map((each) => each.toArray()); // => [[0, 0]]
 * for (const each of squares) each.dispose();
 */
export function rmsPropState(parameters: readonly Parameter[]): Tensor<FloatDType>[] {
  return zerosFor("rmsPropState", parameters);
}

/**
 * Returns the pairs of a step of RMSProp, for `updateTogether`: s becomes rho s + (1 - rho) g^2, and x becomes x - learningRate g / sqrt(s +
 * epsilon). Make them once and use them for every step. Computes and copies nothing.
 *
 * Throws INVALID_ARGUMENT unless each parameter has a gradient and a mean of squares of its dtype and sizes.
 *
 * @example
 * using w = Tensor.from([1]);
 * const squares = rmsPropState([w]);
 * updateTogether(rmsProp([w], gradients(w.vec().sum(), [w]), squares, { learningRate: 0.5, rho: 0.75, epsilon: 0 }));
 * [w.toArray(), squares[0]?.toArray()]; // => [[0], [0.25]]
 * for (const tensor of squares) tensor.dispose();
 */
export function rmsProp(
  parameters: readonly Parameter[],
  gradients: readonly OperandLike<FloatDType, number>[],
  squares: readonly Parameter[],
  options: RmsPropOptions = {},
): Assigned[] {
  checkOptions("rmsProp", options, ["learningRate", "rho", "epsilon"]);
  const slots = slotsOf("rmsProp", parameters, gradients);
  const state = stateOf("rmsProp", "squares", squares, slots);
  return slots.flatMap((slot, k) => {
    const { x, g } = slot;
    const number = (name: keyof RmsPropOptions, otherwise: number): GradientValue =>
      ruleNumber("rmsProp", name, options[name] ?? otherwise, x.dtype);
    const rho = number("rho", 0.9);
    const square = state[k]!.x.mul(rho).add(g.square().mul(rho.neg().add(1)));
    const change = g.mul(number("learningRate", 0.001)).div(square.add(number("epsilon", 1e-7)).sqrt());
    return [pairOf(state[k]!, square), pairOf(slot, x.sub(change))];
  });
}
