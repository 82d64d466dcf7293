/**
 * exp: powers of e and of two (tf.math.exp, tf.math.expm1; Eigen's pexp).
 *
 *     x = n ln 2 + r,  |r| <= ln 2 / 2          e^x = 2^n (1 + r + r^2 q(r))
 *
 * ln 2 is taken off in two parts, the first with so few bits that its product with n is exact. No branch and no table: the
 * ends of the range come out of the scaling, NaN goes through all of it.
 */
import type { Vector } from "../vector.ts";
import type { ByFormat } from "./float-format.ts";
import { constantLike, formatOf, horner, pick, scale } from "./float-format.ts";

/** (e^r - 1 - r) / r^2 on +-ln 2 / 2, for e^r to be right. */
const kExp: ByFormat<readonly number[]> = {
  f32x4: [0.0013814544072374701, 0.00836874544620514, 0.04166838899254799, 0.1666652113199234, 0.4999999403953552],
  f64x2: [
    2.082657071233346e-9, 2.5112085130804837e-8, 2.7557582324950295e-7, 2.755723472586644e-6, 2.4801586925661723e-5, 0.00019841269896517285,
    0.0013888888889116394, 0.008333333333316982, 0.041666666666666095, 0.16666666666666682, 0.5,
  ],
};

/** The same from log 3/4 to log 3/2. */
const kExpShifted: ByFormat<readonly number[]> = {
  f32x4: [0.0014650904340669513, 0.00836027693003416, 0.0416581816971302, 0.166665717959404, 0.5000001788139343],
  f64x2: [
    2.207425209911427e-9, 2.5076923890125995e-8, 2.755427968092234e-7, 2.7557316275136537e-6, 2.4801590254991892e-5, 0.00019841269830012077,
    0.0013888888887554703, 0.008333333333338995, 0.04166666666666935, 0.1666666666666666, 0.5,
  ],
};

/** The same, for e^r - 1 to be right. */
const kExpm1Shifted: ByFormat<readonly number[]> = {
  f32x4: [0.0014670522650703788, 0.008357295766472816, 0.04165869951248169, 0.1666659563779831, 0.5000001788139343],
  f64x2: [
    2.2086123131777202e-9, 2.507227193015879e-8, 2.7554507215982307e-7, 2.7557323548402617e-6, 2.480158973712616e-5, 0.0001984126982719958,
    0.001388888888794789, 0.008333333333338782, 0.04166666666666817, 0.1666666666666666, 0.5,
  ],
};

/** (2^r - 1) / r from -5/12 to 7/12. */
const kExp2: ByFormat<readonly number[]> = {
  f32x4: [
    1.610392428119667e-5, 0.0001544846163596958, 0.0013330895453691483, 0.009618078358471394, 0.05550413206219673, 0.24022650718688965,
    0.6931471824645996,
  ],
  f64x2: [
    1.44742303662712e-12, 2.569986172934709e-11, 4.445084646955925e-10, 7.054912411044381e-9, 1.0178087047483068e-7, 1.3215486780552754e-6,
    1.5252733802891625e-5, 0.00015403530393393736, 0.0013333558146429098, 0.009618129107628472, 0.055504108664821576, 0.24022650695910072,
    0.6931471805599453,
  ],
};

/** ln 2 in two parts, negative. */
const kMinusLn2: ByFormat<readonly [number, number]> = {
  f32x4: [-0.693359375, 2.1219444e-4],
  f64x2: [-0.6931471803691238, -1.9082149292705877e-10],
};

/** Beyond these e^x is infinity and zero. */
const kExpEnds: ByFormat<readonly [number, number]> = { f32x4: [-104, 90], f64x2: [-746, 711] };
const kExp2Ends: ByFormat<readonly [number, number]> = { f32x4: [-151, 128], f64x2: [-1076, 1024] };
/** Below these e^x - 1 is -1; above, infinity. */
const kExpm1Ends: ByFormat<readonly [number, number]> = { f32x4: [-18, 89], f64x2: [-38, 710] };

/** x = n ln 2 + r. */
interface Reduced {
  /** n plus an offset in the low bits. */
  readonly n: Vector;
  readonly r: Vector;
}

/** x, of moderate size, without its multiple of ln 2; the nearest one, or of x - shift. */
function reduce(x: Vector, offset: number, shift: number = 0): Reduced {
  const rounder = formatOf(x).magic + offset;
  const [high, low] = pick(x, kMinusLn2);
  const n = (shift === 0 ? x : x.sub(shift)).madd(Math.LOG2E, rounder);
  const k = n.sub(rounder);
  return { n, r: k.madd(low, k.madd(high, x)) };
}

/** e^r - 1 for a reduced r. */
function expm1Polynomial(r: Vector, c: ByFormat<readonly number[]>): Vector {
  return horner(r, pick(r, c)).madd(r.mul(r), r);
}

/** The middle of log 3/4 and log 3/2. */
const kShift = 0.0588915178281;

/**
 * e^x. f32 <= 1 ulp, f64 <= 1 ulp; infinity above the range, gradual to 0 below it; exp(NaN) is NaN.
 *
 * e^r goes from 3/4 to 3/2: below 1 the floats are denser, so that side gets the smaller share of the errors. `doublings` is a power
 * of two that the result is multiplied by before it can overflow.
 */
export function exp(x: Vector, doublings: number = 0): Vector {
  const [least, most] = pick(x, kExpEnds);
  const { n, r } = reduce(x.pmin(most).pmax(least), 2 * formatOf(x).bias + doublings, kShift);
  return scale(expm1Polynomial(r, kExpShifted).add(1), n);
}

/** e^x for x in a range where 2^n is a normal float: cheaper by the ends. NaN is not kept. */
export function expInRange(x: Vector): Vector {
  const { kind, bits, mantissaBits } = formatOf(x);
  const { n, r } = reduce(x, 0);
  const y = expm1Polynomial(r, kExp).add(1);
  return y.as(bits).add(n.as(bits).shl(mantissaBits)).as(kind);
}

/** A power of e before it is put together: e^x = 2^n (1 + p). */
export interface ExpParts {
  /** n plus the offset in the low bits of integers. */
  readonly n: Vector;
  readonly p: Vector;
}

/** The parts of e^x for x of moderate size. */
export function expParts(x: Vector, offset: number): ExpParts {
  const { n, r } = reduce(x, offset);
  return { n: n.as(formatOf(x).unsignedBits), p: expm1Polynomial(r, kExp) };
}

/** The same with an error of some units of the last place where n is not small: ln 2 is taken off in one piece. */
export function expPartsRoughly(x: Vector, offset: number): ExpParts {
  const rounder = formatOf(x).magic + offset;
  const n = x.madd(Math.LOG2E, rounder);
  const r = n.sub(rounder).madd(-Math.LN2, x);
  return { n: n.as(formatOf(x).unsignedBits), p: expm1Polynomial(r, kExp) };
}

/** 2^(n + r) for |r| about 1/2 and less; `n` has n plus twice the bias in the low bits. */
export function exp2OfParts(n: Vector, r: Vector): Vector {
  const [first, rest] = [pick(r, kExp2).at(-1)!, pick(r, kExp2).slice(0, -1)];
  // 1 + first r in two parts: the sum, and what it has lost.
  const one = constantLike(r, 1);
  const linear = r.mul(first);
  const sum = linear.add(one);
  const lost = one.sub(sum).add(linear);
  return scale(sum.add(horner(r, rest).madd(r.mul(r), lost)), n);
}

/** 2^n e^(r + low) for a reduced r and a low that is far smaller. */
export function expOfParts(n: Vector, r: Vector, low: Vector): Vector {
  return scale(expm1Polynomial(r, kExp).add(r.mul(low).add(low)).add(1), n);
}

/**
 * 2^x. f32 <= 1 ulp, f64 <= 1 ulp; exact for integers.
 *
 * r goes from -5/12 to 7/12: below 1 the floats are denser, so that side gets the smaller share of the errors.
 */
export function exp2(x: Vector): Vector {
  const { magic, bias } = formatOf(x);
  const [least, most] = pick(x, kExp2Ends);
  const clamped = x.pmin(most).pmax(least);
  const n = clamped.sub(1 / 12).add(magic + 2 * bias);
  return exp2OfParts(n, clamped.sub(n.sub(magic + 2 * bias)));
}

/**
 * e^x - 1, right near 0, too. f32 <= 2 ulp, f64 <= 2 ulp; expm1(-0) is -0.
 *
 *     e^x - 1 = 2 (2^(n-1) (e^r - 1) + (2^(n-1) - 1/2))          the second term is exact where it counts
 */
export function expm1(x: Vector): Vector {
  const { kind, unsignedBits, mantissaBits, bias } = formatOf(x);
  const [least, most] = pick(x, kExpm1Ends);
  const { n, r } = reduce(x.pmin(most).pmax(least), bias - 1, kShift);
  const power = n.as(unsignedBits).shl(mantissaBits).as(kind);
  const p = expm1Polynomial(r, kExpm1Shifted);
  const y = power.madd(p, power.sub(0.5));
  const isTiny = x.abs().lt(kind === "f32x4" ? 2 ** -25 : 2 ** -54);
  return isTiny.select(x, y.add(y));
}
