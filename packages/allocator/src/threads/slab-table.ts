/**
 * slab-table: whose the slabs are (TensorFlow: the SubAllocator of a BFCAllocator, one a device).
 *
 *     word    0 not the arena's    -1 the arena's, free    thread + 1
 *
 * A thread takes free slabs by compare-and-swap and, where they do not do, new ones from the linear memory by moving its top
 * up; the lowest run that fits may be of both kinds. Slabs just moved over are written down in the thread's record in the same
 * step, so that whoever looks after a thread that ends there knows of them.
 */
import { kClaim, kFreeSlab, kRecordsWord, kRecordWords, kTopWord } from "./arena-layout.ts";
import type { ArenaWords } from "./arena-words.ts";

/** `count` slabs in a row for `thread`, beginning with slab `at` unless that is -1: the number of the first, or -1. */
export function claimSlabs(arena: ArenaWords, thread: number, count: number, at: number): number {
  const { words, atomics, layout } = arena;
  for (;;) {
    const top = atomics.load(words, kTopWord, "claim.1.top");
    const fresh = Math.ceil(top / layout.slabUnits);
    const first = findRun(arena, fresh, count, at);
    // Slabs left out below the run would belong to nobody; a region that is lengthened ends below them.
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

/** The lowest `count` slabs in a row that are free, or not the arena's yet (from `fresh` on); only the run at `at` unless that is -1. */
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

/** Takes free slabs from `first` on and stops at one that somebody else has: the first not taken. */
function takeFreeSlabs(arena: ArenaWords, thread: number, first: number, end: number): number {
  const { words, atomics, layout } = arena;
  let slab = first;
  while (slab < end) {
    if (atomics.compareExchange(words, layout.slabTableWord + slab, kFreeSlab, thread + 1, "takeSlab.1.take") !== kFreeSlab) break;
    slab++;
  }
  return Math.max(slab, first);
}

/** One step: the slabs from `first` to `end` become the arena's, if nobody took memory since `top` was read. */
function moveTop(arena: ArenaWords, thread: number, top: number, first: number, end: number): boolean {
  const record = kRecordsWord + thread * kRecordWords;
  return arena.steps.moveTop(top, end * arena.layout.slabUnits, record, first | ((end - first) << 8)) !== 0;
}

/** Enters the slabs that `thread`'s record names, if any, into the table. */
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

/** Gives slabs back, for any thread to take. */
export function freeSlabs(arena: ArenaWords, first: number, count: number): void {
  const { words, atomics, layout } = arena;
  for (let slab = first; slab < first + count; slab++) atomics.store(words, layout.slabTableWord + slab, kFreeSlab, "freeSlab.1.slab");
}

/** Makes every slab of `dead` `owner`'s and adds their numbers to `slabs`. */
export function takeOverSlabs(arena: ArenaWords, dead: number, owner: number, slabs: number[]): void {
  const { words, atomics, layout } = arena;
  finishClaim(arena, dead);
  for (let slab = 0; slab < layout.slabs; slab++) {
    if (atomics.load(words, layout.slabTableWord + slab, "takeOver.1.slab") !== dead + 1) continue;
    atomics.store(words, layout.slabTableWord + slab, owner + 1, "takeOver.2.take");
    slabs.push(slab);
  }
}
