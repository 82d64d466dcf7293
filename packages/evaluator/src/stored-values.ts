/**
 * Stored values: the elements of an operand computed into an array before other nodes read them. Reductions, scans, products and
 * orderings need this, because they read each element many times or in another order.
 *
 * The small floats are stored as float32, the precision that they have inside an expression (values.ts).
 */
import type { DType, RawDType } from "@onebuffer/base";
import { freshArray } from "@onebuffer/storage/internal";
import { arrayAccess, slotsOf } from "./element-access.ts";
import type { WritePlace } from "./element-access.ts";
import { isRoundedWhenStored } from "./cast-function.ts";
import type { Read } from "./values.ts";

/** An array of values, read and written by flat index. */
export interface StoredValues {
  readonly read: Read;
  readonly write: WritePlace;
}

/** Allocates an array of `count` values of a dtype, all 0. Throws RESOURCE_EXHAUSTED if it cannot be allocated. */
export function storeFor(dtype: DType, count: number): StoredValues {
  const held: RawDType = isRoundedWhenStored(dtype) ? "float32" : (dtype as RawDType);
  const array = freshArray(held, count * slotsOf(held), () => `no room for ${count} intermediate elements of ${dtype}`);
  return arrayAccess(array, held);
}

/** Computes the values of an operand at the indices 0 to count - 1. Throws RESOURCE_EXHAUSTED if they cannot be allocated. */
export function storedValues(dtype: DType, count: number, read: Read): StoredValues {
  const values = storeFor(dtype, count);
  for (let n = 0; n < count; n++) values.write(n, read(n));
  return values;
}
