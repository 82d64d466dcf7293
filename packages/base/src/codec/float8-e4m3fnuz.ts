/**
 * float8_e4m3fnuz: a float of 8 bits without infinities and negative zero (ml_dtypes.float8_e4m3fnuz; "uz": unsigned zero).
 *
 *   7     6..3      2..0
 *   sign  exponent  mantissa     bias 8, denormals 2^-10 .. 2^-7, largest 240, NaN 80
 */

import { argumentError } from "../status/argument-check.ts";
import { float8Magnitude, float8Sign, float8Values } from "./float8-rounding.ts";

const kValues = float8Values(3, 8);
kValues[0x80] = NaN;

/**
 * Returns the exact value of a float8_e4m3fnuz bit pattern. Ignores the bits above the lowest eight.
 *
 * @example
 * float8E4m3fnuzToFloat(0x40); // => 1
 * float8E4m3fnuzToFloat(0x7f); // => 240
 * float8E4m3fnuzToFloat(0x80); // => NaN
 */
export function float8E4m3fnuzToFloat(bits: number): number {
  if (typeof bits !== "number") throw argumentError("a number", bits);
  return kValues[bits & 0xff] as number;
}

/**
 * Returns the float8_e4m3fnuz bit pattern nearest to a number, with ties to the even pattern, rounded once from the double as ml_dtypes
 * does with Python floats.
 *
 * Numbers from 248 on, infinities included, become NaN, 0x80; nothing saturates. Numbers that round to zero become 0, without
 * a sign.
 *
 * @example
 * floatToFloat8E4m3fnuz(0.3); // => 0x32
 * floatToFloat8E4m3fnuz(247.9); // => 0x7f
 * floatToFloat8E4m3fnuz(-0); // => 0
 */
export function floatToFloat8E4m3fnuz(x: number): number {
  if (typeof x !== "number") throw argumentError("a number", x);
  if (x !== x) return 0x80;
  const magnitude = float8Magnitude(x, 3, 8);
  if (magnitude > 0x7f) return 0x80;
  return magnitude === 0 ? 0 : float8Sign(x) | magnitude;
}
