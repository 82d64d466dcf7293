/**
 * The tests that XLA's functions begin with: is an argument of the kind that its type says? Shapes and layouts are told by what they
 * hold, not by their class, of which a program may hold two copies. Each throws INVALID_ARGUMENT naming the value.
 */
import { argumentError, isArray, plainTypedArray, typedArrayKind } from "@onebuffer/base";

/** Throws INVALID_ARGUMENT unless the value is a Shape. */
export function checkShape(value: unknown): void {
  const shape = value as { readonly isTuple?: unknown; readonly elementType?: unknown } | null | undefined;
  if (typeof shape?.isTuple !== "function" || typeof shape.elementType !== "number") throw argumentError("a Shape", value);
}

/** Throws INVALID_ARGUMENT unless the value is a Layout. */
export function checkLayout(value: unknown): void {
  const layout = value as { readonly minorToMajor?: unknown; readonly tiles?: unknown } | null | undefined;
  if (typeof layout !== "object" || layout === null || !isArray(layout.minorToMajor) || !isArray(layout.tiles))
    throw argumentError("a Layout", value);
}

/** Throws INVALID_ARGUMENT unless the value is an array of Shapes. */
export function checkShapes(value: unknown): void {
  if (!isArray(value)) throw argumentError("an array of Shapes", value);
  for (const shape of value) checkShape(shape);
}

/** Throws INVALID_ARGUMENT unless the value is a list of numbers, an array or a typed array. */
export function checkNumbers(value: unknown, what: string): void {
  const isTyped = typedArrayKind(value) !== "";
  if (!isArray(value) && !isTyped) throw argumentError(`${what} as a list of numbers`, value);
  // The functions read the array itself, so it must be one that says its own length.
  if (isTyped && plainTypedArray(value as ArrayBufferView) !== value) throw argumentError(`${what} as a plain list of numbers`, value);
  for (const entry of value as readonly unknown[]) if (typeof entry !== "number") throw argumentError(`numbers in ${what}`, entry);
}
