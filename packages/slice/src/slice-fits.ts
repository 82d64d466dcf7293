/**
 * Tests whether a slice fits a shape. TensorFlow calls SliceTensorShape and tests its status; here that would make and
 * discard an error object per call.
 */
import type { TensorShape } from "@onebuffer/shape";
import type { TensorSlice } from "./tensor-slice.ts";

/** Returns true if the slice fits the shape: slice.sliceTensorShape(shape) would not throw INTERNAL. */
export function sliceFits(slice: TensorSlice, shape: TensorShape): boolean {
  if (slice.dims !== shape.dims) return false;
  for (let d = 0; d < slice.dims; d++) {
    if (!slice.isFullAt(d) && (slice.start(d) < 0 || slice.length(d) < 0 || slice.end(d) > shape.dimSize(d))) return false;
  }
  return true;
}
