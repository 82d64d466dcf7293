/**
 * reducers: writes the code by which a row kernel reduces the values of a row (Eigen's reducers and their packets). This file has
 * the reducers of integers and masks, and those of products. Sums of floats are in sum-reducers.ts, their extremes in extreme-reducer.ts,
 * truth values in memory in truth-reducers.ts, and argmax and argmin in place-reducer.ts.
 *
 *     integers     in their own lanes, wrapping around; means as 64-bit integers
 *     products     of floats as float64, so that intermediate products overflow and underflow later
 *     maxNumber    the largest float, ignoring NaN
 *
 * A reducer writes its code inside the caller's `emit`s; it does not know about loops.
 */
import type { DType } from "@onebuffer/base";
import type { Reducer, ReducerContext } from "./accumulators.ts";
import { Accumulators, acrossLanes, masked, narrowUniform, pairwise, zeroOf } from "./accumulators.ts";
import { ExtremeReducer, kExtremeAccumulators } from "./extreme-reducer.ts";
import { spread } from "./lane-memory.ts";
import { castLanes, integerMean, integerRange, resizeIntegers, widenFloats } from "./lane-numbers.ts";
import { kindOf, maskOfWidth, uniform } from "../plan/lanes.ts";
import type { Lanes } from "../plan/lanes.ts";
import { PlaceReducer } from "./place-reducer.ts";
import type { ReduceOp } from "../plan/program.ts";
import { CountReducer, TruthReducer } from "./truth-reducers.ts";
import { DoubleSumReducer, FloatSumReducer } from "./sum-reducers.ts";
import type { Vector, VectorKind } from "@onebuffer/wasm/internal";
import { laneBytes } from "@onebuffer/wasm/internal";

/** Returns the number of accumulators that a reduction needs for each vector of a group. */
export function accumulatorsOf(op: ReduceOp, inputDType: DType): number {
  const isFloat = kindOf(inputDType)[0] === "f";
  if (isFloat && (op === "max" || op === "min")) return kExtremeAccumulators;
  return op === "argmax" || op === "argmin" || (op === "prod" && inputDType !== "float64") ? 2 : 1;
}

/** Returns the reducer of an operation. */
export function makeReducer(op: ReduceOp, dtype: DType, inputDType: DType, context: ReducerContext): Reducer {
  if (op === "argmax" || op === "argmin") return new PlaceReducer(op, dtype, inputDType, context);
  if (op === "any" || op === "all") return inputDType === "bool" ? new FoldReducer(maskFold(op), context) : new TruthReducer(op, context);
  if (op === "count") return new CountReducer(dtype, context);
  const kind = kindOf(inputDType);
  if (op === "max" || op === "min") {
    return kind[0] === "f" ? new ExtremeReducer(op, kind, context) : new FoldReducer(extremeFold(op, kind), context);
  }
  if (op === "maxNumber") return new FoldReducer({ kind, neutral: Number.NEGATIVE_INFINITY, fold: (a, b) => a.pmax(b) }, context);
  if (op === "prod") return kind[0] === "f" ? new FloatProductReducer(kind, context) : new FoldReducer(productFold(kind), context);
  if (kind === "f32x4") return new FloatSumReducer(op === "mean", context);
  if (kind === "f64x2") return new DoubleSumReducer(op === "mean", context);
  return op === "mean" ? new FoldReducer(sumFold("i64x2"), context, inputDType) : new FoldReducer(sumFold(kind), context);
}

/** An operation in the lanes' own kind that may be applied in any order. */
interface Fold {
  readonly kind: VectorKind;
  readonly neutral: number | bigint;
  fold(a: Vector, b: Vector): Vector;
}

const sumFold = (kind: VectorKind): Fold => ({ kind, neutral: zeroOf(kind), fold: (a, b) => a.add(b) });
const productFold = (kind: VectorKind): Fold => ({ kind, neutral: laneBytes[kind] === 8 ? 1n : 1, fold: (a, b) => a.mul(b) });
const maskFold = (op: "any" | "all"): Fold => ({
  kind: "i8x16",
  neutral: op === "any" ? 0 : -1,
  fold: (a, b) => (op === "any" ? a.or(b) : a.and(b)),
});

/** Returns the fold for the largest or smallest integer. */
function extremeFold(op: "max" | "min", kind: VectorKind): Fold {
  const end = integerRange(kind)[op === "max" ? 0 : 1];
  return { kind, neutral: laneBytes[kind] === 8 ? end : Number(end), fold: (a, b) => (op === "max" ? a.max(b) : a.min(b)) };
}

/** Reduces integers and masks. */
class FoldReducer implements Reducer {
  readonly blockElements: number = Number.POSITIVE_INFINITY;
  readonly #fold: Fold;
  readonly #context: ReducerContext;
  readonly #accumulators: Accumulators;
  /** The dtype for means; null for other reductions. */
  readonly #mean: DType | null;

  constructor(fold: Fold, context: ReducerContext, mean: DType | null = null) {
    this.#fold = fold;
    this.#context = context;
    this.#mean = mean;
    this.#accumulators = new Accumulators(context, fold.kind, "acc");
  }

  #neutral(): Vector {
    return this.#context.builder.constant(this.#fold.kind, this.#fold.neutral);
  }

  reset(): void {
    this.#accumulators.set(() => this.#neutral());
  }

  resetTotals(): void {}

  advance(): void {}

  add(value: Lanes, mask: (width: number) => Lanes | null): void {
    const { kind, fold } = this.#fold;
    const isMask = kind === "i8x16" && this.#isTruth;
    const lanes = isMask ? maskOfWidth(value, 1) : this.#mean === null ? value : resizeIntegers(value, kind);
    const own = mask(laneBytes[kind]);
    const vectors = spread(lanes, this.#context.elements);
    this.#accumulators.set((i) => fold(this.#accumulators.read(i), masked(vectors[i]!.as(kind), own, i, this.#neutral())));
  }

  get #isTruth(): boolean {
    return this.#fold.neutral === -1 || this.#fold.neutral === 0;
  }

  flush(): void {}

  finish(): Lanes {
    const total = acrossLanes(pairwise(this.#accumulators.all(), this.#fold.fold), this.#fold.fold);
    if (this.#mean === null) return uniform(total);
    return castLanes(uniform(integerMean(total, this.#context.count(), this.#mean)), "int64", this.#mean, false);
  }
}

/** Multiplies floats as float64. */
class FloatProductReducer implements Reducer {
  readonly blockElements: number = Number.POSITIVE_INFINITY;
  readonly #isSingle: boolean;
  readonly #context: ReducerContext;
  readonly #accumulators: Accumulators;

  constructor(kind: VectorKind, context: ReducerContext) {
    this.#isSingle = kind === "f32x4";
    this.#context = context;
    this.#accumulators = new Accumulators(context, "f64x2", "product");
  }

  #one(): Vector {
    return this.#context.builder.constant("f64x2", 1);
  }

  reset(): void {
    this.#accumulators.set(() => this.#one());
  }

  resetTotals(): void {}

  advance(): void {}

  add(value: Lanes, mask: (width: number) => Lanes | null): void {
    const own = mask(8);
    const vectors = spread(this.#isSingle ? widenFloats(value) : value, this.#context.elements);
    this.#accumulators.set((i) => this.#accumulators.read(i).mul(masked(vectors[i]!, own, i, this.#one())));
  }

  flush(): void {}

  finish(): Lanes {
    const product = acrossLanes(
      pairwise(this.#accumulators.all(), (a, b) => a.mul(b)),
      (a, b) => a.mul(b),
    );
    return this.#isSingle ? narrowUniform(product) : uniform(product);
  }
}
