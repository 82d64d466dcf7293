/** error-functions: the error function, its complement and its inverse. */
import type { FormulaValue } from "../formulas/formula-value.ts";
import { polynomial } from "../formulas/polynomial.ts";
import { erf, erfc, erfInverse } from "../scalars/erf.ts";
import type { ElementFormula, Gradients, OpRecords, References } from "./op-record.ts";

type ErrorFunctions = {
  readonly erf: readonly ["unary", "floats"];
  readonly erfc: readonly ["unary", "floats"];
  readonly erfinv: readonly ["unary", "floats"];
};

/** The facts that all of them have. */
const shared = {
  class: "unary",
  dtypes: "floats",
  result: "same",
  cost: "function",
  raises: false,
  exactOnComplex: false,
  inexact: "monotonic",
  units: null,
} as const;

/** The records of the error function, its complement and its inverse. */
export const errorFunctions: OpRecords<ErrorFunctions> = {
  erf: {
    ...shared,
    comment: "The error function, within 2 ulp.",
    accuracy: [2, 2],
    edgeCases: "",
    domain: { low: -6, high: 6 },
    tensorflow: "math.erf",
    numpy: { exact: null, wide: "wide_erf" },
    xla: [6, 6],
  },
  erfc: {
    ...shared,
    comment: "The complementary error function 1 - erf(x), accurate also where erf(x) is near 1 (`tf.math.erfc`).",
    accuracy: [1, 6],
    edgeCases: "",
    domain: { low: -6, high: 28 },
    tensorflow: "math.erfc",
    numpy: { exact: null, wide: "wide_erfc" },
    xla: [2, 8],
  },
  erfinv: {
    ...shared,
    comment: "The inverse of the error function (`tf.math.erfinv`).",
    accuracy: [1, 5],
    edgeCases: "±1 gives ±Infinity, NaN outside [-1, 1], -0 gives -0",
    domain: { low: -1, high: 1 },
    tensorflow: "math.erfinv",
    numpy: { exact: null, wide: "wide_erfinv" },
    xla: [2, 10],
  },
};

/** What the evaluator computes for the error function, its complement and its inverse. */
export const errorFunctionReferences: References<ErrorFunctions> = {
  erf: {
    float: erf,
  },
  erfc: {
    float: erfc,
  },
  erfinv: {
    float: erfInverse,
  },
};

/** Coefficients of (1 + 2x) e^(x^2) erfc(x) in (x - kMiddle) / (x + kMiddle), for x from kMeeting to 28. */
const kFar: readonly number[] = [
  2.4179822619878264e-8, 1.3595590210940613e-8, -2.3916965819785024e-7, -4.545180563696694e-8, 1.7363580816376992e-6, -9.817703321527262e-7,
  -1.1436615799661487e-5, 2.238777715819318e-5, 5.164669963736431e-5, -0.00029015504350861295, 0.0002937141580991349, 0.0017556260165350764,
  -0.009746579621146424, 0.028362277402366073, -0.058693398584917, 0.09230432116129143, -0.10880393014192975, 0.0822767384901225,
  0.0035854154854671303, -0.1402405985855468, 1.2375126308378275,
];
const kMiddle = 3.75;
/** Below this number erfc is 1 - erf. */
const kMeeting = 0.5;
/** From this number on, erfc of float64 is 0. */
const kEnd = 27.5;

/** Returns e^(x^2) erfc(x) for x from kMeeting to kEnd. */
function scaledComplement(x: FormulaValue): FormulaValue {
  return polynomial(x.sub(kMiddle).div(x.add(kMiddle)), kFar).div(x.add(x).add(1));
}

/** Returns the x for which erf(x) is y, for y from 0 to 1, within 0.01 (Winitzki). */
function roughInverse(y: FormulaValue): FormulaValue {
  const shape = 0.147;
  const log = y.number(1).sub(y).mul(y.add(1)).to("log");
  const middle = log.mul(0.5).add(2 / (Math.PI * shape));
  const product = log.mul(-1 / shape);
  return product.div(middle.mul(middle).add(product).to("sqrt").add(middle)).to("sqrt");
}

/** Returns a closer x: a step of Householder's method of the third order, whose error is the fourth power of that of x. */
function closerInverse(x: FormulaValue, y: FormulaValue): FormulaValue {
  const square = x.mul(x);
  const power = square.to("exp");
  // (erf(x) - y) / erf'(x), from the complements where they are smaller.
  const near = x.to("erf").sub(y).mul(power);
  const far = y.number(1).sub(y).mul(power).sub(scaledComplement(x));
  const off = y
    .is("less", kMeeting)
    .select(near, far)
    .mul(Math.sqrt(Math.PI) / 2);
  const turn = off.mul(x);
  const below = square
    .mul(2)
    .sub(1)
    .mul(off.mul(off))
    .mul(1 / 3)
    .add(turn.mul(2))
    .add(1);
  return x.sub(off.mul(turn.add(1)).div(below));
}

/** The functions in steps of others, in float64. */
export const errorFunctionFormulas: { readonly [K in "erfc" | "erfinv"]: ElementFormula } = {
  erfc: (x) =>
    x.inFloat64((x) => {
      const far = x.is("less", kEnd).select(x, kEnd);
      // x^2 in two parts, of which the first is exact.
      const high = far
        .mul(64)
        .to("floor")
        .mul(1 / 64);
      const low = far.sub(high).mul(far.add(high));
      const value = scaledComplement(far).mul(low.neg().to("exp")).mul(high.mul(high).neg().to("exp"));
      return x.is("greaterEqual", kMeeting).select(value, x.number(1).sub(x.to("erf")));
    }),
  erfinv: (x) =>
    x.inFloat64((x) => {
      const size = x.abs();
      const value = closerInverse(closerInverse(roughInverse(size), size), size);
      const limited = size.is("equal", 1).select(Infinity, value);
      return x.isZero().select(x, x.is("less", 0).select(limited.neg(), limited));
    }),
};

/** The gradients of error functions. */
export const errorFunctionGradients: Gradients<ErrorFunctions> = {
  erf: ({ g, x }) =>
    g.mul(
      x
        .square()
        .neg()
        .exp()
        .mul(2 / Math.sqrt(Math.PI)),
    ),
  erfc: ({ g, x }) =>
    g.mul(
      x
        .square()
        .neg()
        .exp()
        .mul(-2 / Math.sqrt(Math.PI)),
    ),
  erfinv: ({ g, y }) =>
    g.mul(
      y
        .square()
        .exp()
        .mul(Math.sqrt(Math.PI) / 2),
    ),
};
