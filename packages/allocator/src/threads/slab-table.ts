/**
 * slab-table: the table of the owners of slabs (TensorFlow: the SubAllocator of a BFCAllocator, one per device).
 *
 *     word    0 not the arena's    -1 the arena's, free    thread + 1
 *
 * A thread claims free slabs by compare-and-swap. If they do not suffice, it takes new slabs from the linear memory by raising the
 * memory's top; the lowest run that fits may consist of both. The step that raises the top also writes the new slabs into the
 * thread's record, so that the thread that takes over finds them if this thread ends before it has entered them in the table.
 */
import { kClaim, kFreeSlab, kRecordsWord, kRecordWords, kTopWord } from "./arena-layout.ts";
import type { ArenaWords } from "./arena-words.ts";

/** Claims `count` adjacent slabs for `thread`, beginning with slab `at` unless it is -1. Returns the first slab's number, or -1. */
export function claimSlabs(arena: ArenaWords, thread: number, count: number, at: number): number {
  const { words, atomics, layout } = arena;
  for (;;) {
    const top = atomics.load(words, kTopWord, "claim.1.top");
    const fresh = Math.ceil(top / layout.slabUnits);
    const first = findRun(arena, fresh, count, at);
    // With `at` above the arena's top, the slabs between would be lost to all threads.
    if (first < 0 || first > fresh) return -1;
    const end = first + count;
    const taken = takeFreeSlabs(arena, thread, first, Math.min(end, fresh));
    if (taken === end || (taken === fresh && moveTop(arena, thread, top, Math.max(first, fresh), end))) {
      finishClaim(arena, thread);
      return first;
    }
    freeSlabs(arena, first, taken - first);
  }
}

/**
 * Returns the first of the lowest `count` adjacent slabs that are free or new (numbered from `fresh` on), or -1. Unless `at` is -1,
 * only the run beginning at `at` is considered.
 */
function findRun(arena: ArenaWords, fresh: number, count: number, at: number): number {
  const { words, atomics, layout } = arena;
  let run = 0;
  for (let slab = Math.max(at, 0); slab < layout.slabs; slab++) {
    const isFree = slab >= fresh || atomics.load(words, layout.slabTableWord + slab, "findRun.1.slab") === kFreeSlab;
    if (!isFree && at >= 0) return -1;
    run = isFree ? run + 1 : 0;
    if (run === count) return slab + 1 - count;
  }
  return -1;
}

/** Claims free slabs from `first` up to `end`, and stops at a slab that is not free. Returns the first slab that was not claimed. */
function takeFreeSlabs(arena: ArenaWords, thread: number, first: number, end: number): number {
  const { words, atomics, layout } = arena;
  let slab = first;
  while (slab < end) {
    if (atomics.compareExchange(words, layout.slabTableWord + slab, kFreeSlab, thread + 1, "takeSlab.1.take") !== kFreeSlab) break;
    slab++;
  }
  return Math.max(slab, first);
}

/** In one step: adds the slabs from `first` to `end` to the arena. Returns false if another thread took memory since `top` was read. */
function moveTop(arena: ArenaWords, thread: number, top: number, first: number, end: number): boolean {
  const record = kRecordsWord + thread * kRecordWords;
  return arena.steps.moveTop(top, end * arena.layout.slabUnits, record, first | ((end - first) << 8)) !== 0;
}

/** Enters the new slabs in `thread`'s record, if any, into the table. */
function finishClaim(arena: ArenaWords, thread: number): void {
  const { words, atomics, layout } = arena;
  const record = kRecordsWord + thread * kRecordWords;
  const claim = atomics.load(words, record + kClaim, "finish.1.claim");
  if (claim === 0) return;
  const first = claim & 0xff;
  for (let slab = first; slab < first + (claim >>> 8); slab++)
    atomics.store(words, layout.slabTableWord + slab, thread + 1, "enter.1.slab");
  atomics.store(words, record + kClaim, 0, "clear.1.claim");
}

/** Frees slabs, for any thread to claim. */
export function freeSlabs(arena: ArenaWords, first: number, count: number): void {
  const { words, atomics, layout } = arena;
  for (let slab = first; slab < first + count; slab++) atomics.store(words, layout.slabTableWord + slab, kFreeSlab, "freeSlab.1.slab");
}

/** Transfers all slabs of thread `dead` to `owner` and appends their numbers to `slabs`. */
export function takeOverSlabs(arena: ArenaWords, dead: number, owner: number, slabs: number[]): void {
  const { words, atomics, layout } = arena;
  finishClaim(arena, dead);
  for (let slab = 0; slab < layout.slabs; slab++) {
    if (atomics.load(words, layout.slabTableWord + slab, "takeOver.1.slab") !== dead + 1) continue;
    atomics.store(words, layout.slabTableWord + slab, owner + 1, "takeOver.2.take");
    slabs.push(slab);
  }
}
