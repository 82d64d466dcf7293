/**
 * update-parameters: what the update rules have in common: parameters and their gradients, one for one, and the numbers of a rule.
 *
 * A rule returns pairs of a tensor and its new elements, which `updateTogether` computes in one group. What a rule remembers between steps is
 * in tensors of its own, which the caller sees, saves and disposes.
 */
import type { DType } from "@onebuffer/base";
import { InvalidArgumentError } from "@onebuffer/base";
import { isArray, shownValue } from "@onebuffer/base/internal";
import { Tensor } from "@onebuffer/core";
import type { Assigned } from "@onebuffer/eigen";
import type { FloatDType, OperandLike } from "@onebuffer/expression";
import { checkTree, isFloat, isMap, filled, shownOperand, sizesOf } from "@onebuffer/expression/internal";
import type { GradientValue } from "@onebuffer/expression/internal";
import { sameSizes } from "@onebuffer/storage/internal";

/**
 * A tensor or map that a rule changes, of floats.
 *
 * @example
 * using w = Tensor.from([1, 2]);
 * const parameters: Parameter[] = [w];
 * parameters.length; // => 1
 */
export type Parameter = OperandLike<FloatDType, number>;

/**
 * A number of a rule: a plain one, or a tensor or expression with one element, so that it can change while the expressions stay.
 *
 * @example
 * using rate = Tensor.from(0.1);
 * const numbers: RuleNumber[] = [0.1, rate];
 * numbers.length; // => 2
 */
export type RuleNumber = number | OperandLike<FloatDType, number>;

/** A tensor or map that a rule changes, as it was given, its dtype, and its elements for the arithmetic of the rule. */
export interface Changed {
  readonly target: Parameter;
  readonly dtype: DType;
  readonly x: GradientValue;
}

/** A parameter and its gradient. */
export interface Slot extends Changed {
  readonly g: GradientValue;
}

/**
 * Returns elements for the arithmetic of a rule: those of float16 and bfloat16 as float32. As a bfloat16, a share of 0.999 that stays would be 1,
 * and nothing would ever be added.
 */
function widened(value: GradientValue): GradientValue {
  return value.dtype === "float16" || value.dtype === "bfloat16" ? (value.cast("float32") as GradientValue) : value;
}

/** Returns parameters and their gradients. Throws INVALID_ARGUMENT unless there is a gradient of its dtype and sizes for each. */
export function slotsOf(call: string, parameters: unknown, gradients: unknown): readonly Slot[] {
  const targets = checkParameters(call, parameters);
  if (!isArray(gradients) || gradients.length !== targets.length) {
    throw new InvalidArgumentError(`${call}: one gradient for each of ${targets.length} parameters, got ${shownValue(gradients)}`);
  }
  return targets.map(({ target, x }, k) => {
    const g = checkTree(call, gradients[k]) as GradientValue;
    if (g.dtype === x.dtype && sameSizes(sizesOf(g), sizesOf(x))) return { target, dtype: x.dtype, x: widened(x), g: widened(g) };
    throw new InvalidArgumentError(`${call}: gradient ${k}, ${shownOperand(g)}, must have the dtype and the sizes of ${shownOperand(x)}`);
  });
}

/** Returns parameters with their nodes. Throws INVALID_ARGUMENT unless they are a list of tensors or maps of floats. */
export function checkParameters(call: string, parameters: unknown): readonly Pick<Changed, "target" | "x">[] {
  if (!isArray(parameters)) throw new InvalidArgumentError(`${call}: ${shownValue(parameters)} is not a list of tensors, such as [w, b]`);
  const list = parameters as readonly Parameter[];
  const checked: Pick<Changed, "target" | "x">[] = [];
  // The first hole of a list of billions ends the loop.
  for (let k = 0; k < list.length; k++) {
    const target = list[k]!;
    const x = checkTree(call, target) as GradientValue;
    if (!isMap(x) || !isFloat(x.dtype))
      throw new InvalidArgumentError(`${call}: parameter ${k}, ${shownOperand(x)}, is not a tensor or map of floats`);
    checked.push({ target, x });
  }
  return checked;
}

/** Returns tensors of zeros of the dtypes and sizes of parameters. The caller disposes them. */
export function zerosFor(call: string, parameters: unknown): Tensor<FloatDType>[] {
  const tensors: Tensor<FloatDType>[] = [];
  try {
    for (const { x } of checkParameters(call, parameters)) {
      tensors.push(Tensor.zeros(sizesOf(x), { dtype: x.dtype as FloatDType }));
    }
    return tensors;
  } catch (error) {
    for (const tensor of tensors) tensor.dispose();
    throw error;
  }
}

/** Returns a number of a rule as a value of a dtype. Throws INVALID_ARGUMENT for others than one finite number. */
export function ruleNumber(call: string, name: string, given: unknown, dtype: DType): GradientValue {
  if (typeof given === "number" && Number.isFinite(given)) return filled(dtype, given, []);
  if (typeof given === "object" && given !== null) {
    const value = checkTree(call, given) as GradientValue;
    if (isFloat(value.dtype) && sizesOf(value).length === 0) return value.dtype === dtype ? value : value.cast(dtype);
  }
  throw new InvalidArgumentError(`${call}: ${name} is a number, or a float with one element and no dimensions, got ${shownValue(given)}`);
}

/** Returns the nodes of a rule's state: a tensor or map for each parameter, of its dtype and sizes. Throws INVALID_ARGUMENT for others. */
export function stateOf(call: string, name: string, given: unknown, slots: readonly Slot[]): readonly Changed[] {
  if (!isArray(given) || given.length !== slots.length) {
    throw new InvalidArgumentError(`${call}: ${name} has a tensor for each of ${slots.length} parameters, got ${shownValue(given)}`);
  }
  return slots.map(({ target, dtype, x: parameter }, k) => {
    const x = checkTree(call, given[k]) as GradientValue;
    if (isMap(x) && x.dtype === dtype && sameSizes(sizesOf(x), sizesOf(parameter)))
      return { target: given[k] as Parameter, dtype, x: widened(x) };
    throw new InvalidArgumentError(
      `${call}: tensor ${k} of ${name}, ${shownOperand(x)}, must have the dtype and the sizes of ${shownOperand(checkTree(call, target))}`,
    );
  });
}

/** Returns a pair for `updateTogether`. */
export function pairOf({ target, dtype }: Changed, value: GradientValue): Assigned {
  const elements = value.dtype === dtype ? value : value.cast(dtype);
  return [target, elements as unknown as OperandLike<DType, number>];
}
