/**
 * accumulators: registers that a loop accumulates in, and how the lanes of several come together (Eigen's predux and the
 * accumulator packets of its reductions).
 *
 *     copies of the loop      | a0 | a1 | a2 | a3 |      each adds to its own: no addition waits for another
 *     at the end              pairs of neighbours, then halves of the vector that is left
 */
import { narrowFloats } from "./lane-numbers.ts";
import type { Lanes } from "../plan/lanes.ts";
import type { Vector, VectorBuilder, VectorKind, VectorVariable } from "@onebuffer/wasm/internal";
import { laneBytes } from "@onebuffer/wasm/internal";

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

/** Turns a vector by half its length, a quarter and so on, folding; afterwards all lanes hold the same. */
export function acrossLanes(vector: Vector, fold: (a: Vector, b: Vector) => Vector): Vector {
  let folded = vector;
  for (let bytes = 8; bytes >= laneBytes[vector.kind]; bytes /= 2) {
    const turned = Array.from({ length: 16 }, (_, i) => (i % (2 * bytes) < bytes ? i + bytes : i - bytes));
    folded = fold(folded, folded.shuffle(folded, turned));
  }
  return folded;
}

/** Folds a list by pairs of neighbours, which keeps errors small and work side by side. */
export function pairwise(list: readonly Vector[], fold: (a: Vector, b: Vector) => Vector): Vector {
  let level = list;
  while (level.length > 1) {
    const below = level;
    level = Array.from({ length: Math.ceil(below.length / 2) }, (_, i) =>
      below[2 * i + 1] === undefined ? below[2 * i]! : fold(below[2 * i]!, below[2 * i + 1]!),
    );
  }
  return level[0]!;
}

/** Registers for the vectors of a group, for each copy. */
export class Accumulators {
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
export function masked(vector: Vector, mask: Lanes | null, i: number, neutral: Vector): Vector {
  return mask === null ? vector : mask.vectors[i]!.select(vector, neutral);
}

/** Zero in lanes of a kind of integers. */
export function zeroOf(kind: VectorKind): number | bigint {
  return laneBytes[kind] === 8 ? 0n : 0;
}

/** A float64 in all lanes as a float32 in all lanes. */
export function narrowUniform(vector: Vector): Lanes {
  return narrowFloats({ vectors: [vector, vector], uniform: true });
}
