/**
 * control-blocks: one for each buffer that is shared (TensorFlow: the reference count of a TensorBuffer).
 *
 *     hold | place | bytes | link        16 bytes; free while place is 0
 *
 * Cells of 256 blocks belong to threads. A thread keeps its free blocks in a list of its own, which nobody else sees: the
 * reaper of a thread finds them by their place being 0.
 */
import {
  kBlockWords,
  kBytes,
  kCursorWord,
  kDraining,
  kHead,
  kHold,
  kLink,
  kLow24,
  kPending,
  kPlace,
  kRecordsWord,
  kRecordWords,
} from "./arena-layout.ts";
import type { ArenaWords } from "./arena-words.ts";

/** A cell of free blocks for `thread`, or -1 when there is none left. */
export function claimCell(arena: ArenaWords, thread: number): number {
  const { words, atomics, layout } = arena;
  const cell = atomics.add(words, kCursorWord, 1, "cell.1.cursor");
  if (cell >= layout.cells) {
    atomics.sub(words, kCursorWord, 1, "cell.2.undo");
    return -1;
  }
  atomics.store(words, layout.directoryWord + cell, thread + 1, "cell.3.owner");
  return cell;
}

/** Makes a free block one of `thread`'s, held by it alone. The place last: it makes the block one in use. */
export function createBlock(arena: ArenaWords, slot: number, thread: number, unit: number, numBytes: number): void {
  const { words, atomics } = arena;
  const block = slot * kBlockWords;
  atomics.store(words, block + kBytes, numBytes | 0, "create.1.bytes");
  atomics.store(words, block + kHold, 1 << thread, "create.2.hold");
  atomics.store(words, block + kPlace, ((thread + 1) << 24) | unit, "create.3.place");
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
  const { words, atomics } = arena;
  const block = slot * kBlockWords;
  const bit = 1 << thread;
  if ((atomics.load(words, block + kHold, "release.1.held") & bit) === 0) return false;
  const owner = (atomics.load(words, block + kPlace, "release.2.owner") >>> 24) - 1;
  if (atomics.sub(words, block + kHold, bit, "release.3.drop") !== bit) return true;
  atomics.store(words, block + kLink, kPending, "release.4.pending");
  const next = atomics.exchange(words, kRecordsWord + owner * kRecordWords + kHead, slot, "release.5.push");
  atomics.store(words, block + kLink, next, "release.6.link");
  return true;
}

/** Whether something came back to the owner `list` since it last looked. */
export function hasReclaimable(arena: ArenaWords, list: number): boolean {
  return arena.atomics.load(arena.words, kRecordsWord + list * kRecordWords + kHead, "poll.1.head") !== 0;
}

/** The next block that came back to the owner `list`: its slot, 0 when there is none, -1 when its pusher is not done yet. */
export function takeReclaimable(arena: ArenaWords, list: number): number {
  const { words, atomics } = arena;
  const record = kRecordsWord + list * kRecordWords;
  let slot = atomics.load(words, record + kDraining, "take.1.draining");
  if (slot === 0) {
    // Kept where whoever looks after this thread, should it end here, finds the rest.
    slot = atomics.exchange(words, record + kHead, 0, "take.2.head");
    atomics.store(words, record + kDraining, slot, "take.3.keep");
  }
  if (slot === 0) return 0;
  return atomics.load(words, slot * kBlockWords + kLink, "take.4.link") === kPending ? -1 : slot;
}

/** Makes the block that `takeReclaimable` answered a free one. */
export function freeBlock(arena: ArenaWords, list: number, slot: number): void {
  const { words, atomics } = arena;
  const block = slot * kBlockWords;
  const next = atomics.load(words, block + kLink, "free.1.link");
  atomics.store(words, block + kPlace, 0, "free.2.place");
  atomics.store(words, kRecordsWord + list * kRecordWords + kDraining, next, "free.3.draining");
}
