/** arithmetic: sums, differences and products. */
import type { OpRecords, References } from "./op-record.ts";
import * as complex from "../scalars/complex-functions.ts";

type Arithmetic = {
  readonly add: readonly ["binary", "numbers"];
  readonly sub: readonly ["binary", "numbers"];
  readonly mul: readonly ["binary", "numbers"];
};

/** The records of sums, differences and products. */
export const arithmetic: OpRecords<Arithmetic> = {
  add: {
    class: "binary",
    dtypes: "numbers",
    result: "same",
    cost: "light",
    raises: false,
    comment: "x + y.",
    accuracy: "rounded",
    edgeCases: "never contracted to a fused multiply-add",
    exactOnComplex: true,
    inexact: "monotonic",
    domain: "all",
    tensorflow: "add",
    numpy: { exact: "by_float32(np.add)", wide: null },
    units: null,
    xla: null,
  },
  sub: {
    class: "binary",
    dtypes: "numbers",
    result: "same",
    cost: "light",
    raises: false,
    comment: "x - y.",
    accuracy: "rounded",
    edgeCases: "never contracted to a fused multiply-add",
    exactOnComplex: true,
    inexact: "monotonic",
    domain: "all",
    tensorflow: "subtract",
    numpy: { exact: "by_float32(np.subtract)", wide: null },
    units: null,
    xla: null,
  },
  mul: {
    class: "binary",
    dtypes: "numbers",
    result: "same",
    cost: "light",
    raises: false,
    comment: "x * y.",
    accuracy: "rounded",
    edgeCases: "never contracted to a fused multiply-add",
    exactOnComplex: true,
    inexact: "monotonic",
    domain: "all",
    tensorflow: "multiply",
    numpy: { exact: "by_float32(np.multiply)", wide: "lambda x, y: x * y" },
    units: null,
    xla: null,
  },
};

/** What the evaluator computes for sums, differences and products. */
export const arithmeticReferences: References<Arithmetic> = {
  add: {
    float: (x, y) => x + y,
    integer: (x, y) => x + y,
    big: (x, y) => x + y,
    complex: ([a, b], [c, d]) => [a + c, b + d],
  },
  sub: {
    float: (x, y) => x - y,
    integer: (x, y) => x - y,
    big: (x, y) => x - y,
    complex: ([a, b], [c, d]) => [a - c, b - d],
  },
  mul: {
    float: (x, y) => x * y,
    integer: Math.imul,
    big: (x, y) => x * y,
    complex: complex.product,
  },
};
