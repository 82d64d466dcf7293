/**
 * ElementKind: what a buffer must know of its element type (`sizeof(T)` and `is_simple_type<T>` of TensorFlow's templates).
 *
 * One record per dtype, looked up once when a buffer is made: four look-ups per buffer were half of the cost of making
 * and freeing one. The last one found is looked at first: programs make tensors of one dtype in a row.
 */
import { allDTypes, dataTypeOf, dtypeSize, isObjectDType } from "@onebuffer/base";
import type { DType, ObjectDType } from "@onebuffer/base";
import { kObjectElementSize } from "./element-lifecycle.ts";

/** Element type with its number, bytes per element, and the type again if its elements are JavaScript values. */
export interface ElementKind {
  readonly dtype: DType;
  readonly dataType: number;
  readonly size: number;
  readonly object: ObjectDType | null;
}

function kindOf(dtype: DType): ElementKind {
  const object = isObjectDType(dtype) ? dtype : null;
  return { dtype, dataType: dataTypeOf(dtype), size: object === null ? dtypeSize(dtype) : kObjectElementSize[object], object };
}

const kinds: ReadonlyMap<DType, ElementKind> = new Map(allDTypes.map((dtype): [DType, ElementKind] => [dtype, kindOf(dtype)]));
let last: ElementKind = kindOf("float32");

/** The record of `dtype`. Throws INVALID_ARGUMENT when there is no such dtype. */
export function elementKind(dtype: DType): ElementKind {
  const kind = last;
  return kind.dtype === dtype ? kind : lookUp(dtype);
}

/** Apart from the quick way, which stays small enough to be inlined. */
function lookUp(dtype: DType): ElementKind {
  // For a name that is no dtype's, dataTypeOf throws with the right words.
  last = kinds.get(dtype) ?? kindOf(dtype);
  return last;
}
