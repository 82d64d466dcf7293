/**
 * control-blocks: one for each buffer that is shared (TensorFlow: the reference count of a TensorBuffer).
 *
 *     hold | place | bytes | link        16 bytes; free while place is 0
 *
 * Cells of 256 blocks belong to threads. A thread keeps its free blocks in a list of its own, which nobody else sees: the
 * reaper of a thread finds them by their place being 0.
 */
import { kBlockWords, kBytes, kHead, kLow24, kPlace, kRecordsWord, kRecordWords } from "./arena-layout.ts";
import type { ArenaWords } from "./arena-words.ts";

/** A cell of free blocks for `thread`, or -1 when there is none left. */
export function claimCell(arena: ArenaWords, thread: number): number {
  const { layout } = arena;
  return arena.steps.cell(layout.cells, layout.directoryWord, thread + 1);
}

/** Makes a free block one of `thread`'s, held by it alone. The place last: it makes the block one in use. */
export function createBlock(arena: ArenaWords, slot: number, thread: number, unit: number, numBytes: number): void {
  arena.steps.create(slot * kBlockWords, numBytes | 0, 1 << thread, ((thread + 1) << 24) | unit);
}

/** The address of a block in use, in units. */
export function blockUnit(arena: ArenaWords, slot: number): number {
  return arena.atomics.load(arena.words, slot * kBlockWords + kPlace, "unit.1.place") & kLow24;
}

/** The size of a block in use, in bytes. */
export function blockBytes(arena: ArenaWords, slot: number): number {
  return arena.atomics.load(arena.words, slot * kBlockWords + kBytes, "bytes.1.bytes") >>> 0;
}

/** Takes `thread`'s bit from a block, and puts the block onto its owner's list if that was all. False: there was no such bit. */
export function releaseHold(arena: ArenaWords, slot: number, thread: number): boolean {
  return arena.steps.release(slot * kBlockWords, slot, 1 << thread) !== 0;
}

/** Whether something came back to the owner `list` since it last looked. */
export function hasReclaimable(arena: ArenaWords, list: number): boolean {
  return arena.atomics.load(arena.words, kRecordsWord + list * kRecordWords + kHead, "poll.1.head") !== 0;
}

/** The next block that came back to the owner `list`: its slot, 0 when there is none, -1 when its pusher is not done yet. */
export function takeReclaimable(arena: ArenaWords, list: number): number {
  return arena.steps.take(kRecordsWord + list * kRecordWords);
}

/** Makes the block that `takeReclaimable` answered a free one. */
export function freeBlock(arena: ArenaWords, list: number, slot: number): void {
  arena.steps.free(slot * kBlockWords, kRecordsWord + list * kRecordWords);
}
