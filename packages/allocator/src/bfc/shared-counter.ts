/**
 * SharedCounter: the counter that stamps freed chunks (tsl/framework/shared_counter.h).
 *
 * The counter also makes the queue of stamped chunks. A program that sets no timing counter, as nearly all do, then loads neither.
 */
import { BfcStampedChunks } from "./bfc-stamped-chunks.ts";
import type { BfcArena } from "./bfc-chunk-list.ts";

/**
 * A counter that only rises, for `BFCAllocator.setTimingCounter`.
 *
 * @example
 * const counter = new SharedCounter();
 * [counter.next(), counter.next(), counter.get()]; // => [1, 2, 2]
 */
export class SharedCounter {
  #value = 0;

  /** Returns the last count; 0 before the first `next`. */
  get(): number {
    return this.#value;
  }

  /** Returns the next count, larger than all before. The first is 1. */
  next(): number {
    this.#value += 1;
    return this.#value;
  }

  /** Makes the queue of an arena's stamped chunks. For BFCAllocator only. */
  stampedChunks(arena: BfcArena): BfcStampedChunks {
    return new BfcStampedChunks(arena);
  }
}
