/** float-classes: tests for NaN and infinities. */
import type { Gradients, OpRecords, References } from "./op-record.ts";

type FloatClasses = {
  readonly isNan: readonly ["unary", "floats"];
  readonly isInf: readonly ["unary", "floats"];
  readonly isFinite: readonly ["unary", "floats"];
};

/** The facts that all of them have. */
const shared = {
  class: "unary",
  dtypes: "floats",
  result: "bool",
  cost: "light",
  raises: false,
  accuracy: "exact",
  edgeCases: "",
  exactOnComplex: false,
  inexact: "classes",
  domain: "all",
  units: null,
  xla: null,
} as const;

/** The records of tests for NaN and infinities. */
export const floatClasses: OpRecords<FloatClasses> = {
  isNan: {
    ...shared,
    comment: "True for elements that are NaN.",
    tensorflow: "math.is_nan",
    numpy: { exact: "lambda x: x != x", wide: null },
  },
  isInf: {
    ...shared,
    comment: "True for elements that are +Infinity or -Infinity.",
    tensorflow: "math.is_inf",
    numpy: { exact: "lambda x: np.abs(x) == np.inf", wide: null },
  },
  isFinite: {
    ...shared,
    comment: "True for elements that are neither NaN nor infinite.",
    tensorflow: "math.is_finite",
    numpy: { exact: "lambda x: (x == x) & (np.abs(x) != np.inf)", wide: null },
  },
};

/** What the evaluator computes for tests for NaN and infinities. */
export const floatClassReferences: References<FloatClasses> = {
  isNan: {
    float: (x) => (x !== x ? 1 : 0),
  },
  isInf: {
    float: (x) => (x === Infinity || x === -Infinity ? 1 : 0),
  },
  isFinite: {
    float: (x) => (x - x === 0 ? 1 : 0),
  },
};

/** The gradients of the classes of floats. */
export const floatClassGradients: Gradients<FloatClasses> = {
  isNan: "none",
  isInf: "none",
  isFinite: "none",
};
