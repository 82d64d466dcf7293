/**
 * Does a slice fit a shape? TensorFlow asks by trying SliceTensorShape and looking at the status; here that would mean
 * an error made and thrown away per question.
 */
import type { TensorShape } from "@onebuffer/shape";
import type { TensorSlice } from "./tensor-slice.ts";

/** Whether slice.sliceTensorShape(shape) would answer instead of throwing INTERNAL. */
export function sliceFits(slice: TensorSlice, shape: TensorShape): boolean {
  if (slice.dims !== shape.dims) return false;
  for (let d = 0; d < slice.dims; d++) {
    if (!slice.isFullAt(d) && (slice.start(d) < 0 || slice.length(d) < 0 || slice.end(d) > shape.dimSize(d))) return false;
  }
  return true;
}
