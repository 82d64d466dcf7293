/**
 * bfloat16: the upper half of a float32 (Eigen::bfloat16, ml_dtypes.bfloat16).
 *
 *   15    14..7     6..0
 *   sign  exponent  mantissa     bias 127, the range of float32, denormals, infinities, NaN
 */

import { argumentError } from "../status/argument-check.ts";

const kFloat = new Float32Array(1);
const kFloatWord = new Int32Array(kFloat.buffer);

/**
 * Returns the exact value of a bfloat16 bit pattern. Ignores the bits above the lowest 16; every NaN pattern gives NaN.
 *
 * @example
 * bfloat16ToFloat(0x3f80); // => 1
 * bfloat16ToFloat(0x4049); // => 3.140625
 * bfloat16ToFloat(0xff80); // => -Infinity
 */
export function bfloat16ToFloat(bits: number): number {
  if (typeof bits !== "number") throw argumentError("a number", bits);
  return bfloat16Value(bits);
}

/** Does what `bfloat16ToFloat` does for bits that are known to be a number. */
export function bfloat16Value(bits: number): number {
  kFloatWord[0] = bits << 16;
  return kFloat[0] as number;
}

/**
 * Returns the bfloat16 bit pattern nearest to a number, with ties to the even pattern.
 *
 * The double is rounded to float32 first and that to bfloat16, because TensorFlow (Eigen) and ml_dtypes do so for
 * Python floats and for float64 arrays alike: 1.00390625 + 2^-40 is a tie after the first step and becomes 1. Too large
 * numbers become infinity, denormals are kept. NaN becomes 0x7fc0: JavaScript does not distinguish NaNs.
 *
 * @example
 * floatToBfloat16(3.14159); // => 0x4049
 * floatToBfloat16(1.00390625 + 2 ** -40); // => 0x3f80
 * floatToBfloat16(3.4e38); // => 0x7f80
 */
export function floatToBfloat16(x: number): number {
  if (typeof x !== "number") throw argumentError("a number", x);
  return bfloat16Bits(x);
}

/** Does what `floatToBfloat16` does for a value that is known to be a number. */
export function bfloat16Bits(x: number): number {
  kFloat[0] = x;
  const word = kFloatWord[0] as number;
  if (x !== x) return 0x7fc0;
  return (word + 0x7fff + ((word >>> 16) & 1)) >>> 16;
}
