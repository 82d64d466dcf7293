/**
 * float-format: what the two float kinds differ in, so that a function is written once and made for both.
 *
 *     f32   s eeeeeeee mmmmmmmmmmmmmmmmmmmmmmm          f64   s eeeeeeeeeee mmmm...m (52)
 *
 * Also the two tricks that every function stands on. Rounding to the nearest integer is an addition of `magic`, a number
 * so large that its last bit is worth one: the sum has the integer in its low bits, and minus magic it is the integer as a
 * float. And a power of two is the integer moved to where the exponent is.
 */
import type { Vector } from "../vector/vector.ts";

/** The numbers of a float kind. */
export interface FloatFormat {
  readonly kind: "f32x4" | "f64x2";
  /** The integer kinds of the same width. */
  readonly bits: "i32x4" | "i64x2";
  readonly unsignedBits: "u32x4" | "u64x2";
  readonly mantissaBits: 23 | 52;
  readonly bias: 127 | 1023;
  /** 3 * 2^(mantissaBits - 1). */
  readonly magic: number;
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

/** Numbers of which there are two: for f32 and for f64. */
export interface ByFormat<T> {
  readonly f32x4: T;
  readonly f64x2: T;
}

/** The format of a float vector. */
export function formatOf(x: Vector): FloatFormat {
  return x.kind === "f32x4" ? kF32 : kF64;
}

/** The one of two that is for the kind of `x`. */
export function pick<T>(x: Vector, values: ByFormat<T>): T {
  return x.kind === "f32x4" ? values.f32x4 : values.f64x2;
}

/** A constant of the kind of `x`. */
export function constantLike(x: Vector, value: number): Vector {
  return x.source.constant(x.kind, value);
}

/** The sign bit of x, all others zero. */
export function signOf(x: Vector): Vector {
  return x.and(formatOf(x).signBit);
}

/** From this many coefficients on, waiting for one product after the other costs more than one more product. */
const kLongPolynomial = 10;

/** c[0] x^n + ... + c[n], by Horner's rule; long ones as two of half the length, by x^2, for even and odd powers. */
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

/** The same where x^2 is known: of a short polynomial the first four coefficients as two pairs, so that the wait is shorter. */
export function hornerBySquare(x: Vector, square: Vector, c: readonly number[]): Vector {
  if (c.length < 5 || c.length >= kLongPolynomial) return horner(x, c);
  const second = constantLike(x, c[2]!).madd(x, c[3]!);
  let sum = constantLike(x, c[0]!).madd(x, c[1]!).madd(square, second);
  for (const next of c.slice(4)) sum = sum.madd(x, next);
  return sum;
}

/** A test for lanes that are rare: those where an unsigned integer of the width of a float is above a limit, itself below 2^32. */
export interface RareLanes {
  readonly value: Vector;
  readonly limit: number;
}

/**
 * `ordinary`, but in rare lanes what `otherwise` answers. Where the whole group can be left to other code (see VectorBuilder.guard) nothing
 * is made of them here; elsewhere it is a branch. A lane has the same value either way, whatever is beside it.
 */
export function unlessRare(rare: readonly RareLanes[], ordinary: Vector, otherwise: () => Vector): Vector {
  const { source } = ordinary;
  const left = rare.map(({ value, limit }) => source.guard(value, limit));
  if (left.every(Boolean)) return ordinary;
  const masks = rare.map(({ value, limit }) => value.gt(value.kind === "u32x4" ? limit : BigInt(limit)));
  const isRare = masks.reduce((all, mask) => all.or(mask));
  return source.when(isRare, ordinary, () => isRare.select(otherwise(), ordinary));
}

/** Sign, exponent and the first bits of the mantissa, as unsigned integers. */
function upperBits(x: Vector): Vector {
  const { unsignedBits, kind } = formatOf(x);
  const bits = x.as(unsignedBits);
  return kind === "f32x4" ? bits : bits.shr(32);
}

/** Lanes that are not below 2^`exponent` in size, NaN among them. */
export function sizeFrom(x: Vector, exponent: number): RareLanes {
  const { kind, bias } = formatOf(x);
  const first = kind === "f32x4" ? 2 ** 23 : 2 ** 20;
  return { value: upperBits(x.abs()), limit: (bias + exponent) * first - 1 };
}

/** Lanes that are no normal positive numbers: zeros, denormal and negative ones, infinities, NaN. */
export function notNormal(x: Vector): RareLanes {
  const { kind, bias } = formatOf(x);
  const first = kind === "f32x4" ? 2 ** 23 : 2 ** 20;
  const value = upperBits(x).sub(kind === "f32x4" ? first : BigInt(first));
  return { value, limit: 2 * bias * first - 1 };
}

/**
 * y * 2^n for an integer n with 2^n in or below the range of normal floats; `biased` has n + 2 * bias in its low bits.
 * The power is multiplied on in two halves, so that a result below the normal range is rounded once, at the end.
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
 * The same for results at the ends of the range and beyond; `isBelow` says at which end. Denormal ones are counted in units of their last
 * place, which an addition rounds: of a product that underflows processors make a case that takes a hundred cycles.
 */
export function scaleBeyond(y: Vector, biased: Vector, isBelow: Vector): Vector {
  const { kind, unsignedBits, mantissaBits, bias } = formatOf(y);
  const bits = biased.as(unsignedBits);
  const unit = 2 ** mantissaBits;
  const times = (exponent: Vector): Vector => y.mul(exponent.shl(mantissaBits).as(kind));
  const places = times(bits.add(BigInt(mantissaBits - 1)));
  const denormal = places.add(unit).as(unsignedBits).sub(constantLike(y, unit).as(unsignedBits));
  const normal = places.as(unsignedBits).sub(BigInt(bias + mantissaBits - 1) << BigInt(mantissaBits));
  const below = places.lt(unit).select(denormal, normal).as(kind);
  const above = times(bits.sub(BigInt(bias + 2))).mul(4);
  return isBelow.select(below, above);
}
