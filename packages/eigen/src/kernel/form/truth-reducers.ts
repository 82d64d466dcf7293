/**
 * truth-reducers: any, all, and the number of true elements of truth values in memory, where a byte is true unless it is 0.
 *
 *     any      the bits of all bytes, combined by or          decided once a bit is set
 *     all      the smallest byte                              decided once it is 0
 *     count    bytes of at most 1, added as bytes; the sums are widened before they can reach 256
 */
import type { DType } from "@onebuffer/base";
import type { CodeWriter, Vector, VectorVariable } from "@onebuffer/wasm/internal";
import type { Reducer, ReducerContext } from "./accumulators.ts";
import { Accumulators, acrossLanes, masked, pairwise } from "./accumulators.ts";
import { resizeIntegers } from "./lane-numbers.ts";
import { spread } from "./lane-memory.ts";
import { kindOf, uniform } from "../plan/lanes.ts";
import type { Lanes } from "../plan/lanes.ts";

/** The bytes after which a reduction looks whether it is decided: a look takes as long as a few dozen bytes. */
const kLookBytes = 1024;
/** The number of times that 1 can be added to a byte. */
const kMostOnes = 255;

/** Finds out whether any or all bytes are true. */
export class TruthReducer implements Reducer {
  readonly blockElements: number = kLookBytes;
  readonly #isAny: boolean;
  readonly #context: ReducerContext;
  readonly #accumulators: Accumulators;

  constructor(op: "any" | "all", context: ReducerContext) {
    this.#isAny = op === "any";
    this.#context = context;
    this.#accumulators = new Accumulators(context, "u8x16", op);
  }

  #neutral(): Vector {
    return this.#context.builder.constant("u8x16", this.#isAny ? 0 : 255);
  }

  #fold(a: Vector, b: Vector): Vector {
    return this.#isAny ? a.or(b) : a.min(b);
  }

  reset(): void {
    this.#accumulators.set(() => this.#neutral());
  }

  resetTotals(): void {}

  advance(): void {}

  add(value: Lanes, mask: (width: number) => Lanes | null): void {
    const own = mask(1);
    const vectors = spread(value, this.#context.elements);
    this.#accumulators.set((i) => this.#fold(this.#accumulators.read(i), masked(vectors[i]!, own, i, this.#neutral())));
  }

  flush(): void {}

  undecided(code: CodeWriter): void {
    const [first, ...others] = new Set(this.#accumulators.variables.flatMap(({ locals }) => locals));
    code.get(first!);
    for (const local of others) code.get(local).op(this.#isAny ? "v128.or" : "i8x16.min_u");
    if (this.#isAny) code.op("v128.any_true").op("i32.eqz");
    else code.op("i8x16.all_true");
  }

  finish(): Lanes {
    const fold = (a: Vector, b: Vector): Vector => this.#fold(a, b);
    return uniform(acrossLanes(pairwise(this.#accumulators.all(), fold), fold).ne(0));
  }
}

/** Counts the bytes that are true. */
export class CountReducer implements Reducer {
  readonly blockElements: number;
  readonly #dtype: DType;
  readonly #context: ReducerContext;
  readonly #accumulators: Accumulators;
  readonly #total: VectorVariable;

  constructor(dtype: DType, context: ReducerContext) {
    this.#dtype = dtype;
    this.#context = context;
    this.#accumulators = new Accumulators(context, "u8x16", "ones");
    this.#total = context.builder.variable("u32x4", 1, "total");
    // A copy that shares its accumulator with the others adds to it as often as all of them.
    this.blockElements = kMostOnes * context.elements * (context.shared ? 1 : context.copies);
  }

  reset(): void {
    this.#accumulators.set(() => this.#context.builder.constant("u8x16", 0));
  }

  resetTotals(): void {
    this.#context.builder.assign(this.#total, this.#context.builder.constant("u32x4", 0));
  }

  advance(): void {}

  add(value: Lanes, mask: (width: number) => Lanes | null): void {
    const own = mask(1);
    const vectors = onesOf(value, this.#context.elements);
    const zero = this.#context.builder.constant("u8x16", 0);
    this.#accumulators.set((i) => this.#accumulators.read(i).add(masked(vectors[i]!, own, i, zero)));
  }

  flush(): void {
    const { builder } = this.#context;
    const words = this.#accumulators.all().map((ones) => {
      const pairs = ones.extendLow().add(ones.extendHigh());
      return pairs.extendLow().add(pairs.extendHigh());
    });
    builder.assign(this.#total, builder.read(this.#total).add(pairwise(words, (a, b) => a.add(b))));
    this.#accumulators.setAll(builder.constant("u8x16", 0));
  }

  finish(): Lanes {
    const total = acrossLanes(this.#context.builder.read(this.#total), (a, b) => a.add(b));
    return resizeIntegers(uniform(total), kindOf(this.#dtype));
  }
}

/** Returns bytes as 1 where they are true. */
export function onesOf(value: Lanes, elements: number): Vector[] {
  return spread(value, elements).map((vector) => vector.min(1));
}
