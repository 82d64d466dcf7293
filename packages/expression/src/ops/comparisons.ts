/** comparisons: comparisons of two numbers. */
import type { OpRecords, References } from "./op-record.ts";

type Comparisons = {
  readonly equal: readonly ["binary", "numbers, bool"];
  readonly notEqual: readonly ["binary", "numbers, bool"];
  readonly less: readonly ["binary", "reals"];
  readonly lessEqual: readonly ["binary", "reals"];
  readonly greater: readonly ["binary", "reals"];
  readonly greaterEqual: readonly ["binary", "reals"];
};

/** The records of comparisons of two numbers. */
export const comparisons: OpRecords<Comparisons> = {
  equal: {
    class: "binary",
    dtypes: "numbers, bool",
    result: "bool",
    cost: "light",
    raises: false,
    comment: "x == y; NaN equals nothing.",
    accuracy: "exact",
    edgeCases: "NaN equals nothing, 0 equals -0",
    exactOnComplex: true,
    inexact: "equality",
    domain: "all",
    tensorflow: "equal",
    numpy: { exact: "np.equal", wide: null },
    units: null,
    xla: null,
  },
  notEqual: {
    class: "binary",
    dtypes: "numbers, bool",
    result: "bool",
    cost: "light",
    raises: false,
    comment: "x != y.",
    accuracy: "exact",
    edgeCases: "NaN equals nothing, 0 equals -0",
    exactOnComplex: true,
    inexact: "equality",
    domain: "all",
    tensorflow: "not_equal",
    numpy: { exact: "np.not_equal", wide: null },
    units: null,
    xla: null,
  },
  less: {
    class: "binary",
    dtypes: "reals",
    result: "bool",
    cost: "light",
    raises: false,
    comment: "x < y.",
    accuracy: "exact",
    edgeCases: "false for NaN",
    exactOnComplex: false,
    inexact: "monotonic",
    domain: "all",
    tensorflow: "less",
    numpy: { exact: "np.less", wide: null },
    units: null,
    xla: null,
  },
  lessEqual: {
    class: "binary",
    dtypes: "reals",
    result: "bool",
    cost: "light",
    raises: false,
    comment: "x <= y.",
    accuracy: "exact",
    edgeCases: "false for NaN",
    exactOnComplex: false,
    inexact: "monotonic",
    domain: "all",
    tensorflow: "less_equal",
    numpy: { exact: "np.less_equal", wide: null },
    units: null,
    xla: null,
  },
  greater: {
    class: "binary",
    dtypes: "reals",
    result: "bool",
    cost: "light",
    raises: false,
    comment: "x > y.",
    accuracy: "exact",
    edgeCases: "false for NaN",
    exactOnComplex: false,
    inexact: "monotonic",
    domain: "all",
    tensorflow: "greater",
    numpy: { exact: "np.greater", wide: null },
    units: null,
    xla: null,
  },
  greaterEqual: {
    class: "binary",
    dtypes: "reals",
    result: "bool",
    cost: "light",
    raises: false,
    comment: "x >= y.",
    accuracy: "exact",
    edgeCases: "false for NaN",
    exactOnComplex: false,
    inexact: "monotonic",
    domain: "all",
    tensorflow: "greater_equal",
    numpy: { exact: "np.greater_equal", wide: null },
    units: null,
    xla: null,
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
