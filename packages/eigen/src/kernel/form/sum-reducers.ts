/**
 * sum-reducers: sums and means of floats (Eigen's SumReducer and MeanReducer, which add in the elements' own type). The rounding
 * errors here stay far below one unit in the last place of the result, for any length.
 *
 *     float32     32 additions to a lane, then continued as float64, rounded once at the end
 *     float64     32 additions to a lane; the rounding errors of adding the blocks are summed up, too
 */
import type { Reducer, ReducerContext } from "./accumulators.ts";
import { Accumulators, acrossLanes, masked, narrowUniform, pairwise } from "./accumulators.ts";
import { spread } from "./lane-memory.ts";
import { uniform } from "../plan/lanes.ts";
import type { Lanes } from "../plan/lanes.ts";
import type { Vector, VectorVariable } from "@onebuffer/wasm/internal";

/** Sums and means of float32: blocks are summed as float32, and their sums as float64. */
export class FloatSumReducer implements Reducer {
  readonly blockElements: number;
  readonly #mean: boolean;
  readonly #context: ReducerContext;
  readonly #accumulators: Accumulators;
  readonly #low: VectorVariable;
  readonly #high: VectorVariable;

  constructor(mean: boolean, context: ReducerContext) {
    this.#mean = mean;
    this.#context = context;
    this.#accumulators = new Accumulators(context, "f32x4", "sum");
    this.#low = context.builder.variable("f64x2", 1, "low");
    this.#high = context.builder.variable("f64x2", 1, "high");
    // 32 additions to each lane: rounding errors of at most 16 ulp of a block's sum, seldom more than one.
    this.blockElements = 32 * context.elements * context.copies;
  }

  reset(): void {
    this.#accumulators.set(() => this.#context.builder.constant("f32x4", 0));
  }

  resetTotals(): void {
    const { builder } = this.#context;
    builder.assign(this.#low, builder.constant("f64x2", 0));
    builder.assign(this.#high, builder.constant("f64x2", 0));
  }

  advance(): void {}

  add(value: Lanes, mask: (width: number) => Lanes | null): void {
    const { builder, elements } = this.#context;
    const own = mask(4);
    const vectors = spread(value, elements);
    this.#accumulators.set((i) => this.#accumulators.read(i).add(masked(vectors[i]!, own, i, builder.constant("f32x4", 0))));
  }

  flush(): void {
    const { builder } = this.#context;
    const sum = pairwise(this.#accumulators.all(), (a, b) => a.add(b));
    builder.assign(this.#low, builder.read(this.#low).add(sum.lowToF64()));
    builder.assign(this.#high, builder.read(this.#high).add(sum.highToF64()));
    this.#accumulators.setAll(builder.constant("f32x4", 0));
  }

  finish(): Lanes {
    const { builder, count } = this.#context;
    const total = acrossLanes(builder.read(this.#low).add(builder.read(this.#high)), (a, b) => a.add(b));
    return narrowUniform(this.#mean ? total.div(count()) : total);
  }
}

/**
 * Sums and means of float64 with compensation: the rounding error of each addition of a block is summed up, too (Neumaier's sum,
 * by Knuth's two-sum).
 */
export class DoubleSumReducer implements Reducer {
  readonly blockElements: number;
  readonly #mean: boolean;
  readonly #context: ReducerContext;
  readonly #accumulators: Accumulators;
  readonly #total: VectorVariable;
  readonly #lost: VectorVariable;

  constructor(mean: boolean, context: ReducerContext) {
    this.#mean = mean;
    this.#context = context;
    this.#accumulators = new Accumulators(context, "f64x2", "sum");
    this.#total = context.builder.variable("f64x2", 1, "total");
    this.#lost = context.builder.variable("f64x2", 1, "lost");
    this.blockElements = 32 * context.elements * context.copies;
  }

  reset(): void {
    this.#accumulators.set(() => this.#context.builder.constant("f64x2", 0));
  }

  resetTotals(): void {
    const { builder } = this.#context;
    builder.assign(this.#total, builder.constant("f64x2", 0));
    builder.assign(this.#lost, builder.constant("f64x2", 0));
  }

  advance(): void {}

  add(value: Lanes, mask: (width: number) => Lanes | null): void {
    const { builder, elements } = this.#context;
    const own = mask(8);
    const vectors = spread(value, elements);
    this.#accumulators.set((i) => this.#accumulators.read(i).add(masked(vectors[i]!, own, i, builder.constant("f64x2", 0))));
  }

  flush(): void {
    const { builder } = this.#context;
    const block = pairwise(this.#accumulators.all(), (a, b) => a.add(b));
    const [sum, lost] = twoSum(builder.read(this.#total), block);
    builder.assign(this.#total, sum);
    builder.assign(this.#lost, builder.read(this.#lost).add(lost));
    this.#accumulators.setAll(builder.constant("f64x2", 0));
  }

  finish(): Lanes {
    const { builder, count } = this.#context;
    const total = builder.read(this.#total);
    const [sum, lost] = twoSum(total, total.lanes(total, [1, 0]));
    const small = acrossLanes(builder.read(this.#lost), (a, b) => a.add(b)).add(lost);
    // Infinities make the rounding error NaN. Then it is ignored.
    const exact = sum.add(small.eq(small).as("f64x2").and(small));
    return uniform(this.#mean ? exact.div(count()) : exact);
  }
}

/** Returns a + b and the rounding error, exactly. */
function twoSum(a: Vector, b: Vector): readonly [sum: Vector, lost: Vector] {
  const sum = a.add(b);
  const bPart = sum.sub(a);
  const aPart = sum.sub(bPart);
  return [sum, a.sub(aPart).add(b.sub(bPart))];
}
