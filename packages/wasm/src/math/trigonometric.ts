/**
 * trigonometric: sine, cosine and tangent (tf.math.sin, cos, tan; Eigen's psin, pcos, ptan).
 *
 *     x = n pi/2 + r,  |r| <= pi/4          sin x is sin r, cos r, -sin r, -cos r as n is 0, 1, 2, 3 modulo 4
 *
 * Near a multiple of pi/2 all digits of x but the last few cancel, so r is computed with more digits than x has: for f32 in f64, for f64
 * with pi/2 in three parts. This is not enough for large numbers, which are reduced by argument-reduction.ts.
 */
import type { Vector } from "../vector/vector.ts";
import type { Reduction } from "./argument-reduction.ts";
import { joinHalves, reduceAny } from "./argument-reduction.ts";
import type { ByFormat } from "./float-format.ts";
import { constantLike, formatOf, horner, pick, signOf, sizeFrom, unlessRare } from "./float-format.ts";

/** Coefficients of (sin r / r - 1) / z in z = r^2. */
const kSin: ByFormat<readonly number[]> = {
  f32x4: [-0.00019517234, 0.008332178, -0.16666655],
  f64x2: [
    1.5896795553006916e-10, -2.505075811311901e-8, 2.755731369190016e-6, -0.00019841269829807737, 0.008333333333322413,
    -0.16666666666666632,
  ],
};

/** Coefficients of (cos r - 1 + z / 2) / z^2 in z = r^2. */
const kCos: ByFormat<readonly number[]> = {
  f32x4: [0.000024433082, -0.0013887315, 0.041666646],
  f64x2: [
    -1.135851393944841e-11, 2.087570041560197e-9, -2.7557314176234033e-7, 2.4801587288841367e-5, -0.001388888888887304,
    0.041666666666666595,
  ],
};

/** pi/2 as its first 25 bits and the remainder; then as its first 33 bits, the next 33 bits and the remainder. */
const kHalfPi25 = [1.5707963109016418, 1.5893254773528196e-8] as const;
const kHalfPi33 = [1.5707963267341256, 6.077100506303966e-11, 2.0222662487959506e-21] as const;
/**
 * Below this power of two the product of n and the first part of pi/2 is exact. The digits suffice, too: for f64 all n were tried, and no
 * double next to n pi/2 loses more than one unit of the last place of r.
 */
const kFastLimit: ByFormat<number> = { f32x4: 28, f64x2: 20 };

/** Reduces f32 by computing in f64 and rounding r once. `low` is the rounding error, computed only if `needsLow` is true. */
function reduceF32(x: Vector, needsLow: boolean): Reduction {
  const { magic } = formatOf(x.lowToF64());
  return joinHalves(needsLow, [x.lowToF64(), x.highToF64()], (v) => {
    const n = v.madd(2 / Math.PI, magic);
    const k = n.sub(magic);
    return { n: n.as("i32x4"), r: k.nmadd(kHalfPi25[1], k.nmadd(kHalfPi25[0], v)) };
  });
}

/** Reduces f64. r is the sum of two doubles. */
function reduceF64(x: Vector): Reduction {
  const { magic } = formatOf(x);
  const n = x.madd(2 / Math.PI, magic);
  const k = n.sub(magic);
  const first = x.sub(k.mul(kHalfPi33[0]));
  const second = k.mul(kHalfPi33[1]);
  const rest = first.sub(second);
  const third = k.mul(kHalfPi33[2]).sub(first.sub(rest).sub(second));
  const high = rest.sub(third);
  return { n: n.as("i64x2"), high, low: rest.sub(high).sub(third) };
}

/** The sum of a float and a small correction. */
interface TwoParts {
  readonly high: Vector;
  readonly low: Vector;
}

/** Returns the sine of a reduced number in two parts, whose sum is the value rounded once. */
function sinOf({ high, low }: Reduction): TwoParts {
  const z = high.mul(high);
  const rest = horner(z, pick(z, kSin)).mul(z.mul(high));
  return { high, low: low === null ? rest : rest.add(low.sub(z.mul(0.5).mul(low))) };
}

/** Returns the cosine of a reduced number in two parts. */
function cosOf({ high, low }: Reduction): TwoParts {
  const z = high.mul(high);
  const half = z.mul(0.5);
  const head = constantLike(z, 1).sub(half);
  const lost = constantLike(z, 1).sub(head).sub(half);
  const rest = horner(z, pick(z, kCos)).mul(z.mul(z));
  return { high: head, low: lost.add(low === null ? rest : rest.sub(high.mul(low))) };
}

/** Returns the sum of two parts. */
function sum({ high, low }: TwoParts): Vector {
  return high.add(low);
}

/** Returns a / b: the quotient of the two sums, corrected by their rounding errors. */
function quotient(a: TwoParts, b: TwoParts): Vector {
  const [top, bottom] = [sum(a), sum(b)];
  const topLost = a.high.sub(top).add(a.low);
  const bottomLost = b.high.sub(bottom).add(b.low);
  const first = top.div(bottom);
  return first.add(topLost.sub(first.mul(bottomLost)).div(bottom));
}

/** Returns the mask of lanes where n is odd. */
function isOdd(n: Vector): Vector {
  return n.and(1).eq(1);
}

/** Returns the sign bit in lanes where bit 1 of n is set, where the sign of the result is flipped. */
function turnedSign(n: Vector, x: Vector): Vector {
  return n.and(2).shl(formatOf(x).mantissaBits === 23 ? 30 : 62);
}

/** Properties of a function. */
interface Needs {
  /** True if f(-x) = -f(x). */
  readonly odd: boolean;
  /** True if r must have more digits than a float has. */
  readonly low: boolean;
}

/** Applies `of` to the reduced x. The fast reduction is used if it is accurate enough. */
function reduced(x: Vector, needs: Needs, of: (r: Reduction) => Vector): Vector {
  const fast = x.kind === "f32x4" ? reduceF32(x, needs.low) : reduceF64(x);
  const result = unlessRare([sizeFrom(x, pick(x, kFastLimit))], of(fast), () => {
    const rare = of(reduceAny(x.abs(), needs.low));
    // Infinity minus itself is NaN.
    return (needs.odd ? rare.xor(signOf(x)) : rare).add(x.sub(x));
  });
  return needs.odd ? x.eq(0).select(x, result) : result;
}

/** Returns sin x. f32 <= 2 ulp, f64 <= 2 ulp, however large x is; NaN at the infinities, sin(-0) is -0. */
export function sin(x: Vector): Vector {
  return reduced(x, { odd: true, low: false }, (r) =>
    isOdd(r.n)
      .select(sum(cosOf(r)), sum(sinOf(r)))
      .xor(turnedSign(r.n, x)),
  );
}

/** Returns cos x. f32 <= 2 ulp, f64 <= 2 ulp, however large x is; NaN at the infinities. */
export function cos(x: Vector): Vector {
  return reduced(x, { odd: false, low: false }, (r) =>
    isOdd(r.n)
      .select(sum(sinOf(r)), sum(cosOf(r)))
      .xor(turnedSign(r.n.add(1), x)),
  );
}

/** Returns tan x. f32 <= 2 ulp, f64 <= 2 ulp, however large x is; NaN at the infinities, tan(-0) is -0. */
export function tan(x: Vector): Vector {
  return reduced(x, { odd: true, low: true }, (r) => {
    const odd = isOdd(r.n);
    const sine = sinOf(r);
    const cosine = cosOf(r);
    const either = (a: TwoParts, b: TwoParts): TwoParts => ({ high: odd.select(a.high, b.high), low: odd.select(a.low, b.low) });
    return quotient(either(cosine, sine), either(sine, cosine)).xor(odd.and(formatOf(x).signBit));
  });
}
