/**
 * folds: the reductions whose values may be combined in any order, in lanes of one kind (Eigen's reducers with their `reduce` and `finalize`).
 * Row and column kernels share them.
 *
 *     integers     in their own lanes, wrapping around
 *     products     of floats as float64, so that intermediate products overflow and underflow later
 *     any, all     of masks; of bytes by their bits and by the smallest byte
 */
import type { DType } from "@onebuffer/base";
import type { Vector, VectorKind } from "@onebuffer/wasm/internal";
import { minimumOf } from "./extremes.ts";
import type { ReduceOp } from "../plan/program.ts";
import { combinations, placeOps } from "@onebuffer/expression/internal";
import type { CombiningOp } from "@onebuffer/expression/internal";
import { integerRange, kindOf, mapLanes, maskOfWidth, narrowFloats, widenFloats } from "@onebuffer/kernels/internal";
import type { Lanes } from "@onebuffer/kernels/internal";

/** A way to combine values. */
export interface Fold {
  /** The vector kind in which values are combined. */
  readonly kind: VectorKind;
  /** The value that changes no other. */
  readonly neutral: number | bigint;
  fold(a: Vector, b: Vector): Vector;
  /** Converts values to `kind`. Absent if they have it. */
  enter?(value: Lanes): Lanes;
  /** Returns the result from the combined value. `count` loads the number of combined elements. Absent if the value is the result. */
  finish?(total: Lanes, count: () => Vector): Lanes;
}

/** The fold of sums in lanes of a kind. */
export const sumFold = (kind: VectorKind): Fold => ({ kind, neutral: 0, fold: (a, b) => a.add(b) });

/** The value that is larger (for `isMax` smaller) than or equal to every other of a kind. */
export function neutralOfExtreme(kind: VectorKind, isMax: boolean): number | bigint {
  if (isFloatKind(kind)) return isMax ? -Infinity : Infinity;
  return integerRange(kind)[isMax ? 0 : 1];
}

/** Returns the fold of a reduction of values of a dtype; null if there is none: for argmax, argmin, counts, and sums of floats. */
export function foldOf(op: ReduceOp, dtype: DType): Fold | null {
  return placeOps.has(op) || op === "count" ? null : folds[repeatedBy[op]](kindOf(dtype), dtype);
}

/** The operation on two elements that each reduction of kernels repeats. `largerNumber` ignores NaN. */
export const repeatedBy: Readonly<Record<ReduceOp, CombiningOp | "largerNumber">> = {
  ...combinations,
  maxNumber: "largerNumber",
  count: "add",
};

/** Returns the fold of values of a dtype, in lanes of its kind; null if there is none. */
type FoldOf = (kind: VectorKind, dtype: DType) => Fold | null;

const isFloatKind = (kind: VectorKind): boolean => kind[0] === "f";

const folds: Readonly<Record<CombiningOp | "largerNumber", FoldOf>> = {
  add: (kind) => (isFloatKind(kind) ? null : sumFold(kind)),
  mul: (kind) => {
    const fold = (a: Vector, b: Vector): Vector => a.mul(b);
    return kind === "f32x4" ? { kind: "f64x2", neutral: 1, fold, enter: widenFloats, finish: narrowFloats } : { kind, neutral: 1, fold };
  },
  maximum: (kind) => (isFloatKind(kind) ? largestFloat(kind) : { kind, neutral: neutralOfExtreme(kind, true), fold: (a, b) => a.max(b) }),
  minimum: (kind) => (isFloatKind(kind) ? smallestFloat(kind) : { kind, neutral: neutralOfExtreme(kind, false), fold: (a, b) => a.min(b) }),
  largerNumber: (kind) => ({ kind, neutral: -Infinity, fold: (a, b) => a.pmax(b) }),
  logicalOr: (_kind, dtype) => truthFold(true, dtype === "bool"),
  logicalAnd: (_kind, dtype) => truthFold(false, dtype === "bool"),
};

/** Returns the fold of the smallest float. All NaNs become the same one, whatever NaNs were combined in which order. */
function smallestFloat(kind: VectorKind): Fold {
  const finish = (total: Lanes): Lanes => mapLanes(total, (vector) => vector.or(vector.ne(vector)));
  return { kind, neutral: Infinity, fold: minimumOf, finish };
}

/**
 * Returns the fold of the largest float: the smallest of the negated values, negated. minimumOf takes two instructions fewer than a maximum
 * (extremes.ts).
 */
function largestFloat(kind: VectorKind): Fold {
  const enter = (value: Lanes): Lanes => mapLanes(value, (vector) => vector.neg());
  const finish = (total: Lanes): Lanes => mapLanes(total, (vector) => vector.neg().or(vector.ne(vector)));
  return { ...smallestFloat(kind), enter, finish };
}

/** Returns the fold for any or all of masks, or of bytes of which any value but 0 is true. */
function truthFold(isAny: boolean, isMask: boolean): Fold {
  if (isMask) {
    const enter = (value: Lanes): Lanes => maskOfWidth(value, 1);
    return { kind: "i8x16", neutral: isAny ? 0 : -1, fold: (a, b) => (isAny ? a.or(b) : a.and(b)), enter };
  }
  const finish = (total: Lanes): Lanes => mapLanes(total, (vector) => vector.ne(0));
  return { kind: "u8x16", neutral: isAny ? 0 : 255, fold: (a, b) => (isAny ? a.or(b) : a.min(b)), finish };
}
