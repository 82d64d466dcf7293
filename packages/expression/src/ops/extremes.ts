/** extremes: the smaller and the larger of two numbers. */
import type { ExtremeFacts, OpRecords, References } from "./op-record.ts";

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
