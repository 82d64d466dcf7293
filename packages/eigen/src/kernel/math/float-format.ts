/**
 * float-format: what the two float kinds differ in, so that a function is written once and made for both.
 *
 *     f32   s eeeeeeee mmmmmmmmmmmmmmmmmmmmmmm          f64   s eeeeeeeeeee mmmm...m (52)
 *
 * Also the two tricks that every function stands on. Rounding to the nearest integer is an addition of `magic`, a number
 * so large that its last bit is worth one: the sum has the integer in its low bits, and minus magic it is the integer as a
 * float. And a power of two is the integer moved to where the exponent is.
 */
import type { Vector } from "../vector.ts";

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
