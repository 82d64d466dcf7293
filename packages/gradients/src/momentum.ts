/** momentum: gradient descent with a velocity (TensorFlow's ApplyMomentum). */
import { checkOptions } from "@onebuffer/base/internal";
import type { Tensor } from "@onebuffer/core";
import type { Assigned } from "@onebuffer/eigen";
import type { FloatDType, OperandLike } from "@onebuffer/expression";
import { pairOf, ruleNumber, slotsOf, stateOf, zerosFor } from "./update-parameters.ts";
import type { Parameter, RuleNumber } from "./update-parameters.ts";

/**
 * Options of `momentum`: unless given the learning rate is 0.01, and 0.9 of the velocity stays. `nesterov` looks ahead.
 *
 * @example
 * const options: MomentumOptions = { learningRate: 0.1, momentum: 0.8, nesterov: true };
 * options.momentum; // => 0.8
 */
export interface MomentumOptions {
  readonly learningRate?: RuleNumber;
  readonly momentum?: RuleNumber;
  readonly nesterov?: boolean;
}

/**
 * Returns the velocities with which `momentum` begins: a tensor of zeros for each parameter. The caller disposes them.
 *
 * Throws INVALID_ARGUMENT unless the parameters are tensors or maps of floats.
 *
 * @example
 * using w = Tensor.from([1, 2]);
 * const velocities = momentumState([w]);
 * velocities.map((velocity) => velocity.toArray()); // => [[0, 0]]
 * for (const velocity of velocities) velocity.dispose();
 */
export function momentumState(parameters: readonly Parameter[]): Tensor<FloatDType>[] {
  return zerosFor("momentumState", parameters);
}

/**
 * Returns the pairs of a step with momentum, for `updateTogether`: v becomes momentum v + g, then x becomes x - learningRate v; with `nesterov`
 * x - learningRate (g + momentum v). Make them once and use them for every step. Computes and copies nothing.
 *
 * Throws INVALID_ARGUMENT unless each parameter has a gradient and a velocity of its dtype and sizes.
 *
 * @example
 * using w = Tensor.from([1]);
 * const velocities = momentumState([w]);
 * const step = momentum([w], gradients(w.vec().sum(), [w]), velocities, { learningRate: 0.5, momentum: 0.5 });
 * for (let k = 0; k < 2; k++) updateTogether(step);
 * [w.toArray(), velocities[0]?.toArray()]; // => [[-0.25], [1.5]]
 * for (const velocity of velocities) velocity.dispose();
 * momentum([w], [], velocities); // throws INVALID_ARGUMENT
 */
export function momentum(
  parameters: readonly Parameter[],
  gradients: readonly OperandLike<FloatDType, number>[],
  velocities: readonly Parameter[],
  options: MomentumOptions = {},
): Assigned[] {
  checkOptions("momentum", options, ["learningRate", "momentum", "nesterov"]);
  const slots = slotsOf("momentum", parameters, gradients);
  const state = stateOf("momentum", "velocities", velocities, slots);
  return slots.flatMap((slot, k) => {
    const { x, g } = slot;
    const rate = ruleNumber("momentum", "learningRate", options.learningRate ?? 0.01, x.dtype);
    const kept = ruleNumber("momentum", "momentum", options.momentum ?? 0.9, x.dtype);
    const velocity = state[k]!.x.mul(kept).add(g);
    const direction = options.nesterov === true ? g.add(velocity.mul(kept)) : velocity;
    return [pairOf(state[k]!, velocity), pairOf(slot, x.sub(direction.mul(rate)))];
  });
}
