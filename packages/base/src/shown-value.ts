/**
 * Any value as text for an error message. The value may come from anywhere: text is cut, and an object is named by its
 * kind only, because asking it for its text could run foreign code or throw.
 */

const LONGEST = 60;

/** The value's text, at most some 60 characters. Throws nothing. */
export function shownValue(value: unknown): string {
  if (typeof value === "string") return value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value;
  if (value === null) return "null";
  if (typeof value === "object" || typeof value === "function") return `[${typeof value}]`;
  return shownValue(String(value));
}
