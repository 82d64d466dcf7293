/**
 * Any value as short text for an error message. The value may come from anywhere: an object is named by its kind, because
 * asking it for its text could run foreign code, throw, or overflow the stack on arrays nested deep.
 */

const LONGEST = 60;

/** The value's text, at most some 60 characters: text in quotes, bigints with their `n`. Throws nothing. */
export function shownValue(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === "function") return "a function";
  if (typeof value === "object") return ArrayBuffer.isView(value) ? Object.prototype.toString.call(value) : "an object";
  const text = typeof value === "bigint" ? `${value}n` : String(value);
  const short = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  return typeof value === "string" ? JSON.stringify(short) : short;
}
