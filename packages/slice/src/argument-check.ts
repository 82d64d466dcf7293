/**
 * What a caller whom no compiler checked may hand in by mistake: null, a list, a text where a slice or a shape belongs.
 *
 * TensorFlow's compiler sees to this; here such a value would otherwise end in an error of the engine's own, or in the
 * middle of a change. Slices and shapes are told by a method, not by their class, of which a program may hold two copies.
 */
import { InvalidArgumentError, shownValue } from "@onebuffer/base";

/** Throws INVALID_ARGUMENT unless the value is a TensorSlice. */
export function checkSlice(value: unknown): void {
  if (typeof (value as { readonly isFullAt?: unknown } | null | undefined)?.isFullAt !== "function") {
    throw new InvalidArgumentError(`Expected a TensorSlice, got ${shownValue(value)}`);
  }
}

/** Throws INVALID_ARGUMENT unless the value is a shape. */
export function checkShape(value: unknown): void {
  if (typeof (value as { readonly dimSize?: unknown } | null | undefined)?.dimSize !== "function") {
    throw new InvalidArgumentError(`Expected a TensorShape, got ${shownValue(value)}`);
  }
}

/** Throws INVALID_ARGUMENT, naming what is read, unless the value is a text. */
export function checkText(value: unknown, what: string): void {
  if (typeof value !== "string") throw new InvalidArgumentError(`Expected ${what} as text, got ${shownValue(value)}`);
}
