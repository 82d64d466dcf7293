/**
 * defineNumberAdvice: objects without a value of their own say so where a program uses them as one.
 *
 *     sum > 3, +sum, Math.max(sum, 0)      throw: JavaScript would go on with NaN, and every comparison would be false
 *     sum + 1, "sum: " + sum, sum == 3     throw: JavaScript does not tell the three apart, and the first would go on with a text
 *     `${sum}`, String(sum)                the text of `toString`
 */
import { InvalidArgumentError } from "./status-error.ts";

/** Has the objects of a prototype throw INVALID_ARGUMENT with this message when they are converted to anything but a text. */
export function defineNumberAdvice(prototype: object, advice: string): void {
  const value = function toPrimitive(this: object, hint: string): string {
    if (hint !== "string") throw new InvalidArgumentError(`${advice}; String(…) is its text`);
    return this.toString();
  };
  Object.defineProperty(prototype, Symbol.toPrimitive, { value, configurable: true });
}
