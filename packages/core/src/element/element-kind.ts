/**
 * ElementKind: the properties of an element type that a buffer needs (`sizeof(T)` and `is_simple_type<T>` in TensorFlow's
 * templates).
 *
 * There is one record per dtype, and a buffer looks it up once: looking up the four properties separately was half of the cost of
 * making and freeing a buffer. The record found last is tried first, because programs often make many tensors of one dtype.
 */
import { allDTypes, dataTypeOf, dtypeSize, InvalidArgumentError, isObjectDType } from "@onebuffer/base";
import { isArray, shownValue } from "@onebuffer/base/internal";
import type { DType, ObjectDType } from "@onebuffer/base";
import { kObjectElementSize } from "./element-lifecycle.ts";

/** The most sizes that a message shows. */
const kMaxShown = 8;

/** A dtype, its DataType number, the bytes per element, and in `object` the dtype again if its elements are JavaScript values. */
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

const kKinds: ReadonlyMap<DType, ElementKind> = new Map(allDTypes.map((dtype): [DType, ElementKind] => [dtype, kindOf(dtype)]));
let last: ElementKind = kindOf("float32");

/** Returns the record of `dtype`. Throws INVALID_ARGUMENT if there is no such dtype. */
export function elementKind(dtype: DType): ElementKind {
  const kind = last;
  return kind.dtype === dtype ? kind : lookUp(dtype);
}

/** The slow path of `elementKind`, a separate function so that the fast path is small enough to be inlined. */
function lookUp(dtype: DType): ElementKind {
  checkNotSizes(dtype);
  // For an unknown name, dataTypeOf inside kindOf throws INVALID_ARGUMENT.
  last = kKinds.get(dtype) ?? kindOf(dtype);
  return last;
}

/** Throws INVALID_ARGUMENT if the dtype is a list of sizes: `new Tensor([2, 3])`. */
function checkNotSizes(dtype: unknown): void {
  if (!isArray(dtype) || dtype.length > kMaxShown || !dtype.every((size) => typeof size === "number")) return;
  throw new InvalidArgumentError(
    `Unexpected dtype: ${shownValue(dtype)}: the dtype comes before the sizes, as in new Tensor("float32", [${dtype.join(", ")}])`,
  );
}
