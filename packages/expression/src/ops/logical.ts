/** logical: operations on booleans. */
import type { Gradients, OpRecords, References } from "./op-record.ts";

type Logical = {
  readonly logicalNot: readonly ["unary", "bool"];
  readonly logicalAnd: readonly ["binary", "bool"];
  readonly logicalOr: readonly ["binary", "bool"];
  readonly logicalXor: readonly ["binary", "bool"];
};

/** The facts that all of them have. */
const shared = {
  dtypes: "bool",
  result: "same",
  cost: "light",
  raises: false,
  accuracy: "exact",
  edgeCases: "",
  exactOnComplex: false,
  inexact: "monotonic",
  domain: "all",
  units: null,
  xla: null,
} as const;

/** The records of operations on booleans. */
export const logical: OpRecords<Logical> = {
  logicalNot: {
    ...shared,
    class: "unary",
    comment: "!x.",
    tensorflow: "logical_not",
    numpy: { exact: "np.logical_not", wide: null },
  },
  logicalAnd: {
    ...shared,
    class: "binary",
    comment: "x && y.",
    tensorflow: "logical_and",
    numpy: { exact: "np.logical_and", wide: null },
  },
  logicalOr: {
    ...shared,
    class: "binary",
    comment: "x || y.",
    tensorflow: "logical_or",
    numpy: { exact: "np.logical_or", wide: null },
  },
  logicalXor: {
    ...shared,
    class: "binary",
    comment: "True if exactly one of x and y is true.",
    tensorflow: "math.logical_xor",
    numpy: { exact: "np.logical_xor", wide: null },
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

/** The gradients of truth values. */
export const logicalGradients: Gradients<Logical> = {
  logicalNot: "none",
  logicalAnd: "none",
  logicalOr: "none",
  logicalXor: "none",
};
