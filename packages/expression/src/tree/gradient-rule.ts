/**
 * gradient-rule: how the gradient of an elementwise operation is written, beside its record (in TensorFlow: RegisterGradient).
 *
 *     y = exp(x),  g = the gradient of y        exp: ({ g, y }) => g.mul(y)        the gradient of x
 *
 * A rule makes expressions of the same operations, so that whatever computes expressions computes gradients, and gradients have gradients.
 * The gradient of an operand has the sizes of the result: what the operand was broadcast along is summed up afterwards
 * (expression/gradients). "none" says that the result does not change with the operands, or in steps only.
 */
import type { Complex, DType } from "@onebuffer/base";
import type { BinaryName, UnaryName } from "../generated/op-names.ts";
import type { ExpressionTree } from "./op-attributes.ts";

/** What the other operand of an operation may be in a rule. */
export type GradientOperand = GradientValue | number | Complex;

/** A node as rules see it: with the methods of the elementwise operations, which all maps and expressions have. */
export type GradientValue = ExpressionTree & {
  readonly [K in UnaryName]: () => GradientValue;
} & {
  readonly [K in BinaryName]: (other: GradientOperand) => GradientValue;
} & {
  readonly cast: (dtype: DType) => GradientValue;
};

/**
 * The functions of rules that are no methods. They are given to the rules, because the records are read before anything else is built.
 */
export interface GradientFunctions {
  /** Returns one of two values by a condition. One of them may be a number. */
  select(condition: GradientValue, then: GradientOperand, otherwise: GradientOperand): GradientValue;
  /** Returns the conjugate of a complex value, and a real value as it is: gradients of holomorphic functions have the conjugate factor. */
  conjugate(value: GradientValue): GradientValue;
  /** Returns true for a value of a complex dtype. */
  isComplex(value: GradientValue): boolean;
  /** Returns the value of a real constant, and null for any other node. */
  realConstant(node: GradientValue): number | null;
}

/** What the rule of an operation on one operand gets: the gradient `g` of its result, the operand `x`, the result `y`, and functions. */
export interface UnaryStep {
  readonly g: GradientValue;
  readonly x: GradientValue;
  readonly y: GradientValue;
  readonly at: GradientFunctions;
}

/** The same for an operation on `x` and `z`. */
export interface BinaryStep extends UnaryStep {
  readonly z: GradientValue;
}

/** Returns the gradient of the operand; null if it is 0. */
export type UnaryGradient = (step: UnaryStep) => GradientValue | null;

/** Makes the gradient of an operand, when it is needed. */
export type LazyGradient = () => GradientValue;

/** Returns the gradients of the two operands; null if one is 0. */
export type BinaryGradient = (step: BinaryStep) => readonly [LazyGradient | null, LazyGradient | null];
