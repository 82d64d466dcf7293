/**
 * Which class of array holds the elements of which dtype: the test that maps over a caller's array begin with.
 */

import type { DType, RawDType, TypedArray, TypedArrayOf } from "@onebuffer/base";
import {
  InvalidArgumentError,
  isArray,
  isObjectDType,
  plainTypedArray,
  shownValue,
  typedArrayConstructor,
  typedArrayKind,
} from "@onebuffer/base";

/**
 * The array, if it is of the class for the dtype; one of a subclass or another realm as the plain array of its kind over the same
 * memory. INVALID_ARGUMENT for anything else. Copies: never.
 */
export function arrayOfClass<D extends DType>(dtype: D, array: TypedArrayOf<D>): TypedArrayOf<D> {
  if (isObjectDType(dtype)) {
    if (isArray(array)) return array;
    throw new InvalidArgumentError(`elements of ${dtype} are held by an Array, got ${typedArrayKind(array) || shownValue(array)}`);
  }
  const expected = (typedArrayConstructor(dtype as RawDType) as unknown as { readonly name: string }).name;
  const got = typedArrayKind(array);
  if (got === expected) return plainTypedArray(array as TypedArray) as TypedArrayOf<D>;
  throw new InvalidArgumentError(`elements of ${dtype} are held by a ${expected}, got ${got || shownValue(array)}`);
}
