/**
 * BfcWarmChunks: chunks given back in the reverse order they were handed out, not yet joined with their neighbours (no counterpart in
 * TensorFlow).
 *
 *     handed out   a b c          in use: a b c
 *     given back       c, b       in use: a      warm: b c       the arena's books still say that b and c are in use
 *     asked for    as long as b   in use: a b    warm: c
 *
 * Allocating and giving back leave an arena as it was. So when chunks come back last in, first out, and the next request is as long
 * as the one that got the chunk which came back last, that very chunk is what the arena would find. It is handed out without touching the
 * books, which takes a third of the time. At anything else the arena is brought up to date first: nobody ever sees the difference.
 */
import type { BfcArena } from "./bfc-chunk-list.ts";
import { kFree, kSize, kState, kWarm } from "./bfc-chunks.ts";

// The module's own, to be folded into its code: see bfc-free-tree.ts.
const SIZE = kSize;
const STATE = kState;
const WARM = kWarm;

/** The most chunks that are remembered. */
const kDepth = 16;

/** The stack of the last chunks handed out, of which the upper ones are warm. */
export class BfcWarmChunks {
  readonly #arena: BfcArena;
  readonly #stack: Int32Array = new Int32Array(kDepth);
  /** Chunks of the stack that are in use. */
  #used: number = 0;
  /** All chunks of the stack. */
  #top: number = 0;

  constructor(arena: BfcArena) {
    this.#arena = arena;
  }

  /** The chunk that the arena would find for `units`, if it is warm: the caller marks it as handed out; else 0. */
  take(units: number): number {
    const used = this.#used;
    if (used === this.#top) return 0;
    const chunk = this.#stack[used]!;
    if (this.#arena.chunks.words[chunk + SIZE] !== units) return 0;
    this.#used = used + 1;
    return chunk;
  }

  /** Notes a chunk that the arena has handed out just now. Nothing may be warm. */
  noteUsed(chunk: number): void {
    // A full stack is begun anew: it may begin at any time.
    const at = this.#used === kDepth ? 0 : this.#used;
    this.#stack[at] = chunk;
    this.#used = at + 1;
    this.#top = at + 1;
  }

  /** Keeps a chunk in use warm if it is the last one handed out of those in use; false if not, and then the stack is over. */
  keep(chunk: number): boolean {
    const last = this.#used - 1;
    if (last < 0 || this.#stack[last] !== chunk) return false;
    this.#arena.chunks.words[chunk + STATE] = WARM;
    this.#used = last;
    return true;
  }

  /** Whether a chunk is warm. */
  has(chunk: number): boolean {
    return this.#arena.chunks.words[chunk + STATE] === WARM;
  }

  /** Gives the warm chunks back to the arena. Those in use stay on the stack. */
  settle(): void {
    const arena = this.#arena;
    const stack = this.#stack;
    const used = this.#used;
    for (let k = this.#top - 1; k >= used; k--) {
      const chunk = stack[k]!;
      arena.retire(chunk, kFree);
      arena.release(chunk);
    }
    this.#top = used;
  }

  /** The same, and forgets the stack: the arena changes in another way now than by handing out. */
  end(): void {
    if (this.#top !== this.#used) this.settle();
    this.#used = 0;
    this.#top = 0;
  }
}
