/** hyperbolic: hyperbolic functions and the logistic function. */
import type { ElementFormula, Gradients, OpRecords, References } from "./op-record.ts";
import type { FormulaValue } from "../formulas/formula-value.ts";
import * as complex from "../scalars/complex-functions.ts";

type Hyperbolic = {
  readonly sinh: readonly ["unary", "floats, complex"];
  readonly cosh: readonly ["unary", "floats, complex"];
  readonly tanh: readonly ["unary", "floats, complex"];
  readonly sigmoid: readonly ["unary", "floats, complex"];
  readonly asinh: readonly ["unary", "floats"];
  readonly acosh: readonly ["unary", "floats"];
  readonly atanh: readonly ["unary", "floats"];
};

/** The facts that all of them have. */
const shared = {
  class: "unary",
  result: "same",
  raises: false,
  exactOnComplex: false,
  units: null,
} as const;

/** The records of hyperbolic functions and the logistic function. */
export const hyperbolic: OpRecords<Hyperbolic> = {
  sinh: {
    ...shared,
    dtypes: "floats, complex",
    cost: "function",
    comment: "The hyperbolic sine, within 2 ulp.",
    accuracy: [2, 2],
    edgeCases: "",
    inexact: "monotonic",
    domain: { low: -90, high: 90 },
    tensorflow: "sinh",
    numpy: { exact: null, wide: "np.sinh" },
    xla: [9, 8],
  },
  cosh: {
    ...shared,
    dtypes: "floats, complex",
    cost: "function",
    comment: "The hyperbolic cosine, within 2 ulp.",
    accuracy: [2, 2],
    edgeCases: "",
    inexact: "cosh",
    domain: { low: -90, high: 90 },
    tensorflow: "cosh",
    numpy: { exact: null, wide: "np.cosh" },
    xla: [5, 5],
  },
  tanh: {
    ...shared,
    dtypes: "floats, complex",
    cost: "short function",
    comment: "The hyperbolic tangent, within 2 ulp.",
    accuracy: [2, 2],
    edgeCases: "",
    inexact: "monotonic",
    domain: "all",
    tensorflow: "tanh",
    numpy: { exact: null, wide: "np.tanh" },
    xla: [6, 8, 16],
  },
  sigmoid: {
    ...shared,
    dtypes: "floats, complex",
    cost: "function",
    comment: "1 / (1 + e^-x), within 2 ulp.",
    accuracy: [2, 2],
    edgeCases: "",
    inexact: "monotonic",
    domain: { low: -104, high: 104 },
    tensorflow: "sigmoid",
    numpy: { exact: null, wide: "lambda x: 1 / (1 + np.exp(-x))" },
    xla: [5, 5],
  },
  asinh: {
    ...shared,
    dtypes: "floats",
    cost: "function",
    comment: "The inverse hyperbolic sine, within 4 ulp.",
    accuracy: [4, 4],
    edgeCases: "-0 gives -0",
    inexact: "monotonic",
    domain: "all",
    tensorflow: "math.asinh",
    numpy: { exact: null, wide: "np.arcsinh" },
    xla: [9, 9],
  },
  acosh: {
    ...shared,
    dtypes: "floats",
    cost: "function",
    comment: "The inverse hyperbolic cosine, at least 0, within 4 ulp; NaN below 1.",
    accuracy: [4, 4],
    edgeCases: "numbers below 1 give NaN",
    inexact: "monotonic",
    domain: { low: 1, high: 100 },
    tensorflow: "math.acosh",
    numpy: { exact: null, wide: "np.arccosh" },
    xla: [9, 9],
  },
  atanh: {
    ...shared,
    dtypes: "floats",
    cost: "function",
    comment: "The inverse hyperbolic tangent, within 4 ulp; ±Infinity at ±1.",
    accuracy: [4, 4],
    edgeCases: "-0 gives -0, ±1 gives ±Infinity, NaN outside [-1, 1]",
    inexact: "monotonic",
    domain: { low: -1, high: 1 },
    tensorflow: "math.atanh",
    numpy: { exact: null, wide: "np.arctanh" },
    xla: [9, 9],
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
  asinh: {
    float: Math.asinh,
  },
  acosh: {
    float: Math.acosh,
  },
  atanh: {
    float: Math.atanh,
  },
};

/** From here on the argument's logarithm and log(2) are as exact as the formulas, whose squares could overflow. */
const kLarge = 2 ** 28;

/** Returns an odd function of x from its values for |x|; zeros stay as they are. */
function odd(x: FormulaValue, value: FormulaValue): FormulaValue {
  return x.isZero().select(x, x.is("less", 0).select(value.neg(), value));
}

/** Returns a value for moderate x, and log(2x) for large x. */
function logarithmic(x: FormulaValue, moderate: FormulaValue): FormulaValue {
  return x.is("greater", kLarge).select(x.to("log").add(Math.LN2), moderate);
}

/** The inverse hyperbolic functions in steps of logarithms, none of which cancels. */
export const hyperbolicFormulas: { readonly [K in "asinh" | "acosh" | "atanh"]: ElementFormula } = {
  asinh: (x) => {
    const size = x.abs();
    const square = size.mul(size);
    return odd(x, logarithmic(size, size.add(square.div(square.add(1).to("sqrt").add(1))).to("log1p")));
  },
  acosh: (x) => {
    const above = x.sub(1);
    return logarithmic(x, above.add(above.to("sqrt").mul(above.add(2).to("sqrt"))).to("log1p"));
  },
  atanh: (x) => {
    const size = x.abs();
    return odd(x, size.mul(2).div(size.number(1).sub(size)).to("log1p").mul(0.5));
  },
};

/** The gradients of hyperbolic functions. */
export const hyperbolicGradients: Gradients<Hyperbolic> = {
  sinh: ({ g, x, at: { conjugate } }) => g.mul(conjugate(x.cosh())),
  cosh: ({ g, x, at: { conjugate } }) => g.mul(conjugate(x.sinh())),
  tanh: ({ g, y, at: { conjugate } }) => g.sub(g.mul(conjugate(y.square()))),
  sigmoid: ({ g, y, at: { conjugate } }) => g.mul(conjugate(y.mul(y.neg().add(1)))),
  // Of the result, which does not overflow where the square of x does.
  asinh: ({ g, y }) => g.div(y.cosh()),
  acosh: ({ g, y }) => g.div(y.sinh()),
  atanh: ({ g, x }) => g.div(x.square().neg().add(1)),
};
