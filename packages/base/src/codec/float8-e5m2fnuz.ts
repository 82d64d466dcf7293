/**
 * float8_e5m2fnuz: a float of 8 bits without infinities and negative zero (ml_dtypes.float8_e5m2fnuz; "uz": unsigned zero).
 *
 *   7     6..2      1..0
 *   sign  exponent  mantissa     bias 16, denormals 2^-17 .. 2^-15, largest 57344, NaN 80
 */

import { argumentError } from "../status/argument-check.ts";
import { float8Magnitude, float8Sign, float8Values } from "./float8-rounding.ts";

const kValues = float8Values(2, 16);
kValues[0x80] = NaN;

/**
 * Returns the exact value of a float8_e5m2fnuz bit pattern. Ignores the bits above the lowest eight.
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
 * Returns the float8_e5m2fnuz bit pattern nearest to a number, with ties to the even pattern, rounded once from the double as ml_dtypes
 * does with Python floats.
 *
 * Numbers from 61440 on, infinities included, become NaN, 0x80; nothing saturates. Numbers that round to zero become 0, without
 * a sign.
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
