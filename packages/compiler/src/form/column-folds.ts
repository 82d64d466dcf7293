/**
 * column-folds: how a column kernel combines rows with each other and with its accumulators (Eigen's reducers in OuterReducer). Sums and
 * products of float32 are accumulated as float64.
 */
import type { DType } from "@onebuffer/base";
import type { Vector, VectorKind } from "@onebuffer/wasm/internal";
import { pairwise } from "./accumulators.ts";
import { foldOf, sumFold } from "./folds.ts";
import type { Fold } from "./folds.ts";
import type { ReduceOp } from "../plan/program.ts";
import { meanOps, placeOps } from "@onebuffer/expression/internal";
import { kindOf, mapLanes, narrowFloats, resizeIntegers, widenFloats, zipLanes } from "@onebuffer/kernels/internal";
import type { Lanes } from "@onebuffer/kernels/internal";
import { onesOf } from "./truth-reducers.ts";

/** A way to combine the values of a column. */
export interface ColumnFold {
  /** The vector kind of the accumulators. */
  readonly kind: VectorKind;
  /** The value that the accumulators start with. */
  readonly neutral: number | bigint;
  /** Returns the combined value of several rows. */
  rows(values: readonly Lanes[]): Lanes;
  /** Returns the accumulators combined with a value that `rows` returned. */
  accumulate(accumulated: Lanes, value: Lanes): Lanes;
  /** Returns the results from the final accumulators. `count` holds the number of elements of a column. */
  finish(accumulated: Lanes, count: Vector): Lanes;
}

/** Combines values in pairs of neighbors. */
const pairs = (values: readonly Lanes[], f: Fold["fold"]): Lanes => pairwise(values, (a, b) => zipLanes([a, b], f));

/** Returns a fold for columns: its values are converted before they are combined. */
function columnsOf({ kind, neutral, fold, enter, finish }: Fold): ColumnFold {
  return {
    kind,
    neutral,
    rows: (values) => pairs(enter === undefined ? values : values.map(enter), fold),
    accumulate: (accumulated, value) => zipLanes([accumulated, value], fold),
    finish: (accumulated, count) => finish?.(accumulated, () => count) ?? accumulated,
  };
}

/** Returns the fold for a sum or mean of float32, whose rows are first added as float32. Accumulates in float64. */
function floatSumFold(): ColumnFold {
  const { fold, ...sum } = sumFold("f64x2");
  return {
    ...sum,
    rows: (values) => pairs(values, fold),
    accumulate: (accumulated, value) => zipLanes([accumulated, widenFloats(value)], fold),
    finish: narrowFloats,
  };
}

/** Returns the fold that divides sums by their count before it finishes them. */
function meanOf(sums: ColumnFold): ColumnFold {
  return {
    ...sums,
    finish: (accumulated, count) =>
      sums.finish(
        mapLanes(accumulated, (vector) => vector.div(count)),
        count,
      ),
  };
}

/** Returns the fold for the number of bytes that are not 0, as integers of a dtype. */
function countFold(result: DType): ColumnFold {
  const { fold, ...sum } = sumFold("u32x4");
  return {
    ...sum,
    rows: (values) => pairs(values.map(onesOf), fold),
    accumulate: (accumulated, value) => zipLanes([accumulated, resizeIntegers(value, "u32x4")], fold),
    finish: (accumulated) => resizeIntegers(accumulated, kindOf(result)),
  };
}

/** Returns the fold of a reduction, or null for argmax and argmin. */
export function columnFold(op: ReduceOp, dtype: DType, result: DType): ColumnFold | null {
  if (placeOps.has(op)) return null;
  if (op === "count") return countFold(result);
  const fold = foldOf(op, dtype);
  if (fold !== null) return columnsOf(fold);
  const kind = kindOf(dtype);
  const sums = kind === "f32x4" ? floatSumFold() : columnsOf(sumFold(kind));
  return meanOps.has(op) ? meanOf(sums) : sums;
}
