/**
 * Which class of array holds the elements of which dtype: the test that maps over a caller's array begin with.
 */

import type { DType, RawDType } from "@onebuffer/base";
import { InvalidArgumentError, isObjectDType, typedArrayConstructor, shownValue } from "@onebuffer/base";

/** Throws INVALID_ARGUMENT unless the array's class is the one for the dtype; an array of another realm is fine. */
export function checkArrayClass(dtype: DType, array: unknown): void {
  const got = Object.prototype.toString.call(array).slice(8, -1);
  const expected = isObjectDType(dtype)
    ? "Array"
    : Object.prototype.toString.call(new (typedArrayConstructor(dtype as RawDType))(0)).slice(8, -1);
  const isArray = isObjectDType(dtype) ? Array.isArray(array) : ArrayBuffer.isView(array);
  if (!isArray || got !== expected)
    throw new InvalidArgumentError(`elements of ${dtype} are held by a ${expected}, got ${isArray ? got : shownValue(array)}`);
}
