/** Tells classes from functions: a class cannot be called without `new`. */

/**
 * Returns true for classes, those of the language such as Map too. Never throws.
 *
 * @example
 * [isClass(class {}), isClass(Map), isClass(() => 1), isClass({})]; // => [true, true, false, false]
 */
export function isClass(value: unknown): boolean {
  if (typeof value !== "function") return false;
  try {
    // The property can be replaced on functions, is missing on arrow functions and methods, and is read-only on classes.
    return Object.getOwnPropertyDescriptor(value, "prototype")?.writable === false;
  } catch {
    return false; // a revoked Proxy, or one whose traps throw
  }
}
