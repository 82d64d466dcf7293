/**
 * fold-reducer: reduces the values of a row by a fold (folds.ts). Other reducers extend it by what happens after each block of elements.
 */
import type { Reducer, ReducerContext } from "./accumulators.ts";
import { Accumulators, acrossLanes, masked, pairwise } from "./accumulators.ts";
import type { Fold } from "./folds.ts";
import type { Vector } from "@onebuffer/wasm/internal";
import { laneBytes } from "@onebuffer/wasm/internal";
import { spread, uniform } from "@onebuffer/kernels/internal";
import type { Lanes } from "@onebuffer/kernels/internal";

/** Combines the values of a row in accumulators, and those at the end. */
export class FoldReducer implements Reducer {
  readonly context: ReducerContext;
  readonly accumulators: Accumulators;
  readonly #fold: Fold;

  constructor(fold: Fold, context: ReducerContext, name: string = "acc") {
    this.context = context;
    this.accumulators = new Accumulators(context, fold.kind, name);
    this.#fold = fold;
  }

  /** The value that the accumulators start with. */
  get neutral(): Vector {
    return this.context.builder.constant(this.#fold.kind, this.#fold.neutral);
  }

  reset(): void {
    this.accumulators.set(() => this.neutral);
  }

  add(value: Lanes, mask: (width: number) => Lanes | null): void {
    const { kind, fold, enter } = this.#fold;
    const own = mask(laneBytes[kind]);
    const vectors = spread(enter === undefined ? value : enter(value), this.context.elements);
    this.accumulators.set((i) => fold(this.accumulators.read(i), masked(vectors[i]!.as(kind), own, i, this.neutral)));
  }

  /** Returns a vector of what the copies have accumulated. */
  combined(): Vector {
    return pairwise(this.accumulators.all(), this.#fold.fold);
  }

  finish(): Lanes {
    const total = uniform(acrossLanes(this.combined(), this.#fold.fold));
    return this.#fold.finish?.(total, this.context.count) ?? total;
  }
}
