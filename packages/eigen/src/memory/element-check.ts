/**
 * Which JavaScript values are elements of which dtype: numbers, bigints for int64 and uint64, booleans for bool,
 * [re, im] for complex numbers, bytes or text for strings; resource and variant elements are any value here, because
 * their classes live on a higher floor.
 *
 * The hot paths of the generated maps test numbers in place; this is for everything else.
 */
import type { Complex, DType } from "@onebuffer/base";
import { isArray, typedArrayKind } from "@onebuffer/base";

/** Whether a value is a pair of numbers. */
export function isComplex(value: unknown): value is Complex {
  return isArray(value) && value.length === 2 && typeof value[0] === "number" && typeof value[1] === "number";
}

/** Whether a value is a Uint8Array, of this realm or another. */
export function isBytes(value: unknown): value is Uint8Array<ArrayBufferLike> {
  return typedArrayKind(value) === "Uint8Array";
}

/** Whether a value may be written to a map of `dtype`. */
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
