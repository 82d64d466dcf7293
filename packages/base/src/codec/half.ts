/**
 * float16, IEEE 754 binary16 (Eigen::half, NumPy's float16).
 *
 *   15    14..10    9..0
 *   sign  exponent  mantissa     bias 15, denormals 2^-24 .. 2^-14, largest 65504, infinities, NaN
 *
 * The engine's Float16Array is not used, because not every supported engine has it; the results are the same.
 */

import { argumentError } from "../status/argument-check.ts";
import { highWord, lowWord } from "../status/number-words.ts";

const kDouble = new Float64Array(1);
const kDoubleWords = new Int32Array(kDouble.buffer);
const kHigh = highWord();
const kLow = lowWord();
const kFloat = new Float32Array(1);
const kFloatWord = new Int32Array(kFloat.buffer);

/** 2^52. Adding it to a double in [0, 2^32) rounds the double to an integer, ties to even, and leaves the integer in the low word. */
const kRoundToLowWord = 4503599627370496;

/** The decoding table, made at the first decoding. */
let table: Float32Array<ArrayBuffer> | null = null;

/**
 * Returns the values of all 65,536 float16 bit patterns, indexed by the pattern. The table (256 KB) is made at the first call.
 * Always returns the same array, which the caller must not write to.
 *
 * @example
 * halfTable()[0x3c00]; // => 1
 * halfTable().length; // => 65536
 */
export function halfTable(): Float32Array<ArrayBuffer> {
  return (table ??= makeHalfTable());
}

/**
 * Returns the exact value of a float16 bit pattern. Ignores the bits above the lowest 16; every NaN pattern gives NaN.
 *
 * @example
 * halfToFloat(0x3555); // => 0.333251953125
 * halfToFloat(0x0001); // => 2 ** -24
 * halfToFloat(0xfc00); // => -Infinity
 */
export function halfToFloat(bits: number): number {
  if (typeof bits !== "number") throw argumentError("a number", bits);
  return (table ??= makeHalfTable())[bits & 0xffff] as number;
}

/**
 * Returns the float16 bit pattern nearest to a number, with ties to the even pattern.
 *
 * The double is rounded once, as numpy.float16 and JavaScript's Math.f16round do; Eigen::half made from a double
 * rounds to float32 first, and so differs for doubles within half a float32 step of a tie. From 65520 on, the result is
 * infinity; below 2^-25 it is a zero of the same sign. NaN becomes 0x7e00: JavaScript does not distinguish NaNs.
 *
 * @example
 * floatToHalf(1 / 3); // => 0x3555
 * floatToHalf(65519.99); // => 0x7bff
 * floatToHalf(65520); // => 0x7c00
 * floatToHalf(-0); // => 0x8000
 */
export function floatToHalf(x: number): number {
  if (typeof x !== "number") throw argumentError("a number", x);
  return halfBits(x);
}

/** Does what `floatToHalf` does for a value that is known to be a number. Storing an element must not check it a second time. */
export function halfBits(x: number): number {
  kDouble[0] = x;
  const high = kDoubleWords[kHigh] as number;
  const magnitude = high & 0x7fffffff;
  const sign = (high >>> 16) & 0x8000;
  // 2^16 and up, infinity, NaN
  if (magnitude >= 0x40f00000) return x !== x ? 0x7e00 : sign | 0x7c00;
  if (magnitude < 0x3f100000) {
    // Below 2^-14: a multiple of 2^-24. Rounding up to 1024 of them gives the pattern of 2^-14, as it should.
    kDouble[0] = (x < 0 ? -x : x) * 16777216 + kRoundToLowWord;
    return sign | (kDoubleWords[kLow] as number);
  }
  // Drop 10 of the 20 mantissa bits of the high word and the whole low word, which only breaks ties.
  const sticky = kDoubleWords[kLow] !== 0 ? magnitude | 1 : magnitude;
  return sign | ((sticky - 0x3f000000 + 0x1ff + ((magnitude >>> 10) & 1)) >>> 10);
}

function makeHalfTable(): Float32Array<ArrayBuffer> {
  const values = new Float32Array(65536);
  for (let bits = 0; bits < 32768; bits++) {
    // The exponent field read as a float32's is too small by 127 - 15 = 112; denormals become float32 denormals.
    kFloatWord[0] = bits << 13;
    const scaled = (kFloat[0] as number) * 2 ** 112;
    const value = bits < 0x7c00 ? scaled : bits === 0x7c00 ? Infinity : NaN;
    values[bits] = value;
    values[bits | 0x8000] = -value;
  }
  return values;
}
