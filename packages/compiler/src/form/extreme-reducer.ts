/**
 * extreme-reducer: the largest or smallest float of a row (Eigen's MaxReducer and MinReducer with PropagateNaN). The result is
 * NaN if any element is. +0 is larger than -0, so that the result does not depend on the order of the elements.
 *
 *     extreme   the largest by pmax, which is one instruction; it ignores NaN and takes zeros of both signs for equal
 *     seen      masks of the elements that are NaN, combined by or
 *     signs     the bits of all elements; the largest is negative if all are (and), the smallest if any is (or)
 *
 * The sign bit of `signs` is also that of an extreme other than 0, so the sign is always taken from there.
 */
import type { Reducer, ReducerContext } from "./accumulators.ts";
import { Accumulators, acrossLanes, masked, pairwise } from "./accumulators.ts";
import { neutralOfExtreme } from "./folds.ts";
import { spread } from "./lane-memory.ts";
import { maskKindOf, uniform } from "../plan/lanes.ts";
import type { Lanes } from "../plan/lanes.ts";
import type { Vector, VectorKind } from "@onebuffer/wasm/internal";
import { laneBytes } from "@onebuffer/wasm/internal";

type Fold = (a: Vector, b: Vector) => Vector;

const and: Fold = (a, b) => a.and(b);
const or: Fold = (a, b) => a.or(b);
const larger: Fold = (a, b) => a.pmax(b);
const smaller: Fold = (a, b) => a.pmin(b);

/** The number of accumulators for each vector of a group. */
export const kExtremeAccumulators = 3;

/** Finds the largest or smallest of float32 or float64. */
export class ExtremeReducer implements Reducer {
  readonly #isMax: boolean;
  readonly #kind: VectorKind;
  readonly #context: ReducerContext;
  readonly #extreme: Accumulators;
  readonly #seen: Accumulators;
  readonly #signs: Accumulators;

  constructor(isMax: boolean, kind: VectorKind, context: ReducerContext) {
    const maskKind = maskKindOf(laneBytes[kind]);
    this.#isMax = isMax;
    this.#kind = kind;
    this.#context = context;
    this.#extreme = new Accumulators(context, kind, isMax ? "max" : "min");
    this.#seen = new Accumulators(context, maskKind, "nan");
    this.#signs = new Accumulators(context, maskKind, "signs");
  }

  get #pick(): Fold {
    return this.#isMax ? larger : smaller;
  }

  get #combineSigns(): Fold {
    return this.#isMax ? and : or;
  }

  /** Returns the value for masked elements: the infinity that changes neither the extreme nor the sign. */
  #neutral(): Vector {
    return this.#context.builder.constant(this.#kind, neutralOfExtreme(this.#kind, this.#isMax));
  }

  reset(): void {
    const { builder } = this.#context;
    this.#extreme.set(() => this.#neutral());
    this.#seen.set(() => builder.constant(this.#seen.kind, 0));
    this.#signs.set(() => builder.constant(this.#signs.kind, this.#isMax ? -1 : 0));
  }

  add(value: Lanes, mask: (width: number) => Lanes | null): void {
    const own = mask(laneBytes[this.#kind]);
    const vectors = spread(value, this.#context.elements).map((vector, i) => masked(vector, own, i, this.#neutral()));
    this.#extreme.set((i) => this.#pick(this.#extreme.read(i), vectors[i]!));
    this.#seen.set((i) => this.#seen.read(i).or(vectors[i]!.ne(vectors[i]!)));
    this.#signs.set((i) => this.#combineSigns(this.#signs.read(i), vectors[i]!.as(this.#signs.kind)));
  }

  finish(): Lanes {
    const folded = (accumulators: Accumulators, fold: Fold): Vector => acrossLanes(pairwise(accumulators.all(), fold), fold);
    const signBit = laneBytes[this.#kind] === 8 ? -(2n ** 63n) : -(2 ** 31);
    const sign = folded(this.#signs, this.#combineSigns).and(signBit);
    const extreme = folded(this.#extreme, this.#pick).abs().or(sign.as(this.#kind));
    return uniform(extreme.or(folded(this.#seen, or)));
  }
}
