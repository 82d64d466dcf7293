// Divides the work of kernels into parts, of any size, that this thread runs in any order, as the threads of a pool do: what a pool with free
// threads computes, for work that would be too small for it.
import { blockLimits } from "@onebuffer/compiler/src/split/reduce-in-blocks";
import { kBlockBytes, scratchBlockAt } from "@onebuffer/kernels/src/calls/scratch";
import type { ScratchBlock } from "@onebuffer/kernels/src/calls/scratch";
import { setWorkSplitter } from "@onebuffer/kernels/src/calls/work-splitter";
import type { PoolModule, WorkSplitter } from "@onebuffer/kernels/src/calls/work-splitter";
import { linearMemory } from "@onebuffer/wasm";
import type { Dice } from "./kernel-subjects.ts";

/** How much a splitter has divided. */
export interface DividedCounts {
  /** Runs of several parts. */
  runs: number;
  parts: number;
  /** Parts that ran a second time, as those of a thread that ends in the middle do. */
  repeated: number;
}

/** The most parts of one run. */
const kMostParts = 40;

/** A splitter that divides most work, and what it has done. */
class DividedWork implements WorkSplitter {
  readonly numThreads = 3;
  readonly counts: DividedCounts = { runs: 0, parts: 0, repeated: 0 };
  readonly #dice: Dice;
  readonly #blocks: ScratchBlock[] = [];
  readonly #parts: (() => number)[][] = [];

  constructor(dice: Dice) {
    this.#dice = dice;
  }

  divides(): boolean {
    return this.#dice.below(8) > 0;
  }

  ranWhole(): void {}

  parts(most: number): number {
    this.#parts.length = 0;
    return 1 + this.#dice.below(Math.min(most, this.#dice.pick([2, 3, 12, kMostParts])));
  }

  begin(): ScratchBlock {
    const part = this.#parts.push([]) - 1;
    return (this.#blocks[part] ??= scratchBlockAt(linearMemory().reserve(kBlockBytes) as number));
  }

  call({ functions }: PoolModule, name: string, ...args: readonly number[]): void {
    // A pool hands the numbers to its threads as words of 32 bits.
    const words = Int32Array.from(args);
    this.#parts.at(-1)!.push(() => functions[name]!(...words));
  }

  run(isRepeatable: boolean): boolean {
    const parts = this.#parts.splice(0);
    this.counts.runs += parts.length > 1 ? 1 : 0;
    this.counts.parts += parts.length;
    let result = 0;
    for (let left = parts.length; left > 0; left--) {
      const [part] = parts.splice(this.#dice.below(left), 1) as [(() => number)[]];
      if (isRepeatable && this.#dice.below(6) === 0) {
        this.counts.repeated++;
        for (const call of part.slice(0, 1 + this.#dice.below(part.length))) call();
      }
      for (const call of part) result |= call();
    }
    return result !== 0;
  }
}

/** Divides the work of kernels from now on, and long reductions from `leastElements` on. Returns the counts of what is divided. */
export function divideWork(dice: Dice, leastElements: number): DividedCounts {
  const splitter = new DividedWork(dice);
  blockLimits.leastElements = leastElements;
  setWorkSplitter(splitter);
  return splitter.counts;
}
