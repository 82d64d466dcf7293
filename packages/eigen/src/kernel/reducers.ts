/**
 * reducers: accumulators of rows (Eigen's SumReducer, MaxReducer, ArgMaxTupleReducer and their packets).
 *
 *     sum of float32     | 8 x f32x4, 64 elements a lane at most | -> 2 x f64x2 -> one number, rounded once
 *     sum of float64     | 8 x f64x2 | -> s + c, what each addition to s loses goes to c
 *     max of floats      | 8 x f32x4 | and whether a NaN was among them
 *     argmax             | values, and the group of each lane's best |
 *
 * Each copy of the loop has accumulators of its own, so that additions do not wait for each other; `flush` brings them
 * together before rounding errors add up. A reducer writes its code inside the caller's `emit`s.
 */
import { InternalError } from "@onebuffer/base";
import type { DType } from "@onebuffer/base";
import { castLanes, integerMean, integerRange, narrowFloats, resizeIntegers, widenFloats } from "./lane-numbers.ts";
import { kindOf, laneWidth, maskKindOf, maskOfWidth, uniform } from "./lanes.ts";
import type { Lanes } from "./lanes.ts";
import type { ReduceOp } from "./program.ts";
import { spread } from "./lane-memory.ts";
import type { Vector, VectorKind } from "./vector.ts";
import { laneBytes } from "./vector.ts";
import type { VectorBuilder, VectorVariable } from "./vector-builder.ts";

/** What a reduction of one kind writes. */
export interface Reducer {
  /** Elements after which `flush` has to run; Infinity if it never has to. */
  readonly blockElements: number;
  /** In an `emit` of all copies: accumulators to their first values. */
  reset(): void;
  /** In an `emit` of one copy: what is not accumulated per copy to its first values. */
  resetTotals(): void;
  /** In an `emit` of any number of copies: takes a group, of it what the mask says. */
  add(value: Lanes, mask: (width: number) => Lanes | null): void;
  /** In an `emit` of one copy, after each `add`: so many groups are done. */
  advance(groups: number): void;
  /** In an `emit` of one copy: brings the copies' accumulators together and empties them. */
  flush(): void;
  /** In an `emit` of one copy, after the last `flush`: the result, the same in all lanes. */
  finish(): Lanes;
}

/** What a reducer needs to know. */
export interface ReducerContext {
  readonly builder: VectorBuilder;
  /** Elements of a group. */
  readonly elements: number;
  /** Copies of the main loop. */
  readonly copies: number;
  /** Whether the copies share accumulators, one after the other, because computing the values takes all registers. */
  readonly shared: boolean;
  /** The number of elements of a row, as f64x2. */
  readonly count: () => Vector;
}

/** Accumulators that a reduction needs for each vector of a group. */
export function accumulatorsOf(op: ReduceOp, inputDType: DType): number {
  const isFloat = kindOf(inputDType)[0] === "f";
  return op === "argmax" || op === "argmin" || (isFloat && (op === "max" || op === "min")) || (op === "prod" && inputDType !== "float64") ? 2 : 1;
}

/** The reducer of an operation. */
export function makeReducer(op: ReduceOp, dtype: DType, inputDType: DType, context: ReducerContext): Reducer {
  if (op === "argmax" || op === "argmin") return new ArgReducer(op, dtype, inputDType, context);
  if (op === "any" || op === "all") return new FoldReducer(maskFold(op), context);
  const kind = kindOf(inputDType);
  if (op === "max" || op === "min") {
    return kind[0] === "f" ? new FloatExtremeReducer(op, kind, context) : new FoldReducer(extremeFold(op, kind), context);
  }
  if (op === "prod") return kind[0] === "f" ? new FloatProductReducer(kind, context) : new FoldReducer(productFold(kind), context);
  if (kind === "f32x4") return new FloatSumReducer(op === "mean", context);
  if (kind === "f64x2") return new DoubleSumReducer(op === "mean", context);
  return op === "mean" ? new FoldReducer(sumFold("i64x2"), context, inputDType) : new FoldReducer(sumFold(kind), context);
}

/** Turns a vector by half its length, a quarter and so on, folding; afterwards all lanes hold the same. */
function acrossLanes(vector: Vector, fold: (a: Vector, b: Vector) => Vector): Vector {
  let folded = vector;
  for (let bytes = 8; bytes >= laneBytes[vector.kind]; bytes /= 2) {
    const turned = Array.from({ length: 16 }, (_, i) => (i % (2 * bytes) < bytes ? i + bytes : i - bytes));
    folded = fold(folded, folded.shuffle(folded, turned));
  }
  return folded;
}

/** Folds a list by pairs of neighbours, which keeps errors small and work side by side. */
function pairwise(list: readonly Vector[], fold: (a: Vector, b: Vector) => Vector): Vector {
  let level = list;
  while (level.length > 1) {
    const below = level;
    level = Array.from({ length: Math.ceil(below.length / 2) }, (_, i) => (below[2 * i + 1] === undefined ? below[2 * i]! : fold(below[2 * i]!, below[2 * i + 1]!)));
  }
  return level[0]!;
}

/** Registers for the vectors of a group, for each copy. */
class Accumulators {
  readonly kind: VectorKind;
  readonly variables: readonly VectorVariable[];
  readonly #builder: VectorBuilder;

  constructor({ builder, elements, copies, shared }: ReducerContext, kind: VectorKind, name: string) {
    this.#builder = builder;
    this.kind = kind;
    const count = Math.max(1, (elements * laneBytes[kind]) / 16);
    this.variables = Array.from({ length: count }, (): VectorVariable => {
      if (!shared) return builder.variable(kind, copies, name);
      const [local] = builder.variable(kind, 1, name).locals;
      return { kind, locals: new Array<number>(copies).fill(local!) };
    });
  }

  /** Sets all of them. */
  set(value: (vector: number) => Vector): void {
    this.variables.forEach((variable, i) => this.#builder.assign(variable, value(i)));
  }

  /** Accumulator `i` of the copy being written. */
  read(i: number): Vector {
    return this.#builder.read(this.variables[i]!);
  }

  /** Of all copies, one after the other. */
  all(): Vector[] {
    return this.variables.flatMap(({ kind, locals }) => [...new Set(locals)].map((local) => this.#builder.fromLocal(kind, local)));
  }

  /** Sets those of all copies, in an `emit` of one. */
  setAll(value: Vector): void {
    for (const { kind, locals } of this.variables) {
      for (const local of new Set(locals)) this.#builder.assign({ kind, locals: [local] }, value);
    }
  }
}

/** A value with the neutral element where the mask is not set. */
function masked(vector: Vector, mask: Lanes | null, i: number, neutral: Vector): Vector {
  return mask === null ? vector : mask.vectors[i]!.select(vector, neutral);
}

/** An operation that can be done in any order, in the lanes' own kind. */
interface Fold {
  readonly kind: VectorKind;
  readonly neutral: number | bigint;
  fold(a: Vector, b: Vector): Vector;
}

const zeroOf = (kind: VectorKind): number | bigint => (laneBytes[kind] === 8 ? 0n : 0);

const sumFold = (kind: VectorKind): Fold => ({ kind, neutral: zeroOf(kind), fold: (a, b) => a.add(b) });
const productFold = (kind: VectorKind): Fold => ({ kind, neutral: laneBytes[kind] === 8 ? 1n : 1, fold: (a, b) => a.mul(b) });
const maskFold = (op: "any" | "all"): Fold => ({
  kind: "i8x16",
  neutral: op === "any" ? 0 : -1,
  fold: (a, b) => (op === "any" ? a.or(b) : a.and(b)),
});

function extremeFold(op: "max" | "min", kind: VectorKind): Fold {
  const end = integerRange(kind)[op === "max" ? 0 : 1];
  return { kind, neutral: laneBytes[kind] === 8 ? end : Number(end), fold: (a, b) => (op === "max" ? a.max(b) : a.min(b)) };
}

/** Integers and masks. */
class FoldReducer implements Reducer {
  readonly blockElements: number = Number.POSITIVE_INFINITY;
  readonly #fold: Fold;
  readonly #context: ReducerContext;
  readonly #accumulators: Accumulators;
  /** For means the dtype, else null. */
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
    return castLanes(uniform(integerMean(total, this.#context.count())), "int64", this.#mean, false);
  }
}

/** Sums and means of float32: blocks of float32, their sums as float64. */
class FloatSumReducer implements Reducer {
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

/** A float64 in all lanes as a float32 in all lanes. */
function narrowUniform(vector: Vector): Lanes {
  return narrowFloats({ vectors: [vector, vector], uniform: true });
}

/** Sums and means of float64, compensated: what an addition loses is summed up, too (Neumaier's sum, by Knuth's two-sum). */
class DoubleSumReducer implements Reducer {
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
    // Where infinities met, what was lost is NaN and says nothing.
    const exact = sum.add(small.eq(small).as("f64x2").and(small));
    return uniform(this.#mean ? exact.div(count()) : exact);
  }
}

/** a + b and what rounding took from it, exactly. */
function twoSum(a: Vector, b: Vector): readonly [sum: Vector, lost: Vector] {
  const sum = a.add(b);
  const bPart = sum.sub(a);
  const aPart = sum.sub(bPart);
  return [sum, a.sub(aPart).add(b.sub(bPart))];
}

/** Products of floats, as float64. */
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

/**
 * Largest and smallest of floats: NaN if there is one. pmax and pmin do not tell; the largest of the bits without their sign
 * does, and integers are compared elsewhere in the machine than floats.
 */
class FloatExtremeReducer implements Reducer {
  readonly blockElements: number = Number.POSITIVE_INFINITY;
  readonly #op: "max" | "min";
  readonly #kind: VectorKind;
  readonly #context: ReducerContext;
  readonly #accumulators: Accumulators;
  /** Of float32 the largest bits, shifted up by one; of float64, for which there is no maximum, masks of NaN. */
  readonly #seen: Accumulators;

  constructor(op: "max" | "min", kind: VectorKind, context: ReducerContext) {
    this.#op = op;
    this.#kind = kind;
    this.#context = context;
    this.#accumulators = new Accumulators(context, kind, op);
    this.#seen = new Accumulators(context, kind === "f32x4" ? "u32x4" : "i64x2", "nan");
  }

  #neutral(): Vector {
    return this.#context.builder.constant(this.#kind, this.#op === "max" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY);
  }

  #fold(a: Vector, b: Vector): Vector {
    return this.#op === "max" ? a.pmax(b) : a.pmin(b);
  }

  reset(): void {
    this.#accumulators.set(() => this.#neutral());
    const { kind } = this.#seen;
    this.#seen.set(() => this.#context.builder.constant(kind, zeroOf(kind)));
  }

  resetTotals(): void {}

  advance(): void {}

  add(value: Lanes, mask: (width: number) => Lanes | null): void {
    const own = mask(laneBytes[this.#kind]);
    const vectors = spread(value, this.#context.elements).map((vector, i) => masked(vector, own, i, this.#neutral()));
    this.#accumulators.set((i) => this.#fold(this.#accumulators.read(i), vectors[i]!));
    this.#seen.set((i) => {
      const vector = vectors[i]!;
      if (this.#kind === "f64x2") return this.#seen.read(i).or(vector.ne(vector));
      const bits = vector.as("u32x4");
      return this.#seen.read(i).max(bits.add(bits));
    });
  }

  flush(): void {}

  finish(): Lanes {
    const extreme = acrossLanes(
      pairwise(this.#accumulators.all(), (a, b) => this.#fold(a, b)),
      (a, b) => this.#fold(a, b),
    );
    const join = (a: Vector, b: Vector): Vector => (this.#kind === "f64x2" ? a.or(b) : a.max(b));
    const seen = acrossLanes(pairwise(this.#seen.all(), join), join);
    return uniform(extreme.or(this.#kind === "f64x2" ? seen : seen.gt(0xff000000)));
  }
}

/** The place of the first largest or smallest. NaN is never better. */
class ArgReducer implements Reducer {
  readonly blockElements: number = Number.POSITIVE_INFINITY;
  readonly #isMax: boolean;
  readonly #dtype: DType;
  readonly #context: ReducerContext;
  /** Values are compared in lanes wide enough for places: of at least 4 bytes. */
  readonly #kind: VectorKind;
  readonly #best: Accumulators;
  /** Per lane the first element of the group in which its best was found. */
  readonly #found: Accumulators;
  /** The first element of the group that is being taken. */
  readonly #group: VectorVariable;

  constructor(op: "argmax" | "argmin", dtype: DType, inputDType: DType, own: ReducerContext) {
    this.#isMax = op === "argmax";
    this.#dtype = dtype;
    // Which copy a lane's best came from is part of its place.
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

  #place(value: number): number | bigint {
    return laneBytes[this.#kind] === 8 ? BigInt(value) : value;
  }

  #worst(): Vector {
    const { builder } = this.#context;
    if (this.#kind[0] === "f") return builder.constant(this.#kind, this.#isMax ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY);
    const end = integerRange(this.#kind)[this.#isMax ? 0 : 1];
    return builder.constant(this.#kind, laneBytes[this.#kind] === 8 ? end : Number(end));
  }

  #better(a: Vector, b: Vector): Vector {
    return this.#isMax ? a.gt(b) : a.lt(b);
  }

  reset(): void {
    this.#best.set(() => this.#worst());
    this.#found.set(() => this.#context.builder.constant(this.#placeKind, this.#place(0)));
  }

  resetTotals(): void {
    const { builder } = this.#context;
    builder.assign({ kind: this.#placeKind, locals: [this.#group.locals[0]!] }, builder.constant(this.#placeKind, this.#place(0)));
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
      // Groups ascend, so the larger place is the later one; of 64-bit integers there is no maximum.
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
    builder.assign(first, builder.read(first).add(this.#place(groups * elements)));
  }

  flush(): void {}

  finish(): Lanes {
    const { builder, elements } = this.#context;
    const perVector = 16 / laneBytes[this.#kind];
    const candidates = this.#best.variables.flatMap(({ locals }, i) =>
      locals.map((local, copy) => {
        const first = copy * elements + i * perVector;
        const offsets = builder.constants(
          this.#placeKind,
          Array.from({ length: perVector }, (_, lane) => this.#place(first + lane)),
        );
        const found = builder.fromLocal(this.#placeKind, this.#found.variables[i]!.locals[copy]!);
        return { best: builder.fromLocal(this.#kind, local), place: found.add(offsets) };
      }),
    );
    let winner = candidates[0]!;
    for (const next of candidates.slice(1)) winner = this.#winner(winner, next);
    for (let bytes = 8; bytes >= laneBytes[this.#kind]; bytes /= 2) {
      const turned = Array.from({ length: 16 }, (_, i) => (i % (2 * bytes) < bytes ? i + bytes : i - bytes));
      const { best, place } = winner;
      winner = this.#winner(winner, { best: best.shuffle(best, turned), place: place.shuffle(place, turned) });
    }
    const { place } = winner;
    if (this.#dtype === "int64") return uniform(laneBytes[this.#kind] === 8 ? place : place.extendLow());
    if (this.#dtype !== "int32") throw new InternalError(`places as ${this.#dtype}`);
    return uniform(laneBytes[this.#kind] === 8 ? place.as("i32x4").lanes(place.as("i32x4"), [0, 2, 0, 2]) : place);
  }

  /** Of two candidates per lane the better one; of equals the first. */
  #winner(a: { best: Vector; place: Vector }, b: { best: Vector; place: Vector }): { best: Vector; place: Vector } {
    const wins = this.#better(b.best, a.best).or(b.best.eq(a.best).and(b.place.lt(a.place)));
    return { best: wins.select(b.best, a.best), place: wins.select(b.place, a.place) };
  }
}
