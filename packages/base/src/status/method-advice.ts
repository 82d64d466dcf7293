/**
 * defineAdvice: methods that exist only at run time, for programs that are not checked by TypeScript. Without them a call such as
 * `tensor.add(1)` ends in "tensor.add is not a function", which does not say what to do.
 */
import { InvalidArgumentError } from "./status-error.ts";

/** Gives a prototype methods that throw INVALID_ARGUMENT; `advice` returns the message for the object and the method's name. */
export function defineAdvice<T extends object>(prototype: T, names: readonly string[], advice: (self: T, name: string) => string): void {
  for (const name of names) {
    const value = function refuse(this: T): never {
      throw new InvalidArgumentError(advice(this, name));
    };
    Object.defineProperty(prototype, name, { value, configurable: true, writable: true });
  }
}
