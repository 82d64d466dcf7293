/**
 * Any value as short text for an error message (TensorFlow's StrCat prints what it is given; here it may be anything). An
 * object is named by its kind, because asking it for its text could run foreign code, throw, or overflow the stack.
 */

const LONGEST = 60;

/**
 * The value's text, at most some 60 characters: text in quotes, bigints with their `n`, objects by their kind. Throws
 * nothing.
 *
 * @example
 * [shownValue("float"), shownValue(2n), shownValue([1, 2])]; // => ['"float"', "2n", "an array of 2"]
 */
export function shownValue(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === "function") return "a function";
  if (typeof value === "object") return ArrayBuffer.isView(value) ? Object.prototype.toString.call(value) : "an object";
  const text = typeof value === "bigint" ? `${value}n` : String(value);
  const short = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  return typeof value === "string" ? JSON.stringify(short) : short;
}
