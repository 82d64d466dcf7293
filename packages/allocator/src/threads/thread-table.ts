/**
 * thread-table: who has joined the arena (TensorFlow has no such table: a thread needs no number there).
 *
 *     state    free -> alive (CAS, one incarnation more) -> reaped by r (CAS) -> reaped by s, if r dies -> ... -> free
 *     key      0    -> key                               ->                                              0 -> free
 *
 * A thread here is an instance of the library on a thread: two copies on one thread have two numbers and the same key. A number
 * that is alive with key 0 is about to get its key, or its thread will announce it: nobody can take it for dead before.
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

/** A living thread of the table. */
export interface ThreadEntry {
  /** Its number. */
  readonly thread: number;
  /** Its key. */
  readonly key: number;
  /** The key of the thread that started it, or 0. */
  readonly parentKey: number;
}

/** Takes a number: the lowest free one, or -1. */
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

/** Gives a thread that joined with key 0 its key. */
export function announceThread(arena: ArenaWords, thread: number, key: number): void {
  arena.steps.announce(kRecordsWord + thread * kRecordWords, key);
}

/** Whether the state of `thread` is alive. */
export function isStillAlive(arena: ArenaWords, thread: number): boolean {
  const { words, atomics } = arena;
  const state = atomics.load(words, kRecordsWord + thread * kRecordWords + kState, "isAlive.1.state");
  return (state & kStateMask) === kAlive;
}

/** How many threads have joined, ever, modulo 2^32. */
export function threadEpoch(arena: ArenaWords): number {
  return arena.atomics.load(arena.words, kEpochWord, "epoch.1.epoch");
}

/** The living threads that have a key. */
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
