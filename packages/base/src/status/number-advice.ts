/**
 * defineNumberAdvice: objects without a value of their own say so where a program uses them as one.
 *
 *     sum > 3, +sum, Math.max(sum, 0)      throw: JavaScript would go on with NaN, and every comparison would be false
 *     `${sum}`, "sum: " + sum              the text of `toString`, as before
 */
import { InvalidArgumentError } from "./status-error.ts";

/** Has the objects of a prototype throw INVALID_ARGUMENT with this message when they are converted to a number. */
export function defineNumberAdvice(prototype: object, advice: string): void {
  const value = function toPrimitive(this: object, hint: string): string {
    if (hint === "number") throw new InvalidArgumentError(advice);
    return this.toString();
  };
  Object.defineProperty(prototype, Symbol.toPrimitive, { value, configurable: true });
}
