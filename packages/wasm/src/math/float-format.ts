/**
 * float-format: the constants in which the two float kinds differ, and building blocks that all math functions share. So each function is
 * written once for both kinds.
 *
 *     f32   s eeeeeeee mmmmmmmmmmmmmmmmmmmmmmm          f64   s eeeeeeeeeee mmmm...m (52)
 *
 * Two techniques occur in every function. To round to the nearest integer, add `magic`, a number so large that its last bit is worth one:
 * the low bits of the sum are the integer, and the sum minus magic is the integer as a float. To make a power of two, shift the integer to
 * the position of the exponent.
 */
import type { Vector } from "../vector/vector.ts";

/** The constants of a float kind. */
export interface FloatFormat {
  readonly kind: "f32x4" | "f64x2";
  /** The integer kinds of the same width. */
  readonly bits: "i32x4" | "i64x2";
  readonly unsignedBits: "u32x4" | "u64x2";
  readonly mantissaBits: 23 | 52;
  readonly bias: 127 | 1023;
  /** 3 * 2^(mantissaBits - 1), the number whose addition rounds to an integer. */
  readonly magic: number;
  /** The bits of `magic` as an integer. */
  readonly magicBits: bigint;
  readonly leastNormal: number;
  readonly signBit: bigint;
}

const kF32: FloatFormat = {
  kind: "f32x4",
  bits: "i32x4",
  unsignedBits: "u32x4",
  mantissaBits: 23,
  bias: 127,
  magic: 12582912,
  magicBits: 0x4b400000n,
  leastNormal: 2 ** -126,
  signBit: -0x80000000n,
};

const kF64: FloatFormat = {
  kind: "f64x2",
  bits: "i64x2",
  unsignedBits: "u64x2",
  mantissaBits: 52,
  bias: 1023,
  magic: 6755399441055744,
  magicBits: 0x4338000000000000n,
  leastNormal: 2 ** -1022,
  signBit: -0x8000000000000000n,
};

/** A value for each float kind. */
export interface ByFormat<T> {
  readonly f32x4: T;
  readonly f64x2: T;
}

/** Returns the format of a float vector. */
export function formatOf(x: Vector): FloatFormat {
  return x.kind === "f32x4" ? kF32 : kF64;
}

/** Returns the value for the kind of `x`. */
export function pick<T>(x: Vector, values: ByFormat<T>): T {
  return x.kind === "f32x4" ? values.f32x4 : values.f64x2;
}

/** Returns a constant of the kind of `x`. */
export function constantLike(x: Vector, value: number): Vector {
  return x.source.constant(x.kind, value);
}

/** Returns the sign bit of x, with all other bits zero. */
export function signOf(x: Vector): Vector {
  return x.and(formatOf(x).signBit);
}

/** The number of coefficients from which splitting a polynomial pays: a shorter chain of dependent products saves more than x^2 costs. */
const kLongPolynomial = 10;

/**
 * Returns c[0] x^n + ... + c[n] by Horner's rule. A long polynomial is split into two polynomials of x^2, for the even and the odd
 * powers.
 */
export function horner(x: Vector, c: readonly number[]): Vector {
  if (c.length >= kLongPolynomial) {
    const square = x.mul(x);
    const even = c.filter((_, i) => (c.length - 1 - i) % 2 === 0);
    const odd = c.filter((_, i) => (c.length - 1 - i) % 2 === 1);
    return horner(square, odd).madd(x, horner(square, even));
  }
  let sum = constantLike(x, c[0]!);
  for (let i = 1; i < c.length; i++) sum = sum.madd(x, c[i]!);
  return sum;
}

/**
 * Returns the same as horner, given x^2, for at least four coefficients. The first four coefficients of a short polynomial are combined as
 * two pairs, which shortens the chain of dependent products.
 */
export function hornerBySquare(x: Vector, square: Vector, c: readonly number[]): Vector {
  if (c.length >= kLongPolynomial) return horner(x, c);
  const second = constantLike(x, c[2]!).madd(x, c[3]!);
  let sum = constantLike(x, c[0]!).madd(x, c[1]!).madd(square, second);
  for (const next of c.slice(4)) sum = sum.madd(x, next);
  return sum;
}

/** A test for rare lanes: those where `value`, unsigned integers of the width of the float, is above `limit`, which is below 2^32. */
export interface RareLanes {
  readonly value: Vector;
  readonly limit: number;
}

/**
 * Returns `ordinary`, but the result of `otherwise` in rare lanes. If other code can handle a whole group with rare lanes (see
 * VectorBuilder.guard), rare lanes are not computed here; otherwise there is a branch. The value of a lane is the same in both cases, and
 * does not depend on other lanes.
 */
export function unlessRare(rare: readonly RareLanes[], ordinary: Vector, otherwise: () => Vector): Vector {
  const { source } = ordinary;
  const guarded = rare.map(({ value, limit }) => source.guard(value, limit));
  if (guarded.every(Boolean)) return ordinary;
  const masks = rare.map(({ value, limit }) => value.gt(value.kind === "u32x4" ? limit : BigInt(limit)));
  const isRare = masks.reduce((all, mask) => all.or(mask));
  return source.when(isRare, ordinary, () => isRare.select(otherwise(), ordinary));
}

/** Returns the sign, the exponent and the first bits of the mantissa as unsigned integers of 32 bits. */
function upperBits(x: Vector): Vector {
  const { unsignedBits, kind } = formatOf(x);
  const bits = x.as(unsignedBits);
  return kind === "f32x4" ? bits : bits.shr(32);
}

/** Returns the lanes that are not below 2^`exponent` in magnitude, including NaN. */
export function sizeFrom(x: Vector, exponent: number): RareLanes {
  const { kind, bias } = formatOf(x);
  const first = kind === "f32x4" ? 2 ** 23 : 2 ** 20;
  return { value: upperBits(x.abs()), limit: (bias + exponent) * first - 1 };
}

/** Returns the lanes that are not normal positive numbers: zeros, denormal and negative numbers, infinities and NaN. */
export function notNormal(x: Vector): RareLanes {
  const { kind, bias } = formatOf(x);
  const first = kind === "f32x4" ? 2 ** 23 : 2 ** 20;
  const value = upperBits(x).sub(kind === "f32x4" ? first : BigInt(first));
  return { value, limit: 2 * bias * first - 1 };
}

/**
 * Returns y * 2^n for an integer n with 2^n in or below the range of normal floats. The low bits of `biased` are n + 2 * bias. y is
 * multiplied by two halves of the power in turn, so that a result below the normal range is rounded once, at the end.
 */
export function scale(y: Vector, biased: Vector): Vector {
  const { kind, unsignedBits, mantissaBits } = formatOf(y);
  const bits = biased.as(unsignedBits);
  const half = bits.shr(1);
  const low = half.shl(mantissaBits).as(kind);
  const high = bits.sub(half).shl(mantissaBits).as(kind);
  return y.mul(low).mul(high);
}

/**
 * Returns the same as `scale` for results at the ends of the range and beyond; `isBelow` is the mask of lanes at the lower end. A denormal
 * result is computed as a number of units of its last place and rounded by an addition, because a product that underflows takes about a
 * hundred cycles.
 */
export function scaleBeyond(y: Vector, biased: Vector, isBelow: Vector): Vector {
  const { kind, unsignedBits, mantissaBits, bias } = formatOf(y);
  const bits = biased.as(unsignedBits);
  const unit = 2 ** mantissaBits;
  const times = (exponent: Vector): Vector => y.mul(exponent.shl(mantissaBits).as(kind));
  const units = times(bits.add(BigInt(mantissaBits - 1)));
  const denormal = units.add(unit).as(unsignedBits).sub(constantLike(y, unit).as(unsignedBits));
  const normal = units.as(unsignedBits).sub(BigInt(bias + mantissaBits - 1) << BigInt(mantissaBits));
  const below = units.lt(unit).select(denormal, normal).as(kind);
  const above = times(bits.sub(BigInt(bias + 2))).mul(4);
  return isBelow.select(below, above);
}
