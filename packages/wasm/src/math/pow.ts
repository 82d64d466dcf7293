/**
 * pow: powers (tf.math.pow), with the special values of std::pow.
 *
 *     x^y = 2^(y log2 x)
 *
 * y multiplies the error of the logarithm by up to a thousand, so the logarithm needs ten bits more than a float has: f32 computes it in
 * f64, and f64 as the sum of two doubles, with factors split into halves whose products are exact (as in fdlibm). The difference of
 * y log2 x and the nearest integer is small, and the polynomial of 2^x or e^x is applied to it.
 */
import type { Vector } from "../vector/vector.ts";
import { exp2OfParts, expOfParts } from "./exp.ts";
import { constantLike, formatOf, horner, notNormal, sizeFrom, unlessRare } from "./float-format.ts";
import { splitFloat } from "./log.ts";

/** Coefficients of (log((1 + s) / (1 - s)) / s - 2) / z in z = s^2, accurate to 45 bits. */
const kShortLog = [0.19584691699901494, 0.2217615323907717, 0.28572109954699954, 0.39999995614847034, 0.6666666667581981];

/** Coefficients of (3/2 log((1 + s) / (1 - s)) / s - 3 - z) / z^2 in z = s^2. */
const kLongLog = [
  0.16520979339493386, 0.15634219151467235, 0.176530184939794, 0.1999986041160477, 0.23076925134269835, 0.2727272725383041,
  0.33333333333436177, 0.4285714285714256, 0.6,
];

/** 2 / (3 ln 2), and then ln 2: the upper 21 bits and the remainder. */
const kScale = { high: 0.9617962837219238, low: 4.102040517767816e-7 };
const kLn2 = { high: 0.6931467056274414, low: 4.7493250390316726e-7 };
/** If |y log2 x| is at least this, the result is infinite or 0. */
const kF32End = 200;
const kF64End = 1100;

/** Returns x with the upper 21 bits of its mantissa only. Products of two such numbers are exact. */
function upper(x: Vector): Vector {
  return x.as("i64x2").and(-4294967296n).as("f64x2");
}

/** Returns a^y for a > 0 and finite y, in f32. */
function ordinaryF32(a: Vector, y: Vector): Vector {
  const { magic } = formatOf(a.lowToF64());
  const power = (x: Vector, by: Vector): { readonly n: Vector; readonly r: Vector } => {
    const { e, f } = splitFloat(x);
    const s = f.div(f.add(2));
    const z = s.mul(s);
    const log2 = horner(z, kShortLog).mul(z).add(2).mul(s).madd(Math.LOG2E, e);
    const t = log2.mul(by).pmin(kF32End).pmax(-kF32End);
    const n = t.add(magic);
    return { n: n.as("i32x4"), r: t.sub(n.sub(magic)) };
  };
  const low = power(a.lowToF64(), y.lowToF64());
  const high = power(a.highToF64(), y.highToF64());
  return exp2OfParts(low.n.lanes(high.n, [0, 2, 4, 6]).add(254), low.r.demote(high.r));
}

/** Returns a^y for finite y, in f64. a must be normal and positive, and is the base multiplied by 2^scaledBy. */
function ordinaryF64(a: Vector, y: Vector, scaledBy: Vector | null): Vector {
  const { e, f } = splitFloat(a, scaledBy);
  // s = f / (2 + f) in two parts.
  const d = f.add(2);
  const dHigh = upper(d);
  const dLow = f.sub(dHigh.sub(2));
  const inverse = constantLike(d, 1).div(d);
  const s = f.mul(inverse);
  const sHigh = upper(s);
  const sLow = f.sub(sHigh.mul(dHigh)).sub(sHigh.mul(dLow)).mul(inverse);
  // t = 3 + z + z^2 L(z)
  const z = s.mul(s);
  const zHigh = sHigh.mul(sHigh);
  const r = horner(z, kLongLog)
    .mul(z.mul(z))
    .add(sLow.mul(sHigh.add(s)));
  const tHigh = upper(zHigh.add(3).add(r));
  const tLow = r.sub(tHigh.sub(3).sub(zHigh));
  // 3/2 log(1 + f) = s t, and log2 a from it.
  const u = sHigh.mul(tHigh);
  const v = sLow.mul(tHigh).add(tLow.mul(s));
  const pHigh = upper(u.add(v));
  const pLow = v.sub(pHigh.sub(u));
  const main = pHigh.mul(kScale.high);
  const rest = pHigh.mul(kScale.low).add(pLow.mul(kScale.high + kScale.low));
  const logHigh = upper(main.add(rest).add(e));
  const logLow = rest.sub(logHigh.sub(e).sub(main));
  // y log2 a
  const yHigh = upper(y);
  const wide = yHigh.mul(logHigh);
  const high = wide.pmin(kF64End).pmax(-kF64End);
  const isBounded = wide.abs().lt(kF64End);
  const low = y.sub(yHigh).mul(logHigh).add(y.mul(logLow)).and(isBounded);
  const { magic, bias } = formatOf(a);
  const n = high.add(low).add(magic + 2 * bias);
  const fraction = high.sub(n.sub(magic + 2 * bias));
  // The fraction times ln 2, in two parts.
  const sum = upper(low.add(fraction));
  const g = sum.mul(kLn2.high);
  const h = low.sub(sum.sub(fraction)).mul(Math.LN2).add(sum.mul(kLn2.low));
  const w = g.add(h);
  return expOfParts(n, w, h.sub(w.sub(g)));
}

/**
 * Returns x^y. f32 <= 3 ulp, f64 <= 2 ulp.
 *
 * x^0 and 1^y are 1 for every x and y, including NaN. A negative x gives NaN unless y is an integer. Zeros and infinities are as in C.
 */
export function pow(x: Vector, y: Vector): Vector {
  const { kind, leastNormal, mantissaBits, signBit, bias } = formatOf(x);
  const infinity = constantLike(x, Infinity);
  const size = y.abs();
  const ordinary = kind === "f32x4" ? ordinaryF32(x, y) : ordinaryF64(x, y, null);
  return unlessRare([notNormal(x), sizeFrom(y, bias + 1)], ordinary, () => {
    const a = x.abs();
    const isSmall = a.lt(leastNormal);
    const scaled = isSmall.select(a.mul(2 ** mantissaBits), a);
    const finite = kind === "f32x4" ? ordinaryF32(a, y) : ordinaryF64(scaled, y, isSmall.select(constantLike(x, mantissaBits), 0));
    // a is 0 or infinite, or y is infinite. 1 to an infinite power is 1.
    const isExtreme = a.eq(0).or(a.eq(infinity)).or(size.eq(infinity));
    const grows = a.gt(1).xor(y.lt(0));
    const extreme = a.eq(1).select(constantLike(x, 1), grows.select(infinity, 0));
    const magnitude = isExtreme.select(extreme, finite);
    const isNegative = x.as(x.maskKind).lt(0);
    const isInteger = y.eq(y.trunc());
    const half = y.mul(0.5);
    const isOddInteger = isInteger.and(half.ne(half.trunc()));
    const signed = magnitude.xor(isNegative.and(isOddInteger).and(signBit));
    const isRoot = x.lt(0).and(x.ne(-Infinity)).andNot(isInteger);
    const isNan = isRoot.or(x.ne(x)).or(y.ne(y));
    const isOne = y.eq(0).or(x.eq(1));
    return isOne.select(1, isNan.select(Number.NaN, signed));
  });
}
