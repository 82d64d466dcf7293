/**
 * Argument checks: throws INVALID_ARGUMENT if a caller passes, for example, null or a list instead of a slice or a shape.
 *
 * The C++ compiler checks this for TensorFlow. Here such a value would otherwise cause an engine error, possibly in the middle of a
 * change. The checks test for a method and not for the class, because a program may have two copies of the class.
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";

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

/** Throws INVALID_ARGUMENT with `what` unless the value is a string. */
export function checkText(value: unknown, what: string): void {
  if (typeof value !== "string") throw new InvalidArgumentError(`Expected ${what} as text, got ${shownValue(value)}`);
}
