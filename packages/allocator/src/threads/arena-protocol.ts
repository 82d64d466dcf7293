/**
 * ArenaProtocol: the lock-free protocol by which the threads of an arena share memory (no counterpart in TensorFlow, where one lock
 * guards one heap).
 *
 * A thread owns slabs and allocates from them with its own allocator. A buffer that is shared has a control block, which is in use
 * until no thread holds it and no ticket for it is in flight. It is then pushed onto the list of returned blocks of its owner. The
 * owner, or the thread that has taken over from a dead owner (its reaper), drains the list. This is the only way in which shared
 * memory is returned.
 *
 *     share     slot -> ticket, +1 ticket, generation odd      receive   generation even by CAS, +my bit -1 ticket
 *     release   -my bit; hold now 0: push                       take back generation even by CAS, -1 ticket; hold now 0: push
 *     push      link = PENDING, prev = exchange(head, slot), link = prev      (no loop, so no thread can block another one)
 *     drain     draining = exchange(head, 0); for each: link, place = 0, draining = link; PENDING: continue next time
 *
 * A thread can be terminated at any call, including calls of `Atomics`, but not within a WebAssembly function without loops and
 * calls. So each operation above consists of such functions, called *steps* (arena-steps.ts): a thread can end between steps but
 * never within one. It can be suspended anywhere. The protocol is correct because:
 *
 * - A ticket's generation never repeats (except after 2^32 changes). If a receiver reads the generation, then the slot, and its CAS
 *   still finds the same generation, then it has read the slot of that share. Before the CAS it writes nothing.
 * - A thread's bit is changed only by the thread itself or, after its end, by its one reaper. So a bit that a thread has read stays
 *   the same. A receiver that already holds the block only ends the ticket.
 * - Exactly one thread brings the hold word to 0, and it pushes the block in the same step. A block is not freed before its link is
 *   read, and the link is not read before the push is complete. So a slot is reused only when no thread writes it any more.
 * - The link and the size are separate words: a reaper that rebuilds a slab may read sizes while other threads push.
 * - A thread number is freed only when no block of its thread is left, so no thread can be about to push onto its list. The state
 *   counts incarnations, and the key is cleared first: a late reaper cannot mistake the number's next thread for the dead one.
 * - Reaping is one CAS and then only operations that can be repeated. When a reaper dies, its own reaper takes over everything
 *   that it was reaping or had taken over, slabs and lists together. So a list is always drained by the owner of its slabs.
 */
import { FailedPreconditionError, ResourceExhaustedError } from "@onebuffer/base";
import { kBlockWords, kHold } from "./arena-layout.ts";
import type { ArenaWords } from "./arena-words.ts";
import {
  blockBytes,
  blockUnit,
  claimCell,
  createBlock,
  freeBlock,
  hasReclaimable,
  releaseHold,
  takeReclaimable,
} from "./control-blocks.ts";
import type { ReapedRegion } from "./reaping.ts";
import { reapThread, retireNumber } from "./reaping.ts";
import { claimSlabs, freeSlabs } from "./slab-table.ts";
import type { ThreadEntry } from "./thread-table.ts";
import { announceThread, isStillAlive, joinThread, threadEntries, threadEpoch } from "./thread-table.ts";

/** The memory of a dead thread, and of those that it had taken over. It belongs to the caller of `reap`. */
export interface ReapedThreads {
  /** The thread numbers; the dead thread's is first. */
  readonly threads: readonly number[];
  /** The memory as runs of adjacent slabs, with the blocks in them that are still in use. */
  readonly regions: readonly ReapedRegion[];
}

/**
 * One thread's side of the protocol; `tickets.ts` has the functions that send and receive blocks. No method waits, and none throws unless its
 * comment says so.
 */
export class ArenaProtocol {
  readonly arena: ArenaWords;
  /** This thread's number. */
  readonly thread: number;
  /** Called by `drain` with the address in units and the slot of each returned block, after its control block is freed. */
  readonly #onReclaim: (unit: number, slot: number) => void;
  /** The slots of this thread's free control blocks. */
  readonly #freeSlots: number[];
  /** The dead threads that this one has taken over, each with the number of its blocks still in use. */
  readonly #adopted: Map<number, number>;
  /** The number of this thread's blocks in use by any thread. While it is 0, no block can be returned. */
  #blocksInUse: number;
  /** The number of blocks drained so far, modulo 2^32. */
  #reclaimed: number;
  /** True if draining stopped at a block that was still being pushed, or a callback threw. */
  #isUnfinished: boolean;

  /**
   * Joins the arena and takes a thread number. `key` is the number by which other threads know this thread; with 0 it must call
   * `announce` later and cannot be taken for dead before. `parentKey` is the key of the thread that started this one, or 0.
   * Throws RESOURCE_EXHAUSTED if all thread numbers are taken.
   */
  constructor(arena: ArenaWords, key: number, parentKey: number, onReclaim: (unit: number, slot: number) => void) {
    this.arena = arena;
    const thread = joinThread(arena, key, parentKey);
    if (thread < 0)
      throw new ResourceExhaustedError(`${arena.layout.threads} threads are in the arena, which is the maximum: no other thread can join`);
    this.thread = thread;
    this.#onReclaim = onReclaim;
    this.#freeSlots = [];
    this.#adopted = new Map();
    this.#blocksInUse = 0;
    this.#reclaimed = 0;
    this.#isUnfinished = false;
  }

  /** Publishes this thread's key. Call it only once other threads can use the key to detect that this thread has ended. */
  announce(key: number): void {
    announceThread(this.arena, this.thread, key);
  }

  /** True if another thread has taken over from this one as if it were dead. Nothing in the arena may be used then. */
  get isRevoked(): boolean {
    return !isStillAlive(this.arena, this.thread);
  }

  /** The dead threads that this one has taken over and that still have blocks in use. */
  get adoptedThreads(): readonly number[] {
    return [...this.#adopted.keys()];
  }

  /** The slots of this thread's free control blocks, for consistency checks in tests. */
  get freeSlots(): readonly number[] {
    return this.#freeSlots;
  }

  // Blocks.

  /**
   * Makes a control block, held by this thread, for `numBytes` bytes of this thread's memory at `unit`. Returns its slot, never 0.
   * Throws RESOURCE_EXHAUSTED if the control area is full.
   */
  createBlock(unit: number, numBytes: number): number {
    if (this.#freeSlots.length === 0) this.#addCell();
    const slot = this.#freeSlots.pop()!;
    // Count it before it is in use: a count too high costs a needless check, a count too low would lose a block.
    this.#blocksInUse++;
    createBlock(this.arena, slot, this.thread, unit, numBytes);
    return slot;
  }

  /** Releases this thread's hold on a block: the one of `createBlock`, or of its first `receiveTicket`. Returns false if it has none. */
  release(slot: number): boolean {
    return releaseHold(this.arena, slot, this.thread);
  }

  /** Returns true if this thread holds the block. */
  holds(slot: number): boolean {
    const { words, atomics } = this.arena;
    return (atomics.load(words, slot * kBlockWords + kHold, "holds.1.hold") & (1 << this.thread)) !== 0;
  }

  /** Returns true if only this thread holds the block and no ticket is in flight, so that it may be written in place. */
  isSoleHolder(slot: number): boolean {
    const { words, atomics } = this.arena;
    return atomics.load(words, slot * kBlockWords + kHold, "isSole.1.hold") === 1 << this.thread;
  }

  /** Returns the address of a block that this thread holds, in units. */
  blockUnit(slot: number): number {
    return blockUnit(this.arena, slot);
  }

  /** Returns the size of a block that this thread holds, in bytes. */
  blockBytes(slot: number): number {
    return blockBytes(this.arena, slot);
  }

  // Returned blocks.

  /** True if `drain` may find something. For the allocator's fast path: reads no shared word unless blocks are in use. */
  get needsDrain(): boolean {
    if (this.#isUnfinished || (this.#blocksInUse !== 0 && hasReclaimable(this.arena, this.thread))) return true;
    if (this.#adopted.size !== 0) for (const thread of this.#adopted.keys()) if (hasReclaimable(this.arena, thread)) return true;
    return false;
  }

  /**
   * Frees every block that was returned to this thread or to the dead threads it has taken over, and calls `onReclaim` for each.
   * Returns their number. If `onReclaim` throws, `drain` rethrows the error; that block is free, and the next `drain` continues
   * after it.
   */
  drain(): number {
    this.#isUnfinished = true;
    const before = this.#reclaimed;
    let isFinished = this.#drainList(this.thread);
    if (this.#adopted.size !== 0) for (const thread of this.#adopted.keys()) isFinished = this.#drainList(thread) && isFinished;
    this.#isUnfinished = !isFinished;
    return (this.#reclaimed - before) | 0;
  }

  // Slabs.

  /**
   * Claims `count` adjacent slabs for this thread. Returns the number of the first, or -1 if there are none. Slab i starts at unit
   * i * slabUnits. With `at` the first slab must be slab `at`.
   */
  claimSlabs(count: number, at: number = -1): number {
    return claimSlabs(this.arena, this.thread, count, at);
  }

  /** Frees slabs of this thread, for any thread to claim. They must not contain a block in use. */
  freeSlabs(first: number, count: number): void {
    freeSlabs(this.arena, first, count);
  }

  // Other threads.

  /** A counter of the threads that have joined. When it has changed, there are new threads to watch. */
  get epoch(): number {
    return threadEpoch(this.arena);
  }

  /** Returns the threads that the table records as alive and that have a key. */
  threads(): ThreadEntry[] {
    return threadEntries(this.arena);
  }

  /**
   * Takes over from a thread that has ended: its tickets become invalid, its holds are released, and its memory (with that of the dead
   * threads it had taken over) becomes this thread's. The caller must adopt `regions` in its allocator before it next calls `drain`.
   * Returns null if `thread` is not recorded as alive with that key, because another thread was faster. Throws FAILED_PRECONDITION
   * for this thread itself.
   */
  reap(thread: number, key: number): ReapedThreads | null {
    if (thread === this.thread) throw new FailedPreconditionError(`thread ${thread} cannot take over from itself`);
    const reaped = reapThread(this.arena, this.thread, thread, key, this.#freeSlots);
    if (reaped === null) return null;
    for (const [number, left] of reaped.blocksLeft) this.#adopted.set(number, left);
    return { threads: reaped.threads, regions: reaped.regions };
  }

  /** Drains the list of a thread. Returns false if it stopped at a block that is still being pushed. */
  #drainList(list: number): boolean {
    const { arena } = this;
    for (;;) {
      const slot = takeReclaimable(arena, list);
      if (slot <= 0) return slot === 0;
      const unit = blockUnit(arena, slot);
      freeBlock(arena, list, slot);
      this.#freeSlots.push(slot);
      this.#reclaimed = (this.#reclaimed + 1) | 0;
      if (list === this.thread) this.#blocksInUse--;
      const wasLast = list !== this.thread && this.#countDown(list);
      this.#onReclaim(unit, slot);
      // The thread number, and with it the list, may belong to a new thread by now.
      if (wasLast) return true;
    }
  }

  /** Counts one block less of a dead thread. After the last one frees its thread number and returns true. */
  #countDown(thread: number): boolean {
    const left = this.#adopted.get(thread)! - 1;
    if (left > 0) {
      this.#adopted.set(thread, left);
      return false;
    }
    this.#adopted.delete(thread);
    retireNumber(this.arena, thread);
    return true;
  }

  #addCell(): void {
    const { layout } = this.arena;
    const cell = claimCell(this.arena, this.thread);
    if (cell < 0) throw new ResourceExhaustedError(`all ${layout.cells * layout.blocksPerCell} control blocks of the arena are taken`);
    const first = layout.firstSlot + cell * layout.blocksPerCell;
    for (let slot = first + layout.blocksPerCell - 1; slot >= first; slot--) this.#freeSlots.push(slot);
  }
}
