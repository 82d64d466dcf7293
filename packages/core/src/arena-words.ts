/**
 * arena-words: the words that threads agree by, and the one way to touch them (TensorFlow: std::atomic).
 *
 * Every access of the protocol goes through `atomics`, plain loads too, and names itself by its last argument, which
 * `Atomics` itself ignores: `step.number.what`. The accesses of one step have rising numbers, its first one has number 1. So the
 * explorer of the tests sees each access, knows where a thread may be cut off, and can leave any one of them out.
 */
import { FailedPreconditionError } from "@onebuffer/base";
import { ArenaLayout, geometryFor, kArenaIdWord, kArenaMagic, kControlWord, kCursorWord, kMagicWord, kUnitBytes } from "./arena-layout.ts";

/** A view of the linear memory, from its start to the end of the control area. */
export type Words = Int32Array<ArrayBufferLike>;

/** What the protocol uses of `Atomics`. `at` names the access; the real ones never look at it. */
export interface AtomicsLike {
  load(words: Words, index: number, at: string): number;
  store(words: Words, index: number, value: number, at: string): number;
  add(words: Words, index: number, value: number, at: string): number;
  sub(words: Words, index: number, value: number, at: string): number;
  exchange(words: Words, index: number, value: number, at: string): number;
  compareExchange(words: Words, index: number, expected: number, value: number, at: string): number;
}

/** The words of one arena as one thread sees them. */
export class ArenaWords {
  readonly words: Words;
  readonly atomics: AtomicsLike;
  readonly layout: ArenaLayout;
  /** The arena's random number. */
  readonly arenaId: number;

  constructor(words: Words, atomics: AtomicsLike, layout: ArenaLayout, arenaId: number) {
    this.words = words;
    this.atomics = atomics;
    this.layout = layout;
    this.arenaId = arenaId | 0;
  }
}

/**
 * Makes an arena of a memory that no other thread has seen yet. `controlByteOffset` is where `controlBytesFor(buffer.byteLength)`
 * bytes of zeros have been reserved for it; `arenaId` is random and not 0.
 */
export function createArena(buffer: ArrayBufferLike, controlByteOffset: number, arenaId: number): ArenaWords {
  const layout = new ArenaLayout(geometryFor(buffer.byteLength, controlByteOffset));
  const words = new Int32Array(buffer, 0, layout.endWord);
  Atomics.store(words, kArenaIdWord, arenaId);
  Atomics.store(words, kControlWord, controlByteOffset / kUnitBytes);
  Atomics.store(words, kMagicWord, kArenaMagic);
  return new ArenaWords(words, Atomics, layout, arenaId);
}

/** The arena in a memory that another thread made it in. Throws FAILED_PRECONDITION when there is none of this layout. */
export function openArena(buffer: ArrayBufferLike): ArenaWords {
  const head = new Int32Array(buffer, 0, kCursorWord + 1);
  const magic = Atomics.load(head, kMagicWord);
  if (magic !== kArenaMagic)
    throw new FailedPreconditionError(
      `the memory holds no arena of this version of the library: its mark is ${magic}, expected ${kArenaMagic}`,
    );
  const layout = new ArenaLayout(geometryFor(buffer.byteLength, Atomics.load(head, kControlWord) * kUnitBytes));
  const words = new Int32Array(buffer, 0, layout.endWord);
  return new ArenaWords(words, Atomics, layout, Atomics.load(head, kArenaIdWord));
}
