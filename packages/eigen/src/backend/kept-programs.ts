/**
 * KeptPrograms: the compiled programs of a backend by the structure of their expressions (XLA's compilation cache). The least recently used
 * are dropped beyond a limit.
 */
import type { BackendProgram } from "./backend.ts";

/** A program that is kept, or still used after it was dropped. `program` is null until it is compiled. */
interface Kept<Content, Placement> {
  program: BackendProgram<Content, Placement> | null;
  readonly compiling: Promise<BackendProgram<Content, Placement>>;
  /** The calls that use it. */
  uses: number;
  isDropped: boolean;
}

/** The programs of one backend. */
export class KeptPrograms<Content, Placement> {
  readonly #kept: Map<string, Kept<Content, Placement>> = new Map();
  readonly #most: number;
  readonly #free: (program: BackendProgram<Content, Placement>) => void;

  /** `most` is the number of programs that are kept; `free` frees one that was dropped. */
  constructor(most: number, free: (program: BackendProgram<Content, Placement>) => void) {
    this.#most = most;
    this.#free = free;
  }

  /** The number of programs that are kept. */
  get size(): number {
    return this.#kept.size;
  }

  /** Returns true if the program of a key is compiled or being compiled. */
  has(key: string): boolean {
    return this.#kept.has(key);
  }

  /**
   * Calls `work` with the program of a key, compiled if it is new. A kept program is passed on before the call returns. It is not freed
   * until `work` has settled. Rejects with the errors of both; a program that could not be compiled is not kept.
   */
  async use<T>(
    key: string,
    compile: () => Promise<BackendProgram<Content, Placement>>,
    work: (program: BackendProgram<Content, Placement>) => Promise<T>,
  ): Promise<T> {
    const kept = this.#kept.get(key) ?? this.#begin(key, compile);
    kept.uses++;
    try {
      // The most recently used one is the last of the map.
      if (this.#kept.get(key) === kept) {
        this.#kept.delete(key);
        this.#kept.set(key, kept);
      }
      return await work(kept.program ?? (await kept.compiling));
    } finally {
      kept.uses--;
      this.#freeIfUnused(kept);
    }
  }

  #begin(key: string, compile: () => Promise<BackendProgram<Content, Placement>>): Kept<Content, Placement> {
    const kept: Kept<Content, Placement> = { program: null, compiling: compile(), uses: 0, isDropped: false };
    this.#kept.set(key, kept);
    kept.compiling.then(
      (program) => {
        kept.program = program;
        this.#dropOldest();
      },
      () => this.#kept.delete(key),
    );
    return kept;
  }

  /** Drops compiled programs beyond the limit. */
  #dropOldest(): void {
    for (const [key, kept] of this.#kept) {
      if (this.#kept.size <= this.#most) return;
      if (kept.program === null) continue;
      this.#kept.delete(key);
      kept.isDropped = true;
      this.#freeIfUnused(kept);
    }
  }

  #freeIfUnused({ program, uses, isDropped }: Kept<Content, Placement>): void {
    if (isDropped && uses === 0 && program !== null) this.#free(program);
  }
}
