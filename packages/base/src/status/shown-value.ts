/**
 * Formats any value as short text for an error message (the counterpart of StrCat in TensorFlow's messages, for values of unknown
 * type). An object is described by its type, because its toString could be the caller's code, throw, or overflow the stack.
 */

import { isClass } from "./is-class.ts";

/** The most characters of a primitive value's text. */
const kLongest = 60;

/**
 * Returns the value's text, about 60 characters at most: strings in quotes, bigints with their `n`, objects by their type. Never
 * throws.
 *
 * @example
 * [shownValue("float"), shownValue(2n), shownValue([1, 2])]; // => ['"float"', "2n", "an array of 2"]
 */
export function shownValue(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "function") return isClass(value) ? "a class" : "a function";
  if (typeof value === "object") return shownObject(value);
  const text = typeof value === "bigint" ? `${value}n` : String(value);
  const short = text.length > kLongest ? `${text.slice(0, kLongest)}…` : text;
  return typeof value === "string" ? JSON.stringify(short) : short;
}

const kindOfArray = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype) as object, Symbol.toStringTag)?.get;

/** Describes an object by its type. Calls none of its methods, which could be the caller's code. */
function shownObject(value: object): string {
  try {
    if (Array.isArray(value)) return `an array of ${value.length}`;
  } catch {
    return "an object"; // a revoked Proxy, or one whose traps throw
  }
  if (!ArrayBuffer.isView(value)) return "an object";
  return `[object ${(kindOfArray?.call(value) as string | undefined) ?? "DataView"}]`;
}
