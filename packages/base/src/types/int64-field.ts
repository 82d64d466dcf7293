/**
 * Reads int64 values of untrusted texts and message fields (in TensorFlow: strings::safe_strto64 and protobuf's int64).
 *
 * TensorFlow's starts, lengths and dimension sizes are 64-bit; here they are JavaScript numbers up to 2^53 - 1. These
 * readers never round: they return a number if it is exact, a bigint for other values of int64, so that the caller can
 * refuse it with its value, and refuse anything else.
 */
import { shownValue } from "../status/shown-value.ts";
import { InvalidArgumentError } from "../status/status-error.ts";

/**
 * The type of a message's int64 field: text from JSON, bigint from the wire, number in programs.
 *
 * @example
 * const fields: Int64Field[] = [3, 3n, "3"];
 * fields.map((start) => TensorSlice.fromProto({ extent: [{ start, length: 1 }] }).start(0)); // => [3, 3, 3]
 */
export type Int64Field = number | bigint | string;

/** An exact int64: a number from -(2^53 - 1) to 2^53 - 1, otherwise a bigint. */
export type ExactInt64 = number | bigint;

const kMaxInt64 = 2n ** 63n - 1n;
const kMinInt64 = -(2n ** 63n);
/** 2^63 has 19 digits; a number with more significant digits is out of range. */
const kMaxDigits = 19;

const kPlus = 0x2b;
const kMinus = 0x2d;
const kZero = 0x30;

/** C's isspace in the C locale: tab, line feed, vertical tab, form feed, carriage return, space. */
function isAsciiSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

/**
 * Reads a whole text as a decimal int64: ASCII white space around it and one leading sign are accepted, anything else
 * (hexadecimal, fractions, separators, other scripts' digits, no digits at all) is not.
 *
 * Returns null if the text is not a number or is outside int64. The time is linear in the length of the text.
 */
export function readDecimalInt64(text: string): ExactInt64 | null {
  let from = 0;
  let to = text.length;
  while (from < to && isAsciiSpace(text.charCodeAt(from))) from++;
  while (to > from && isAsciiSpace(text.charCodeAt(to - 1))) to--;
  const negative = text.charCodeAt(from) === kMinus;
  if (negative || text.charCodeAt(from) === kPlus) from++;
  if (from >= to) return null;
  while (from < to - 1 && text.charCodeAt(from) === kZero) from++;
  if (to - from > kMaxDigits) return null;
  let value = 0;
  for (let i = from; i < to; i++) {
    const digit = text.charCodeAt(i) - kZero;
    if (!(digit >= 0 && digit <= 9)) return null;
    value = value * 10 + digit;
  }
  // The value only grows, so if it is a safe integer at the end, no earlier step was rounded.
  if (value <= Number.MAX_SAFE_INTEGER) return negative && value !== 0 ? -value : value;
  const exact = BigInt(text.slice(from, to)) * (negative ? -1n : 1n);
  return exact >= kMinInt64 && exact <= kMaxInt64 ? exact : null;
}

/**
 * Reads an int64 field of a message. `what` names it in the error.
 *
 * Throws INVALID_ARGUMENT if the value is not an exact int64: a fraction, NaN, a number beyond 2^53 - 1, other text.
 */
export function readInt64Field(value: Int64Field, what: string): ExactInt64 {
  if (typeof value === "number" && Number.isSafeInteger(value)) return value + 0; // -0 becomes 0
  if (typeof value === "bigint" && value >= kMinInt64 && value <= kMaxInt64) {
    const small = Number(value);
    return Number.isSafeInteger(small) ? small : value;
  }
  const exact = typeof value === "string" ? readDecimalInt64(value) : null;
  if (exact === null) throw new InvalidArgumentError(`Expected an exact int64 as ${what}, got ${shownValue(value)}`);
  return exact;
}
