/**
 * window-folds: how a window kernel combines the few elements that make one result (Eigen's reducers), in registers.
 *
 * Most reductions combine them as columns do. Sums of float32 are added as float32, because there are few (kMostInWindow), and means divided
 * as float32, which gives the bits of a division in float64 that is rounded.
 */
import type { DType } from "@onebuffer/base";
import { meanOps, placeOps } from "@onebuffer/expression/internal";
import { kindOf, zipLanes } from "@onebuffer/kernels/internal";
import { narrowUniform } from "./accumulators.ts";
import { columnFold } from "./column-folds.ts";
import type { ColumnFold } from "./column-folds.ts";
import { repeatedBy } from "./folds.ts";
import type { ReduceOp } from "../plan/program.ts";

/** The most elements of a window: 5 by 5. More rows side by side are read more slowly than in order; a block of a float32 sum has 32. */
export const kMostInWindow = 25;

/** Returns the fold of a reduction other than argmax and argmin. Its `rows` get one element at a time. */
export function windowFold(op: ReduceOp, dtype: DType, result: DType): ColumnFold {
  const fold = columnFold(op, dtype, result)!;
  if (kindOf(dtype) !== "f32x4" || repeatedBy[op] !== "add") return fold;
  return {
    ...fold,
    kind: "f32x4",
    accumulate: (accumulated, value) => zipLanes([accumulated, value], (a, x) => a.add(x)),
    finish: (total, count) => (meanOps.has(op) ? zipLanes([total, narrowUniform(count)], (a, n) => a.div(n)) : total),
  };
}

/** Returns true if a reduction takes the largest of floats, which window-maximum.ts does more quickly than its fold. */
export function isFloatMaximum(op: ReduceOp, dtype: DType): boolean {
  return repeatedBy[op] === "maximum" && !placeOps.has(op) && kindOf(dtype)[0] === "f";
}
