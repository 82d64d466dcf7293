/**
 * The elementwise operations on 64-bit integers, exact; the caller then wraps the result. The rules are those of number-functions.ts.
 */
import type { DType } from "@onebuffer/base";
import { InvalidArgumentError } from "@onebuffer/base";
import type { OpNameOf } from "../expression/tree/op-table.ts";
import { wrapBig } from "./values.ts";

/** An operation on one bigint. */
export type BigUnary = (x: bigint) => bigint;
/** An operation on two bigints; comparisons return 0 or 1. */
export type BigBinary = (x: bigint, y: bigint) => bigint | number;

/** The unary operations, before wrapping. */
export const bigUnary: Readonly<Partial<Record<OpNameOf<"unary">, BigUnary>>> = {
  neg: (x) => -x,
  abs: (x) => (x < 0n ? -x : x),
  sign: (x) => (x < 0n ? -1n : x > 0n ? 1n : 0n),
  square: (x) => x * x,
  round: (x) => x,
  invert: (x) => ~x,
};

const binary: Readonly<Partial<Record<OpNameOf<"binary">, BigBinary>>> = {
  add: (x, y) => x + y,
  sub: (x, y) => x - y,
  mul: (x, y) => x * y,
  div: (x, y) => x / divisor(y),
  floorDiv: (x, y) => {
    const quotient = x / divisor(y);
    return x % y !== 0n && x < 0n !== y < 0n ? quotient - 1n : quotient;
  },
  mod: (x, y) => {
    const remainder = x % divisor(y);
    return remainder !== 0n && remainder < 0n !== y < 0n ? remainder + y : remainder;
  },
  truncateMod: (x, y) => x % divisor(y),
  minimum: (x, y) => (y < x ? y : x),
  maximum: (x, y) => (y > x ? y : x),
  squaredDifference: (x, y) => (x - y) * (x - y),
  equal: (x, y) => (x === y ? 1 : 0),
  notEqual: (x, y) => (x === y ? 0 : 1),
  less: (x, y) => (x < y ? 1 : 0),
  lessEqual: (x, y) => (x <= y ? 1 : 0),
  greater: (x, y) => (x > y ? 1 : 0),
  greaterEqual: (x, y) => (x >= y ? 1 : 0),
  bitwiseAnd: (x, y) => x & y,
  bitwiseOr: (x, y) => x | y,
  bitwiseXor: (x, y) => x ^ y,
  leftShift: (x, y) => x << clampedShift(y),
  rightShift: (x, y) => x >> clampedShift(y),
};

/** Returns the binary operation for a dtype, before wrapping; undefined if there is none. */
export function bigBinary(op: OpNameOf<"binary">, dtype: DType): BigBinary | undefined {
  if (op === "pow") return (x, y) => power(dtype, x, y);
  return binary[op];
}

/** Returns a shift count clamped to [0, 63]. */
function clampedShift(y: bigint): bigint {
  return y < 0n ? 0n : y > 63n ? 63n : y;
}

/** Returns `y`. Throws INVALID_ARGUMENT if it is 0, as TensorFlow does. */
function divisor(y: bigint): bigint {
  if (y === 0n) throw new InvalidArgumentError("Integer division by zero");
  return y;
}

/** Returns x^y by squaring, wrapped at every step because the exponent may have 64 bits. Throws INVALID_ARGUMENT if y is negative. */
function power(dtype: DType, x: bigint, y: bigint): bigint {
  if (y < 0n) throw new InvalidArgumentError(`Integers to negative integer powers are not allowed: ${x} to the power of ${y}`);
  let result = 1n;
  let square = x;
  for (let rest = y; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = wrapBig(dtype, result * square);
    square = wrapBig(dtype, square * square);
  }
  return result;
}
