/**
 * int2: a signed integer of 2 bits, -2 to 1, stored in one byte (ml_dtypes.int2; tensors do not pack it).
 *
 *   7..2     1..0
 *   unused   two's complement
 *
 * TensorFlow and ml_dtypes store the unused bits as 0 (-2 is 02) and ignore them when reading; this codec does the same. Casts
 * truncate towards zero and wrap around.
 */

import { argumentError } from "../status/argument-check.ts";

/**
 * Returns the int2 that a number is cast to: the number is truncated towards zero, then cut to the lowest 2 bits, sign-extended. Applied
 * to a stored byte it decodes the byte. NaN and infinities are 0, as in ml_dtypes' casts of float arrays; numbers beyond 32 bits, whose
 * cast is undefined in C++, wrap around, too.
 *
 * @example
 * toInt2(1); // => 1
 * toInt2(2); // => -2
 * toInt2(-1.9); // => -1
 * toInt2(0x02); // => -2
 */
export function toInt2(x: number): number {
  if (typeof x !== "number") throw argumentError("a number", x);
  return (x << 30) >> 30;
}

/**
 * Returns the byte that stores a number as int2: the lowest 2 bits of `toInt2(x)`, the bits above them 0.
 *
 * @example
 * int2Bits(-1); // => 3
 * int2Bits(1); // => 1
 */
export function int2Bits(x: number): number {
  if (typeof x !== "number") throw argumentError("a number", x);
  return x & 3;
}
