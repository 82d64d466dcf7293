/** gamma-functions: the logarithm of the gamma function and its derivatives. */
import type { FormulaValue } from "../formulas/formula-value.ts";
import { polynomial } from "../formulas/polynomial.ts";
import { digamma, logGamma, polygamma } from "../scalars/gamma.ts";
import type { ElementFormula, Gradients, OpRecords, References } from "./op-record.ts";

type GammaFunctions = {
  readonly lgamma: readonly ["unary", "floats"];
  readonly digamma: readonly ["unary", "floats"];
  readonly polygamma: readonly ["binary", "floats"];
};

/** The records of the logarithm of the gamma function and its derivatives. */
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
  polygamma: {
    class: "binary",
    dtypes: "floats",
    result: "same",
    cost: "function",
    raises: false,
    comment: "`order.polygamma(x)`: the derivative of digamma(x) of an order, a whole number from 0 on (`tf.math.polygamma`).",
    accuracy: [1, 100, 1],
    edgeCases: "other orders give NaN; 0, negative integers and -Infinity give Infinity for odd orders, otherwise NaN",
    exactOnComplex: false,
    inexact: "unknown",
    domain: "order",
    tensorflow: "math.polygamma",
    numpy: { exact: null, wide: "wide_polygamma" },
    units: null,
    xla: [2, 100],
  },
};

/** What the evaluator computes for the logarithm of the gamma function and its derivatives. */
export const gammaFunctionReferences: References<GammaFunctions> = {
  lgamma: {
    float: logGamma,
  },
  digamma: {
    float: digamma,
  },
  polygamma: {
    float: polygamma,
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

/** Returns the derivative of log Γ(x). */
function digammaSteps(x: FormulaValue): FormulaValue {
  const isBelow = x.is("less", 0);
  const value = digammaAbove(isBelow.select(x.number(1).sub(x), x));
  // ψ(x) = ψ(1 - x) - π / tan πx
  const part = x.sub(x.to("round"));
  const reflected = value.sub(part.mul(Math.PI).to("tan").to("reciprocal").mul(Math.PI));
  return x.is("lessEqual", 0).and(part.isZero()).select(Number.NaN, isBelow.select(reflected, value));
}

/** The terms of the zeta function before the formula of Euler and Maclaurin: what float32 and float64 need. */
const [kSingleTerms, kTerms] = [3, 6];
/** For exponents of more than so many times the argument the others are 0. */
const kSteep = 64;

/** Returns the sum of (base / (x + k))^s over k = 0, 1, 2, … */
function zeta(s: FormulaValue, x: FormulaValue, base: FormulaValue, terms: number): FormulaValue {
  // The logarithm of a quotient that is nearly 1 from its distance to 1: that of the rounded quotient would have no correct digit, and
  // where x is so large that x + k is x, it would be 0.
  const distance = base.sub(x);
  const power = (k: number): FormulaValue => distance.sub(k).div(x.add(k)).to("log1p").mul(s).to("exp");
  let sum = power(0);
  for (let k = 1; k < terms; k++) sum = sum.add(power(k));
  const at = x.add(terms);
  const inverse = at.to("reciprocal");
  const steepest = at.mul(kSteep);
  const order = s.is("less", steepest).select(s, steepest);
  let factor = order.mul(inverse);
  let others = at.div(s.sub(1)).add(0.5);
  for (let j = 2; j < 2 * kDerivative.length; j += 2) {
    others = others.add(factor.mul(kDerivative[kDerivative.length - 1 - j / 2]!));
    for (const k of [j - 1, j]) factor = factor.mul(order.add(k).mul(inverse)).mul(1 / (k + 1));
  }
  return sum.add(power(terms).mul(others));
}

/** Γ(s) is Γ(s + kShift), of Stirling's formula, divided by s, s + 1, … */
const kShift = 6;

/** For s below it, e^(s / 4) times the fourth root of any float64 is far from the largest number. */
const kLowOrders = 2000;

/** Returns the first 26 bits of a float64, and the others. Both are NaN near the largest numbers. */
function halves(x: FormulaValue): readonly [FormulaValue, FormulaValue] {
  const scaled = x.mul(2 ** 27 + 1);
  const high = scaled.sub(scaled.sub(x));
  return [high, x.sub(high)];
}

/** Returns what x y has more than its rounded product, exactly (Dekker): products of halves are not rounded. */
function productError(x: FormulaValue, y: FormulaValue): FormulaValue {
  const [[a, b], [c, d]] = [halves(x), halves(y)];
  return a.mul(c).sub(x.mul(y)).add(a.mul(d)).add(b.mul(c)).add(b.mul(d));
}

/** Returns the derivative of ψ(y) of order n: (-1)^(n + 1) n! times the sum of (y + k)^-(n + 1) over k = 0, 1, 2, … */
function polygammaSteps(n: FormulaValue, y: FormulaValue, terms: number): FormulaValue {
  const s = n.add(1);
  const isOdd = s.mul(0.5).to("floor").mul(2).is("equal", s);
  const sign = isOdd.select(n.number(1), -1);
  const part = y.sub(y.to("round"));
  // Between two integers below 0, derivatives of even orders are those at 1 - y, because those of the cotangent are 0.
  const isMiddle = part.abs().is("equal", 0.5).and(y.is("less", 0)).and(sign.is("less", 0));
  const x = isMiddle.select(y.number(1).sub(y), y);
  const isPositive = x.is("greater", 0);
  const base = isPositive.select(x, part.abs());
  // Below 0 one of two sums begins at the distance to the nearest integer, the other at 1 less it. The terms below 0 end at x.
  const near = zeta(s, base, base, terms);
  const far = zeta(s, x.number(1).sub(base), base, terms);
  const end = zeta(s, x.number(1).sub(x), base, terms);
  const [above, below] = part.is("less", 0).pick([far, near], [near, far]);
  const sum = isPositive.select(near, above.add(below.sub(end).mul(sign)));
  // n! base^-s, whose factors may overflow, is Γ(s + kShift) without the power in it times the square of `root`.
  const at = s.add(kShift);
  const quarter = s.mul(0.25);
  const isLow = s.is("less", kLowOrders);
  const divisor = base.mul(isLow.select(n.number(1), Math.E));
  const quotient = at.div(divisor);
  // The power multiplies the error of its base by the order. What the quotient is short of, relative to it, corrects the power.
  const short = at.sub(quotient.mul(divisor)).sub(productError(quotient, divisor)).div(at).mul(quarter);
  const corrected = short.isFinite().select(short, 0).add(1);
  const fourth = quotient.to("pow", quarter).mul(corrected).mul(isLow.select(quarter.neg(), 0).to("exp"));
  const root = fourth.mul(fourth);
  const inverse = at.to("reciprocal");
  const stirling = polynomial(inverse.mul(inverse), kStirling).mul(inverse).sub(kShift).to("exp");
  let factor = stirling.mul(inverse.mul(2 * Math.PI).to("sqrt"));
  for (let k = 0; k < kShift; k++) factor = factor.mul(at.div(s.add(k)));
  // The sum is nearly y, and may be close to the largest number: the root is small there.
  const value = root.mul(sum).mul(factor).mul(root);
  const atPole = isOdd.select(n.number(Infinity), Number.NaN);
  const isPole = x.is("lessEqual", 0).and(part.isZero().or(x.isInfinite()));
  const derivative = isPole.select(atPole, x.isInfinite().select(0, value)).mul(sign);
  const isOrder = n.is("greater", 0).and(n.isFinite()).and(n.to("floor").is("equal", n));
  return n.isZero().select(digammaSteps(x), isOrder.select(derivative, Number.NaN));
}

/** The functions in steps of others, in float64. */
export const gammaFunctionFormulas: { readonly [K in keyof GammaFunctions]: ElementFormula } = {
  lgamma: (x) =>
    x.inFloat64((x) => {
      const isBelow = x.is("less", -0.5);
      const value = logGammaAbove(isBelow.select(x.neg(), x));
      // Γ(x) Γ(-x) = -π / (x sin πx)
      const part = x.sub(x.to("round"));
      const sine = part.mul(Math.PI).to("sin");
      const reflected = x.mul(sine).abs().to("reciprocal").mul(Math.PI).to("log").sub(value);
      // A pole of which the value is infinite, too, has no difference.
      const isInfinite = isBelow.and(part.isZero()).or(x.isInfinite());
      return isInfinite.select(Infinity, isBelow.select(reflected, value));
    }),
  digamma: (x) => x.inFloat64(digammaSteps),
  polygamma: (order, x) => order.inFloat64((n, x) => polygammaSteps(n, x, order.isSingle ? kSingleTerms : kTerms), x),
};

/** The gradients of gamma functions. */
export const gammaFunctionGradients: Gradients<GammaFunctions> = {
  lgamma: ({ g, x }) => g.mul(x.digamma()),
  digamma: ({ g, x, at }) => g.mul(at.select(x.equal(x), 1, x).polygamma(x)),
  polygamma: ({ g, x, z }) => [null, () => g.mul(x.add(1).polygamma(z))],
};
