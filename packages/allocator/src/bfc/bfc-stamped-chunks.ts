/**
 * BfcStampedChunks: freed chunks that must not be joined yet (timestamped_chunks_ in tsl/framework/bfc_allocator.cc).
 *
 * A device may still be at work on memory when the host frees it. With a timing counter every freed chunk is stamped and kept
 * apart; once the safe frontier has passed its stamp it is joined with its neighbours. A caller who knows how far the device
 * has come (AllocationAttributes.freedByFunc) may be given stamped chunks before that.
 */

import { checkNumber } from "@onebuffer/base";
import type { BfcArena } from "./bfc-chunk-list.ts";
import { kFree, kSize, kState } from "./bfc-chunks.ts";

/** What gives the stamps: TensorFlow's SharedCounter. */
export interface TimingCounter {
  /** The next count, larger than all before, from 1 up. */
  next(): number;
}

/** The queue of stamped chunks, oldest first. */
export class BfcStampedChunks {
  readonly #arena: BfcArena;
  /** Chunk, stamp, chunk, stamp ... An entry holds as long as the chunk is free and still bears that stamp. */
  #queue: number[] = [];
  #frontier: number = 0;

  constructor(arena: BfcArena) {
    this.#arena = arena;
  }

  /** Whether nothing waits. */
  get isEmpty(): boolean {
    return this.#queue.length === 0;
  }

  /** Chunks stamped before `count` are safe from now on; the frontier never moves back. */
  setSafeFrontier(count: number): void {
    checkNumber(count, "a count");
    this.#frontier = Math.max(this.#frontier, count);
  }

  /** Lets a free chunk wait, with the stamp it bears. */
  push(chunk: number): void {
    this.#queue.push(chunk, this.#arena.chunks.freedAtCount(chunk));
  }

  /** Joins what the frontier has passed. */
  mergeSafe(): void {
    this.mergeUntil(0);
  }

  /**
   * Joins what the frontier has passed, and while there is no chunk of `units` (0: never) also what it has not, oldest first.
   * Whether such a chunk came about.
   */
  mergeUntil(units: number): boolean {
    const arena = this.#arena;
    const { chunks } = arena;
    const ready: number[] = [];
    const waiting = new Set<number>();
    for (let i = 0; i < this.#queue.length; i += 2) {
      const chunk = this.#queue[i]!;
      const stamp = this.#queue[i + 1]!;
      // Handed out again, joined with a neighbour, or stamped anew since.
      if (chunks.words[chunk + kState] !== kFree || chunks.freedAtCount(chunk) !== stamp) continue;
      const isSafe = stamp < this.#frontier;
      if (isSafe) chunks.setFreedAtCount(chunk, 0);
      if (isSafe || units > 0) ready.push(chunk);
      else waiting.add(chunk);
    }
    let satisfied = false;
    for (const chunk of ready) {
      if (chunks.words[chunk + kState] !== kFree) continue; // joined with an earlier one
      if (satisfied) {
        waiting.add(chunk);
        continue;
      }
      const joined = arena.join(chunk, units > 0);
      waiting.add(joined);
      satisfied = units > 0 && chunks.words[joined + kSize]! >= units;
    }
    this.#queue = [];
    for (const chunk of waiting) if (chunks.words[chunk + kState] === kFree && chunks.freedAtCount(chunk) > 0) this.push(chunk);
    return satisfied;
  }
}
