/**
 * place-reducer: the index of the largest or smallest element of a row (Eigen's ArgMaxTupleReducer).
 *
 *     lane 0   best 7.5   found in the group that starts at 128   ->  128 + the lane's own position in the group
 *
 * A lane remembers the group rather than the element: the lane and the copy determine the position in the group. Of equal
 * elements the first wins, so candidates with equal values are compared by index.
 */
import type { DType } from "@onebuffer/base";
import type { Reducer, ReducerContext } from "./accumulators.ts";
import { Accumulators, masked } from "./accumulators.ts";
import { neutralOfExtreme } from "./folds.ts";
import type { Vector, VectorKind, VectorVariable } from "@onebuffer/wasm/internal";
import { laneBytes } from "@onebuffer/wasm/internal";
import { kindOf, laneWidth, maskKindOf, resizeIntegers, spread, uniform } from "@onebuffer/kernels/internal";
import type { Lanes } from "@onebuffer/kernels/internal";

/** Finds the index of the first largest or smallest element. NaN never wins. */
export class PlaceReducer implements Reducer {
  readonly #isMax: boolean;
  readonly #dtype: DType;
  readonly #context: ReducerContext;
  /** The kind in which values are compared: it has lanes of at least 4 bytes, wide enough for indices. */
  readonly #kind: VectorKind;
  readonly #best: Accumulators;
  /** For each lane the index of the first element of the group in which its best value was found. */
  readonly #found: Accumulators;
  /** The index of the first element of the current group. */
  readonly #group: VectorVariable;

  constructor(isMax: boolean, dtype: DType, inputDType: DType, own: ReducerContext) {
    this.#isMax = isMax;
    this.#dtype = dtype;
    // The copies need accumulators of their own, because the copy determines part of the index.
    const context = { ...own, shared: false };
    this.#context = context;
    const kind = kindOf(inputDType);
    this.#kind = laneWidth(inputDType) < 4 ? (kind[0] === "u" ? "u32x4" : "i32x4") : kind;
    this.#best = new Accumulators(context, this.#kind, "best");
    this.#found = new Accumulators(context, this.#placeKind, "found");
    this.#group = context.builder.variable(this.#placeKind, context.copies, "group");
  }

  get #placeKind(): VectorKind {
    return maskKindOf(laneBytes[this.#kind]);
  }

  #worst(): Vector {
    return this.#context.builder.constant(this.#kind, neutralOfExtreme(this.#kind, this.#isMax));
  }

  #better(a: Vector, b: Vector): Vector {
    return this.#isMax ? a.gt(b) : a.lt(b);
  }

  reset(): void {
    this.#best.set(() => this.#worst());
    this.#found.set(() => this.#context.builder.constant(this.#placeKind, 0));
  }

  resetTotals(): void {
    const { builder } = this.#context;
    builder.assign({ kind: this.#placeKind, locals: [this.#group.locals[0]!] }, builder.constant(this.#placeKind, 0));
  }

  add(value: Lanes, mask: (width: number) => Lanes | null): void {
    const { builder, elements } = this.#context;
    const wide = laneBytes[value.vectors[0]!.kind] < laneBytes[this.#kind] ? resizeIntegers(value, this.#kind) : value;
    const own = mask(laneBytes[this.#kind]);
    const vectors = spread(wide, elements);
    const group = builder.fromLocal(this.#placeKind, this.#group.locals[0]!);
    const found: Vector[] = [];
    const best = vectors.map((vector, i) => {
      const before = this.#best.read(i);
      const candidate = masked(vector, own, i, this.#worst());
      const wins = this.#better(candidate, before);
      // Group indices ascend, so the larger index is the later one. There is no maximum instruction for 64-bit integers.
      found.push(laneBytes[this.#kind] === 8 ? wins.select(group, this.#found.read(i)) : this.#found.read(i).max(wins.and(group)));
      if (this.#kind[0] !== "f") return wins.select(candidate, before);
      return this.#isMax ? before.pmax(candidate) : before.pmin(candidate);
    });
    this.#best.set((i) => best[i]!);
    this.#found.set((i) => found[i]!);
  }

  advance(groups: number): void {
    const { builder, elements } = this.#context;
    const first = { kind: this.#placeKind, locals: [this.#group.locals[0]!] };
    builder.assign(first, builder.read(first).add(groups * elements));
  }

  finish(): Lanes {
    const { builder, elements } = this.#context;
    const perVector = 16 / laneBytes[this.#kind];
    const candidates = this.#best.variables.flatMap(({ locals }, i) =>
      locals.map((local, copy) => {
        const first = copy * elements + i * perVector;
        const offsets = builder.constants(
          this.#placeKind,
          Array.from({ length: perVector }, (_, lane) => first + lane),
        );
        const found = builder.fromLocal(this.#placeKind, this.#found.variables[i]!.locals[copy]!);
        return { best: builder.fromLocal(this.#kind, local), place: found.add(offsets) };
      }),
    );
    let winner = candidates[0]!;
    for (const next of candidates.slice(1)) winner = this.#winner(winner, next);
    for (let bytes = 8; bytes >= laneBytes[this.#kind]; bytes /= 2) {
      const rotated = Array.from({ length: 16 }, (_, i) => i ^ bytes);
      const { best, place } = winner;
      winner = this.#winner(winner, { best: best.shuffle(best, rotated), place: place.shuffle(place, rotated) });
    }
    const { place } = winner;
    if (this.#dtype === "int64") return uniform(laneBytes[this.#kind] === 8 ? place : place.extendLow());
    return uniform(laneBytes[this.#kind] === 8 ? place.as("i32x4").lanes(place.as("i32x4"), [0, 2, 0, 2]) : place);
  }

  /** Returns the better of two candidates in each lane; of equal ones, the one with the smaller index. */
  #winner(a: { best: Vector; place: Vector }, b: { best: Vector; place: Vector }): { best: Vector; place: Vector } {
    const wins = this.#better(b.best, a.best).or(b.best.eq(a.best).and(b.place.lt(a.place)));
    return { best: wins.select(b.best, a.best), place: wins.select(b.place, a.place) };
  }
}
