/** exponentials: powers of e and 2. */
import type { Gradients, OpRecords, References } from "./op-record.ts";
import * as complex from "../scalars/complex-functions.ts";

type Exponentials = {
  readonly exp: readonly ["unary", "floats, complex"];
  readonly exp2: readonly ["unary", "floats"];
  readonly expm1: readonly ["unary", "floats, complex"];
};

/** The records of powers of e and 2. */
export const exponentials: OpRecords<Exponentials> = {
  exp: {
    class: "unary",
    dtypes: "floats, complex",
    result: "same",
    cost: "short function",
    raises: false,
    comment: "e^x, within 1 ulp.",
    accuracy: [1, 1],
    edgeCases: "",
    exactOnComplex: false,
    inexact: "monotonic",
    domain: { low: -104, high: 89 },
    tensorflow: "exp",
    numpy: { exact: null, wide: "np.exp" },
    units: null,
    xla: [2, 3],
  },
  exp2: {
    class: "unary",
    dtypes: "floats",
    result: "same",
    cost: "short function",
    raises: false,
    comment: "2^x, within 1 ulp; exact if x is an integer.",
    accuracy: [1, 1],
    edgeCases: "exact at integers",
    exactOnComplex: false,
    inexact: "monotonic",
    domain: { low: -150, high: 129 },
    tensorflow: null,
    numpy: { exact: null, wide: "np.exp2" },
    units: null,
    xla: [2, 2],
  },
  expm1: {
    class: "unary",
    dtypes: "floats, complex",
    result: "same",
    cost: "short function",
    raises: false,
    comment: "e^x - 1 without cancellation near 0, within 2 ulp.",
    accuracy: [2, 2],
    edgeCases: "no loss of digits near 0; -0 gives -0",
    exactOnComplex: false,
    inexact: "monotonic",
    domain: { low: -40, high: 89 },
    tensorflow: "math.expm1",
    numpy: { exact: null, wide: "np.expm1" },
    units: 1,
    xla: [6, 5, 12],
  },
};

/** What the evaluator computes for powers of e and 2. */
export const exponentialReferences: References<Exponentials> = {
  exp: {
    float: Math.exp,
    complex: complex.exp,
  },
  exp2: {
    float: (x) => 2 ** x,
  },
  expm1: {
    float: Math.expm1,
    complex: complex.expm1,
  },
};

/** The gradients of powers of e and 2. */
export const exponentialGradients: Gradients<Exponentials> = {
  exp: ({ g, y, at: { conjugate } }) => g.mul(conjugate(y)),
  exp2: ({ g, y }) => g.mul(y.mul(Math.LN2)),
  expm1: ({ g, y, at: { conjugate } }) => g.mul(conjugate(y.add(1))),
};
