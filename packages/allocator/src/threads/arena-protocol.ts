/**
 * arena-protocol: what threads may do to the words of the arena (no counterpart in TensorFlow: there one lock guards one heap).
 *
 * A thread owns slabs and gives out their memory by its own books. A buffer that is shared has a control block, which lives
 * until nobody holds it and no ticket for it is in flight; then it goes onto its owner's list, and the owner, or whoever looks
 * after a dead owner, takes it up: the one path by which shared memory comes back.
 *
 *     share     slot -> ticket, +1 ticket, generation odd      receive   generation even by CAS, +my bit -1 ticket
 *     release   -my bit; nothing left: push                     take back generation even by CAS, -1 ticket; nothing left: push
 *     push      link = PENDING, prev = exchange(head, slot), link = prev      (no loop: nobody can be held up by it)
 *     drain     draining = exchange(head, 0); for each: link, place = 0, draining = link; PENDING: go on next time
 *
 * A thread can be terminated at any call, those of `Atomics` among them, but not within a WebAssembly function that has no loops
 * and no calls. So each line above is one such function, a *step* (arena-steps.ts): a thread dies between steps and never within
 * one. It can be suspended anywhere. Why it holds:
 *
 * - A ticket's generation never comes twice (but for 2^32 steps of it), so a receiver that saw its generation before it read
 *   the slot, and whose CAS still finds it, has read the slot of that share. Until the CAS it has only read.
 * - Only a thread itself, or after its death its one reaper, changes its bit, so a bit that was seen stays as it was. A
 *   receiver that holds the block already gives up the ticket only.
 * - Whoever brings the hold word to 0 is one thread, and it pushes in the same step. The block is not free before its link is
 *   read, and its link is not read before its pusher is done with it; so a slot is used again only when nobody writes it.
 * - Link and size have words of their own: whoever rebuilds a slab may read sizes while others push.
 * - A thread number comes free when no block of its owner is left, so nobody can be about to push onto its list. The state
 *   counts incarnations, and the key is wiped first: a late reaper cannot take the next thread of the number for the last one.
 * - Reaping is one CAS and then only what can be done again: a dead reaper's own reaper takes over all that it was reaping
 *   or looked after, slabs and lists together, so that a block's list is always consumed by the owner of its slab.
 */
import { FailedPreconditionError, ResourceExhaustedError } from "@onebuffer/base";
import type { ArenaCensus } from "./arena-census.ts";
import { arenaCensus } from "./arena-census.ts";
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
import type { Ticket } from "./tickets.ts";
import { peekTicket, receiveTicket, sendTicket, takeBackTicket } from "./tickets.ts";

/** What a dead thread, and those it looked after, left. Its memory is the caller's now. */
export interface ReapedThreads {
  /** The thread numbers, the dead one first. */
  readonly threads: readonly number[];
  /** The memory, in runs of slabs that follow each other, with the blocks in it that are still in use. */
  readonly regions: readonly ReapedRegion[];
}

/** One thread's side of the protocol. All of it is plain calls: nothing waits, nothing throws unless it says so. */
export class ArenaProtocol {
  readonly arena: ArenaWords;
  /** This thread's number. */
  readonly thread: number;
  /** Called by `drain` with the slot of each block that came back and its address in units; the block is free by then. */
  readonly #onReclaim: (unit: number, slot: number) => void;
  /** This thread's free control blocks. */
  readonly #freeSlots: number[];
  /** Dead threads this one looks after, and how many blocks of each are left. */
  readonly #adopted: Map<number, number>;
  /** Blocks of this thread in use, by whichever threads: as long as there is none, nothing can come back. */
  #blocksInUse: number;
  /** Blocks taken up so far, modulo 2^32. */
  #reclaimed: number;
  /** Whether a list was left at a block whose pusher was not done. */
  #isUnfinished: boolean;

  /**
   * Joins the arena: takes a thread number. `key` is what others will know the thread by; 0: it will `announce` itself, and
   * nobody can take it for dead before. `parentKey` is the key of the thread that started it, or 0.
   * Throws RESOURCE_EXHAUSTED when all numbers are taken.
   */
  constructor(arena: ArenaWords, key: number, parentKey: number, onReclaim: (unit: number, slot: number) => void) {
    this.arena = arena;
    const thread = joinThread(arena, key, parentKey);
    if (thread < 0)
      throw new ResourceExhaustedError(`${arena.layout.threads} threads have joined the arena and none of them is gone: no more can`);
    this.thread = thread;
    this.#onReclaim = onReclaim;
    this.#freeSlots = [];
    this.#adopted = new Map();
    this.#blocksInUse = 0;
    this.#reclaimed = 0;
    this.#isUnfinished = false;
  }

  /** Says what others shall know this thread by from now on: not before they could tell its life from its death by it. */
  announce(key: number): void {
    announceThread(this.arena, this.thread, key);
  }

  /** Whether another thread took this one for dead. Nothing of the arena may be used any more. */
  get isRevoked(): boolean {
    return !isStillAlive(this.arena, this.thread);
  }

  /** The dead threads this one looks after. */
  get adoptedThreads(): readonly number[] {
    return [...this.#adopted.keys()];
  }

  /** This thread's free control blocks, by slot. They are nobody else's to know; this is for checks of the books. */
  get freeSlots(): readonly number[] {
    return this.#freeSlots;
  }

  // Blocks.

  /**
   * A control block for `numBytes` bytes of this thread's memory at `unit`, held by this thread: its slot, never 0.
   * Throws RESOURCE_EXHAUSTED when the control area is full.
   */
  createBlock(unit: number, numBytes: number): number {
    if (this.#freeSlots.length === 0) this.#addCell();
    const slot = this.#freeSlots.pop()!;
    // Before it is in use: a count too high costs a look, one too low a block.
    this.#blocksInUse++;
    createBlock(this.arena, slot, this.thread, unit, numBytes);
    return slot;
  }

  /** Gives up this thread's hold: once for each `createBlock` or `receive` that did not find it held. False: it holds none. */
  release(slot: number): boolean {
    return releaseHold(this.arena, slot, this.thread);
  }

  /** Whether this thread holds the block. */
  holds(slot: number): boolean {
    const { words, atomics } = this.arena;
    return (atomics.load(words, slot * kBlockWords + kHold, "holds.1.hold") & (1 << this.thread)) !== 0;
  }

  /** Whether this thread holds the block, nobody else does and no ticket is in flight: may it be written in place? */
  isSoleHolder(slot: number): boolean {
    const { words, atomics } = this.arena;
    return atomics.load(words, slot * kBlockWords + kHold, "isSole.1.hold") === 1 << this.thread;
  }

  /** The address of a block this thread holds, in units. */
  blockUnit(slot: number): number {
    return blockUnit(this.arena, slot);
  }

  /** The size of a block this thread holds, in bytes. */
  blockBytes(slot: number): number {
    return blockBytes(this.arena, slot);
  }

  // Tickets.

  /**
   * A ticket for a block this thread holds. Throws RESOURCE_EXHAUSTED when 1024 tickets of this thread, or 231 of the block,
   * are in flight.
   */
  share(slot: number): Ticket {
    return sendTicket(this.arena, slot, this.thread);
  }

  /**
   * The slot a ticket is for, or 0 when it is not in flight: used, taken back, forged. Changes nothing. Until `receive` has
   * answered the same, what is read of the block may be out of date. Any numbers may be passed.
   */
  peek(ticket: number, nonce: number): number {
    return peekTicket(this.arena, ticket, nonce);
  }

  /** Takes a ticket: its slot, which this thread holds from now on if it did not before, or 0, as `peek` does. */
  receive(ticket: number, nonce: number): number {
    return receiveTicket(this.arena, ticket, nonce, this.thread);
  }

  /** Ends a ticket that nobody has received; any thread may. False when there is none such (any more). */
  takeBack(ticket: number, nonce: number): boolean {
    return takeBackTicket(this.arena, ticket, nonce);
  }

  // What comes back.

  /** Whether `drain` may find something: nothing of the arena is read unless blocks are in use, for the allocator's fast path. */
  get needsDrain(): boolean {
    if (this.#isUnfinished || (this.#blocksInUse !== 0 && hasReclaimable(this.arena, this.thread))) return true;
    if (this.#adopted.size !== 0) for (const thread of this.#adopted.keys()) if (hasReclaimable(this.arena, thread)) return true;
    return false;
  }

  /**
   * Takes up every block that came back to this thread or to those it looks after: their number. What `onReclaim` throws passes
   * through; the block it was called for is free, and the next `drain` goes on after it.
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
   * `count` free slabs in a row, this thread's from now on: the number of the first, or -1. Slab i starts at unit i * slabUnits.
   * With `at` the first one must be slab `at`, the one behind a slab of this thread.
   */
  claimSlabs(count: number, at: number = -1): number {
    return claimSlabs(this.arena, this.thread, count, at);
  }

  /** Gives slabs of this thread back, for any thread to claim. No block may be in them. */
  freeSlabs(first: number, count: number): void {
    freeSlabs(this.arena, first, count);
  }

  // Other threads.

  /** What is in use of the arena, by its words: a scan. While other threads go on, the figures belong to no one moment. */
  counts(): ArenaCensus {
    return arenaCensus(this.arena);
  }

  /** How many threads have joined so far: when it has changed there is somebody to watch. */
  get epoch(): number {
    return threadEpoch(this.arena);
  }

  /** The threads that are alive as far as the table knows. */
  threads(): ThreadEntry[] {
    return threadEntries(this.arena);
  }

  /**
   * Takes over from a thread that has ended: its tickets are void, its holds given up, its memory and that of the dead it
   * looked after is this thread's. The caller makes `regions` part of its books before it next calls `drain`.
   * Null when `thread` is not a living thread of that key: somebody else was faster. Throws FAILED_PRECONDITION for this thread.
   */
  reap(thread: number, key: number): ReapedThreads | null {
    if (thread === this.thread) throw new FailedPreconditionError(`thread ${thread} cannot take over from itself`);
    const reaped = reapThread(this.arena, this.thread, thread, key, this.#freeSlots);
    if (reaped === null) return null;
    for (const [number, left] of reaped.blocksLeft) this.#adopted.set(number, left);
    return { threads: reaped.threads, regions: reaped.regions };
  }

  /** Takes up a list. False when it must be left at a block whose pusher is not done. */
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
      // The number may be another thread's by now, and the list with it.
      if (wasLast) return true;
    }
  }

  /** One block less of a dead thread. True after the last one: its number is free. */
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
