/**
 * hyperbolic: sinh, cosh, tanh and the logistic function (tf.math.sinh, cosh, tanh, sigmoid; Eigen's ptanh, plogistic).
 *
 *     E = e^|x| / 2        sinh x = E - 1/(4E)      cosh x = E + 1/(4E)
 *     E = e^-2|x|          tanh x = (1 - E) / (1 + E)
 *
 * Near 0 the difference of sinh would cancel, so an odd polynomial is selected instead. tanh and the logistic function use the
 * exponential in parts, before a sum rounds it, so that the difference of tanh is accurate near 0, too.
 */
import { exp, expPartsNegative, notInRange } from "./exp.ts";
import type { Vector } from "../vector/vector.ts";
import type { ByFormat } from "./float-format.ts";
import { constantLike, formatOf, horner, pick, signOf, unlessRare } from "./float-format.ts";

/** Coefficients of (sinh x / x - 1) / z in z = x^2 up to 1. */
const kSinh: ByFormat<readonly number[]> = {
  f32x4: [0.0000028175018, 0.00019836056, 0.0083333505, 0.16666667],
  f64x2: [
    7.759425129590533e-13, 1.6057236715799744e-10, 2.5052123443795363e-8, 2.7557319155061115e-6, 0.00019841269841438524,
    0.008333333333333137, 0.16666666666666669,
  ],
};

/** The argument from which tanh is 1. */
const kTanhEnd: ByFormat<number> = { f32x4: 9.25, f64x2: 20 };

/** The x from which the logistic function of -x is 0. */
const kSigmoidEnd: ByFormat<number> = { f32x4: 104, f64x2: 746 };

/** Returns x + x z P(z), where `c` are the coefficients of P. */
function oddPolynomial(x: Vector, z: Vector, c: readonly number[]): Vector {
  return horner(z, c).mul(z).madd(x, x);
}

/** Returns sinh x. f32 <= 2 ulp, f64 <= 2 ulp; infinite above the range, sinh(-0) is -0. */
export function sinh(x: Vector): Vector {
  const a = x.abs();
  const half = exp(a, -1);
  const large = half.sub(constantLike(x, 0.25).div(half));
  const small = oddPolynomial(a, a.mul(a), pick(x, kSinh));
  return a.lt(1).select(small, large).or(signOf(x));
}

/** Returns cosh x. f32 <= 2 ulp, f64 <= 2 ulp; infinite above the range. */
export function cosh(x: Vector): Vector {
  const half = exp(x.abs(), -1);
  return half.add(constantLike(x, 0.25).div(half));
}

/**
 * Returns tanh x. f32 <= 2 ulp, f64 <= 2 ulp; tanh(-0) is -0, +-1 at the infinities.
 *
 *     e^-2|x| = P (1 - p)      tanh |x| = ((1 - P) + P p) / ((1 + P) - P p)      1 - P and 1 + P are exact where it matters
 */
export function tanh(x: Vector): Vector {
  const { bias } = formatOf(x);
  const a = x.abs().pmin(pick(x, kTanhEnd));
  const { n, p } = expPartsNegative(a.add(a), bias, true);
  const power = powerOf(n);
  const one = constantLike(x, 1);
  const top = power.madd(p, one.sub(power));
  return top.div(power.nmadd(p, power.add(one))).or(signOf(x));
}

/** Returns 2^n for an n that has the bias added to it. */
function powerOf(n: Vector): Vector {
  const { bits, kind, mantissaBits } = formatOf(n);
  return n.as(bits).shl(mantissaBits).as(kind);
}

/**
 * Returns the logistic function 1 / (1 + e^-x). f32 <= 2 ulp, f64 <= 2 ulp, also where the result is denormal.
 *
 *     e^-x = P (1 - p)      1 / ((1 + P) - P p)
 */
export function sigmoid(x: Vector): Vector {
  const { bias } = formatOf(x);
  const { n, p } = expPartsNegative(x, bias, false);
  const power = powerOf(n);
  const one = constantLike(x, 1);
  const sum = power.add(one);
  // If P is 2^24 (f64: 2^53) or more, the 1 is lost in this sum.
  const lost = power.sub(sum).add(one);
  const ordinary = one.div(sum.add(power.nmadd(p, lost)));
  return unlessRare([notInRange(n, bias)], ordinary, () => sigmoidAnywhere(x));
}

/**
 * Returns the logistic function of any x. P is split into two powers that cannot overflow: with h = n / 2, A = 2^-h and B = 2^(n-h) the
 * result is A / ((A + B) - B p).
 */
function sigmoidAnywhere(x: Vector): Vector {
  const { kind, bias, mantissaBits, unsignedBits } = formatOf(x);
  const end = pick(x, kSigmoidEnd);
  const { n, p } = expPartsNegative(x.pmin(end).pmax(-end), 2 * bias, false);
  const biased = n.as(unsignedBits);
  const half = biased.shr(1);
  const a = constantLike(half, 2 * bias)
    .sub(half)
    .shl(mantissaBits)
    .as(kind);
  const b = biased.sub(half).shl(mantissaBits).as(kind);
  const sum = a.add(b);
  const lost = b.sub(sum).add(a);
  return a.div(sum.add(b.nmadd(p, lost)));
}
