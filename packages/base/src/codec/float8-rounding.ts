/**
 * Decoding and rounding shared by the five float8 formats (ml_dtypes/include/float8.h). All have sign, exponent and
 * mantissa in one byte, denormals, and rounding of the magnitude to nearest even. They differ in the number of exponent and mantissa
 * bits, in the bias, and in the patterns of NaN and infinity:
 *
 *   kind         exponent, mantissa bits  bias  largest  infinity    NaN               negative zero
 *   e5m2                  5, 2             15    57344   7c, fc      7d..7f, fd..ff    yes
 *   e4m3fn                4, 3              7      448   none        7f, ff            yes
 *   e4m3fnuz              4, 3              8      240   none        80                no
 *   e4m3b11fnuz           4, 3             11       30   none        80                no
 *   e5m2fnuz              5, 2             16    57344   none        80                no
 *
 * ml_dtypes rounds a Python float once, from double to float8; JavaScript numbers are rounded once here, too.
 * (ml_dtypes' astype of a float64 array rounds to float32 first.)
 */

import { highWord, lowWord } from "../status/number-words.ts";

const kDouble = new Float64Array(1);
const kDoubleWords = new Int32Array(kDouble.buffer);
const kHigh = highWord();
const kLow = lowWord();
const kFloat = new Float32Array(1);
const kFloatWord = new Int32Array(kFloat.buffer);

/** 2^52. Adding it to a double in [0, 2^32) rounds the double to an integer, ties to even, and leaves the integer in the low word. */
const kRoundToLowWord = 4503599627370496;

/**
 * Returns the lower seven bits of the float8 pattern nearest to the magnitude of `x`, ties to even. The result has no upper
 * bound: magnitudes beyond the format's largest number, infinity included, give larger results. `x` must not be NaN.
 */
export function float8Magnitude(x: number, mantissaBits: number, bias: number): number {
  kDouble[0] = x;
  const magnitude = (kDoubleWords[kHigh] as number) & 0x7fffffff;
  if (magnitude < (1024 - bias) << 20) {
    // Below the smallest normal number: a multiple of the smallest denormal.
    kDouble[0] = (x < 0 ? -x : x) * 2 ** (bias - 1 + mantissaBits) + kRoundToLowWord;
    return kDoubleWords[kLow] as number;
  }
  const dropped = 20 - mantissaBits;
  const sticky = kDoubleWords[kLow] !== 0 ? magnitude | 1 : magnitude;
  return (sticky - ((1023 - bias) << 20) + (1 << (dropped - 1)) - 1 + ((magnitude >>> dropped) & 1)) >>> dropped;
}

/** Returns 0x80 for a negative number or negative zero, otherwise 0. */
export function float8Sign(x: number): 0 | 0x80 {
  return x < 0 || (x === 0 && 1 / x < 0) ? 0x80 : 0;
}

/** Returns the values of all 256 patterns of a format, except for infinities and NaNs, which the caller sets. */
export function float8Values(mantissaBits: number, bias: number): Float32Array<ArrayBuffer> {
  const values = new Float32Array(256);
  for (let bits = 0; bits < 128; bits++) {
    // Read as a float32, the exponent field is too small by 127 - bias; denormals become float32 denormals.
    kFloatWord[0] = bits << (23 - mantissaBits);
    const value = (kFloat[0] as number) * 2 ** (127 - bias);
    values[bits] = value;
    values[bits | 0x80] = -value;
  }
  return values;
}
