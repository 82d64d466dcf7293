/**
 * exp: powers of e and of two (tf.math.exp, tf.math.expm1; Eigen's pexp).
 *
 *     x = n ln 2 + r,  |r| <= ln 2 / 2          e^x = 2^n (1 + r + r^2 q(r))
 *
 * ln 2 is subtracted in two parts, the first with so few bits that its product with n is exact. There is no table. The ends of the range
 * and NaN are handled only in the code for rare lanes (unlessRare).
 */
import type { Vector } from "../vector/vector.ts";
import type { ByFormat, RareLanes } from "./float-format.ts";
import { constantLike, formatOf, horner, hornerBySquare, pick, scale, scaleBeyond, signOf, unlessRare } from "./float-format.ts";

/** Coefficients of (e^r - 1 - r) / r^2 for |r| <= ln 2 / 2, fitted for the smallest error of e^r. */
const kExp: ByFormat<readonly number[]> = {
  f32x4: [0.0013814544, 0.008368745, 0.04166839, 0.16666521, 0.49999994],
  f64x2: [
    2.082657071233346e-9, 2.5112085130804837e-8, 2.7557582324950295e-7, 2.755723472586644e-6, 2.4801586925661723e-5, 0.00019841269896517285,
    0.0013888888889116394, 0.008333333333316982, 0.041666666666666095, 0.16666666666666682, 0.5,
  ],
};

/** The coefficients of the same polynomial of -r. */
const kExpMirrored: ByFormat<readonly number[]> = { f32x4: mirrored(kExp.f32x4), f64x2: mirrored(kExp.f64x2) };

/** Coefficients of the same function for r from log 3/4 to log 3/2. */
const kExpShifted: ByFormat<readonly number[]> = {
  f32x4: [0.0014650904, 0.008360277, 0.04165818, 0.16666572, 0.5000002],
  f64x2: [
    2.207425209911427e-9, 2.5076923890125995e-8, 2.755427968092234e-7, 2.7557316275136537e-6, 2.4801590254991892e-5, 0.00019841269830012077,
    0.0013888888887554703, 0.008333333333338995, 0.04166666666666935, 0.1666666666666666, 0.5,
  ],
};

/** Coefficients of the same function for the same r, fitted for the smallest error of e^r - 1. */
const kExpm1Shifted: ByFormat<readonly number[]> = {
  f32x4: [0.0014670523, 0.008357296, 0.0416587, 0.16666596, 0.5000002],
  f64x2: [
    2.2086123131777202e-9, 2.507227193015879e-8, 2.7554507215982307e-7, 2.7557323548402617e-6, 2.480158973712616e-5, 0.0001984126982719958,
    0.001388888888794789, 0.008333333333338782, 0.04166666666666817, 0.1666666666666666, 0.5,
  ],
};

/** Coefficients of (2^r - 1) / r for r from -5/12 to 7/12. */
const kExp2: ByFormat<readonly number[]> = {
  f32x4: [0.000016103924, 0.00015448462, 0.0013330895, 0.009618078, 0.055504132, 0.2402265, 0.6931472],
  f64x2: [
    1.44742303662712e-12, 2.569986172934709e-11, 4.445084646955925e-10, 7.054912411044381e-9, 1.0178087047483068e-7, 1.3215486780552754e-6,
    1.5252733802891625e-5, 0.00015403530393393736, 0.0013333558146429098, 0.009618129107628472, 0.055504108664821576, 0.24022650695910072,
    0.6931471805599453,
  ],
};

/** -ln 2 in two parts. */
const kMinusLn2: ByFormat<readonly [number, number]> = {
  f32x4: [-0.693359375, 2.1219444e-4],
  f64x2: [-0.6931471803691238, -1.9082149292705877e-10],
};

/** Below the first argument e^x is 0, above the second it is infinity. */
const kExpEnds: ByFormat<readonly [number, number]> = { f32x4: [-104, 90], f64x2: [-746, 711] };
/** The same for 2^x. */
const kExp2Ends: ByFormat<readonly [number, number]> = { f32x4: [-151, 128], f64x2: [-1076, 1024] };
/** The argument below which expNonPositive returns 0. */
const kNonPositiveEnd: ByFormat<number> = { f32x4: -88, f64x2: -709.3 };
/** Below the first e^x - 1 is -1, above the second infinity. */
const kExpm1Ends: ByFormat<readonly [number, number]> = { f32x4: [-18, 89], f64x2: [-38, 710] };

/** Returns the coefficients of p(-x), given those of p(x). */
function mirrored(c: readonly number[]): readonly number[] {
  return c.map((value, i) => ((c.length - 1 - i) % 2 === 0 ? value : -value));
}

/** The result of a reduction, x = n ln 2 + r. */
interface Reduced {
  /** A float whose low bits, as an integer, are n plus an offset. */
  readonly n: Vector;
  readonly r: Vector;
}

/** Reduces an x of moderate size. n ln 2 is the multiple of ln 2 that is nearest to x - shift. */
function reduce(x: Vector, offset: number, shift: number = 0): Reduced {
  const rounder = formatOf(x).magic + offset;
  const [high, low] = pick(x, kMinusLn2);
  const n = (shift === 0 ? x : x.sub(shift)).madd(Math.LOG2E, rounder);
  const k = n.sub(rounder);
  return { n, r: k.madd(low, k.madd(high, x)) };
}

/** Returns e^r - 1 for a reduced r. */
function expm1Polynomial(r: Vector, c: ByFormat<readonly number[]>): Vector {
  const square = r.mul(r);
  return hornerBySquare(r, square, pick(r, c)).madd(square, r);
}

/** The mean of log 3/4 and log 3/2. */
const kShift = 0.0588915178281;

/**
 * Returns e^x in parts. With fused multiply-adds e^r is from 3/4 to 3/2, because floats are denser below 1, so that side should have the
 * smaller share of the errors. Otherwise the largest error with them would be 1.01 ulp; without them it is 0.98 (measured over all floats).
 */
function closeParts(x: Vector, offset: number): ExpParts {
  const { relaxed } = x.source;
  const { n, r } = reduce(x, offset, relaxed ? kShift : 0);
  return { n, p: expm1Polynomial(r, relaxed ? kExpShifted : kExp) };
}

/**
 * Returns e^x. f32 <= 1 ulp, f64 <= 1 ulp; infinity above the range, gradual underflow below it; exp(NaN) is NaN. The result is multiplied
 * by 2^doublings before it can overflow.
 */
export function exp(x: Vector, doublings: number = 0): Vector {
  const { bias, bits, kind, mantissaBits } = formatOf(x);
  const { relaxed } = x.source;
  const offset = (relaxed ? bias : 0) + doublings;
  const { n, p } = closeParts(x, offset);
  const exponent = n.as(bits).shl(mantissaBits);
  const power = exponent.as(kind);
  // 2^n (1 + p), rounded once in both cases. A multiply-add is shorter if it is one instruction.
  const ordinary = relaxed ? power.madd(p, power) : p.add(1).as(bits).add(exponent).as(kind);
  return unlessRare([notInRange(n, offset - doublings)], ordinary, () => {
    const [least, most] = pick(x, kExpEnds);
    const bounded = closeParts(x.pmin(most).pmax(least), 2 * bias + doublings);
    return scaleBeyond(bounded.p.add(1), bounded.n, x.lt(0));
  });
}

/**
 * Returns the lanes where n is NaN, or 2^n or its product with a number from 0.7 to 1.5 is not a normal float. n has `offset` added to
 * it.
 */
export function notInRange(n: Vector, offset: number): RareLanes {
  const { unsignedBits, magicBits, bias } = formatOf(n);
  const [least, most] = [2 - bias, bias - 1];
  return { value: n.as(unsignedBits).sub(magicBits + BigInt(offset + least)), limit: most - least };
}

/**
 * Returns e^x for x <= 0: within 1 ulp down to the least normal float, with fewer digits below, 0 for x below about -88 (f64: -709); NaN
 * gives NaN. This is enough for softmax: each of its sums contains a 1, so smaller terms have no effect.
 */
export function expNonPositive(x: Vector): Vector {
  const { bias, bits, kind, mantissaBits } = formatOf(x);
  // At the least x, n is -bias, so the exponent field is 0 and the power is the float 0.
  const { n, p } = closeParts(x.pmax(pick(x, kNonPositiveEnd)), bias);
  const power = n.as(bits).shl(mantissaBits).as(kind);
  return power.madd(p, power);
}

/**
 * Returns e^x for x for which 2^n is a normal float. It is cheaper because it does not handle the ends of the range. NaN does not give
 * NaN.
 */
export function expInRange(x: Vector): Vector {
  const { kind, bits, mantissaBits } = formatOf(x);
  const { n, r } = reduce(x, 0);
  const y = expm1Polynomial(r, kExp).add(1);
  return y.as(bits).add(n.as(bits).shl(mantissaBits)).as(kind);
}

/** A power of e in parts: e^x = 2^n (1 + p). */
export interface ExpParts {
  /** A float whose low bits, as an integer, are n plus an offset. */
  readonly n: Vector;
  readonly p: Vector;
}

/**
 * Returns the parts of e^-x for x of moderate size, with the opposite sign of p: e^-x = 2^n (1 - p). If `roughly` is true, ln 2 is
 * subtracted in one part: p is as accurate for |n| up to 8, and beyond that its error is still small in units of the last place of e^-x.
 */
export function expPartsNegative(x: Vector, offset: number, roughly: boolean): ExpParts {
  const rounder = formatOf(x).magic + offset;
  const [high, low] = pick(x, kMinusLn2);
  const n = x.madd(-Math.LOG2E, rounder);
  const k = n.sub(rounder);
  // r = -s, and p = s - s^2 q(-s).
  const s = roughly ? k.madd(Math.LN2, x) : k.madd(-low, k.madd(-high, x));
  const square = s.mul(s);
  return { n, p: hornerBySquare(s, square, pick(s, kExpMirrored)).nmadd(square, s) };
}

/** Returns 2^r for |r| up to about 1/2. */
function exp2Reduced(r: Vector): Vector {
  const [first, rest] = [pick(r, kExp2).at(-1)!, pick(r, kExp2).slice(0, -1)];
  // 1 + first r in two parts: the rounded sum and its rounding error.
  const one = constantLike(r, 1);
  const linear = r.mul(first);
  const sum = linear.add(one);
  const lost = one.sub(sum).add(linear);
  return sum.add(horner(r, rest).madd(r.mul(r), lost));
}

/** Returns 2^(n + r) for |r| up to about 1/2. The low bits of `n` are n plus twice the bias. */
export function exp2OfParts(n: Vector, r: Vector): Vector {
  return scale(exp2Reduced(r), n);
}

/** Returns 2^n e^(r + low) for a reduced r and a far smaller `low`. The low bits of `n` are n plus twice the bias. */
export function expOfParts(n: Vector, r: Vector, low: Vector): Vector {
  return scale(expm1Polynomial(r, kExp).add(r.mul(low).add(low)).add(1), n);
}

/**
 * Returns 2^x. f32 <= 1 ulp, f64 <= 1 ulp; exact for integers.
 *
 * r is from -5/12 to 7/12: floats are denser below 1, so that side should have the smaller share of the errors.
 */
export function exp2(x: Vector): Vector {
  const { magic, bias, bits, kind, mantissaBits } = formatOf(x);
  const take = (from: Vector, rounder: number): Reduced => {
    const n = from.sub(1 / 12).add(rounder);
    return { n, r: from.sub(n.sub(rounder)) };
  };
  const { n, r } = take(x, magic);
  const ordinary = exp2Reduced(r).as(bits).add(n.as(bits).shl(mantissaBits)).as(kind);
  return unlessRare([notInRange(n, 0)], ordinary, () => {
    const [least, most] = pick(x, kExp2Ends);
    const bounded = take(x.pmin(most).pmax(least), magic + 2 * bias);
    return scaleBeyond(exp2Reduced(bounded.r), bounded.n, x.lt(0));
  });
}

/**
 * Returns e^x - 1, accurate also near 0. f32 <= 2 ulp, f64 <= 2 ulp; expm1(-0) is -0.
 *
 *     e^x - 1 = 2^n (e^r - 1) + (2^n - 1)          the second term is exact where it matters; near the end of the range both are halved
 */
export function expm1(x: Vector): Vector {
  const { kind, unsignedBits, mantissaBits, bias } = formatOf(x);
  const put = ({ n, r }: Reduced, one: number): Vector => {
    const power = n.as(unsignedBits).shl(mantissaBits).as(kind);
    return power.madd(expm1Polynomial(r, kExpm1Shifted), power.sub(one));
  };
  const reduced = reduce(x, bias, kShift);
  return unlessRare([notInRange(reduced.n, bias)], put(reduced, 1).or(signOf(x)), () => {
    const [least, most] = pick(x, kExpm1Ends);
    const half = put(reduce(x.pmin(most).pmax(least), bias - 1, kShift), 0.5);
    return half.add(half);
  });
}
