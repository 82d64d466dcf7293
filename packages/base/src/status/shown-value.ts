/**
 * Any value as short text for an error message (TensorFlow's StrCat prints what it is given; here it may be anything). An
 * object is named by its kind, because asking it for its text could run foreign code, throw, or overflow the stack.
 */

const kLongest = 60;

/**
 * The value's text, at most some 60 characters: text in quotes, bigints with their `n`, objects by their kind. Throws
 * nothing.
 *
 * @example
 * [shownValue("float"), shownValue(2n), shownValue([1, 2])]; // => ['"float"', "2n", "an array of 2"]
 */
export function shownValue(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "function") return "a function";
  if (typeof value === "object") return shownObject(value);
  const text = typeof value === "bigint" ? `${value}n` : String(value);
  const short = text.length > kLongest ? `${text.slice(0, kLongest)}…` : text;
  return typeof value === "string" ? JSON.stringify(short) : short;
}

const kindOfArray = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype) as object, Symbol.toStringTag)?.get;

/** An object by its kind. What it would say of itself is not asked: that could be foreign code. */
function shownObject(value: object): string {
  try {
    if (Array.isArray(value)) return `an array of ${value.length}`;
  } catch {
    return "an object"; // a revoked Proxy, or one whose traps throw
  }
  if (!ArrayBuffer.isView(value)) return "an object";
  return `[object ${(kindOfArray?.call(value) as string | undefined) ?? "DataView"}]`;
}
