/**
 * The check of constructors that are private in TypeScript. A program in JavaScript can call them with anything, so their first argument is a
 * key that only the packages have.
 */
import { InvalidArgumentError } from "./status-error.ts";

/** The first argument of constructors that programs do not call. */
export const kMadeInside: unique symbol = Symbol("made inside");

/**
 * Throws INVALID_ARGUMENT unless a constructor's first argument is the key. `made` says how its objects are made: "openNpz makes an NpzFile".
 *
 * @example
 * checkMadeInside(kMadeInside, "openNpz makes an NpzFile");
 * checkMadeInside({}, "openNpz makes an NpzFile"); // throws INVALID_ARGUMENT
 */
export function checkMadeInside(key: unknown, made: string): void {
  if (key !== kMadeInside) throw new InvalidArgumentError(`the constructor is not for programs: ${made}`);
}
