/**
 * Stored values: an operand computed as a whole before others read it, because they read each of its elements many times or in
 * another order: reductions, scans, products and orderings.
 *
 * The small floats are stored as float32, which is what they are inside an expression.
 */
import type { DType, RawDType, TypedArray } from "@onebuffer/base";
import { ResourceExhaustedError, typedArrayConstructor } from "@onebuffer/base";
import { arrayAccess, slotsOf } from "./element-access.ts";
import type { WritePlace } from "./element-access.ts";
import { isRoundedWhenStored } from "./cast-function.ts";
import type { Read } from "./values.ts";

/** Values that are there, by flat index. */
export interface StoredValues {
  readonly read: Read;
  readonly write: WritePlace;
}

/** Room for `count` values of a dtype, all 0. Throws RESOURCE_EXHAUSTED when there is none. */
export function storeFor(dtype: DType, count: number): StoredValues {
  const held: RawDType = isRoundedWhenStored(dtype) ? "float32" : (dtype as RawDType);
  const constructor = typedArrayConstructor(held);
  const slots = count * slotsOf(held);
  let array: TypedArray;
  try {
    array = new constructor(slots);
  } catch (cause) {
    throw new ResourceExhaustedError(`no room for ${count} intermediate elements of ${dtype}`, { cause });
  }
  return arrayAccess(array, held);
}

/** All values of an operand, computed. */
export function storedValues(dtype: DType, count: number, read: Read): StoredValues {
  const values = storeFor(dtype, count);
  for (let n = 0; n < count; n++) values.write(n, read(n));
  return values;
}
