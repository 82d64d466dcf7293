/**
 * log: logarithms (tf.math.log, tf.math.log1p; Eigen's plog).
 *
 *     x = 2^e (1 + f),  sqrt(1/2) <= 1 + f < sqrt(2)       s = f / (2 + f)
 *     log(1 + f) = f - f^2/2 + s (f^2/2 + s^2 R(s^2))
 *
 * f is exact and makes up most of the result, so the other terms may have small errors. Zero, negative and denormal numbers, infinity and
 * NaN are handled in code of their own for rare lanes (unlessRare).
 */
import type { Vector } from "../vector/vector.ts";
import type { ByFormat } from "./float-format.ts";
import { constantLike, formatOf, horner, notNormal, pick, signOf, unlessRare } from "./float-format.ts";

/** Coefficients of (log((1 + s) / (1 - s)) / s - 2) / z in z = s^2. */
const kLog: ByFormat<readonly number[]> = {
  f32x4: [0.23582767, 0.2853728, 0.40000334, 0.6666666],
  f64x2: [
    0.1479662417954654, 0.15313986849721573, 0.1818356666396563, 0.22222198531293724, 0.28571428742763655, 0.39999999999413144,
    0.6666666666666735,
  ],
};

/** The bits of about sqrt(1/2); the exact value does not matter. */
const kSqrtHalfBits: ByFormat<bigint> = { f32x4: 0x3f3504f3n, f64x2: 0x3fe6a09e00000000n };
/** The mask of the sign, the exponent and the upper half of the mantissa. */
const kUpperHalf: ByFormat<number | bigint> = { f32x4: -4096, f64x2: -4294967296n };
const kMantissa: ByFormat<number | bigint> = { f32x4: 0x7fffff, f64x2: 0xfffffffffffffn };

/** A constant in two parts. Products of the first part with an exponent or with half a mantissa are exact. */
type TwoParts = ByFormat<readonly [number, number]>;
const kLn2: TwoParts = { f32x4: [0.69314575, 0.0000014286068], f64x2: [0.6931471805598903, 5.497923018708371e-14] };
const kLog2E: TwoParts = { f32x4: [1.4428711, -0.00017605285], f64x2: [1.4426950514316559, -1.0542692476429138e-8] };
const kLog10E: TwoParts = { f32x4: [0.43432617, -0.00003168997], f64x2: [0.4342944845557213, -2.6524694553078553e-9] };
const kLog10Of2: TwoParts = {
  f32x4: [0.30103302, -0.0000030243555],
  f64x2: [0.30102999566395283, 2.8363394551044964e-14],
};

/** A normal positive number in parts: x = 2^e (1 + f). */
export interface LogParts {
  readonly e: Vector;
  readonly f: Vector;
}

/** Splits a normal positive number into its parts. If the number was multiplied by 2^scaledBy before, e is reduced by `scaledBy`. */
export function splitFloat(x: Vector, scaledBy: Vector | null = null): LogParts {
  const { kind, bits, unsignedBits, mantissaBits, bias } = formatOf(x);
  const sqrtHalf = pick(x, kSqrtHalfBits);
  // Subtracting sqrt(1/2) makes e one more from sqrt(2) on. The bits of the exponent then become the low bits of 2^mantissaBits.
  const shifted = x.as(bits).sub(sqrtHalf - (BigInt(bias) << BigInt(mantissaBits)));
  const large = 2 ** mantissaBits;
  const counted = shifted.as(unsignedBits).shr(mantissaBits).as(kind).or(constantLike(x, large));
  const e = counted.sub(large + bias);
  const f = shifted.and(pick(x, kMantissa)).add(sqrtHalf).as(kind).sub(1);
  return { e: scaledBy === null ? e : e.sub(scaledBy), f };
}

/** Returns f^2/2 and s (f^2/2 + s^2 R(s^2)), the two corrections to f. */
function corrections(f: Vector): { readonly halfSquare: Vector; readonly rest: Vector } {
  const halfSquare = f.mul(f).mul(0.5);
  const s = f.div(f.add(2));
  const z = s.mul(s);
  return { halfSquare, rest: s.mul(horner(z, pick(f, kLog)).madd(z, halfSquare)) };
}

/** Returns the natural logarithm of a number in parts, plus `more`. */
function natural({ e, f }: LogParts, more: Vector | null = null): Vector {
  const { halfSquare, rest } = corrections(f);
  const [high, low] = pick(f, kLn2);
  const small = more === null ? e.madd(low, rest) : rest.add(e.madd(low, more));
  return e.mul(high).add(f.sub(halfSquare.sub(small)));
}

/** Returns the logarithm to another base. `logE` and `log2` are the logarithms of e and 2 to that base; null stands for 1. */
function toBase({ e, f }: LogParts, logE: TwoParts, log2: TwoParts | null): Vector {
  const { kind, bits } = formatOf(f);
  const { halfSquare, rest } = corrections(f);
  const [logEHigh, logELow] = pick(f, logE);
  const high = f.sub(halfSquare).as(bits).and(pick(f, kUpperHalf)).as(kind);
  const low = f.sub(high).sub(halfSquare).add(rest);
  const whole = log2 === null ? e : e.mul(pick(f, log2)[0]);
  const main = high.mul(logEHigh);
  let tail = low.add(high).mul(logELow).add(low.mul(logEHigh));
  if (log2 !== null) tail = e.madd(pick(f, log2)[1], tail);
  // The sum of whole and main is exact in two floats, whichever is the larger: e is 0 or larger than main.
  const sum = whole.add(main);
  return sum.add(tail.add(whole.sub(sum).add(main)));
}

/** Returns the result of `of` for positive numbers, and the values of a logarithm for zero, negative numbers, infinity and NaN. */
function everywhere(x: Vector, of: (parts: LogParts) => Vector): Vector {
  const { leastNormal, mantissaBits } = formatOf(x);
  return unlessRare([notNormal(x)], of(splitFloat(x)), () => {
    const isSmall = x.lt(leastNormal);
    const scaled = isSmall.select(x.mul(2 ** mantissaBits), x);
    const finite = of(splitFloat(scaled, isSmall.select(constantLike(x, mantissaBits), 0)));
    // sqrt keeps infinity and NaN, and gives NaN for negative numbers.
    const special = x.eq(0).select(-Infinity, x.sqrt());
    return x.gt(0).and(x.lt(Infinity)).select(finite, special);
  });
}

/** Returns log x. f32 <= 1 ulp, f64 <= 1 ulp; log(0) = log(-0) = -infinity, NaN for negative numbers. */
export function log(x: Vector): Vector {
  return everywhere(x, natural);
}

/** Returns log2 x. f32 <= 1 ulp, f64 <= 1 ulp; exact for powers of two; at 0 and below as log. */
export function log2(x: Vector): Vector {
  return everywhere(x, (parts) => toBase(parts, kLog2E, null));
}

/** Returns log10 x. f32 <= 1 ulp, f64 <= 1 ulp; at 0 and below as log. */
export function log10(x: Vector): Vector {
  return everywhere(x, (parts) => toBase(parts, kLog10E, kLog10Of2));
}

/**
 * Returns log(1 + x), accurate also near 0. f32 <= 1 ulp, f64 <= 1 ulp; log1p(-0) is -0, log1p(-1) is -infinity, NaN below.
 *
 * u = 1 + x is rounded. The rounding error is x - (u - 1); the logarithm is corrected by this error divided by u.
 */
export function log1p(x: Vector): Vector {
  const u = x.add(1);
  const lost = x.gt(1).select(constantLike(x, 1).sub(u.sub(x)), x.sub(u.sub(1)));
  const ordinary = natural(splitFloat(u), lost.div(u)).or(signOf(x));
  return unlessRare([notNormal(u)], ordinary, () => x.eq(-1).select(-Infinity, u.sqrt()));
}
