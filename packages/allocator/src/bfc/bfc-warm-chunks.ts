/**
 * BfcWarmChunks: a fast path for chunks that are freed in the reverse order of allocation (no counterpart in TensorFlow).
 *
 *     allocate  a, b, c           in use: a b c
 *     free      c, b              in use: a      warm: b c       for the arena, b and c are still in use
 *     allocate  the size of b     in use: a b    warm: c
 *
 * An allocation followed by its free leaves an arena as it was. So if chunks are freed last in, first out, and the next request has the
 * size of the chunk that was freed last, the arena would find exactly this chunk. It is returned without changing the arena,
 * which takes a third of the time. Before any other operation the warm chunks are freed properly, so the result is always the same
 * as without this class.
 */
import type { BfcArena } from "./bfc-chunk-list.ts";
import { kFree, kSize, kState, kWarm } from "./bfc-chunks.ts";

// Local copies of imported constants, which engines inline: see bfc-free-tree.ts.
const SIZE = kSize;
const STATE = kState;
const WARM = kWarm;

/** The capacity of the stack, in chunks. */
const kDepth = 16;

/** A stack of the chunks allocated last. The upper ones are warm: freed, but still in use for the arena. */
export class BfcWarmChunks {
  readonly #arena: BfcArena;
  readonly #stack: Int32Array = new Int32Array(kDepth);
  /** The number of chunks on the stack that are in use. */
  #used: number = 0;
  /** The number of chunks on the stack. */
  #top: number = 0;

  constructor(arena: BfcArena) {
    this.#arena = arena;
  }

  /** Returns the chunk that the arena would find for `units` if it is warm, otherwise 0. The caller must mark it as allocated. */
  take(units: number): number {
    const used = this.#used;
    if (used === this.#top) return 0;
    const chunk = this.#stack[used]!;
    if (this.#arena.chunks.words[chunk + SIZE] !== units) return 0;
    this.#used = used + 1;
    return chunk;
  }

  /** Pushes a chunk that the arena has just allocated. No chunk may be warm. */
  noteUsed(chunk: number): void {
    // A full stack is emptied: forgetting chunks in use is always correct.
    const at = this.#used === kDepth ? 0 : this.#used;
    this.#stack[at] = chunk;
    this.#used = at + 1;
    this.#top = at + 1;
  }

  /**
   * Marks an allocated chunk as warm and returns true if it is the last one on the stack that is in use. Otherwise returns false, and the
   * caller must call `end`.
   */
  keep(chunk: number): boolean {
    const last = this.#used - 1;
    if (last < 0 || this.#stack[last] !== chunk) return false;
    this.#arena.chunks.words[chunk + STATE] = WARM;
    this.#used = last;
    return true;
  }

  /** Returns true if a chunk is warm. */
  has(chunk: number): boolean {
    return this.#arena.chunks.words[chunk + STATE] === WARM;
  }

  /** Frees the warm chunks in the arena. The chunks in use stay on the stack. */
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

  /** Frees the warm chunks in the arena and empties the stack. Call it before every change of the arena except an allocation. */
  end(): void {
    if (this.#top !== this.#used) this.settle();
    this.#used = 0;
    this.#top = 0;
  }
}
