/**
 * Checks that an array a caller passes has the class that stores the elements of a dtype. Every map over a caller's array starts
 * with this check (`tensorMap`, `stridedMap`, `constStridedMap`).
 */

import type { DType, RawDType, TypedArray, TypedArrayOf } from "@onebuffer/base";
import { InvalidArgumentError, isObjectDType, typedArrayConstructor } from "@onebuffer/base";
import { isArray, plainTypedArray, shownValue, typedArrayKind } from "@onebuffer/base/internal";

/**
 * Returns `array` if its class is the one for `dtype`: a plain Array for string, resource and variant, otherwise the dtype's typed array.
 * For a typed array of a subclass or of another realm, returns a plain typed array over the same memory.
 *
 * Throws INVALID_ARGUMENT for any other value. Copies: never.
 */
export function arrayOfClass<D extends DType>(dtype: D, array: TypedArrayOf<D>): TypedArrayOf<D> {
  if (isObjectDType(dtype)) {
    if (isArray(array)) return array;
    throw new InvalidArgumentError(`elements of ${dtype} are stored in an Array, got ${typedArrayKind(array) || shownValue(array)}`);
  }
  const expected = (typedArrayConstructor(dtype as RawDType) as unknown as { readonly name: string }).name;
  const got = typedArrayKind(array);
  if (got === expected) return plainTypedArray(array as TypedArray) as TypedArrayOf<D>;
  throw new InvalidArgumentError(`elements of ${dtype} are stored in a ${expected}, got ${got || shownValue(array)}`);
}
