/**
 * accumulators: the registers that a loop accumulates in, and the functions that combine their lanes (Eigen's predux and the
 * accumulator packets of its reductions).
 *
 *     copies of the loop      | a0 | a1 | a2 | a3 |      each copy adds to its own, so that no addition waits for another
 *     at the end              neighbors are combined in pairs, then the halves of the remaining vector
 */
import type { CodeWriter, Vector, VectorBuilder, VectorKind, VectorVariable } from "@onebuffer/wasm/internal";
import { laneBytes } from "@onebuffer/wasm/internal";
import { narrowFloats, vectorsOf } from "@onebuffer/kernels/internal";
import type { Lanes } from "@onebuffer/kernels/internal";

/** Writes the code of a reduction of one kind. */
export interface Reducer {
  /** The number of elements after which `flush` has to run. Absent if it never has to. */
  readonly blockElements?: number;
  /** The elements of the first block, if they are fewer. */
  readonly firstElements?: number;
  /** Sets the accumulators to their first values. Valid in an `emit` of all copies. */
  reset(): void;
  /** Sets the totals that the copies share to their first values. Valid in an `emit` of one copy. */
  resetTotals?(): void;
  /** Accumulates one group of lanes; `mask` selects which lanes count. Valid in an `emit` of any number of copies. */
  add(value: Lanes, mask: (width: number) => Lanes | null): void;
  /** Counts `groups` groups as done. Called after each `add`. Valid in an `emit` of one copy. */
  advance?(groups: number): void;
  /** Adds the copies' accumulators to the totals and resets them. Valid in an `emit` of one copy. */
  flush?(): void;
  /** Pushes 0 if further elements cannot change the result, otherwise another number. Absent if they always may. */
  undecided?(code: CodeWriter): void;
  /** Returns the result, the same in all lanes. Called after the last `flush`. Valid in an `emit` of one copy. */
  finish(): Lanes;
}

/** The loop that a reducer writes code for. */
export interface ReducerContext {
  readonly builder: VectorBuilder;
  /** The number of elements in a group. */
  readonly elements: number;
  /** The number of copies in the main loop. */
  readonly copies: number;
  /** True if the copies use the same accumulators in turn, because computing the values takes all registers. */
  readonly shared: boolean;
  /** Returns the number of elements in a row, as f64x2. */
  readonly count: () => Vector;
}

/** Folds the lanes of a vector: rotates it by half its length, a quarter and so on. Afterwards all lanes hold the result. */
export function acrossLanes(vector: Vector, fold: (a: Vector, b: Vector) => Vector): Vector {
  let folded = vector;
  for (let bytes = 8; bytes >= laneBytes[vector.kind]; bytes /= 2) {
    const rotated = Array.from({ length: 16 }, (_, i) => i ^ bytes);
    folded = fold(folded, folded.shuffle(folded, rotated));
  }
  return folded;
}

/** Folds a list in pairs of neighbors, which keeps rounding errors small and lets operations run in parallel. */
export function pairwise<T>(list: readonly T[], fold: (a: T, b: T) => T): T {
  let level = list;
  while (level.length > 1) {
    const below = level;
    level = Array.from({ length: Math.ceil(below.length / 2) }, (_, i) =>
      below[2 * i + 1] === undefined ? below[2 * i]! : fold(below[2 * i]!, below[2 * i + 1]!),
    );
  }
  return level[0]!;
}

/** Registers for the vectors of a group, in each copy. */
export class Accumulators {
  readonly kind: VectorKind;
  readonly variables: readonly VectorVariable[];
  readonly #builder: VectorBuilder;

  constructor({ builder, elements, copies, shared }: ReducerContext, kind: VectorKind, name: string) {
    this.#builder = builder;
    this.kind = kind;
    this.variables = vectorsOf(kind, elements, (): VectorVariable => {
      if (!shared) return builder.variable(kind, copies, name);
      const [local] = builder.variable(kind, 1, name).locals;
      return { kind, locals: new Array<number>(copies).fill(local!) };
    });
  }

  /** Sets the accumulators of the copy that is being written. */
  set(value: (vector: number) => Vector): void {
    this.variables.forEach((variable, i) => this.#builder.assign(variable, value(i)));
  }

  /** Returns accumulator `i` of the copy that is being written. */
  read(i: number): Vector {
    return this.#builder.read(this.variables[i]!);
  }

  /** Returns the accumulators of all copies, one after the other. */
  all(): Vector[] {
    return this.variables.flatMap(({ kind, locals }) => [...new Set(locals)].map((local) => this.#builder.fromLocal(kind, local)));
  }

  /** Sets the accumulators of all copies to a value. Valid in an `emit` of one copy. */
  setAll(value: Vector): void {
    for (const { kind, locals } of this.variables) {
      for (const local of new Set(locals)) this.#builder.assign({ kind, locals: [local] }, value);
    }
  }
}

/** Returns a vector with the neutral element in the lanes where the mask is not set. */
export function masked(vector: Vector, mask: Lanes | null, i: number, neutral: Vector): Vector {
  return mask === null ? vector : mask.vectors[i]!.select(vector, neutral);
}

/** Rounds a float64 that is the same in all lanes to float32. */
export function narrowUniform(vector: Vector): Lanes {
  return narrowFloats({ vectors: [vector, vector], uniform: true });
}
