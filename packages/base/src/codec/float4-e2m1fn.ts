/**
 * float4_e2m1fn: a float of 4 bits stored in one byte (ml_dtypes.float4_e2m1fn; tensors do not pack it; "fn": it has neither
 * infinity nor NaN).
 *
 *   7..4     3     2..1      0
 *   unused   sign  exponent  mantissa     bias 1: 0, 0.5, 1, 1.5, 2, 3, 4, 6 and their negatives, -0 among them
 *
 * The unused bits are stored as 0 and ignored when reading.
 */

import { argumentError } from "../status/argument-check.ts";
import { float8Magnitude, float8Sign } from "./float8-rounding.ts";

const kValues = Float32Array.of(0, 0.5, 1, 1.5, 2, 3, 4, 6, -0, -0.5, -1, -1.5, -2, -3, -4, -6);

/**
 * Returns the exact value of a float4_e2m1fn bit pattern. Ignores the bits above the lowest four.
 *
 * @example
 * float4E2m1fnToFloat(0x3); // => 1.5
 * float4E2m1fnToFloat(0xf); // => -6
 * float4E2m1fnToFloat(0x8); // => -0
 */
export function float4E2m1fnToFloat(bits: number): number {
  if (typeof bits !== "number") throw argumentError("a number", bits);
  return kValues[bits & 15] as number;
}

/**
 * Returns the float4_e2m1fn bit pattern nearest to a number, with ties to the even pattern, rounded once from the double.
 *
 * It saturates: numbers beyond 6, infinities included, become the largest number of their sign, 0x7 or 0xf. NaN becomes -0,
 * 0x8, as in ml_dtypes (which turns a NaN whose sign bit is set into 0; JavaScript does not distinguish NaNs).
 *
 * @example
 * floatToFloat4E2m1fn(0.75); // => 0x2
 * floatToFloat4E2m1fn(-100); // => 0xf
 * floatToFloat4E2m1fn(NaN); // => 0x8
 */
export function floatToFloat4E2m1fn(x: number): number {
  if (typeof x !== "number") throw argumentError("a number", x);
  if (x !== x) return 0x8;
  const magnitude = float8Magnitude(x, 1, 1);
  return (float8Sign(x) >> 4) | (magnitude < 0x7 ? magnitude : 0x7);
}
