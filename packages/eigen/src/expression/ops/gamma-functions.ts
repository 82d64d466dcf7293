/** gamma-functions: the logarithm of the gamma function. */
import type { FormulaValue } from "../formulas/formula-value.ts";
import { polynomial } from "../formulas/polynomial.ts";
import { logGamma } from "../scalars/gamma.ts";
import type { FloatFormula, OpRecords, References } from "./op-record.ts";

type GammaFunctions = {
  readonly lgamma: readonly ["unary", "floats"];
};

/** The records of the logarithm of the gamma function. */
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
};

/** What the evaluator computes for the logarithm of the gamma function. */
export const gammaFunctionReferences: References<GammaFunctions> = {
  lgamma: {
    float: logGamma,
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

/** The functions in steps of others, in float64. */
export const gammaFunctionFormulas: { readonly lgamma: FloatFormula } = {
  lgamma: (x) =>
    x.inFloat64((x) => {
      const isBelow = x.is("less", -0.5);
      const value = logGammaAbove(isBelow.select(x.neg(), x));
      // Γ(x) Γ(-x) = -π / (x sin πx)
      const sine = x.sub(x.to("round")).mul(Math.PI).to("sin");
      const reflected = x.mul(sine).abs().to("reciprocal").mul(Math.PI).to("log").sub(value);
      return x.isInfinite().select(Infinity, isBelow.select(reflected, value));
    }),
};
