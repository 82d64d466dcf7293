/**
 * defineAdvice: members that exist only at run time, for programs that are not checked by TypeScript. Without them a call such as
 * `tensor.add(1)` ends in "tensor.add is not a function", which does not say what to do, and `tensor.T` goes on with undefined.
 */
import { InvalidArgumentError } from "./status-error.ts";

/** Gives an object methods that throw INVALID_ARGUMENT; `advice` returns the message for the object and the method's name. */
export function defineAdvice<T extends object>(object: T, names: Iterable<string>, advice: (self: T, name: string) => string): void {
  for (const name of names) Object.defineProperty(object, name, { value: refusal(name, advice), configurable: true, writable: true });
}

/** As defineAdvice, with properties that throw when they are read. */
export function definePropertyAdvice<T extends object>(
  object: T,
  names: Iterable<string>,
  advice: (self: T, name: string) => string,
): void {
  for (const name of names) Object.defineProperty(object, name, { get: refusal(name, advice), configurable: true });
}

function refusal<T extends object>(name: string, advice: (self: T, name: string) => string): (this: T) => never {
  return function refuse(this: T): never {
    throw new InvalidArgumentError(advice(this, name));
  };
}
