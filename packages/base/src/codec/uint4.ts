/**
 * uint4: an unsigned integer of 4 bits, 0 to 15, in a byte of its own (ml_dtypes.uint4; a tensor does not pack them).
 *
 * The byte's upper bits are stored as 0 and ignored when reading, as ml_dtypes does. Casts truncate towards zero and
 * wrap around.
 */

import { argumentError } from "../status/argument-check.ts";

/**
 * The uint4 a number casts to, which is also the byte that stores it: truncated towards zero, then the lowest 4 bits.
 * Given a stored byte it is the decoding. NaN and infinities are 0, as in ml_dtypes' casts of float arrays; beyond 32
 * bits, where that cast is undefined in C++, the wrapping goes on.
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
