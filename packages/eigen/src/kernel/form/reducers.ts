/**
 * reducers: chooses the code by which a row kernel reduces the values of a row (Eigen's reducers and their packets). Most reductions are folds
 * (folds.ts). Sums of floats are in sum-reducers.ts, their extremes in extreme-reducer.ts, truth values in memory in truth-reducers.ts, and
 * argmax and argmin in place-reducer.ts.
 *
 * A reducer writes its code inside the caller's `emit`s; it does not know about loops.
 */
import type { DType } from "@onebuffer/base";
import type { Reducer, ReducerContext } from "./accumulators.ts";
import { ExtremeReducer, kExtremeAccumulators } from "./extreme-reducer.ts";
import { FoldReducer } from "./fold-reducer.ts";
import { foldOf } from "./folds.ts";
import { kindOf } from "../plan/lanes.ts";
import { PlaceReducer } from "./place-reducer.ts";
import type { ReduceOp } from "../plan/program.ts";
import { CountReducer, TruthReducer } from "./truth-reducers.ts";
import { DoubleSumReducer, FloatSumReducer } from "./sum-reducers.ts";

/** Returns the number of accumulators that a reduction needs for each vector of a group. */
export function accumulatorsOf(op: ReduceOp, inputDType: DType): number {
  const isFloat = kindOf(inputDType)[0] === "f";
  if (isFloat && (op === "max" || op === "min")) return kExtremeAccumulators;
  return op === "argmax" || op === "argmin" || (op === "prod" && inputDType !== "float64") ? 2 : 1;
}

/** Returns the reducer of an operation. */
export function makeReducer(op: ReduceOp, dtype: DType, inputDType: DType, context: ReducerContext): Reducer {
  if (op === "argmax" || op === "argmin") return new PlaceReducer(op, dtype, inputDType, context);
  if (op === "count") return new CountReducer(dtype, context);
  const fold = foldOf(op, inputDType);
  if (fold !== null)
    return fold.kind === "u8x16" && fold.finish !== undefined ? new TruthReducer(fold, context) : new FoldReducer(fold, context);
  const kind = kindOf(inputDType);
  if (op === "max" || op === "min") return new ExtremeReducer(op, kind, context);
  return kind === "f32x4" ? new FloatSumReducer(op === "mean", context) : new DoubleSumReducer(op === "mean", context);
}
