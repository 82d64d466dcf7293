/**
 * Argument checks of public functions. Without them a value of a wrong type would cause an engine error, for example when a property
 * of null is read or a value that is not a function is called. Calls that TypeScript accepts always pass.
 *
 * Each check throws INVALID_ARGUMENT with `what` and the value. The checks read no properties, so the caller's getters never run.
 */
import { isClass } from "./is-class.ts";
import { shownValue } from "./shown-value.ts";
import { InvalidArgumentError } from "./status-error.ts";

/**
 * Returns the error for an argument of the wrong type: `Expected a shape, got null`.
 *
 * @example
 * argumentError("a shape", null).message; // => "Expected a shape, got null"
 */
export function argumentError(what: string, value: unknown): InvalidArgumentError {
  return new InvalidArgumentError(`Expected ${typeof what === "string" ? what : "another argument"}, got ${shownValue(value)}`);
}

/**
 * Throws INVALID_ARGUMENT unless the value is an object or a function.
 *
 * @example
 * checkObject({}, "options");
 * checkObject(null, "options"); // throws INVALID_ARGUMENT
 */
export function checkObject(value: unknown, what: string): void {
  if ((typeof value !== "object" || value === null) && typeof value !== "function") throw argumentError(what, value);
}

/**
 * Throws INVALID_ARGUMENT unless the value is a function that can be called. A class cannot: the caller may have meant one of its objects.
 *
 * @example
 * checkCallback(() => 1, "a callback");
 * checkCallback(class {}, "a callback"); // throws INVALID_ARGUMENT
 */
export function checkCallback(value: unknown, what: string): void {
  if (typeof value !== "function" || isClass(value)) throw argumentError(what, value);
}

/**
 * Throws INVALID_ARGUMENT unless the value is a function or a class.
 *
 * @example
 * checkFunction(() => 1, "a callback");
 * checkFunction({}, "a callback"); // throws INVALID_ARGUMENT
 */
export function checkFunction(value: unknown, what: string): void {
  if (typeof value !== "function") throw argumentError(what, value);
}

/**
 * Throws INVALID_ARGUMENT unless the value is a string.
 *
 * @example
 * checkText("a", "a name");
 * checkText(5, "a name"); // throws INVALID_ARGUMENT
 */
export function checkText(value: unknown, what: string): void {
  if (typeof value !== "string") throw argumentError(what, value);
}

/**
 * Throws INVALID_ARGUMENT unless the value is a number; NaN and infinities are numbers.
 *
 * @example
 * checkNumber(0.5, "a ratio");
 * checkNumber(5n, "a ratio"); // throws INVALID_ARGUMENT
 */
export function checkNumber(value: unknown, what: string): void {
  if (typeof value !== "number") throw argumentError(what, value);
}

/**
 * Throws INVALID_ARGUMENT unless the value is a safe integer from `low` to `high`, by default from 0 to 2^53 - 1.
 *
 * @example
 * checkInteger(3, "a count");
 * checkInteger(-1, "a count"); // throws INVALID_ARGUMENT
 */
export function checkInteger(value: unknown, what: string, low: number = 0, high: number = Number.MAX_SAFE_INTEGER): void {
  checkNumber(low, "a lowest value");
  checkNumber(high, "a highest value");
  if (!Number.isSafeInteger(value) || (value as number) < low || (value as number) > high)
    throw argumentError(
      `${shownValue(what).replaceAll('"', "")} that is an integer from ${shownValue(low)} to ${high === Number.MAX_SAFE_INTEGER ? "2^53 - 1" : shownValue(high)}`,
      value,
    );
}

/**
 * Throws INVALID_ARGUMENT unless the value is an array.
 *
 * @example
 * checkArray([1], "a list of sizes");
 * checkArray({ length: 1 }, "a list of sizes"); // throws INVALID_ARGUMENT
 */
export function checkArray(value: unknown, what: string): void {
  if (!isArray(value)) throw argumentError(what, value);
}

/**
 * Returns true if a value is an array. Returns false for a revoked Proxy, for which Array.isArray throws a TypeError.
 *
 * @example
 * [isArray([]), isArray({ length: 0 })]; // => [true, false]
 */
export function isArray(value: unknown): value is readonly unknown[] {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}
