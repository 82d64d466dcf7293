/**
 * Formats floats and doubles as TensorFlow does (strings::FloatToBuffer and DoubleToBuffer in
 * tensorflow/core/lib/strings/numbers.cc).
 *
 * A float is printed with six significant digits, or with nine if six digits do not parse back to the same float; a double with
 * fifteen or seventeen; a number in a Variant with six. The layout is that of C's `%g`. NumPy's different format is in
 * packages/storage/src/text/numpy-print.ts.
 */

import { checkNumber } from "@onebuffer/base/internal";
import type { Decimal, FloatFormat } from "@onebuffer/storage/internal";
import { exactDigits, kFloat32, kFloat64, readsBackAs } from "@onebuffer/storage/internal";

/**
 * Returns the text that TensorFlow prints for the float32 nearest to `x`. JavaScript cannot see the sign of a NaN: a caller that
 * has the bits passes `negative` to get `-nan`. Throws INVALID_ARGUMENT if `x` is not a number.
 *
 * @example
 * floatText(Math.fround(0.1)); // => "0.1"
 * floatText(1e20); // => "1e+20"
 * floatText(Number.NaN, true); // => "-nan"
 */
export function floatText(x: number, negative?: boolean): string {
  checkNumber(x, "a number");
  const sign = negative ?? (x < 0 || Object.is(x, -0));
  return roundTripText(Math.fround(x), sign, kFloat32, 6, 9);
}

/**
 * Returns the text that TensorFlow prints for a float64. `negative` is as for `floatText`. Throws INVALID_ARGUMENT if `x` is not a
 * number.
 *
 * @example
 * doubleText(1 / 3); // => "0.33333333333333331"
 * doubleText(-0); // => "-0"
 */
export function doubleText(x: number, negative?: boolean): string {
  checkNumber(x, "a number");
  const sign = negative ?? (x < 0 || Object.is(x, -0));
  return roundTripText(x, sign, kFloat64, 15, 17);
}

/**
 * Returns the text of a number with six significant digits, as a Variant prints it (absl::StrCat).
 *
 * @example
 * sixDigitText(1 / 3); // => "0.333333"
 * sixDigitText(15e9); // => "1.5e+10"
 */
export function sixDigitText(x: number): string {
  return roundTripText(x, x < 0 || Object.is(x, -0), kFloat64, 6, 6);
}

/** Returns the text of `x` with `few` digits if they parse back to `x` in `format`, otherwise with `many` digits. */
function roundTripText(x: number, negative: boolean, format: FloatFormat, few: number, many: number): string {
  const sign = negative ? "-" : "";
  if (Number.isNaN(x)) return `${sign}nan`;
  if (!Number.isFinite(x)) return `${sign}inf`;
  if (x === 0) return `${sign}0`;
  const size = Math.abs(x);
  const short = exactDigits(size, few);
  if (readsBackAs(short, size, format)) return sign + layout(short, few);
  return sign + layout(exactDigits(size, many), many);
}

/**
 * Lays out correctly rounded digits as C's `%.{precision}g` does: in exponent form below 1e-4 and from 10^precision on, without
 * trailing zeros.
 */
function layout(decimal: Decimal, precision: number): string {
  const { exponent } = decimal;
  const digits = decimal.digits.replace(/0+$/, "");
  if (exponent < -4 || exponent >= precision) {
    const tail = digits.length > 1 ? `.${digits.slice(1)}` : "";
    const size = Math.abs(exponent).toString().padStart(2, "0");
    return `${digits.slice(0, 1)}${tail}e${exponent < 0 ? "-" : "+"}${size}`;
  }
  if (exponent < 0) return `0.${"0".repeat(-exponent - 1)}${digits}`;
  if (digits.length <= exponent + 1) return digits.padEnd(exponent + 1, "0");
  return `${digits.slice(0, exponent + 1)}.${digits.slice(exponent + 1)}`;
}
