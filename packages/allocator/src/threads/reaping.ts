/**
 * reaping: what is done about a thread that has ended, whether it finished or was terminated (no counterpart in TensorFlow,
 * whose threads end with their process).
 *
 *     claim it (CAS) -> claim the dead it looked after -> end its tickets -> give up its holds -> take its slabs -> take its cells
 *     -> find its blocks in use -> (the caller) take the slabs into its books -> drain its list until no block is left -> free
 *
 * Everything after the first CAS can be done again by the reaper's own reaper, from the start: each part asks the words what is
 * left of it. A step of the dead thread is either done or was never begun (arena-protocol.ts).
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

/** A block of a dead thread that somebody holds, has a ticket for, or has given back. */
export interface LiveBlock {
  /** Its address in units. */
  readonly unit: number;
  /** Its size in bytes. */
  readonly bytes: number;
}

/** Memory that a dead thread left: slabs that follow each other. */
export interface ReapedRegion {
  /** The first slab. */
  readonly firstSlab: number;
  /** How many there are. */
  readonly slabs: number;
  /** The blocks in them that are in use, by address. Everything else is free. */
  readonly live: readonly LiveBlock[];
}

/** What reaping found. */
export interface Reaping {
  /** The numbers reaped, the dead thread's first. */
  readonly threads: readonly number[];
  /** The memory they left. */
  readonly regions: readonly ReapedRegion[];
  /** For each number that is not free yet how many of its blocks are in use. */
  readonly blocksLeft: ReadonlyMap<number, number>;
}

/**
 * Makes everything of the thread `dead`, known by `key`, `reaper`'s, and puts the free blocks it left onto `freeSlots`.
 * Null when that thread is not alive by the table: it has been reaped, and the number may be another's.
 */
export function reapThread(arena: ArenaWords, reaper: number, dead: number, key: number, freeSlots: number[]): Reaping | null {
  if (!claimDead(arena, reaper, dead, key)) return null;
  const threads = claimDependents(arena, reaper, dead);
  for (const thread of threads) endTicketsOf(arena, thread);
  for (const thread of threads) revokeHolds(arena, thread);
  const slabs: number[] = [];
  for (const thread of threads) takeOverSlabs(arena, thread, reaper, slabs);
  takeOverCells(arena, reaper, threads, freeSlots);
  return takeStock(arena, threads, slabs);
}

/** Makes a number whose thread is dead and has no blocks any more free for the next thread. */
export function retireNumber(arena: ArenaWords, thread: number): void {
  arena.steps.retire(kRecordsWord + thread * kRecordWords);
}

/** One step: one of those who found the thread dead becomes its reaper. */
function claimDead(arena: ArenaWords, reaper: number, dead: number, key: number): boolean {
  const { words, atomics } = arena;
  const record = kRecordsWord + dead * kRecordWords;
  const seen = atomics.load(words, record + kState, "reap.1.state");
  if ((seen & kStateMask) !== kAlive || atomics.load(words, record + kKey, "reap.2.key") !== key) return false;
  const reaped = (seen & ~kStateMask) | (kReaped + reaper);
  return atomics.compareExchange(words, record + kState, seen, reaped, "reap.3.claim") === seen;
}

/** The dead thread, and those that it was reaping or looked after, and what these were reaping: nobody else's now. */
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

/** Takes the dead thread's bit from every block. */
function revokeHolds(arena: ArenaWords, dead: number): void {
  const { layout } = arena;
  const end = layout.firstSlot + cellsTaken(arena) * layout.blocksPerCell;
  for (let slot = layout.firstSlot; slot < end; slot++) releaseHold(arena, slot, dead);
}

/** Makes the cells of the dead the reaper's, and their free blocks too. */
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

/** What is in use of what the dead left. Numbers without a block come free at once. */
function takeStock(arena: ArenaWords, threads: readonly number[], slabs: number[]): Reaping {
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

/** Joins slabs that follow each other and deals out the blocks. A block lies in one run: its owner had all slabs it covers. */
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

/** How many cells there are blocks in. */
function cellsTaken(arena: ArenaWords): number {
  const { words, atomics, layout } = arena;
  return Math.min(atomics.load(words, kCursorWord, "cells.1.cursor"), layout.cells);
}
