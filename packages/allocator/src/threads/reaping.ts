/**
 * reaping: takes over from a thread that has ended, whether it finished or was terminated (no counterpart in TensorFlow, whose threads
 * end with their process).
 *
 *     claim it (CAS) -> claim the dead it looked after -> end its tickets -> give up its holds -> take its slabs -> take its cells
 *     -> find its blocks in use -> (the caller) adopt the slabs -> drain its list until no block is left -> free its number
 *
 * If the reaper ends, its own reaper can repeat everything after the first CAS from the start: each part reads from the words what
 * remains to be done. A step of the dead thread is either complete or was never begun (arena-protocol.ts).
 */
import {
  kAlive,
  kBlockWords,
  kBytes,
  kCursorWord,
  kKey,
  kLow24,
  kPlace,
  kReaped,
  kRecordsWord,
  kRecordWords,
  kState,
  kStateMask,
} from "./arena-layout.ts";
import type { ArenaWords } from "./arena-words.ts";
import { releaseHold } from "./control-blocks.ts";
import { takeOverSlabs } from "./slab-table.ts";
import { endTicketsOf } from "./tickets.ts";

/** A block of a dead thread that is held, has a ticket in flight, or was returned but not yet freed. */
export interface LiveBlock {
  /** The address in units. */
  readonly unit: number;
  /** The size in bytes. */
  readonly bytes: number;
}

/** A run of adjacent slabs of a dead thread. */
export interface ReapedRegion {
  /** The number of the first slab. */
  readonly firstSlab: number;
  /** The number of slabs. */
  readonly slabs: number;
  /** The blocks in use in these slabs, sorted by address. All other memory in them is free. */
  readonly live: readonly LiveBlock[];
}

/** The result of reaping a thread. */
export interface Reaping {
  /** The reaped thread numbers; the dead thread's is first. */
  readonly threads: readonly number[];
  /** The memory of these threads. */
  readonly regions: readonly ReapedRegion[];
  /** For each thread number that is not free yet, the number of its blocks in use. */
  readonly blocksLeft: ReadonlyMap<number, number>;
}

/**
 * Transfers everything of the thread `dead` to `reaper` and appends the slots of its free control blocks to `freeSlots`. Returns null
 * if the table does not record the thread as alive with this key: it was reaped before, and the number may belong to a new thread.
 */
export function reapThread(arena: ArenaWords, reaper: number, dead: number, key: number, freeSlots: number[]): Reaping | null {
  if (!claimDead(arena, reaper, dead, key)) return null;
  const threads = claimDependents(arena, reaper, dead);
  for (const thread of threads) endTicketsOf(arena, thread);
  for (const thread of threads) revokeHolds(arena, thread);
  const slabs: number[] = [];
  for (const thread of threads) takeOverSlabs(arena, thread, reaper, slabs);
  takeOverCells(arena, reaper, threads, freeSlots);
  return findLiveBlocks(arena, threads, slabs);
}

/** Frees a thread number whose thread is dead and has no blocks in use any more. */
export function retireNumber(arena: ArenaWords, thread: number): void {
  arena.steps.retire(kRecordsWord + thread * kRecordWords);
}

/** Makes `reaper` the reaper of a dead thread. Returns false if another thread was faster. */
function claimDead(arena: ArenaWords, reaper: number, dead: number, key: number): boolean {
  const { words, atomics } = arena;
  const record = kRecordsWord + dead * kRecordWords;
  const seen = atomics.load(words, record + kState, "reap.1.state");
  if ((seen & kStateMask) !== kAlive || atomics.load(words, record + kKey, "reap.2.key") !== key) return false;
  const reaped = (seen & ~kStateMask) | (kReaped + reaper);
  return atomics.compareExchange(words, record + kState, seen, reaped, "reap.3.claim") === seen;
}

/** Returns the dead thread and all threads that it had reaped, directly or indirectly, and makes `reaper` their reaper. */
function claimDependents(arena: ArenaWords, reaper: number, dead: number): number[] {
  const { words, atomics, layout } = arena;
  const threads = [dead];
  // The list grows while it is walked.
  for (const gone of threads) {
    for (let thread = 0; thread < layout.threads; thread++) {
      const record = kRecordsWord + thread * kRecordWords;
      const state = atomics.load(words, record + kState, "dependents.1.state");
      if ((state & kStateMask) !== kReaped + gone) continue;
      atomics.store(words, record + kState, (state & ~kStateMask) | (kReaped + reaper), "dependents.2.claim");
      threads.push(thread);
    }
  }
  return threads;
}

/** Releases the dead thread's holds on all blocks. */
function revokeHolds(arena: ArenaWords, dead: number): void {
  const { layout } = arena;
  const end = layout.firstSlot + cellsTaken(arena) * layout.blocksPerCell;
  for (let slot = layout.firstSlot; slot < end; slot++) releaseHold(arena, slot, dead);
}

/** Transfers the cells of the dead threads, and the free control blocks in them, to the reaper. */
function takeOverCells(arena: ArenaWords, reaper: number, threads: readonly number[], freeSlots: number[]): void {
  const { words, atomics, layout } = arena;
  const cells = cellsTaken(arena);
  for (let cell = 0; cell < cells; cell++) {
    const index = layout.directoryWord + cell;
    if (!threads.includes(atomics.load(words, index, "takeCell.1.owner") - 1)) continue;
    atomics.store(words, index, reaper + 1, "takeCell.2.take");
    const first = layout.firstSlot + cell * layout.blocksPerCell;
    for (let slot = first + layout.blocksPerCell - 1; slot >= first; slot--)
      if (atomics.load(words, slot * kBlockWords + kPlace, "freeSlots.1.place") === 0) freeSlots.push(slot);
  }
}

/** Finds the blocks in use of the dead threads. Frees the thread numbers that have none. */
function findLiveBlocks(arena: ArenaWords, threads: readonly number[], slabs: number[]): Reaping {
  const { words, atomics, layout } = arena;
  const blocksLeft = new Map<number, number>(threads.map((thread) => [thread, 0]));
  const live: LiveBlock[] = [];
  const end = layout.firstSlot + cellsTaken(arena) * layout.blocksPerCell;
  for (let slot = layout.firstSlot; slot < end; slot++) {
    const place = atomics.load(words, slot * kBlockWords + kPlace, "stock.1.place");
    const owner = (place >>> 24) - 1;
    const count = blocksLeft.get(owner);
    if (count === undefined) continue;
    blocksLeft.set(owner, count + 1);
    live.push({ unit: place & kLow24, bytes: atomics.load(words, slot * kBlockWords + kBytes, "stockBytes.1.bytes") >>> 0 });
  }
  for (const [thread, left] of blocksLeft) {
    if (left !== 0) continue;
    retireNumber(arena, thread);
    blocksLeft.delete(thread);
  }
  return { threads, regions: regionsOf(slabs, live, layout.slabUnits), blocksLeft };
}

/** Groups adjacent slabs into regions and assigns the blocks to them. A block lies in one region, because its owner had all its slabs. */
function regionsOf(slabs: number[], live: LiveBlock[], slabUnits: number): ReapedRegion[] {
  slabs.sort((a, b) => a - b);
  live.sort((a, b) => a.unit - b.unit);
  const regions: ReapedRegion[] = [];
  let next = 0;
  for (let i = 0; i < slabs.length; ) {
    const firstSlab = slabs[i]!;
    let count = 1;
    while (slabs[i + count] === firstSlab + count) count++;
    i += count;
    const from = next;
    while (next < live.length && live[next]!.unit < (firstSlab + count) * slabUnits) next++;
    regions.push({ firstSlab, slabs: count, live: live.slice(from, next) });
  }
  return regions;
}

/** Returns the number of cells that have been claimed. */
function cellsTaken(arena: ArenaWords): number {
  const { words, atomics, layout } = arena;
  return Math.min(atomics.load(words, kCursorWord, "cells.1.cursor"), layout.cells);
}
