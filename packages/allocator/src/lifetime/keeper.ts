/**
 * Keeper: the private object whose end says that a buffer was forgotten (no counterpart in TensorFlow, whose destructors run).
 *
 *     Tensor, maps, typed arrays --> Buffer --> Keeper --> KeeperRecord { allocator, pointer, ... }
 *                                                 ^            ^
 *                                    registered with the FinalizationRegistry, which holds the record
 *
 * The Keeper dies with the last thing that can reach the bytes; the record says what to give back then. A buffer that is given
 * up properly empties the record and puts the Keeper into a pool: registering one costs four times as much as all the rest.
 * That is sound only because nothing public reaches a Keeper. Were the buffer itself the registered object, a map of a freed
 * buffer would keep it alive after it went on to other bytes, and those could be forgotten without a word.
 */
import type { Allocator } from "../allocator/allocator.ts";
import type { Pointer } from "../allocator/pointer.ts";

/** Who can give up this thread's hold on a control block (arena/shared-holds.ts, which lies above this room). */
export interface HoldOwner {
  /** Gives up the hold on the block `control`. */
  release(control: number): void;
}

/** What is to be given back for a forgotten buffer. It must never reach its Keeper, or the Keeper would never die. */
export class KeeperRecord {
  /** Where the bytes go; null until the first. It stays when they were given back, for the next are mostly its own again. */
  allocator: Allocator | null = null;
  /** The bytes, as `deallocateRaw` takes them; null while the record stands for nothing. */
  pointer: Pointer | null = null;
  /** What the bytes count for in the net's figures, in units of 256. */
  units: number = 0;
  /** The control block whose hold is to be released instead, for a buffer shared between threads; 0 for none. */
  control: number = 0;
  /** Who gives that hold up; null until the first. */
  holds: HoldOwner | null = null;
  /** The ledger's line on the last buffer for which the ledger was on: it knows by itself which lines are still open. */
  line: object | null = null;
  /** The Keeper, weakly, where a sweep may ask for it. */
  readonly keeper: WeakRef<Keeper> | null;
  /** The record's place in the net's list; -1 once its Keeper is dead. */
  place: number;

  constructor(keeper: WeakRef<Keeper> | null, place: number) {
    this.keeper = keeper;
    this.place = place;
  }
}

/** The registered object. One buffer refers to it, or the pool. */
export class Keeper {
  /** What its end means; set once, right after it was made. */
  record: KeeperRecord | null = null;
  /** An untouched ArrayBuffer that makes the arena's bytes felt by the collector (ballast.ts). */
  ballast: ArrayBuffer | null = null;
}
