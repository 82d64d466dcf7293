/**
 * arena-words: the words that threads agree by, and the one way to touch them (TensorFlow: std::atomic).
 *
 * What writes more than one word is a step (arena-steps.ts). All other accesses go through `atomics`, plain loads too, and name
 * themselves by their last argument, which `Atomics` itself ignores: `step.number.what`. The accesses of one step have rising
 * numbers, its first one has number 1. So the explorer of the tests, which gives its own `atomics` and has steps run over them,
 * sees each access, knows where a thread may be cut off, and can leave any one of them out.
 */
import { FailedPreconditionError } from "@onebuffer/base";
import type { LinearMemory, WasmMemory } from "@onebuffer/wasm";
import { ArenaLayout, geometryFor, kArenaIdWord, kArenaMagic, kControlWord, kCursorWord, kMagicWord, kUnitBytes } from "./arena-layout.ts";
import type { ArenaSteps } from "./arena-steps.ts";
import { compiledSteps, interpretedSteps } from "./arena-steps.ts";
import type { AtomicsLike, Words } from "./atomics-like.ts";

/** The memory of an arena: a LinearMemory. */
export type ArenaMemory = Pick<LinearMemory, "buffer" | "isShared" | "memory">;

/** The words of one arena as one thread sees them. */
export class ArenaWords {
  readonly words: Words;
  readonly atomics: AtomicsLike;
  readonly layout: ArenaLayout;
  /** The arena's random number. */
  readonly arenaId: number;
  /** The steps: in WebAssembly if there is a memory for it, otherwise run over `atomics`. */
  readonly steps: ArenaSteps;
  /** Whether a thread that is terminated leaves every step done or not begun: where steps are WebAssembly. */
  readonly stepsAreWhole: boolean;

  constructor(words: Words, atomics: AtomicsLike, layout: ArenaLayout, arenaId: number, memory: WasmMemory | null = null) {
    this.words = words;
    this.atomics = atomics;
    this.layout = layout;
    this.arenaId = arenaId | 0;
    const compiled = memory === null ? null : compiledSteps(memory);
    this.steps = compiled ?? interpretedSteps(words, atomics);
    this.stepsAreWhole = compiled !== null;
  }
}

/**
 * Makes an arena of a memory that no other thread has seen yet. `controlByteOffset` is where `controlBytesFor(buffer.byteLength)`
 * bytes of zeros have been reserved for it; `arenaId` is random and not 0.
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

/** The arena in a memory that another thread made it in. Throws FAILED_PRECONDITION when there is none of this layout. */
export function openArena(memory: ArenaMemory): ArenaWords {
  const { buffer } = memory;
  const head = new Int32Array(buffer, 0, kCursorWord + 1);
  const magic = Atomics.load(head, kMagicWord);
  if (magic !== kArenaMagic)
    throw new FailedPreconditionError(
      `the memory holds no arena of this version of the library: its mark is ${magic}, expected ${kArenaMagic}`,
    );
  const layout = new ArenaLayout(geometryFor(buffer.byteLength, Atomics.load(head, kControlWord) * kUnitBytes));
  const words = new Int32Array(buffer, 0, layout.endWord);
  return new ArenaWords(words, Atomics, layout, Atomics.load(head, kArenaIdWord), memory.isShared ? memory.memory : null);
}
