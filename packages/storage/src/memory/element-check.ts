/**
 * Tests whether a JavaScript value can be stored as an element of a dtype: a bigint for int64 and uint64, a boolean for bool, [re, im] for
 * complex numbers, bytes or text for string, a number for every other computable dtype. For resource and variant any value except
 * undefined passes, because the classes of these elements are in the package `core`, which depends on this one.
 *
 * The hot paths of the generated maps test numbers inline; all other code calls these functions.
 */
import type { Complex, DType } from "@onebuffer/base";
import { isArray, typedArrayKind } from "@onebuffer/base/internal";

/** Returns true if a value is a complex element: an array of two numbers. */
export function isComplex(value: unknown): value is Complex {
  return isArray(value) && value.length === 2 && typeof value[0] === "number" && typeof value[1] === "number";
}

/** Returns true if a value is a Uint8Array, of this realm or another. */
export function isBytes(value: unknown): value is Uint8Array<ArrayBufferLike> {
  return typedArrayKind(value) === "Uint8Array";
}

/** Returns true if a value may be written to a map of `dtype`. */
export function isElementInput(dtype: DType, value: unknown): boolean {
  switch (dtype) {
    case "string":
      return typeof value === "string" || isBytes(value);
    case "resource":
    case "variant":
      return value !== undefined;
    case "complex64":
    case "complex128":
      return isComplex(value);
    case "int64":
    case "uint64":
      return typeof value === "bigint";
    case "bool":
      return typeof value === "boolean";
    default:
      return typeof value === "number";
  }
}
