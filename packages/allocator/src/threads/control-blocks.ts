/**
 * control-blocks: operations on control blocks, of which every shared buffer has one (TensorFlow: the reference count of a
 * TensorBuffer).
 *
 *     hold | place | bytes | link        16 bytes; free while place is 0
 *
 * Each cell of 256 blocks belongs to a thread. A thread keeps its free blocks in a private JavaScript array. When it has ended,
 * another thread finds its free blocks by their place, which is 0.
 */
import { kBlockWords, kBytes, kHead, kLow24, kPlace, kRecordsWord, kRecordWords } from "./arena-layout.ts";
import type { ArenaWords } from "./arena-words.ts";

/** Claims a cell of free blocks for `thread`. Returns its number, or -1 if there is none left. */
export function claimCell(arena: ArenaWords, thread: number): number {
  const { layout } = arena;
  return arena.steps.cell(layout.cells, layout.directoryWord, thread + 1);
}

/** Starts to use a free block of `thread`, held by that thread alone. */
export function createBlock(arena: ArenaWords, slot: number, thread: number, unit: number, numBytes: number): void {
  arena.steps.create(slot * kBlockWords, numBytes | 0, 1 << thread, ((thread + 1) << 24) | unit);
}

/** Returns the address of a block in use, in units. */
export function blockUnit(arena: ArenaWords, slot: number): number {
  return arena.atomics.load(arena.words, slot * kBlockWords + kPlace, "unit.1.place") & kLow24;
}

/** Returns the size of a block in use, in bytes. */
export function blockBytes(arena: ArenaWords, slot: number): number {
  return arena.atomics.load(arena.words, slot * kBlockWords + kBytes, "bytes.1.bytes") >>> 0;
}

/**
 * Clears `thread`'s bit in a block. If no other thread holds the block and no ticket is in flight, pushes it onto its owner's list of
 * returned blocks. Returns false if the bit was not set.
 */
export function releaseHold(arena: ArenaWords, slot: number, thread: number): boolean {
  return arena.steps.release(slot * kBlockWords, slot, 1 << thread) !== 0;
}

/** Returns true if blocks were returned to the thread `list` since its list was last drained. */
export function hasReclaimable(arena: ArenaWords, list: number): boolean {
  return arena.atomics.load(arena.words, kRecordsWord + list * kRecordWords + kHead, "poll.1.head") !== 0;
}

/** Returns the slot of the next block returned to the thread `list`; 0 if there is none, -1 if it is still being pushed. */
export function takeReclaimable(arena: ArenaWords, list: number): number {
  return arena.steps.take(kRecordsWord + list * kRecordWords);
}

/** Frees the block that `takeReclaimable` returned. */
export function freeBlock(arena: ArenaWords, list: number, slot: number): void {
  arena.steps.free(slot * kBlockWords, kRecordsWord + list * kRecordWords);
}
