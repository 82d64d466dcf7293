/** adam: steps scaled by running means of the gradients and of their squares (TensorFlow's ApplyAdam). */
import { InvalidArgumentError } from "@onebuffer/base";
import { checkOptions, shownValue } from "@onebuffer/base/internal";
import { Tensor } from "@onebuffer/core";
import type { Assigned } from "@onebuffer/eigen";
import type { FloatDType, OperandLike } from "@onebuffer/expression";
import { checkTree } from "@onebuffer/expression/internal";
import type { GradientValue } from "@onebuffer/expression/internal";
import { checkParameters, pairOf, ruleNumber, slotsOf, stateOf, zerosFor } from "./update-parameters.ts";
import type { Parameter, RuleNumber } from "./update-parameters.ts";

/**
 * Options of `adam`: unless given the learning rate is 0.001, `beta1` 0.9, `beta2` 0.999 and `epsilon` 1e-7.
 *
 * @example
 * const options: AdamOptions = { learningRate: 0.01 };
 * options.learningRate; // => 0.01
 */
export interface AdamOptions {
  readonly learningRate?: RuleNumber;
  readonly beta1?: RuleNumber;
  readonly beta2?: RuleNumber;
  readonly epsilon?: RuleNumber;
}

/**
 * What `adam` remembers: the number of steps, and for each parameter the running means of its gradients and of their squares.
 *
 * @example
 * using w = Tensor.from([1, 2]);
 * const state: AdamState = adamState([w]);
 * [state.steps.item(), state.means.length, state.squares.length]; // => [0, 1, 1]
 * for (const tensor of [state.steps, ...state.means, ...state.squares]) tensor.dispose();
 */
export interface AdamState {
  readonly steps: Tensor<"float32">;
  readonly means: readonly Tensor<FloatDType>[];
  readonly squares: readonly Tensor<FloatDType>[];
}

/**
 * Returns the state with which `adam` begins: zeros. The caller disposes its tensors.
 *
 * Throws INVALID_ARGUMENT unless the parameters are tensors or maps of floats.
 *
 * @example
 * using w = Tensor.from([1, 2]);
 * const { steps, means, squares } = adamState([w]);
 * squares[0]?.toArray(); // => [0, 0]
 * for (const tensor of [steps, ...means, ...squares]) tensor.dispose();
 */
export function adamState(parameters: readonly Parameter[]): AdamState {
  const targets = checkParameters("adamState", parameters).map(({ target }) => target);
  const steps = Tensor.zeros([]);
  try {
    const zeros = zerosFor("adamState", [...targets, ...targets]);
    return { steps, means: zeros.slice(0, targets.length), squares: zeros.slice(targets.length) };
  } catch (error) {
    steps.dispose();
    throw error;
  }
}

/**
 * Returns the pairs of a step of Adam, for `updateTogether`: m becomes beta1 m + (1 - beta1) g, v becomes beta2 v + (1 - beta2) g^2, and x
 * becomes x - learningRate sqrt(1 - beta2^t) / (1 - beta1^t) m / (sqrt(v) + epsilon) in step t. Make them once and use them for every step.
 * Computes and copies nothing.
 *
 * Throws INVALID_ARGUMENT unless each parameter has a gradient and a state of its dtype and sizes.
 *
 * @example
 * using w = Tensor.from([1]);
 * const state = adamState([w]);
 * const step = adam([w], gradients(w.vec().square().sum(), [w]), state, { learningRate: 0.5 });
 * updateTogether(step);
 * [w.vec().at(0).toFixed(3), state.steps.item()]; // => ["0.500", 1]
 * for (const tensor of [state.steps, ...state.means, ...state.squares]) tensor.dispose();
 */
export function adam(
  parameters: readonly Parameter[],
  gradients: readonly OperandLike<FloatDType, number>[],
  state: AdamState,
  options: AdamOptions = {},
): Assigned[] {
  checkOptions("adam", options, ["learningRate", "beta1", "beta2", "epsilon"]);
  const { steps, means, squares } = checkState(state);
  const slots = slotsOf("adam", parameters, gradients);
  const [first, second] = [stateOf("adam", "means", means, slots), stateOf("adam", "squares", squares, slots)];
  const step = (checkTree("adam", steps) as GradientValue).add(1);
  const pairs = slots.flatMap((slot, k) => {
    const { x, g } = slot;
    const number = (name: keyof AdamOptions, otherwise: number): GradientValue =>
      ruleNumber("adam", name, options[name] ?? otherwise, x.dtype);
    const [beta1, beta2] = [number("beta1", 0.9), number("beta2", 0.999)];
    const mean = mixed(first[k]!.x, g, beta1);
    const square = mixed(second[k]!.x, g.square(), beta2);
    const t = step.cast(x.dtype);
    const correction = rest(beta2.pow(t))
      .sqrt()
      .div(rest(beta1.pow(t)));
    const rate = number("learningRate", 0.001).mul(correction);
    const change = mean.mul(rate).div(square.sqrt().add(number("epsilon", 1e-7)));
    return [pairOf(first[k]!, mean), pairOf(second[k]!, square), pairOf(slot, x.sub(change))];
  });
  return [...pairs, pairOf({ target: steps, dtype: step.dtype, x: step }, step)];
}

/** Returns what `adamState` returned. Throws INVALID_ARGUMENT for what is no object; its fields are checked where they are read. */
function checkState(state: AdamState): AdamState {
  if (typeof state === "object" && (state as AdamState | null) !== null) return state;
  throw new InvalidArgumentError(`adam: the state is what adamState(parameters) returned, got ${shownValue(state)}`);
}

/** Returns 1 - x. */
function rest(x: GradientValue): GradientValue {
  return x.neg().add(1);
}

/** Returns the running mean of which `share` stays. */
function mixed(mean: GradientValue, next: GradientValue, share: GradientValue): GradientValue {
  return mean.mul(share).add(next.mul(rest(share)));
}
