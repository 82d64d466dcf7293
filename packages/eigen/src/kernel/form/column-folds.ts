/**
 * column-folds: how a column kernel combines rows with each other and with its accumulators (Eigen's reducers in OuterReducer). Sums and
 * products of float32 are accumulated as float64.
 */
import { InternalError } from "@onebuffer/base";
import type { DType } from "@onebuffer/base";
import type { Vector, VectorKind } from "@onebuffer/wasm/internal";
import { laneBytes } from "@onebuffer/wasm/internal";
import { minimumOf } from "./extremes.ts";
import { castLanes, integerMean, integerRange, narrowFloats, resizeIntegers, widenFloats } from "./lane-numbers.ts";
import { kindOf, lanesOf, mapLanes, zipLanes } from "../plan/lanes.ts";
import type { Lanes } from "../plan/lanes.ts";
import type { ReduceOp } from "../plan/program.ts";

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

/** Combines values pairwise, then the results pairwise, until one is left. */
function pairwise(values: readonly Lanes[], f: (a: Vector, b: Vector) => Vector): Lanes {
  let level = values;
  while (level.length > 1) {
    const below = level;
    level = Array.from({ length: Math.ceil(below.length / 2) }, (_, i) =>
      below[2 * i + 1] === undefined ? below[2 * i]! : zipLanes([below[2 * i]!, below[2 * i + 1]!], f),
    );
  }
  return level[0]!;
}

/** Returns a fold that accumulates in the kind of the values. */
function plainFold(kind: VectorKind, neutral: number | bigint, f: (a: Vector, b: Vector) => Vector): ColumnFold {
  return {
    kind,
    neutral,
    rows: (values) => pairwise(values, f),
    accumulate: (accumulated, value) => zipLanes([accumulated, value], f),
    finish: (accumulated) => accumulated,
  };
}

/**
 * Returns the fold for a maximum, given the fold for a minimum: it negates all values, takes the minimum and negates the result.
 * minimumOf takes two instructions fewer than a maximum (extremes.ts).
 */
function negatedFold(fold: ColumnFold): ColumnFold {
  const negated = (value: Lanes): Lanes => mapLanes(value, (vector) => vector.neg());
  return {
    ...fold,
    rows: (values) => fold.rows(values.map(negated)),
    finish: (accumulated, count) => negated(fold.finish(accumulated, count)),
  };
}

/**
 * Returns the fold for a sum (`sum`), product (not `sum`) or mean (`sum` and `mean`) of float32 (`isSingle`) or float64. Accumulates in
 * float64.
 */
function doubleFold(neutral: number, sum: boolean, isSingle: boolean, mean: boolean): ColumnFold {
  const f = (a: Vector, b: Vector): Vector => (sum ? a.add(b) : a.mul(b));
  return {
    kind: "f64x2",
    neutral,
    // Products are widened first: the product of a few float32 values can exceed their range.
    rows: (values) => pairwise(isSingle && !sum ? values.map(widenFloats) : values, f),
    accumulate: (accumulated, value) => zipLanes([accumulated, isSingle && sum ? widenFloats(value) : value], f),
    finish: (accumulated, count) => {
      const total = mean ? lanesOf(accumulated.vectors.map((vector) => vector.div(count))) : accumulated;
      return isSingle ? narrowFloats(total) : total;
    },
  };
}

/** Returns the fold of a reduction, or null for argmax and argmin. Throws INTERNAL for `maxNumber`, which column kernels do not have. */
export function columnFold(op: ReduceOp, dtype: DType, result: DType): ColumnFold | null {
  const kind = kindOf(dtype);
  const isFloat = kind[0] === "f";
  const wide = laneBytes[kind] === 8;
  switch (op) {
    case "argmax":
    case "argmin":
      return null;
    case "maxNumber":
      throw new InternalError(`a column kernel cannot compute ${op}`);
    case "any":
      if (dtype !== "bool") return bytesFold(0, (a, b) => a.or(b));
      return plainFold("i8x16", 0, (a, b) => a.or(b));
    case "all":
      if (dtype !== "bool") return bytesFold(255, (a, b) => a.min(b));
      return plainFold("i8x16", -1, (a, b) => a.and(b));
    case "count":
      return countFold(result);
    case "max":
    case "min": {
      const smallest = plainFold(kind, Number.POSITIVE_INFINITY, minimumOf);
      if (isFloat) return op === "min" ? smallest : negatedFold(smallest);
      const end = integerRange(kind)[op === "max" ? 0 : 1];
      return plainFold(kind, wide ? end : Number(end), (a, b) => (op === "max" ? a.max(b) : a.min(b)));
    }
    case "prod":
      return isFloat ? doubleFold(1, false, !wide, false) : plainFold(kind, wide ? 1n : 1, (a, b) => a.mul(b));
    default: {
      if (isFloat) return doubleFold(0, true, !wide, op === "mean");
      if (op === "mean") return meanFold(dtype);
      return plainFold(kind, wide ? 0n : 0, (a, b) => a.add(b));
    }
  }
}

/** Returns the fold for any or all of bytes. */
function bytesFold(neutral: number, f: (a: Vector, b: Vector) => Vector): ColumnFold {
  return { ...plainFold("u8x16", neutral, f), finish: (accumulated) => mapLanes(accumulated, (vector) => vector.ne(0)) };
}

/** Returns the fold for the number of bytes that are not 0. */
function countFold(result: DType): ColumnFold {
  const add = (a: Vector, b: Vector): Vector => a.add(b);
  return {
    kind: "u32x4",
    neutral: 0,
    rows: (values) =>
      pairwise(
        values.map((value) => mapLanes(value, (vector) => vector.min(1))),
        add,
      ),
    accumulate: (accumulated, value) => zipLanes([accumulated, resizeIntegers(value, "u32x4")], add),
    finish: (accumulated) => resizeIntegers(accumulated, kindOf(result)),
  };
}

/** Returns the fold for the mean of integers: sums them as 64-bit integers and divides at the end. */
function meanFold(dtype: DType): ColumnFold {
  const add = (a: Vector, b: Vector): Vector => a.add(b);
  return {
    kind: "i64x2",
    neutral: 0n,
    rows: (values) =>
      pairwise(
        values.map((value) => resizeIntegers(value, "i64x2")),
        add,
      ),
    accumulate: (accumulated, value) => zipLanes([accumulated, value], add),
    finish: (accumulated, count) =>
      castLanes(
        mapLanes(accumulated, (sum) => integerMean(sum, count, dtype)),
        "int64",
        dtype,
        false,
      ),
  };
}
