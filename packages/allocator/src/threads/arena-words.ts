/**
 * ArenaWords: access to the shared words with which threads coordinate (TensorFlow: std::atomic).
 *
 * Every operation that writes more than one word is a step (arena-steps.ts). All other accesses, plain loads included, go through
 * `atomics`. The last argument of each access names it, as `step.number.what`; `Atomics` ignores this argument. The accesses of one
 * step are numbered from 1. The explorer of the tests (packages/allocator/test/interleavings) passes `atomics` of its own and has
 * the steps run over them. So it sees each access, knows where a thread may be terminated, and can leave out any access.
 */
import { FailedPreconditionError } from "@onebuffer/base";
import type { LinearMemory, WasmMemory } from "@onebuffer/wasm";
import { ArenaLayout, geometryFor, kArenaIdWord, kArenaMagic, kControlWord, kCursorWord, kMagicWord, kUnitBytes } from "./arena-layout.ts";
import type { ArenaSteps } from "./arena-steps.ts";
import { compiledSteps, interpretedSteps } from "./arena-steps.ts";
import type { AtomicsLike, Words } from "./atomics-like.ts";

/** The memory of an arena: the part of LinearMemory that is used here. */
export type ArenaMemory = Pick<LinearMemory, "buffer" | "isShared" | "memory">;

/** One thread's access to the words of an arena. */
export class ArenaWords {
  readonly words: Words;
  readonly atomics: AtomicsLike;
  readonly layout: ArenaLayout;
  /** The arena's random number. */
  readonly arenaId: number;
  /** The steps: compiled to WebAssembly if possible, otherwise interpreted over `atomics`. */
  readonly steps: ArenaSteps;
  /** True if the steps are WebAssembly, so that a terminated thread leaves each step either complete or not begun. */
  readonly stepsAreCompiled: boolean;

  constructor(words: Words, atomics: AtomicsLike, layout: ArenaLayout, arenaId: number, memory: WasmMemory | null = null) {
    this.words = words;
    this.atomics = atomics;
    this.layout = layout;
    this.arenaId = arenaId | 0;
    const compiled = memory === null ? null : compiledSteps(memory);
    this.steps = compiled ?? interpretedSteps(words, atomics);
    this.stepsAreCompiled = compiled !== null;
  }
}

/**
 * Makes an arena in a memory that no other thread has access to yet. At `controlByteOffset` the caller has reserved
 * `controlBytesFor(buffer.byteLength)` bytes of zeros for it. `arenaId` is a random number other than 0.
 */
export function createArena(memory: ArenaMemory, controlByteOffset: number, arenaId: number): ArenaWords {
  const { buffer } = memory;
  const layout = new ArenaLayout(geometryFor(buffer.byteLength, controlByteOffset));
  const words = new Int32Array(buffer, 0, layout.endWord);
  Atomics.store(words, kArenaIdWord, arenaId);
  Atomics.store(words, kControlWord, controlByteOffset / kUnitBytes);
  Atomics.store(words, kMagicWord, kArenaMagic);
  return new ArenaWords(words, Atomics, layout, arenaId, memory.isShared ? memory.memory : null);
}

/** Returns true if the memory holds an arena, of any layout. */
export function holdsArena({ buffer }: ArenaMemory): boolean {
  return Atomics.load(new Int32Array(buffer, 0, kCursorWord + 1), kMagicWord) !== 0;
}

/** Opens the arena that another thread made in a memory. Throws FAILED_PRECONDITION if there is no arena of this layout. */
export function openArena(memory: ArenaMemory): ArenaWords {
  const { buffer } = memory;
  const head = new Int32Array(buffer, 0, kCursorWord + 1);
  const magic = Atomics.load(head, kMagicWord);
  if (magic !== kArenaMagic)
    throw new FailedPreconditionError(
      `the memory holds no arena of this version of the library: its magic number is ${magic}, expected ${kArenaMagic}`,
    );
  const layout = new ArenaLayout(geometryFor(buffer.byteLength, Atomics.load(head, kControlWord) * kUnitBytes));
  const words = new Int32Array(buffer, 0, layout.endWord);
  return new ArenaWords(words, Atomics, layout, Atomics.load(head, kArenaIdWord), memory.isShared ? memory.memory : null);
}
