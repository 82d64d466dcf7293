/** arithmetic: sums, differences and products. */
import type { Gradients, OpRecords, References } from "./op-record.ts";
import * as complex from "../scalars/complex-functions.ts";

type Arithmetic = {
  readonly add: readonly ["binary", "numbers"];
  readonly sub: readonly ["binary", "numbers"];
  readonly mul: readonly ["binary", "numbers"];
};

/** The facts that all of them have. */
const shared = {
  class: "binary",
  dtypes: "numbers",
  result: "same",
  cost: "light",
  raises: false,
  accuracy: "rounded",
  edgeCases: "never contracted to a fused multiply-add",
  exactOnComplex: true,
  inexact: "monotonic",
  domain: "all",
  units: null,
  xla: null,
} as const;

/** The records of sums, differences and products. */
export const arithmetic: OpRecords<Arithmetic> = {
  add: {
    ...shared,
    comment: "x + y.",
    tensorflow: "add",
    numpy: { exact: "by_float32(np.add)", wide: null },
  },
  sub: {
    ...shared,
    comment: "x - y.",
    tensorflow: "subtract",
    numpy: { exact: "by_float32(np.subtract)", wide: null },
  },
  mul: {
    ...shared,
    comment: "x * y.",
    tensorflow: "multiply",
    numpy: { exact: "by_float32(np.multiply)", wide: "lambda x, y: x * y" },
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

/** The gradients of sums, differences and products. */
export const arithmeticGradients: Gradients<Arithmetic> = {
  add: ({ g }) => [() => g, () => g],
  sub: ({ g }) => [() => g, () => g.neg()],
  mul: ({ g, x, z, at: { conjugate } }) => [() => g.mul(conjugate(z)), () => g.mul(conjugate(x))],
};
