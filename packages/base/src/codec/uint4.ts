/**
 * uint4: an unsigned integer of 4 bits, 0 to 15, stored in one byte (ml_dtypes.uint4; tensors do not pack it).
 *
 * The byte's upper bits are stored as 0 and ignored when reading, as ml_dtypes does. Casts truncate towards zero and
 * wrap around.
 */

import { argumentError } from "../status/argument-check.ts";

/**
 * Returns the uint4 that a number is cast to, which is also its stored byte: the number is truncated towards zero, then cut to the lowest
 * 4 bits. Applied to a stored byte it decodes the byte. NaN and infinities are 0, as in ml_dtypes' casts of float arrays; numbers beyond
 * 32 bits, whose cast is undefined in C++, wrap around, too.
 *
 * @example
 * toUint4(15); // => 15
 * toUint4(16); // => 0
 * toUint4(-1.9); // => 15
 */
export function toUint4(x: number): number {
  if (typeof x !== "number") throw argumentError("a number", x);
  return x & 15;
}
