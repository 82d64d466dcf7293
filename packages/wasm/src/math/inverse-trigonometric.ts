/**
 * inverse-trigonometric: arc sine, cosine and tangent (tf.math.asin, acos, atan, atan2; Eigen's pasin, pacos, patan).
 *
 *     |x| <= 1/2   asin x = x + x^3 P(x^2)              acos x = pi/2 - asin x
 *     |x| >  1/2   asin x = pi/2 - 2 asin(s)            acos x = 2 asin(s)  or  pi - 2 asin(s),    s = sqrt((1 - |x|) / 2)
 *     atan         three ranges are mapped to |t| <= 1/2 by one division: x, (x - 1) / (x + 1), -1 / x
 *
 * Angles that are added (pi/4, pi/2, pi) have two parts, because their last bit matters.
 */
import type { Vector } from "../vector/vector.ts";
import type { ByFormat } from "./float-format.ts";
import { constantLike, formatOf, horner, pick, signOf, sizeFrom, unlessRare } from "./float-format.ts";

/** Coefficients of (asin x / x - 1) / z in z = x^2 up to 1/4. */
const kAsin: ByFormat<readonly number[]> = {
  f32x4: [0.042230602, 0.024140958, 0.045478348, 0.07495233, 0.16666754],
  f64x2: [
    0.03198168129078043, -0.016326672258816132, 0.019594322698278346, 0.006503528771320797, 0.012174940099893517, 0.013884350760697306,
    0.017359795626018533, 0.022371751936930872, 0.030381959395632614, 0.044642856821968536, 0.07500000000344816, 0.16666666666665375,
  ],
};

/** Coefficients of (atan t / t - 1) / z in z = t^2 up to 1/4. */
const kAtan: ByFormat<readonly number[]> = {
  f32x4: [0.038782317, -0.079884775, 0.109422095, -0.14272234, 0.19999498, -0.33333328],
  f64x2: [
    -0.00836425046385199, 0.023652288660408805, -0.03711647908720883, 0.04589341289123718, -0.05229980945986584, 0.05877800855633717,
    -0.06666222701702718, 0.07692277396293058, -0.09090907687794138, 0.11111111069219048, -0.14285714284974904, 0.19999999999993417,
    -0.33333333333333315,
  ],
};

/** pi/2 in two parts. */
const kHalfPi: ByFormat<readonly [number, number]> = {
  f32x4: [1.5707964, -4.371139e-8],
  f64x2: [1.5707963267948966, 6.123233995736766e-17],
};

/** Returns (asin x - x) / x, for z = x^2. */
function asinRest(z: Vector): Vector {
  return horner(z, pick(z, kAsin)).mul(z);
}

/** Returns asin x. f32 <= 2 ulp, f64 <= 2 ulp; NaN outside of [-1, 1], asin(-0) is -0. */
export function asin(x: Vector): Vector {
  const [high, low] = pick(x, kHalfPi);
  const a = x.abs();
  const isLarge = a.gt(0.5);
  const z = isLarge.select(constantLike(x, 0.5).sub(a.mul(0.5)), a.mul(a));
  const s = isLarge.select(z.sqrt(), a);
  const rest = s.mul(asinRest(z));
  // pi/2 - 2 s - 2 rest, with the rounding error of the first difference.
  const twice = s.add(s);
  const first = constantLike(x, high).sub(twice);
  const lost = constantLike(x, high).sub(first).sub(twice);
  const far = first.sub(rest.add(rest).sub(low).sub(lost));
  return isLarge.select(far, s.add(rest)).or(signOf(x));
}

/** Returns acos x. f32 <= 2 ulp, f64 <= 2 ulp; NaN outside of [-1, 1], acos(1) is 0. */
export function acos(x: Vector): Vector {
  const [high, low] = pick(x, kHalfPi);
  const a = x.abs();
  const isLarge = a.gt(0.5);
  const z = isLarge.select(constantLike(x, 0.5).sub(a.mul(0.5)), a.mul(a));
  const s = isLarge.select(z.sqrt(), x);
  const rest = s.mul(asinRest(z));
  const near = constantLike(x, high).sub(s.sub(constantLike(x, low).sub(rest)));
  const y = s.add(rest);
  const positive = y.add(y);
  const negative = constantLike(x, high).sub(y.sub(low));
  return isLarge.select(x.lt(0).select(negative.add(negative), positive), near);
}

/** An angle: the sum of `turns` times pi/2, of t, and of a small `rest`. */
interface Angle {
  readonly turns: Vector;
  readonly t: Vector;
  readonly rest: Vector;
}

/** Returns the angle of the point (x, y) for x, y >= 0, not both infinite. The angle of (0, 0) is 0. */
function firstQuadrant(y: Vector, x: Vector): Angle {
  const isSteep = y.gt(x.add(x));
  const isFlat = y.le(x.mul(0.5));
  // tan(angle - pi/4) = (y - x) / (y + x), tan(angle - pi/2) = -x / y
  const numerator = isFlat.select(y, isSteep.select(x.neg(), y.sub(x)));
  const denominator = isFlat.select(x, isSteep.select(y, y.add(x)));
  // Makes 0 / 0, the quotient for (0, 0), 0.
  const t = numerator.div(denominator).and(numerator.ne(0));
  const z = t.mul(t);
  return { turns: isFlat.select(0, isSteep.select(constantLike(x, 1), 0.5)), t, rest: horner(z, pick(z, kAtan)).mul(z.mul(t)) };
}

/** Returns the sum of the parts of an angle, corrected by the rounding error of the sum of the two large parts. */
function angle({ turns, t, rest }: Angle): Vector {
  const [high, low] = pick(rest, kHalfPi);
  const base = turns.mul(high);
  const sum = base.add(t);
  return sum.add(base.sub(sum).add(t).add(turns.madd(low, rest)));
}

/** Returns atan x. f32 <= 2 ulp, f64 <= 2 ulp; +-pi/2 at the infinities, atan(-0) is -0. */
export function atan(x: Vector): Vector {
  return angle(firstQuadrant(x.abs(), constantLike(x, 1))).or(signOf(x));
}

/** Returns atan2 of finite numbers that are far from overflow. */
function ordinaryAtan2(y: Vector, x: Vector): Vector {
  const { turns, t, rest } = firstQuadrant(y.abs(), x.abs());
  // To the left of the y axis, including -0, the angle is pi minus that of (|x|, |y|).
  const isLeft = x.as(x.maskKind).lt(0);
  const flip = isLeft.and(formatOf(x).signBit);
  const all = isLeft.select(constantLike(x, 2).sub(turns), turns);
  return angle({ turns: all, t: t.xor(flip), rest: rest.xor(flip) }).or(signOf(y));
}

/**
 * Returns the angle of the point (x, y), from -pi to pi. f32 <= 2 ulp, f64 <= 2 ulp.
 *
 * atan2(+-0, +0) is +-0 and atan2(+-0, -0) is +-pi. Two infinities count as equal. The result is NaN if x or y is NaN.
 */
export function atan2(y: Vector, x: Vector): Vector {
  const large = x.kind === "f32x4" ? 100 : 1000;
  return unlessRare([sizeFrom(x, large), sizeFrom(y, large)], ordinaryAtan2(y, x), () => {
    const infinite = constantLike(x, Infinity);
    const isInfinite = x.abs().eq(infinite).or(y.abs().eq(infinite));
    // An infinity becomes 1, and a finite number paired with an infinity 0. Other pairs are scaled down, so that they do not overflow.
    const reduceSize = (v: Vector): Vector => {
      const size = isInfinite.select(v.abs().eq(infinite).select(constantLike(x, 1), 0), v.abs().mul(2 ** -40));
      return size.or(signOf(v));
    };
    const isNan = x.ne(x).or(y.ne(y));
    const rare = ordinaryAtan2(reduceSize(y), reduceSize(x));
    return isNan.select(Number.NaN, rare);
  });
}
