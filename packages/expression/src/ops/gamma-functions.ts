/** gamma-functions: the logarithm of the gamma function and its derivative. */
import type { FormulaValue } from "../formulas/formula-value.ts";
import { polynomial } from "../formulas/polynomial.ts";
import { digamma, logGamma } from "../scalars/gamma.ts";
import type { ElementFormula, Gradients, OpRecords, References } from "./op-record.ts";

type GammaFunctions = {
  readonly lgamma: readonly ["unary", "floats"];
  readonly digamma: readonly ["unary", "floats"];
};

/** The records of the logarithm of the gamma function and its derivative. */
export const gammaFunctions: OpRecords<GammaFunctions> = {
  lgamma: {
    class: "unary",
    dtypes: "floats",
    result: "same",
    cost: "function",
    raises: false,
    comment: "The logarithm of the absolute value of the gamma function (`tf.math.lgamma`).",
    accuracy: [1, 5, 1],
    edgeCases: "0, negative integers and infinities give Infinity",
    exactOnComplex: false,
    inexact: "unknown",
    domain: "all",
    tensorflow: "math.lgamma",
    numpy: { exact: null, wide: "wide_lgamma" },
    units: null,
    xla: [2, 16],
  },
  digamma: {
    class: "unary",
    dtypes: "floats",
    result: "same",
    cost: "function",
    raises: false,
    comment: "The derivative of the logarithm of the gamma function (`tf.math.digamma`).",
    accuracy: [1, 7, 1],
    edgeCases: "0, negative integers and -Infinity give NaN",
    exactOnComplex: false,
    inexact: "unknown",
    domain: "all",
    tensorflow: "math.digamma",
    numpy: { exact: null, wide: "wide_digamma" },
    units: null,
    xla: [2, 16],
  },
};

/** What the evaluator computes for the logarithm of the gamma function and its derivative. */
export const gammaFunctionReferences: References<GammaFunctions> = {
  lgamma: {
    float: logGamma,
  },
  digamma: {
    float: digamma,
  },
};

/** Coefficients of log Γ(2 + z) / z for |z| <= 1/2. */
const kAroundTwo: readonly number[] = [
  2.9770898509254445e-7, -5.806134800895991e-7, 8.998983187072228e-7, -1.974825150816159e-6, 4.393522375598164e-6, -9.456079430349568e-6,
  2.0503543623407032e-5, -4.492377181694515e-5, 9.945794422818356e-5, -0.00022315497227342067, 0.0005096694951100305,
  -0.0011927539013288698, 0.0028905103318417626, -0.0073855510289252005, 0.02058080842776596, -0.06735230105319576, 0.3224670334241133,
  0.42278433509846713,
];
/** From this argument on, the logarithm is Stirling's series. */
const kFar = 7.5;
/** The series without its first terms, times x: coefficients in 1 / x^2, B(2k) / (2k (2k - 1)). */
const kStirling: readonly number[] = [
  43867 / 244188,
  -3617 / 122400,
  1 / 156,
  -691 / 360360,
  1 / 1188,
  -1 / 1680,
  1 / 1260,
  -1 / 360,
  1 / 12,
];

/** Returns log|Γ(x)| for x >= -1/2. */
function logGammaAbove(x: FormulaValue): FormulaValue {
  const whole = x.to("round");
  const z = x.sub(whole);
  // Γ(x) = Γ(2 + z) (x - 1) (x - 2) … (2 + z), and Γ(x) = Γ(2 + z) / x or / (x (x + 1)) below 3/2.
  let product = whole.is("less", 1).select(x.abs().mul(x.add(1)), whole.is("less", 2).select(x, 1));
  for (let k = 3; k < kFar; k++) product = whole.is("less", k).select(product, product.mul(x.sub(k - 2)));
  const isFar = x.is("greaterEqual", kFar);
  const log = isFar.select(x, product).to("log");
  const near = z.mul(polynomial(z, kAroundTwo)).add(whole.is("less", 2).select(log.neg(), log));
  const inverse = x.to("reciprocal");
  const series = polynomial(inverse.mul(inverse), kStirling).mul(inverse);
  const far = x
    .sub(0.5)
    .mul(log.sub(1))
    .add((Math.log(2 * Math.PI) - 1) / 2)
    .add(series);
  return isFar.select(far, near);
}

/** From this argument on, the derivative is its asymptotic series. */
const kFarDerivative = 8;
/** The coefficients of the series in 1 / x^2, B(2k) / 2k. */
const kDerivative: readonly number[] = [
  -174611 / 6600,
  43867 / 14364,
  -3617 / 8160,
  1 / 12,
  -691 / 32760,
  1 / 132,
  -1 / 240,
  1 / 252,
  -1 / 120,
  1 / 12,
  0,
];

/** Returns the derivative of log Γ(x) for x >= 0: that of x + 1, x + 2, … from which the series is exact, less 1 / x, 1 / (x + 1), … */
function digammaAbove(x: FormulaValue): FormulaValue {
  let [at, sum] = [x, x.number(0)];
  for (let k = 0; k < kFarDerivative; k++) {
    const isNear = at.is("less", kFarDerivative);
    sum = isNear.select(sum.add(at.to("reciprocal")), sum);
    at = isNear.select(at.add(1), at);
  }
  const inverse = at.to("reciprocal");
  const series = polynomial(inverse.mul(inverse), kDerivative).add(inverse.mul(0.5));
  return at.to("log").sub(series).sub(sum);
}

/** The functions in steps of others, in float64. */
export const gammaFunctionFormulas: { readonly [K in "lgamma" | "digamma"]: ElementFormula } = {
  lgamma: (x) =>
    x.inFloat64((x) => {
      const isBelow = x.is("less", -0.5);
      const value = logGammaAbove(isBelow.select(x.neg(), x));
      // Γ(x) Γ(-x) = -π / (x sin πx)
      const sine = x.sub(x.to("round")).mul(Math.PI).to("sin");
      const reflected = x.mul(sine).abs().to("reciprocal").mul(Math.PI).to("log").sub(value);
      return x.isInfinite().select(Infinity, isBelow.select(reflected, value));
    }),
  digamma: (x) =>
    x.inFloat64((x) => {
      const isBelow = x.is("less", 0);
      const value = digammaAbove(isBelow.select(x.number(1).sub(x), x));
      // ψ(x) = ψ(1 - x) - π / tan πx
      const part = x.sub(x.to("round"));
      const reflected = value.sub(part.mul(Math.PI).to("tan").to("reciprocal").mul(Math.PI));
      return x.is("lessEqual", 0).and(part.isZero()).select(Number.NaN, isBelow.select(reflected, value));
    }),
};

/** The gradients of gamma functions. */
export const gammaFunctionGradients: Gradients<GammaFunctions> = {
  lgamma: ({ g, x }) => g.mul(x.digamma()),
  digamma: "none",
};
