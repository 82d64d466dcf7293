/**
 * Computes the offsets and steps of a copy from the array of one slice to the array of another, for the intersection of the slices.
 *
 *     tensor [4,6]   source rows 0-1 (whole rows), target columns 2-4, intersection 2 rows of 3
 *                    axes { size: 3, source: 1, target: 1 } and { size: 2, source: 6, target: 3 }
 *
 * Steps and offsets are counted in array slots and never exceed the arrays' lengths.
 */
import type { CopyAxis } from "@onebuffer/storage/internal";
import type { TensorShape } from "@onebuffer/shape";
import type { TensorSlice } from "./tensor-slice.ts";

/** The first array slot of the copy on both sides, and the sizes and steps of its dimensions, the innermost first. */
export interface CopyPlan {
  readonly srcAt: number;
  readonly dstAt: number;
  readonly axes: readonly CopyAxis[];
}

/** One side of a copy: a slice and its shape. */
export interface CopySide {
  readonly slice: TensorSlice;
  readonly shape: TensorShape;
}

/** Plans the copy of `common`, the non-empty intersection of two slices. Each element takes `slots` array slots. */
export function planCopy(common: CopySide, src: CopySide, dst: CopySide, slots: number): CopyPlan {
  let srcAt = 0;
  let dstAt = 0;
  let source = slots;
  let target = slots;
  const axes: CopyAxis[] = [];
  for (let d = common.shape.dims - 1; d >= 0; d--) {
    srcAt += (common.slice.start(d) - src.slice.start(d)) * source;
    dstAt += (common.slice.start(d) - dst.slice.start(d)) * target;
    axes.push({ size: common.shape.dimSize(d), source, target });
    source *= src.shape.dimSize(d);
    target *= dst.shape.dimSize(d);
  }
  return { srcAt, dstAt, axes };
}
