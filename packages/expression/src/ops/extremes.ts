/** extremes: the smaller and the larger of two numbers. */
import type { GradientFunctions, GradientValue, LazyGradient } from "../tree/gradient-rule.ts";
import type { ExtremeFacts, Gradients, OpRecords, References } from "./op-record.ts";

type Extremes = {
  readonly minimum: readonly ["binary", "reals"];
  readonly maximum: readonly ["binary", "reals"];
};

/** The records of the smaller and the larger of two numbers. */
export const extremes: OpRecords<Extremes, ExtremeFacts> = {
  minimum: {
    class: "binary",
    extreme: "smallest",
    dtypes: "reals",
    result: "same",
    cost: "light",
    raises: false,
    comment: "The smaller of x and y; NaN if either is NaN. -0 is smaller than +0.",
    accuracy: "exact",
    edgeCases: "NaN if either is NaN; +0 is larger than -0 (IEEE 754-2019; TensorFlow does not define the sign)",
    exactOnComplex: false,
    inexact: "monotonic",
    domain: "all",
    tensorflow: "minimum",
    numpy: { exact: "extreme(-1)", wide: null },
    units: null,
    xla: null,
  },
  maximum: {
    class: "binary",
    extreme: "largest",
    dtypes: "reals",
    result: "same",
    cost: "light",
    raises: false,
    comment: "The larger of x and y; NaN if either is NaN. +0 is larger than -0.",
    accuracy: "exact",
    edgeCases: "NaN if either is NaN; +0 is larger than -0 (IEEE 754-2019; TensorFlow does not define the sign)",
    exactOnComplex: false,
    inexact: "monotonic",
    domain: "all",
    tensorflow: "maximum",
    numpy: { exact: "extreme(1)", wide: null },
    units: null,
    xla: null,
  },
};

/** What the evaluator computes for the smaller and the larger of two numbers. */
export const extremeReferences: References<Extremes> = {
  minimum: {
    float: (x, y) => Math.min(x, y),
    integer: (x, y) => Math.min(x, y),
    big: (x, y) => (y < x ? y : x),
  },
  maximum: {
    float: (x, y) => Math.max(x, y),
    integer: (x, y) => Math.max(x, y),
    big: (x, y) => (y > x ? y : x),
  },
};

/** The gradients of the larger and the smaller of two numbers: all of g to the first operand if they are equal. */
export const extremeGradients: Gradients<Extremes> = {
  minimum: ({ g, x, z, at }) => shares(g, x.lessEqual(z), at),
  // Of a comparison with 0 only the result has to be kept in memory, as for a layer with relu.
  maximum: ({ g, x, z, y, at }) => shares(g, at.realConstant(z) === 0 ? y.greater(0) : x.greaterEqual(z), at),
};

/** Returns g for the first operand where it was chosen, and elsewhere for the second. */
function shares(g: GradientValue, isFirst: GradientValue, at: GradientFunctions): readonly [LazyGradient, LazyGradient] {
  return [() => at.select(isFirst, g, 0), () => at.select(isFirst, 0, g)];
}
