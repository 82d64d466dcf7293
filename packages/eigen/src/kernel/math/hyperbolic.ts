/**
 * hyperbolic: sinh, cosh, tanh and the logistic function (tf.math.sinh, cosh, tanh, sigmoid; Eigen's ptanh, plogistic).
 *
 *     E = e^|x| / 2        sinh x = E - 1/(4E)      cosh x = E + 1/(4E)      tanh x = 1 - 2 / (e^2|x| + 1)
 *
 * Where the difference of sinh would cancel, near 0, and for small tanh, odd polynomials are selected. tanh and the logistic
 * function take the exponential in parts, before a sum has rounded it.
 */
import { exp, expParts, expPartsNegative, expPartsRoughly, notInRange } from "./exp.ts";
import type { Vector } from "../vector.ts";
import type { ByFormat } from "./float-format.ts";
import { constantLike, formatOf, horner, pick, signOf, unlessRare } from "./float-format.ts";

/** (sinh x / x - 1) / z by z = x^2 up to 1. */
const kSinh: ByFormat<readonly number[]> = {
  f32x4: [2.817501808749512e-6, 0.000198360561626032, 0.008333350531756878, 0.1666666716337204],
  f64x2: [
    7.759425129590533e-13, 1.6057236715799744e-10, 2.5052123443795363e-8, 2.7557319155061115e-6, 0.00019841269841438524,
    0.008333333333333137, 0.16666666666666669,
  ],
};

/** From here on tanh is 1. */
const kTanhEnd: ByFormat<number> = { f32x4: 9.25, f64x2: 20 };

/** (tanh x / x - 1) / z by z = x^2 up to kTanhLarge^2. */
const kTanh: ByFormat<readonly number[]> = {
  f32x4: [-0.005708748009055853, 0.02064349502325058, -0.05374143645167351, 0.13331468403339386, -0.3333328366279602],
  f64x2: [
    -1.6059950635324643e-5, 7.712207298774219e-5, -0.0002285479913666033, 0.0005863103686477591, -0.0014549576230680095,
    0.003591989067279051, -0.008863221008827391, 0.021869487578264582, -0.053968253931448086, 0.13333333333262695, -0.3333333333333286,
  ],
};

/** From here on tanh is better made from what it lacks to 1. */
const kTanhLarge = 0.625;

/** From here on the logistic function of -x is 0. */
const kSigmoidEnd: ByFormat<number> = { f32x4: 104, f64x2: 746 };

/** x + x z P(z). */
function oddPolynomial(x: Vector, z: Vector, c: readonly number[]): Vector {
  return horner(z, c).mul(z).madd(x, x);
}

/** sinh x. f32 <= 2 ulp, f64 <= 2 ulp; infinite above the range, sinh(-0) is -0. */
export function sinh(x: Vector): Vector {
  const a = x.abs();
  const half = exp(a, -1);
  const large = half.sub(constantLike(x, 0.25).div(half));
  const small = oddPolynomial(a, a.mul(a), pick(x, kSinh));
  return a.lt(1).select(small, large).or(signOf(x));
}

/** cosh x. f32 <= 2 ulp, f64 <= 2 ulp; infinite above the range. */
export function cosh(x: Vector): Vector {
  const half = exp(x.abs(), -1);
  return half.add(constantLike(x, 0.25).div(half));
}

/**
 * tanh x. f32 <= 2 ulp, f64 <= 2 ulp; tanh(-0) is -0, +-1 at the infinities.
 *
 *     e^2|x| = B (1 + p)      tanh |x| = 1 - 2 / ((B + 1) + B p)      an error of B p counts by 1 / B
 */
export function tanh(x: Vector): Vector {
  const { kind, mantissaBits, bias } = formatOf(x);
  const a = x.abs().pmin(pick(x, kTanhEnd));
  const { n, p } = expPartsRoughly(a.add(a), bias);
  const power = n.shl(mantissaBits).as(kind);
  const one = constantLike(x, 1);
  const top = power.madd(p, one.sub(power));
  return top.div(power.nmadd(p, power.add(one))).or(signOf(x));
}

/**
 * The logistic function 1 / (1 + e^-x). f32 <= 2 ulp, f64 <= 2 ulp, where the result is denormal, too.
 *
 *     e^-x = 2^n (1 + p)    with A = 2^-h, B = 2^(n-h), h = n / 2:    A / ((A + B) + B p)      nothing can overflow
 */
export function sigmoid(x: Vector): Vector {
  const { kind, bias, mantissaBits, unsignedBits } = formatOf(x);
  const { n, p } = expPartsNegative(x, bias);
  const power = n.as(unsignedBits).shl(mantissaBits).as(kind);
  const one = constantLike(x, 1);
  const sum = power.add(one);
  // From n = 24 (f64: 53) on 1 is lost in this sum.
  const lost = power.sub(sum).add(one);
  const ordinary = one.div(sum.add(power.nmadd(p, lost)));
  return unlessRare([notInRange(n, bias)], ordinary, () => sigmoidAnywhere(x));
}

/** The logistic function of any x. */
function sigmoidAnywhere(x: Vector): Vector {
  const { kind, bias, mantissaBits } = formatOf(x);
  const end = pick(x, kSigmoidEnd);
  const { n, p } = expParts(x.pmin(end).pmax(-end).neg(), 2 * bias);
  const half = n.shr(1);
  const a = constantLike(half, 2 * bias)
    .sub(half)
    .shl(mantissaBits)
    .as(kind);
  const b = n.sub(half).shl(mantissaBits).as(kind);
  const sum = a.add(b);
  const lost = b.sub(sum).add(a);
  return a.div(sum.add(b.madd(p, lost)));
}
