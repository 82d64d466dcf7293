/** comparisons: comparisons of two numbers. */
import type { Gradients, OpRecords, References } from "./op-record.ts";

type Comparisons = {
  readonly equal: readonly ["binary", "numbers, bool"];
  readonly notEqual: readonly ["binary", "numbers, bool"];
  readonly less: readonly ["binary", "reals"];
  readonly lessEqual: readonly ["binary", "reals"];
  readonly greater: readonly ["binary", "reals"];
  readonly greaterEqual: readonly ["binary", "reals"];
};

/** The facts that all of them have. */
const shared = {
  class: "binary",
  result: "bool",
  cost: "light",
  raises: false,
  accuracy: "exact",
  domain: "all",
  units: null,
  xla: null,
} as const;

/** The records of comparisons of two numbers. */
export const comparisons: OpRecords<Comparisons> = {
  equal: {
    ...shared,
    dtypes: "numbers, bool",
    comment: "x == y; NaN equals nothing.",
    edgeCases: "NaN equals nothing, 0 equals -0",
    exactOnComplex: true,
    inexact: "equality",
    tensorflow: "equal",
    numpy: { exact: "np.equal", wide: null },
  },
  notEqual: {
    ...shared,
    dtypes: "numbers, bool",
    comment: "x != y.",
    edgeCases: "NaN equals nothing, 0 equals -0",
    exactOnComplex: true,
    inexact: "equality",
    tensorflow: "not_equal",
    numpy: { exact: "np.not_equal", wide: null },
  },
  less: {
    ...shared,
    dtypes: "reals",
    comment: "x < y.",
    edgeCases: "false for NaN",
    exactOnComplex: false,
    inexact: "monotonic",
    tensorflow: "less",
    numpy: { exact: "np.less", wide: null },
  },
  lessEqual: {
    ...shared,
    dtypes: "reals",
    comment: "x <= y.",
    edgeCases: "false for NaN",
    exactOnComplex: false,
    inexact: "monotonic",
    tensorflow: "less_equal",
    numpy: { exact: "np.less_equal", wide: null },
  },
  greater: {
    ...shared,
    dtypes: "reals",
    comment: "x > y.",
    edgeCases: "false for NaN",
    exactOnComplex: false,
    inexact: "monotonic",
    tensorflow: "greater",
    numpy: { exact: "np.greater", wide: null },
  },
  greaterEqual: {
    ...shared,
    dtypes: "reals",
    comment: "x >= y.",
    edgeCases: "false for NaN",
    exactOnComplex: false,
    inexact: "monotonic",
    tensorflow: "greater_equal",
    numpy: { exact: "np.greater_equal", wide: null },
  },
};

/** What the evaluator computes for comparisons of two numbers. */
export const comparisonReferences: References<Comparisons> = {
  equal: {
    float: (x, y) => (x === y ? 1 : 0),
    integer: (x, y) => (x === y ? 1 : 0),
    big: (x, y) => (x === y ? 1 : 0),
    complex: ([a, b], [c, d]) => (a === c && b === d ? 1 : 0),
    bool: (x, y) => (x === y ? 1 : 0),
  },
  notEqual: {
    float: (x, y) => (x !== y ? 1 : 0),
    integer: (x, y) => (x !== y ? 1 : 0),
    big: (x, y) => (x !== y ? 1 : 0),
    complex: ([a, b], [c, d]) => (a === c && b === d ? 0 : 1),
    bool: (x, y) => (x !== y ? 1 : 0),
  },
  less: {
    float: (x, y) => (x < y ? 1 : 0),
    integer: (x, y) => (x < y ? 1 : 0),
    big: (x, y) => (x < y ? 1 : 0),
  },
  lessEqual: {
    float: (x, y) => (x <= y ? 1 : 0),
    integer: (x, y) => (x <= y ? 1 : 0),
    big: (x, y) => (x <= y ? 1 : 0),
  },
  greater: {
    float: (x, y) => (x > y ? 1 : 0),
    integer: (x, y) => (x > y ? 1 : 0),
    big: (x, y) => (x > y ? 1 : 0),
  },
  greaterEqual: {
    float: (x, y) => (x >= y ? 1 : 0),
    integer: (x, y) => (x >= y ? 1 : 0),
    big: (x, y) => (x >= y ? 1 : 0),
  },
};

/** The gradients of comparisons. */
export const comparisonGradients: Gradients<Comparisons> = {
  equal: "none",
  notEqual: "none",
  less: "none",
  lessEqual: "none",
  greater: "none",
  greaterEqual: "none",
};
