/**
 * int4: a signed integer of 4 bits, -8 to 7, stored in one byte (ml_dtypes.int4; tensors do not pack it).
 *
 *   7..4     3..0
 *   unused   two's complement
 *
 * TensorFlow and ml_dtypes store the unused bits as 0 (-2 is 0e) and ignore them when reading; this codec does the same. Casts
 * truncate towards zero and wrap around.
 */

import { argumentError } from "../status/argument-check.ts";

/**
 * Returns the int4 that a number is cast to: the number is truncated towards zero, then cut to the lowest 4 bits, sign-extended. Applied
 * to a stored byte it decodes the byte. NaN and infinities are 0, as in ml_dtypes' casts of float arrays; numbers beyond 32 bits, whose
 * cast is undefined in C++, wrap around, too.
 *
 * @example
 * toInt4(7); // => 7
 * toInt4(8); // => -8
 * toInt4(-1.9); // => -1
 * toInt4(0x0e); // => -2
 */
export function toInt4(x: number): number {
  if (typeof x !== "number") throw argumentError("a number", x);
  return (x << 28) >> 28;
}

/**
 * Returns the byte that stores a number as int4: the lowest 4 bits of `toInt4(x)`, the bits above them 0.
 *
 * @example
 * int4Bits(-1); // => 15
 * int4Bits(7); // => 7
 */
export function int4Bits(x: number): number {
  if (typeof x !== "number") throw argumentError("a number", x);
  return x & 15;
}
