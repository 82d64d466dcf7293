/**
 * float8_e5m2: a float of 8 bits, the upper byte of a float16 (ml_dtypes.float8_e5m2).
 *
 *   7     6..2      1..0
 *   sign  exponent  mantissa     bias 15, denormals 2^-16 .. 2^-14, largest 57344, infinities 7c and fc, NaN
 */

import { argumentError } from "../status/argument-check.ts";
import { float8Magnitude, float8Sign, float8Values } from "./float8-rounding.ts";

const kValues = float8Values(2, 15);
kValues.fill(NaN, 0x7d, 0x80);
kValues.fill(NaN, 0xfd);
kValues[0x7c] = Infinity;
kValues[0xfc] = -Infinity;

/**
 * Returns the exact value of a float8_e5m2 bit pattern. Ignores the bits above the lowest eight.
 *
 * @example
 * float8E5m2ToFloat(0x3c); // => 1
 * float8E5m2ToFloat(0x7b); // => 57344
 * float8E5m2ToFloat(0xfc); // => -Infinity
 */
export function float8E5m2ToFloat(bits: number): number {
  if (typeof bits !== "number") throw argumentError("a number", bits);
  return kValues[bits & 0xff] as number;
}

/**
 * Returns the float8_e5m2 bit pattern nearest to a number, with ties to the even pattern, rounded once from the double as ml_dtypes
 * does with Python floats.
 *
 * From 61440 on, the result is infinity; nothing saturates. NaN becomes 0x7e: JavaScript does not distinguish NaNs.
 *
 * @example
 * floatToFloat8E5m2(0.3); // => 0x35
 * floatToFloat8E5m2(61439.9); // => 0x7b
 * floatToFloat8E5m2(-61440); // => 0xfc
 */
export function floatToFloat8E5m2(x: number): number {
  if (typeof x !== "number") throw argumentError("a number", x);
  if (x !== x) return 0x7e;
  const magnitude = float8Magnitude(x, 2, 15);
  return float8Sign(x) | (magnitude < 0x7c ? magnitude : 0x7c);
}
