/**
 * check-gradients: gradients beside differences of the values themselves, for tests of `customGradient` and of one's own formulas (in
 * TensorFlow: tf.test.compute_gradient).
 *
 *     y = x^2, x = 3:   gradient 6,   difference (y(3 + h) - y(3 - h)) / 2h
 *
 * A y of many elements is checked at once: they are added up with fixed weights, none of which are equal, so that a gradient that goes to
 * a wrong element changes the sum.
 */
import { FailedPreconditionError, InvalidArgumentError } from "@onebuffer/base";
import { checkOptions, shownValue } from "@onebuffer/base/internal";
import { tensorMap } from "@onebuffer/eigen";
import type { Operand, OperandLike, TensorMap } from "@onebuffer/eigen";
import type { ExpressionTree } from "@onebuffer/expression";
import { checkTree, isMap, shownOperand, sizesOf } from "@onebuffer/expression/internal";
import { product } from "@onebuffer/storage/internal";
import { checkVariables, gradientTrees } from "./gradients.ts";
import type { GradientsOptions } from "./gradients.ts";

/** The dtypes whose differences are exact enough: float64 and complex128. */
export type CheckedDType = "float64" | "complex128";

/**
 * Options of `checkGradients`. `step`: how far an element of about 1 is moved; larger elements are moved further. `tolerance`: the largest
 * difference from a gradient of up to 1; from larger ones the same part of them. `unconnected`: as in `gradients`.
 *
 * @example
 * const x = tensorMap("float64", Float64Array.of(1, 2), [2]);
 * const options: CheckGradientsOptions = { step: 1e-3, tolerance: 1e-5 };
 * checkGradients(x.exp(), [x], options) < 1e-5; // => true
 */
export interface CheckGradientsOptions extends Pick<GradientsOptions, "unconnected"> {
  readonly step?: number;
  readonly tolerance?: number;
}

const kStep = 1e-4;
const kTolerance = 1e-6;
/** The most numbers of a y: they are computed four times for each element of a variable. */
const kMaxParts = 2 ** 24;
/** The places, in steps, and weights of a difference whose error shrinks with the fourth power of the step. */
const kStencil = [
  [-2, 1 / 12],
  [-1, -8 / 12],
  [1, 8 / 12],
  [2, -1 / 12],
] as const;

/**
 * Compares the gradients of y with differences: moves each element of each of `xs` a little, computes y, and puts the element back. Returns
 * the largest error, relative to a gradient larger than 1. y has any sizes. All that y is computed of should be float64 or complex128; a kink
 * within two steps of an element, such as relu at 0, has no derivative and is reported as a difference.
 *
 * Throws FAILED_PRECONDITION if a gradient differs: the message names the variable and the element. Throws as `gradients` does,
 * INVALID_ARGUMENT unless y and `xs` are float64 or complex128 and `xs` are tensors or maps that can be written, for a y of more than 2^24
 * numbers, and for options that are not positive numbers. Copies: the elements of y, four times for each element of a variable.
 *
 * @example
 * const x = tensorMap("float64", Float64Array.of(1, 2), [2]);
 * checkGradients(x.softmax(), [x]) < 1e-9; // => true
 * const wrong = customGradient(x.square(), [x], (g) => [g.mul(x)]); // the factor 2 is missing
 * checkGradients(wrong, [x]); // throws FAILED_PRECONDITION
 */
export function checkGradients(
  y: OperandLike<CheckedDType, number>,
  xs: readonly OperandLike<CheckedDType, number>[],
  options: CheckGradientsOptions = {},
): number {
  const call = "checkGradients";
  checkOptions(call, options, ["step", "tolerance", "unconnected"]);
  const step = positive(call, "step", options.step ?? kStep);
  const tolerance = positive(call, "tolerance", options.tolerance ?? kTolerance);
  const root = checkTree(call, y);
  if (!isPrecise(root)) throw new InvalidArgumentError(`${call}: ${shownOperand(root)} is not float64 or complex128`);
  if (partsOf(root) > kMaxParts) throw new InvalidArgumentError(`${call}: ${shownOperand(root)} has more than ${kMaxParts} numbers`);
  const variables = checkVariables(call, xs).map((x, k) => writable(call, x, k));
  const weights = new Float64Array(partsOf(root)).map((_, i) => weightOf(i));
  const outputGradients = mapOver(root, weights);
  const gradients = gradientTrees(call, root, variables, {
    outputGradients: outputGradients as never,
    unconnected: options.unconnected ?? "error",
  });
  const sum = new WeightedSum(root, weights);
  let largest = 0;
  for (const [k, x] of variables.entries()) {
    const given = valuesOf(gradients[k]!);
    for (let i = 0; i < given.length; i++) {
      const difference = sum.differenceAt(x, i, step);
      const error = Math.abs(given[i]! - difference) / Math.max(1, Math.abs(difference));
      if (!(error <= tolerance)) throw differs(call, k, x, i, given[i]!, difference);
      largest = Math.max(largest, error);
    }
  }
  return largest;
}

function positive(call: string, name: string, value: unknown): number {
  if (typeof value === "number" && value > 0 && value < Infinity) return value;
  throw new InvalidArgumentError(`${call}: ${name} is a positive number, got ${shownValue(value)}`);
}

function isPrecise({ dtype }: ExpressionTree): boolean {
  return dtype === "float64" || dtype === "complex128";
}

/** A variable whose elements can be moved. */
type Writable = ExpressionTree & TensorMap<CheckedDType, number>;

function writable(call: string, node: ExpressionTree, k: number): Writable {
  if (isMap(node) && isPrecise(node) && typeof (node as Partial<Writable>).set === "function") return node as Writable;
  throw new InvalidArgumentError(
    `${call}: variable ${k}, ${shownOperand(node)}, is not a tensor or a writable map of float64 or complex128`,
  );
}

/** Returns the number of float64 that the elements are: two for a complex one. */
function partsOf(node: ExpressionTree): number {
  return product(sizesOf(node)) * (node.dtype === "complex128" ? 2 : 1);
}

/** Returns a number from 0.2 to 1 of either sign; close ones are far apart. */
function weightOf(i: number): number {
  const place = (i * 0.6180339887498949) % 1;
  return (i % 2 === 0 ? 1 : -1) * (0.2 + 0.8 * place);
}

/** Returns a map with the dtype and the sizes of a node over an array. */
function mapOver(node: ExpressionTree, array: Float64Array): TensorMap<CheckedDType, number> {
  return tensorMap(node.dtype as "float64", array, sizesOf(node)) as unknown as TensorMap<CheckedDType, number>;
}

/** Computes an expression; returns the parts of its elements. */
function valuesOf(node: ExpressionTree): Float64Array {
  const values = new Float64Array(partsOf(node));
  mapOver(node, values).assign(node as unknown as Operand<CheckedDType, number>);
  return values;
}

/** The sum of the elements of y with weights: the real number whose gradient is checked. */
class WeightedSum {
  readonly #root: ExpressionTree;
  readonly #weights: Float64Array;

  constructor(root: ExpressionTree, weights: Float64Array) {
    this.#root = root;
    this.#weights = weights;
  }

  /** Returns the change of the sum with one part of the elements of x, which has its elements again afterwards. */
  differenceAt(x: Writable, part: number, step: number): number {
    const isComplex = x.dtype === "complex128";
    const index = indexOf(isComplex ? part >> 1 : part, sizesOf(x));
    const set = x.set.bind(x) as (...args: readonly unknown[]) => void;
    const element: unknown = (x.at as (...index: readonly number[]) => unknown)(...index);
    const parts = isComplex ? [...(element as readonly [number, number])] : [element as number];
    const moved = isComplex ? part & 1 : 0;
    const at = parts[moved]!;
    const h = step * Math.max(1, Math.abs(at));
    const change = new Float64Array(this.#weights.length);
    try {
      for (const [place, weight] of kStencil) {
        const elements = parts.with(moved, at + place * h);
        set(...index, isComplex ? elements : elements[0]);
        for (const [i, value] of valuesOf(this.#root).entries()) change[i]! += weight * value;
      }
    } finally {
      set(...index, element);
    }
    return change.reduce((sum, each, i) => sum + each * this.#weights[i]!, 0) / h;
  }
}

/** Returns the index of an element by its number in row-major order. */
function indexOf(number: number, sizes: readonly number[]): number[] {
  const index: number[] = [];
  let left = number;
  for (const size of sizes.toReversed()) {
    index.unshift(left % size);
    left = Math.floor(left / size);
  }
  return index;
}

function differs(call: string, k: number, x: Writable, part: number, given: number, difference: number): FailedPreconditionError {
  const isComplex = x.dtype === "complex128";
  const index = indexOf(isComplex ? part >> 1 : part, sizesOf(x));
  const which = isComplex ? `the ${part & 1 ? "imaginary" : "real"} part of the gradient` : "the gradient";
  return new FailedPreconditionError(
    `${call}: variable ${k}, ${shownOperand(x)}, at [${index}]: ${which} is ${given}, differences give ${difference}`,
  );
}
