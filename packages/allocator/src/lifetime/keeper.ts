/**
 * Keeper: a private object that is collected when a buffer was dropped without `unref` (no counterpart in TensorFlow, where
 * destructors run).
 *
 *     Tensor, maps, typed arrays --> Buffer --> Keeper --> KeeperRecord { allocator, pointer, ... }
 *                                                 ^            ^
 *                                    registered with the FinalizationRegistry, which holds the record
 *
 * A Keeper is collected once nothing can reach the buffer's bytes any more; its record says what must be returned then. When a buffer is
 * released properly, its record is emptied and the Keeper goes into a pool for the next buffer, because registering a new Keeper costs
 * four times as much as everything else. This is correct only because no public object refers to a Keeper. If the
 * buffer itself were registered and pooled, a map of the freed buffer would keep it alive while it watches other bytes, and
 * those bytes would never be reclaimed.
 */
import type { Allocator } from "../allocator/allocator.ts";
import type { Pointer } from "../allocator/pointer.ts";

/** An object that releases this thread's holds on control blocks: SharedHolds of arena/shared-holds.ts, which imports this file. */
export interface HoldOwner {
  /** Releases the hold on the control block `control`. */
  release(control: number): void;
}

const kUnsendable = Symbol(
  "a tensor is not sent itself: post the handle shareTensor(tensor), and receiveTensor(handle) in the other thread",
);

/** What must be returned when a Keeper is collected. The record must not refer to its Keeper strongly, or it would never be collected. */
export class KeeperRecord {
  /** Refuses structured clones of what leads here, tensors and maps: a DataCloneError has the text of the symbol. */
  readonly unsendable: symbol = kUnsendable;
  /** The allocator of the bytes; null until the first use. It stays set after a release: the next buffer mostly has the same one. */
  allocator: Allocator | null = null;
  /** Private: what prints all fields of a tensor, as assertions of node:assert do when they fail, would print the bytes of the whole memory. */
  #pointer: Pointer | null = null;
  /** The size of the buffer in the lifetime statistics, in units of 256 bytes. */
  units: number = 0;
  /** For a buffer shared between threads: the control block whose hold must be released instead of the bytes. 0 for none. */
  control: number = 0;
  /** The object that releases that hold; null until the first use. */
  holds: HoldOwner | null = null;
  /** The ledger's record of the last buffer made while the ledger was on. The ledger itself ignores records that it has closed. */
  line: object | null = null;
  /** A weak reference to the Keeper, where sweeps are possible (in Node); otherwise null. */
  readonly keeper: WeakRef<Keeper> | null;
  /** The record's index in the net's list; -1 if it is not in the list, as after its Keeper was collected. */
  place: number;

  constructor(keeper: WeakRef<Keeper> | null, place: number) {
    this.keeper = keeper;
    this.place = place;
  }

  /** The bytes, as an argument for `deallocateRaw`; null while the record is empty. */
  get pointer(): Pointer | null {
    return this.#pointer;
  }

  set pointer(pointer: Pointer | null) {
    this.#pointer = pointer;
  }
}

/** The object that the FinalizationRegistry watches. Either one buffer refers to it, or the pool. */
export class Keeper {
  /** What must be returned when the Keeper is collected. Set once, right after construction. */
  record: KeeperRecord | null = null;
  /** Private for the same reason as the pointer of the record. */
  #ballast: ArrayBuffer | null = null;

  /** The ballast of the epoch in which the buffer was made (ballast.ts), or null. */
  get ballast(): ArrayBuffer | null {
    return this.#ballast;
  }

  set ballast(ballast: ArrayBuffer | null) {
    this.#ballast = ballast;
  }
}
