/**
 * Argument checks with which the public functions of this package begin. They throw INVALID_ARGUMENT with the offending
 * value. (XLA needs none: C++ types do this.)
 *
 * Shapes and layouts are recognized by their members, not by their class, because a program may load two copies of this
 * package.
 */
import { argumentError, isArray, plainTypedArray, typedArrayKind } from "@onebuffer/base/internal";

/** Throws INVALID_ARGUMENT if the value is not a Shape. */
export function checkShape(value: unknown): void {
  const shape = value as { readonly isTuple?: unknown; readonly elementType?: unknown } | null | undefined;
  if (typeof shape?.isTuple !== "function" || typeof shape.elementType !== "number") throw argumentError("a Shape", value);
}

/** Throws INVALID_ARGUMENT if the value is not a Layout. */
export function checkLayout(value: unknown): void {
  const layout = value as { readonly minorToMajor?: unknown; readonly tiles?: unknown } | null | undefined;
  if (typeof layout !== "object" || layout === null || !isArray(layout.minorToMajor) || !isArray(layout.tiles))
    throw argumentError("a Layout", value);
}

/** Throws INVALID_ARGUMENT if the value is not an array of Shapes. */
export function checkShapes(value: unknown): void {
  if (!isArray(value)) throw argumentError("an array of Shapes", value);
  for (const shape of value) checkShape(shape);
}

/** Throws INVALID_ARGUMENT if the value is not a list of numbers, either an array or a typed array. `what` names it in the message. */
export function checkNumbers(value: unknown, what: string): void {
  const isTyped = typedArrayKind(value) !== "";
  if (!isArray(value) && !isTyped) throw argumentError(`${what} as a list of numbers`, value);
  // The functions read the argument itself, not a copy, so a typed array must not override its length or its elements.
  if (isTyped && plainTypedArray(value as ArrayBufferView) !== value) throw argumentError(`${what} as a plain list of numbers`, value);
  for (const entry of value as readonly unknown[]) if (typeof entry !== "number") throw argumentError(`numbers in ${what}`, entry);
}
