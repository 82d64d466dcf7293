/**
 * sum-reducers: sums and means of floats (Eigen's SumReducer and MeanReducer, which add in the elements' own type). The rounding
 * errors here stay far below one unit in the last place of the result, for any length.
 *
 *     float32     32 additions to a lane, then continued as float64, rounded once at the end
 *     float64     32 additions to a lane; the rounding errors of adding the blocks are summed up, too
 */
import type { ReducerContext } from "./accumulators.ts";
import { acrossLanes, narrowUniform } from "./accumulators.ts";
import { FoldReducer } from "./fold-reducer.ts";
import { sumFold } from "./folds.ts";
import type { Vector, VectorKind, VectorVariable } from "@onebuffer/wasm/internal";
import { uniform } from "@onebuffer/kernels/internal";
import type { Lanes } from "@onebuffer/kernels/internal";

/** Sums of blocks of 32 additions to each lane: rounding errors of at most 16 ulp of a block's sum, seldom more than one. */
abstract class BlockSumReducer extends FoldReducer {
  readonly blockElements: number;
  /** The total of the blocks, in two vectors that start with 0. */
  readonly first: VectorVariable;
  readonly second: VectorVariable;

  constructor(kind: VectorKind, context: ReducerContext, names: readonly [string, string]) {
    super(sumFold(kind), context, "sum");
    this.first = context.builder.variable("f64x2", 1, names[0]);
    this.second = context.builder.variable("f64x2", 1, names[1]);
    this.blockElements = 32 * context.elements * context.copies;
  }

  resetTotals(): void {
    const { builder } = this.context;
    for (const total of [this.first, this.second]) builder.assign(total, builder.constant("f64x2", 0));
  }

  /** Adds the sum of a block to the total. */
  abstract addBlock(sum: Vector): void;

  flush(): void {
    this.addBlock(this.combined());
    this.accumulators.setAll(this.neutral);
  }
}

/** Sums and means of float32: blocks are summed as float32, and their lower and upper lanes as float64. */
export class FloatSumReducer extends BlockSumReducer {
  readonly #mean: boolean;

  constructor(mean: boolean, context: ReducerContext) {
    super("f32x4", context, ["low", "high"]);
    this.#mean = mean;
  }

  override addBlock(sum: Vector): void {
    const { builder } = this.context;
    builder.assign(this.first, builder.read(this.first).add(sum.lowToF64()));
    builder.assign(this.second, builder.read(this.second).add(sum.highToF64()));
  }

  override finish(): Lanes {
    const { builder, count } = this.context;
    const total = acrossLanes(builder.read(this.first).add(builder.read(this.second)), (a, b) => a.add(b));
    return narrowUniform(this.#mean ? total.div(count()) : total);
  }
}

/**
 * Sums and means of float64 with compensation: the rounding error of each addition of a block is summed up, too (Neumaier's sum,
 * by Knuth's two-sum).
 */
export class DoubleSumReducer extends BlockSumReducer {
  readonly #mean: boolean;

  constructor(mean: boolean, context: ReducerContext) {
    super("f64x2", context, ["total", "lost"]);
    this.#mean = mean;
  }

  override addBlock(block: Vector): void {
    const { builder } = this.context;
    const [sum, lost] = twoSum(builder.read(this.first), block);
    builder.assign(this.first, sum);
    builder.assign(this.second, builder.read(this.second).add(lost));
  }

  override finish(): Lanes {
    const { builder, count } = this.context;
    const total = builder.read(this.first);
    const [sum, lost] = twoSum(total, total.lanes(total, [1, 0]));
    const small = acrossLanes(builder.read(this.second), (a, b) => a.add(b)).add(lost);
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
