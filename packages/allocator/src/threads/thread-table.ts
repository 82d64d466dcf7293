/**
 * thread-table: the table of the threads that have joined the arena (no counterpart in TensorFlow: a thread needs no number there).
 *
 *     state    free -> alive (CAS, one incarnation more) -> reaped by r (CAS) -> reaped by s, if r dies -> ... -> free
 *     key      0    -> key                               ->                                              0 -> free
 *
 * A thread in this table is one copy of the library on a thread: two copies on one thread have two thread numbers and the same key.
 * A living thread with key 0 will get its key in this step, or later by `announceThread`. Until then it cannot be taken for dead.
 */
import {
  kAlive,
  kEpochWord,
  kFreeNumber,
  kKey,
  kOneIncarnation,
  kParentKey,
  kRecordsWord,
  kRecordWords,
  kState,
  kStateMask,
} from "./arena-layout.ts";
import type { ArenaWords } from "./arena-words.ts";

/** A living thread in the table. */
export interface ThreadEntry {
  /** The thread number. */
  readonly thread: number;
  /** The key by which other threads know it. */
  readonly key: number;
  /** The key of the thread that started it, or 0. */
  readonly parentKey: number;
}

/** Takes the lowest free thread number. Returns it, or -1 if there is none. */
export function joinThread(arena: ArenaWords, key: number, parentKey: number): number {
  const { words, atomics, layout } = arena;
  for (let thread = 0; thread < layout.threads; thread++) {
    const record = kRecordsWord + thread * kRecordWords;
    const seen = atomics.load(words, record + kState, "join.1.state");
    if ((seen & kStateMask) !== kFreeNumber) continue;
    const alive = (seen + kOneIncarnation + kAlive) | 0;
    if (arena.steps.join(record, seen, alive, parentKey, key) === 0) continue;
    return thread;
  }
  return -1;
}

/** Sets the key of a thread that joined with key 0. */
export function announceThread(arena: ArenaWords, thread: number, key: number): void {
  arena.steps.announce(kRecordsWord + thread * kRecordWords, key);
}

/** Returns true if the state of `thread` is alive. */
export function isStillAlive(arena: ArenaWords, thread: number): boolean {
  const { words, atomics } = arena;
  const state = atomics.load(words, kRecordsWord + thread * kRecordWords + kState, "isAlive.1.state");
  return (state & kStateMask) === kAlive;
}

/** Returns a counter, modulo 2^32, that increases whenever a thread joins or announces its key. */
export function threadEpoch(arena: ArenaWords): number {
  return arena.atomics.load(arena.words, kEpochWord, "epoch.1.epoch");
}

/** Returns the living threads that have a key. */
export function threadEntries(arena: ArenaWords): ThreadEntry[] {
  const { words, atomics, layout } = arena;
  const entries: ThreadEntry[] = [];
  for (let thread = 0; thread < layout.threads; thread++) {
    const record = kRecordsWord + thread * kRecordWords;
    const state = atomics.load(words, record + kState, "entries.1.state");
    const key = atomics.load(words, record + kKey, "entries.2.key");
    const parentKey = atomics.load(words, record + kParentKey, "entries.3.parent");
    if ((state & kStateMask) === kAlive && key !== 0) entries.push({ thread, key, parentKey });
  }
  return entries;
}
