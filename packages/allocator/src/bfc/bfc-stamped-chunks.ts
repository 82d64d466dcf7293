/**
 * BfcStampedChunks: freed chunks that must not be merged yet (timestamped_chunks_ in tsl/framework/bfc_allocator.cc).
 *
 * A device may still use memory when the host frees it. With a timing counter every freed chunk gets a stamp and is not merged with
 * its neighbors until the safe frontier has passed the stamp. A caller that knows the progress of the device
 * (AllocationAttributes.freedByFunc) can get stamped chunks before that.
 */

import { checkNumber } from "@onebuffer/base/internal";
import type { BfcArena } from "./bfc-chunk-list.ts";
import { kFree, kSize, kState } from "./bfc-chunks.ts";

/** The queue of stamped chunks, oldest first. */
export class BfcStampedChunks {
  readonly #arena: BfcArena;
  /** Pairs: chunk, stamp, chunk, stamp ... An entry is valid while the chunk is free and still has that stamp. */
  #queue: number[] = [];
  #frontier: number = 0;

  constructor(arena: BfcArena) {
    this.#arena = arena;
  }

  /** True if no chunk is waiting. */
  get isEmpty(): boolean {
    return this.#queue.length === 0;
  }

  /** Declares chunks with stamps below `count` safe. The frontier never moves back. */
  setSafeFrontier(count: number): void {
    checkNumber(count, "a count");
    this.#frontier = Math.max(this.#frontier, count);
  }

  /** Adds a free chunk with its stamp. */
  push(chunk: number): void {
    this.#queue.push(chunk, this.#arena.chunks.freedAtCount(chunk));
  }

  /** Merges the chunks that the frontier has passed. */
  mergeSafe(): void {
    this.mergeUntil(0);
  }

  /**
   * Merges the chunks that the frontier has passed. If `units` is above 0, it merges the others too, oldest first, until there is a
   * chunk of at least `units` units. Returns true if there is such a chunk.
   */
  mergeUntil(units: number): boolean {
    const arena = this.#arena;
    const { chunks } = arena;
    const ready: number[] = [];
    const waiting = new Set<number>();
    for (let i = 0; i < this.#queue.length; i += 2) {
      const chunk = this.#queue[i]!;
      const stamp = this.#queue[i + 1]!;
      // The chunk was allocated again, merged with a neighbor, or stamped again.
      if (chunks.words[chunk + kState] !== kFree || chunks.freedAtCount(chunk) !== stamp) continue;
      const isSafe = stamp < this.#frontier;
      if (isSafe) chunks.setFreedAtCount(chunk, 0);
      if (isSafe || units > 0) ready.push(chunk);
      else waiting.add(chunk);
    }
    let satisfied = false;
    for (const chunk of ready) {
      if (chunks.words[chunk + kState] !== kFree) continue; // merged with an earlier one
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
