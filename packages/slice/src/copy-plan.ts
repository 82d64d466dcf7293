/**
 * How the intersection of two slices lies in the arrays that hold them.
 *
 *     tensor [4,6]   source rows 0-1 (whole rows), target columns 2-4, in common 2 rows of 3
 *                    axes { size: 3, source: 1, target: 1 } and { size: 2, source: 6, target: 3 }
 *
 * Steps and offsets are counted in array slots and never exceed the arrays' lengths.
 */
import type { CopyAxis } from "@onebuffer/eigen/internal";
import type { TensorShape } from "@onebuffer/shape";
import type { TensorSlice } from "./tensor-slice.ts";

/** Where the copy begins on either side, and the steps of its dimensions. */
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

/** Plans the copy of `common`, the not empty intersection of two slices; elements take `slots` array slots each. */
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
