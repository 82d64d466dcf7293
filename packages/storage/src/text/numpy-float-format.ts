/**
 * The layout of floating-point elements in NumPy (2.4): `FloatingFormat` and `ComplexFloatingFormat` of numpy/_core/arrayprint.py
 * with the default options (precision 8, floatmode "maxprec", no suppression of small numbers).
 *
 * All elements of an array share one layout, either positional or with exponents, padded so that the decimal points are aligned.
 * Digits are the shortest that are unique in the element's own format (decimal-digits.ts).
 */

import type { DType } from "@onebuffer/base";
import { dtypeRows } from "@onebuffer/base/internal";
import type { Decimal, FloatFormat } from "./decimal-digits.ts";
import { shortestDigits } from "./decimal-digits.ts";

/** The most digits after the decimal point. */
const kPrecision = 8;

/**
 * Returns the binary format of a floating dtype, or of a complex dtype's parts; null for every other dtype. NumPy itself has no bfloat16,
 * float8 or float4.
 */
export function floatFormatOf(dtype: DType): FloatFormat | null {
  const { float } = dtypeRows[dtype];
  if (float === undefined) return null;
  const [bits, minExponent] = float;
  return { bits, minExponent, digits: Math.floor((bits - 1) * Math.log10(2)) };
}

/** The text of one number, split at the decimal point and at the exponent. */
interface Pieces {
  readonly whole: string;
  readonly fraction: string;
  readonly exponent: string;
}

function signOf(x: number, plus: boolean): string {
  return x < 0 || Object.is(x, -0) ? "-" : plus ? "+" : "";
}

function positional(x: number, format: FloatFormat, plus: boolean, maxPlaces: number | undefined): Pieces {
  const sign = signOf(x, plus);
  if (x === 0) return { whole: `${sign}0`, fraction: "", exponent: "" };
  const { digits, exponent } = shortestDigits(Math.abs(x), format, maxPlaces === undefined ? {} : { maxPlaces });
  const padded = exponent < 0 ? "0".repeat(-exponent) + digits : digits.padEnd(exponent + 1, "0");
  const point = Math.max(exponent, 0) + 1;
  return { whole: sign + padded.slice(0, point), fraction: padded.slice(point).replace(/0+$/, ""), exponent: "" };
}

function scientific(x: number, format: FloatFormat, plus: boolean, limits: { maxPlaces?: number; minPlaces?: number }): Pieces {
  const sign = signOf(x, plus);
  const decimal: Decimal = x === 0 ? { digits: "0", exponent: 0 } : shortestDigits(Math.abs(x), format, { ...limits, scientific: true });
  const fraction = decimal.digits.slice(1);
  const size = Math.abs(decimal.exponent).toString().padStart(2, "0");
  return {
    whole: sign + decimal.digits.slice(0, 1),
    fraction: limits.minPlaces === undefined ? fraction.replace(/0+$/, "") : fraction.padEnd(limits.minPlaces, "0"),
    exponent: (decimal.exponent < 0 ? "-" : "+") + size,
  };
}

/**
 * Returns 10 to the number of digits that the format keeps exactly: NumPy writes exponents from there on. Formats that keep fewer
 * than three digits would get exponents almost everywhere, so they use float16's cutoff.
 */
function safePower(format: FloatFormat): number {
  return 10 ** Math.max(format.digits, 3);
}

/** Returns true if NumPy writes these numbers with exponents. The comparisons are made in the array's own precision. */
function needsExponent(finite: readonly number[], format: FloatFormat): boolean {
  let largest = 0;
  let smallest = Number.POSITIVE_INFINITY;
  for (const x of finite) {
    if (x === 0) continue;
    largest = Math.max(largest, Math.abs(x));
    smallest = Math.min(smallest, Math.abs(x));
  }
  if (largest === 0) return false;
  const tooSmall =
    format.bits >= 53 ? 0.0001 : format.bits === 24 ? Math.fround(0.0001) : format.bits === 11 ? 0.00010001659393310547 : 0.0001;
  const cutoff = Math.min(1e8, safePower(format));
  const ratio = format.bits === 24 ? Math.fround(largest / smallest) : largest / smallest;
  return largest >= cutoff || smallest < tooSmall || ratio > (format.bits === 11 ? 1000.25 : 1000);
}

/**
 * Returns the layout for these elements: a function from one element to its padded text.
 *
 * @param sign write a plus sign before non-negative numbers (the imaginary parts of complex numbers)
 */
export function floatLayout(values: readonly number[], format: FloatFormat, sign: boolean = false): (x: number) => string {
  const finite = values.filter((x) => Number.isFinite(x));
  const exponents = needsExponent(finite, format);
  let left = 0;
  let right = 0;
  let places = 0;
  let exponentSize = 0;
  for (const x of finite) {
    const pieces = exponents ? scientific(x, format, sign, { maxPlaces: kPrecision }) : positional(x, format, sign, kPrecision);
    left = Math.max(left, pieces.whole.length);
    places = Math.max(places, pieces.fraction.length);
    exponentSize = Math.max(exponentSize, pieces.exponent.length - 1);
  }
  right = exponents ? exponentSize + 2 + places : places;
  if (finite.length < values.length) {
    const minus = sign || values.includes(Number.NEGATIVE_INFINITY) ? 1 : 0;
    left = Math.max(left, 3 - (right + 1), 3 + minus - (right + 1));
  }
  return (x) => {
    if (!Number.isFinite(x)) {
      const name = Number.isNaN(x) ? (sign ? "+nan" : "nan") : x < 0 ? "-inf" : sign ? "+inf" : "inf";
      return name.padStart(left + right + 1);
    }
    if (exponents) {
      const pieces = scientific(x, format, sign, { maxPlaces: places, minPlaces: places });
      const power = pieces.exponent.slice(0, 1) + pieces.exponent.slice(1).padStart(exponentSize, "0");
      return `${pieces.whole.padStart(left)}.${pieces.fraction}e${power}`;
    }
    const pieces = positional(x, format, sign, kPrecision);
    return `${pieces.whole.padStart(left)}.${pieces.fraction.padEnd(right)}`;
  };
}

/**
 * Returns one float as NumPy prints a scalar: any number of digits, exponents below 1e-4 and from the format's cutoff on (1e16 for
 * float64, 1e6 for float32, 1e3 for float16).
 */
export function floatScalarText(x: number, format: FloatFormat, plus: boolean = false, keepPoint: boolean = true): string {
  if (Number.isNaN(x)) return plus ? "+nan" : "nan";
  if (!Number.isFinite(x)) return x < 0 ? "-inf" : plus ? "+inf" : "inf";
  const size = Math.abs(x);
  const cutoff = format.bits >= 53 ? 1e16 : safePower(format);
  if (size !== 0 && (size < 1e-4 || size >= cutoff)) {
    const { whole, fraction, exponent } = scientific(x, format, plus, {});
    return `${whole}${fraction === "" ? "" : `.${fraction}`}e${exponent}`;
  }
  const { whole, fraction } = positional(x, format, plus, undefined);
  if (fraction === "" && !keepPoint) return whole;
  return `${whole}.${fraction === "" ? "0" : fraction}`;
}
