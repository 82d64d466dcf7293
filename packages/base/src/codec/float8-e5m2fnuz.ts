/**
 * float8_e5m2fnuz: no infinity, no negative zero (ml_dtypes.float8_e5m2fnuz; "uz": unsigned zero).
 *
 *   7     6..2      1..0
 *   sign  exponent  mantissa     bias 16, denormals 2^-17 .. 2^-15, largest 57344, NaN 80
 */

import { argumentError } from "../status/argument-check.ts";
import { float8Magnitude, float8Sign, float8Values } from "./float8-rounding.ts";

const kValues = float8Values(2, 16);
kValues[0x80] = NaN;

/**
 * The value of each of the 256 float8_e5m2fnuz bit patterns, at the pattern's index. Always the same array: it belongs to this
 * package and must not be written to.
 */
export function float8E5m2fnuzTable(): Float32Array<ArrayBuffer> {
  return kValues;
}

/**
 * The value of a float8_e5m2fnuz bit pattern, exactly. Bits above the lowest eight are ignored.
 *
 * @example
 * float8E5m2fnuzToFloat(0x40); // => 1
 * float8E5m2fnuzToFloat(0x7f); // => 57344
 * float8E5m2fnuzToFloat(0x80); // => NaN
 */
export function float8E5m2fnuzToFloat(bits: number): number {
  if (typeof bits !== "number") throw argumentError("a number", bits);
  return kValues[bits & 0xff] as number;
}

/**
 * The float8_e5m2fnuz bit pattern nearest to a number, ties to the even pattern, rounded once from the double as ml_dtypes
 * does with Python floats.
 *
 * What lies from 61440 on, infinities included, becomes NaN, 0x80; nothing saturates. What rounds to zero becomes 0 whatever
 * its sign.
 *
 * @example
 * floatToFloat8E5m2fnuz(0.3); // => 0x39
 * floatToFloat8E5m2fnuz(61439.9); // => 0x7f
 * floatToFloat8E5m2fnuz(-0); // => 0
 */
export function floatToFloat8E5m2fnuz(x: number): number {
  if (typeof x !== "number") throw argumentError("a number", x);
  if (x !== x) return 0x80;
  const magnitude = float8Magnitude(x, 2, 16);
  if (magnitude > 0x7f) return 0x80;
  return magnitude === 0 ? 0 : float8Sign(x) | magnitude;
}
