/**
 * truth-reducers: any, all, and the number of true elements of truth values in memory, where a byte is true unless it is 0.
 *
 *     any      the bits of all bytes, combined by or          decided once a bit is set
 *     all      the smallest byte                              decided once it is 0
 *     count    bytes of at most 1, added as bytes; the sums are widened before they can reach 256
 */
import type { DType } from "@onebuffer/base";
import type { CodeWriter, VectorVariable } from "@onebuffer/wasm/internal";
import { kindOf, mapLanes, resizeIntegers, uniform } from "@onebuffer/kernels/internal";
import type { Lanes } from "@onebuffer/kernels/internal";
import type { ReducerContext } from "./accumulators.ts";
import { acrossLanes, pairwise } from "./accumulators.ts";
import { FoldReducer } from "./fold-reducer.ts";
import type { Fold } from "./folds.ts";
import { sumFold } from "./folds.ts";

/** The bytes after which a reduction looks again whether it is decided: a look takes as long as a few dozen bytes. */
const kLookBytes = 1024;
/** The bytes after which it looks first. Where many bytes decide, these are enough for most rows. */
const kFirstLookBytes = 128;
/** The number of times that 1 can be added to a byte. */
const kMostOnes = 255;

/** Finds out whether any or all bytes are true. */
export class TruthReducer extends FoldReducer {
  readonly blockElements: number = kLookBytes;
  readonly firstElements: number = kFirstLookBytes;
  readonly #isAny: boolean;

  /** `fold` is that of any or all of bytes. */
  constructor(fold: Fold, context: ReducerContext) {
    super(fold, context);
    this.#isAny = fold.neutral === 0;
  }

  undecided(code: CodeWriter): void {
    const [first, ...others] = new Set(this.accumulators.variables.flatMap(({ locals }) => locals));
    code.get(first!);
    for (const local of others) code.get(local).op(this.#isAny ? "v128.or" : "i8x16.min_u");
    if (this.#isAny) code.op("v128.any_true").op("i32.eqz");
    else code.op("i8x16.all_true");
  }
}

/** Returns bytes as 1 where they are true. */
export function onesOf(value: Lanes): Lanes {
  return mapLanes(value, (vector) => vector.min(1));
}

/** Counts the bytes that are true. */
export class CountReducer extends FoldReducer {
  readonly blockElements: number;
  readonly #dtype: DType;
  readonly #total: VectorVariable;

  constructor(dtype: DType, context: ReducerContext) {
    super({ ...sumFold("u8x16"), enter: onesOf }, context, "ones");
    this.#dtype = dtype;
    this.#total = context.builder.variable("u32x4", 1, "total");
    // A copy that shares its accumulator with the others adds to it as often as all of them.
    this.blockElements = kMostOnes * context.elements * (context.shared ? 1 : context.copies);
  }

  resetTotals(): void {
    this.context.builder.assign(this.#total, this.context.builder.constant("u32x4", 0));
  }

  flush(): void {
    const { builder } = this.context;
    const words = this.accumulators.all().map((ones) => {
      const pairs = ones.extendLow().add(ones.extendHigh());
      return pairs.extendLow().add(pairs.extendHigh());
    });
    builder.assign(this.#total, builder.read(this.#total).add(pairwise(words, (a, b) => a.add(b))));
    this.accumulators.setAll(this.neutral);
  }

  override finish(): Lanes {
    const total = acrossLanes(this.context.builder.read(this.#total), (a, b) => a.add(b));
    return resizeIntegers(uniform(total), kindOf(this.#dtype));
  }
}
