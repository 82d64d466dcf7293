/**
 * RegisterTensorSlice: registers slices in one TensorSliceSet per tensor name (tensorflow/core/util/tensor_slice_set.h).
 *
 * Each slice of a checkpoint comes with its tensor's name, shape and type. The first slice of a tensor creates the set. All later
 * slices must have the same shape and type.
 */
import type { DType } from "@onebuffer/base";
import { argumentError, checkFunction } from "@onebuffer/base/internal";
import { dataTypeOf, dataTypeString, InternalError } from "@onebuffer/base";
import type { TensorShape } from "@onebuffer/shape";
import { checkShape, checkText } from "./argument-check.ts";
import type { TensorSlice } from "./tensor-slice.ts";
import { TensorSliceSet } from "./tensor-slice-set.ts";

/**
 * Registers a slice of the tensor `name` in the tensor's set. If there is no set yet, creates it and adds it to `tensorSlices`. `tag`
 * is the location of the slice's data, for example a file name.
 *
 * Throws INTERNAL if the shape or type differs from that of the existing set, or if the slice does not fit the shape or overlaps a
 * registered slice. Throws INVALID_ARGUMENT for arguments of wrong types. After an error `tensorSlices` is unchanged (TensorFlow
 * leaves a new, empty set in it).
 *
 * @example
 * const sets = new Map<string, TensorSliceSet>();
 * const shape = new TensorShape([4, 5]);
 * registerTensorSlice("w", shape, "float32", "part-0", TensorSlice.parse("0,2:-"), sets);
 * sets.get("w")?.query(TensorSlice.parse("1,1:-")); // => true
 * registerTensorSlice("w", shape, "int32", "part-1", TensorSlice.parse("2,2:-"), sets); // throws INTERNAL
 */
export function registerTensorSlice(
  name: string,
  shape: TensorShape,
  dtype: DType,
  tag: string,
  slice: TensorSlice,
  tensorSlices: Map<string, TensorSliceSet>,
): void {
  checkText(name, "the name of a tensor");
  checkShape(shape);
  const map: { readonly get?: unknown; readonly set?: unknown } | null | undefined = tensorSlices;
  if (typeof map?.get !== "function" || typeof map.set !== "function") throw argumentError("a Map of TensorSliceSets", map);
  const existing = tensorSlices.get(name);
  if (existing !== undefined) checkFunction(existing.register, "a TensorSliceSet in the map");
  if (existing === undefined) {
    const created = new TensorSliceSet(shape, dtype);
    created.register(slice, tag);
    tensorSlices.set(name, created);
    return;
  }
  if (!shape.isSameSize(existing.shape)) {
    throw new InternalError(
      `Incompatible tensor shapes detected for tensor ${name}: existing = ${existing.shape.debugString()}, new = ${shape.debugString()}`,
    );
  }
  if (dtype !== existing.dtype) {
    throw new InternalError(
      `Incompatible tensor types detected for tensor ${name}: existing = ${typeText(existing.dtype)}, new = ${typeText(dtype)}`,
    );
  }
  existing.register(slice, tag);
}

/** Returns TensorFlow's name of a dtype, as in its messages: float, int32, … */
function typeText(dtype: DType): string {
  return dataTypeString(dataTypeOf(dtype));
}
