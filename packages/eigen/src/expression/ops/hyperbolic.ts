/** hyperbolic: hyperbolic functions and the logistic function. */
import type { OpRecords, References } from "./op-record.ts";
import * as complex from "../scalars/complex-functions.ts";

type Hyperbolic = {
  readonly sinh: readonly ["unary", "floats, complex"];
  readonly cosh: readonly ["unary", "floats, complex"];
  readonly tanh: readonly ["unary", "floats, complex"];
  readonly sigmoid: readonly ["unary", "floats, complex"];
};

/** The records of hyperbolic functions and the logistic function. */
export const hyperbolic: OpRecords<Hyperbolic> = {
  sinh: {
    class: "unary",
    dtypes: "floats, complex",
    result: "same",
    cost: "function",
    raises: false,
    comment: "The hyperbolic sine, within 2 ulp.",
    accuracy: [2, 2],
    edgeCases: "",
    exactOnComplex: false,
    inexact: "monotonic",
    domain: { low: -90, high: 90 },
    tensorflow: "sinh",
    numpy: { exact: null, wide: "np.sinh" },
    units: null,
    xla: [9, 8],
  },
  cosh: {
    class: "unary",
    dtypes: "floats, complex",
    result: "same",
    cost: "function",
    raises: false,
    comment: "The hyperbolic cosine, within 2 ulp.",
    accuracy: [2, 2],
    edgeCases: "",
    exactOnComplex: false,
    inexact: "own",
    domain: { low: -90, high: 90 },
    tensorflow: "cosh",
    numpy: { exact: null, wide: "np.cosh" },
    units: null,
    xla: [5, 5],
  },
  tanh: {
    class: "unary",
    dtypes: "floats, complex",
    result: "same",
    cost: "short function",
    raises: false,
    comment: "The hyperbolic tangent, within 2 ulp.",
    accuracy: [2, 2],
    edgeCases: "",
    exactOnComplex: false,
    inexact: "monotonic",
    domain: "all",
    tensorflow: "tanh",
    numpy: { exact: null, wide: "np.tanh" },
    units: null,
    xla: [6, 8],
  },
  sigmoid: {
    class: "unary",
    dtypes: "floats, complex",
    result: "same",
    cost: "function",
    raises: false,
    comment: "1 / (1 + e^-x), within 2 ulp.",
    accuracy: [2, 2],
    edgeCases: "",
    exactOnComplex: false,
    inexact: "monotonic",
    domain: { low: -104, high: 104 },
    tensorflow: "sigmoid",
    numpy: { exact: null, wide: "lambda x: 1 / (1 + np.exp(-x))" },
    units: null,
    xla: [5, 5],
  },
};

/** Returns 1 / (1 + e^-x), or e^x / (1 + e^x) for negative x, where e^-x could overflow. */
function sigmoid(x: number): number {
  if (x >= 0) return 1 / (1 + Math.exp(-x));
  const power = Math.exp(x);
  return power / (1 + power);
}

/** What the evaluator computes for hyperbolic functions and the logistic function. */
export const hyperbolicReferences: References<Hyperbolic> = {
  sinh: {
    float: Math.sinh,
    complex: complex.sinh,
  },
  cosh: {
    float: Math.cosh,
    complex: complex.cosh,
  },
  tanh: {
    float: Math.tanh,
    complex: complex.tanh,
  },
  sigmoid: {
    float: sigmoid,
    complex: complex.sigmoid,
  },
};
