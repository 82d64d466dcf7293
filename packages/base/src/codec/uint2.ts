/**
 * uint2: an unsigned integer of 2 bits, 0 to 3, in a byte of its own (ml_dtypes.uint2; a tensor does not pack them).
 *
 * The byte's upper bits are stored as 0 and ignored when reading, as ml_dtypes does. Casts truncate towards zero and
 * wrap around.
 */

import { argumentError } from "../status/argument-check.ts";

/**
 * The uint2 a number casts to, which is also the byte that stores it: truncated towards zero, then the lowest 2 bits.
 * Given a stored byte it is the decoding. NaN and infinities are 0, as in ml_dtypes' casts of float arrays; beyond 32
 * bits, where that cast is undefined in C++, the wrapping goes on.
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
