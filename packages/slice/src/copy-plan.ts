/**
 * How the intersection of two slices lies in the arrays that hold them: the longest runs that are one piece in both.
 *
 *     tensor [4,6]   source rows 0-1 (whole rows): stride 6      one run of 2x6 = 12 slots if the target has whole
 *                    target columns 2-4:           stride 3      rows too; here 2 rows of 3
 *
 * Strides and offsets are counted in array slots and never exceed the arrays' lengths.
 */
import type { TensorShape } from "@onebuffer/shape";
import type { Rows } from "./copy-rows.ts";
import type { TensorSlice } from "./tensor-slice.ts";

/** A dimension to step through: how often, and how far in each array. */
interface Step {
  readonly count: number;
  readonly srcStride: number;
  readonly dstStride: number;
}

/** Rows of runs, and the dimensions around them from the innermost to the outermost. */
export interface CopyPlan {
  readonly srcAt: number;
  readonly dstAt: number;
  readonly rows: Rows;
  readonly outer: readonly Step[];
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
  let srcStride = slots;
  let dstStride = slots;
  let run = slots;
  const steps: Step[] = [];
  for (let d = common.shape.dims - 1; d >= 0; d--) {
    const count = common.shape.dimSize(d);
    srcAt += (common.slice.start(d) - src.slice.start(d)) * srcStride;
    dstAt += (common.slice.start(d) - dst.slice.start(d)) * dstStride;
    // A dimension joins the run as long as the run fills both strides; the first that does not fill one is the last to join.
    if (steps.length === 0 && run === srcStride && run === dstStride) run *= count;
    else if (count > 1) steps.push({ count, srcStride, dstStride });
    srcStride *= src.shape.dimSize(d);
    dstStride *= dst.shape.dimSize(d);
  }
  const [row = { count: 1, srcStride: 0, dstStride: 0 }, ...outer] = steps;
  return { srcAt, dstAt, rows: { rows: row.count, run, srcStride: row.srcStride, dstStride: row.dstStride }, outer };
}

/** Calls `copy` for each block of rows, in row-major order. */
export function forEachBlock(plan: CopyPlan, copy: (srcAt: number, dstAt: number, rows: Rows) => void): void {
  const walk = (level: number, srcAt: number, dstAt: number): void => {
    const step = plan.outer[level];
    if (step === undefined) return copy(srcAt, dstAt, plan.rows);
    for (let i = 0; i < step.count; i++) walk(level - 1, srcAt + i * step.srcStride, dstAt + i * step.dstStride);
  };
  walk(plan.outer.length - 1, plan.srcAt, plan.dstAt);
}
