/** logical: operations on booleans. */
import type { OpRecords, References } from "./op-record.ts";

type Logical = {
  readonly logicalNot: readonly ["unary", "bool"];
  readonly logicalAnd: readonly ["binary", "bool"];
  readonly logicalOr: readonly ["binary", "bool"];
  readonly logicalXor: readonly ["binary", "bool"];
};

/** The records of operations on booleans. */
export const logical: OpRecords<Logical> = {
  logicalNot: {
    class: "unary",
    dtypes: "bool",
    result: "same",
    cost: "light",
    raises: false,
    comment: "!x.",
    accuracy: "exact",
    edgeCases: "",
    exactOnComplex: false,
    inexact: "monotonic",
    domain: "all",
    tensorflow: "logical_not",
    numpy: { exact: "np.logical_not", wide: null },
    units: null,
    xla: null,
  },
  logicalAnd: {
    class: "binary",
    dtypes: "bool",
    result: "same",
    cost: "light",
    raises: false,
    comment: "x && y.",
    accuracy: "exact",
    edgeCases: "",
    exactOnComplex: false,
    inexact: "monotonic",
    domain: "all",
    tensorflow: "logical_and",
    numpy: { exact: "np.logical_and", wide: null },
    units: null,
    xla: null,
  },
  logicalOr: {
    class: "binary",
    dtypes: "bool",
    result: "same",
    cost: "light",
    raises: false,
    comment: "x || y.",
    accuracy: "exact",
    edgeCases: "",
    exactOnComplex: false,
    inexact: "monotonic",
    domain: "all",
    tensorflow: "logical_or",
    numpy: { exact: "np.logical_or", wide: null },
    units: null,
    xla: null,
  },
  logicalXor: {
    class: "binary",
    dtypes: "bool",
    result: "same",
    cost: "light",
    raises: false,
    comment: "True if exactly one of x and y is true.",
    accuracy: "exact",
    edgeCases: "",
    exactOnComplex: false,
    inexact: "monotonic",
    domain: "all",
    tensorflow: "math.logical_xor",
    numpy: { exact: "np.logical_xor", wide: null },
    units: null,
    xla: null,
  },
};

/** What the evaluator computes for operations on booleans. */
export const logicalReferences: References<Logical> = {
  logicalNot: {
    bool: (x) => 1 - x,
  },
  logicalAnd: {
    bool: (x, y) => x & y,
  },
  logicalOr: {
    bool: (x, y) => x | y,
  },
  logicalXor: {
    bool: (x, y) => x ^ y,
  },
};
