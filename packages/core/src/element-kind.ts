/**
 * ElementKind: what a buffer must know of its element type (`sizeof(T)` and `is_simple_type<T>` of TensorFlow's templates).
 *
 * One record per dtype, looked up once when a buffer is made: four look-ups per buffer were half of the cost of making
 * and freeing one.
 */
import { allDTypes, dtypeSize, isObjectDType } from "@onebuffer/base";
import type { DType, ObjectDType } from "@onebuffer/base";
import { kObjectElementSize } from "./object-elements.ts";

/** Element type, bytes per element, and the type again if its elements are JavaScript values. */
export interface ElementKind {
  readonly dtype: DType;
  readonly size: number;
  readonly object: ObjectDType | null;
}

const kinds: ReadonlyMap<DType, ElementKind> = new Map(
  allDTypes.map((dtype): [DType, ElementKind] => {
    const object = isObjectDType(dtype) ? dtype : null;
    return [dtype, { dtype, size: object === null ? dtypeSize(dtype) : kObjectElementSize[object], object }];
  }),
);

/** The record of `dtype`. Throws INVALID_ARGUMENT when there is no such dtype. */
export function elementKind(dtype: DType): ElementKind {
  // For a name that is no dtype's, dtypeSize throws with the right words.
  return kinds.get(dtype) ?? { dtype, size: dtypeSize(dtype), object: null };
}
