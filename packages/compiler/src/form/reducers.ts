/**
 * reducers: chooses the code by which a row kernel reduces the values of a row (Eigen's reducers and their packets). Most reductions are folds
 * (folds.ts). Sums of floats are in sum-reducers.ts, truth values in memory in truth-reducers.ts, and argmax and argmin in place-reducer.ts.
 *
 * A reducer writes its code inside the caller's `emit`s; it does not know about loops.
 */
import type { DType } from "@onebuffer/base";
import type { Reducer, ReducerContext } from "./accumulators.ts";
import { FoldReducer } from "./fold-reducer.ts";
import { foldOf, repeatedBy } from "./folds.ts";
import { PlaceReducer } from "./place-reducer.ts";
import type { ReduceOp } from "../plan/program.ts";
import { extremes, meanOps, placeOps } from "@onebuffer/expression/internal";
import { kindOf } from "@onebuffer/kernels/internal";
import { CountReducer, TruthReducer } from "./truth-reducers.ts";
import { DoubleSumReducer, FloatSumReducer } from "./sum-reducers.ts";

/** Returns the number of accumulators that a reduction needs for each vector of a group. */
export function accumulatorsOf(op: ReduceOp, inputDType: DType): number {
  if (placeOps.has(op)) return 2;
  return repeatedBy[op] === "mul" && inputDType !== "float64" ? 2 : 1;
}

/** Returns true for the largest or smallest of floats: each step has three instructions or four. */
export function isFloatExtreme(op: ReduceOp, inputDType: DType): boolean {
  return extremes[op] !== undefined && kindOf(inputDType)[0] === "f";
}

/** Returns the reducer of an operation. */
export function makeReducer(op: ReduceOp, dtype: DType, inputDType: DType, context: ReducerContext): Reducer {
  if (placeOps.has(op)) return new PlaceReducer(extremes[op] === "largest", dtype, inputDType, context);
  if (op === "count") return new CountReducer(dtype, context);
  const fold = foldOf(op, inputDType);
  if (fold !== null)
    return fold.kind === "u8x16" && fold.finish !== undefined ? new TruthReducer(fold, context) : new FoldReducer(fold, context);
  const kind = kindOf(inputDType);
  return new (kind === "f32x4" ? FloatSumReducer : DoubleSumReducer)(meanOps.has(op), context);
}
