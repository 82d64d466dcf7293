/**
 * uint2: an unsigned integer of 2 bits, 0 to 3, stored in one byte (ml_dtypes.uint2; tensors do not pack it).
 *
 * The byte's upper bits are stored as 0 and ignored when reading, as ml_dtypes does. Casts truncate towards zero and
 * wrap around.
 */

import { argumentError } from "../status/argument-check.ts";

/**
 * Returns the uint2 that a number is cast to, which is also its stored byte: the number is truncated towards zero, then cut to the lowest
 * 2 bits. Applied to a stored byte it decodes the byte. NaN and infinities are 0, as in ml_dtypes' casts of float arrays; numbers beyond
 * 32 bits, whose cast is undefined in C++, wrap around, too.
 *
 * @example
 * toUint2(3); // => 3
 * toUint2(4); // => 0
 * toUint2(-1.9); // => 3
 */
export function toUint2(x: number): number {
  if (typeof x !== "number") throw argumentError("a number", x);
  return x & 3;
}
