/**
 * float8_e4m3fn: a float of 8 bits without infinities (ml_dtypes.float8_e4m3fn; "fn": no infinity, NaN is all ones).
 *
 *   7     6..3      2..0
 *   sign  exponent  mantissa     bias 7, denormals 2^-9 .. 2^-6, largest 448, NaN 7f and ff
 */

import { argumentError } from "../status/argument-check.ts";
import { float8Magnitude, float8Sign, float8Values } from "./float8-rounding.ts";

const kValues = float8Values(3, 7);
kValues[0x7f] = NaN;
kValues[0xff] = NaN;

/**
 * Returns the exact value of a float8_e4m3fn bit pattern. Ignores the bits above the lowest eight.
 *
 * @example
 * float8E4m3fnToFloat(0x38); // => 1
 * float8E4m3fnToFloat(0x7e); // => 448
 * float8E4m3fnToFloat(0xff); // => NaN
 */
export function float8E4m3fnToFloat(bits: number): number {
  if (typeof bits !== "number") throw argumentError("a number", bits);
  return kValues[bits & 0xff] as number;
}

/**
 * Returns the float8_e4m3fn bit pattern nearest to a number, with ties to the even pattern, rounded once from the double as ml_dtypes
 * does with Python floats.
 *
 * Numbers beyond 464, infinities included, become the NaN of their sign, 0x7f or 0xff; nothing saturates. NaN becomes
 * 0x7f: JavaScript does not distinguish NaNs.
 *
 * @example
 * floatToFloat8E4m3fn(0.3); // => 0x2a
 * floatToFloat8E4m3fn(464); // => 0x7e
 * floatToFloat8E4m3fn(-465); // => 0xff
 */
export function floatToFloat8E4m3fn(x: number): number {
  if (typeof x !== "number") throw argumentError("a number", x);
  if (x !== x) return 0x7f;
  const magnitude = float8Magnitude(x, 3, 7);
  return float8Sign(x) | (magnitude < 0x7f ? magnitude : 0x7f);
}
