/**
 * stage-memory: assigns the stages of an assignment their places in scratch memory (XLA's counterpart is its buffer
 * assignment).
 *
 *     stages    a    b of a    c of b          a   0 ..  256
 *                                              b 256 ..  512
 *                                              c   0 ..  256      a's bytes again: a has been read for the last time
 *
 * All places are assigned before anything runs. A stage's bytes are reused after the last step that reads the stage.
 */
import { dtypeSize } from "@onebuffer/base";
import type { ExpressionTree } from "../../expression/tree/op-attributes.ts";
import { FreeRanges } from "@onebuffer/wasm/internal";
import { product } from "../../geometry/map-geometry.ts";
import type { Step } from "./stage-plan.ts";

/** Stages begin at multiples of this many bytes. */
const kAlignment = 256;

/** Where the stages are. */
export interface StageMemory {
  /** For each step the byte offset of its stage; -1 if the step is not a stage. */
  readonly offsets: readonly number[];
  /** The bytes that all stages need. */
  readonly numBytes: number;
}

/** Returns the memory of those steps that are stages. The steps run in the given order. The stage `elsewhere` needs none. */
export function stageMemory(steps: readonly Step[], elsewhere: Step | null = null): StageMemory {
  const free = new FreeRanges();
  const sizes = steps.map(
    ({ tree, dtype }) => Math.max(1, Math.ceil((product(tree.dimensions) * dtypeSize(dtype)) / kAlignment)) * kAlignment,
  );
  const lastReads = lastReadsOf(steps);
  const offsets: number[] = [];
  let end = 0;
  let numBytes = 0;
  steps.forEach((step, s) => {
    const isStage = step.isStage && step !== elsewhere;
    let offset = isStage ? free.take(sizes[s] as number, kAlignment) : -1;
    if (isStage && offset < 0) {
      offset = free.takeTail(end);
      end = offset + (sizes[s] as number);
      numBytes = Math.max(numBytes, end);
    }
    offsets.push(offset);
    for (const read of lastReads[s]!)
      if ((offsets[read] as number) >= 0) free.add(offsets[read] as number, (offsets[read] as number) + (sizes[read] as number));
  });
  return { offsets, numBytes };
}

/** Returns for each step the indices of the stages that no later step reads. */
function lastReadsOf(steps: readonly Step[]): readonly (readonly number[])[] {
  const numbers = new Map<ExpressionTree, number>();
  const last: number[] = [];
  steps.forEach(({ tree, needs, isStage }, s) => {
    if (isStage) numbers.set(tree, s);
    for (const need of needs) last[numbers.get(need)!] = s;
  });
  const reads = steps.map((): number[] => []);
  last.forEach((reader, stage) => reads[reader]!.push(stage));
  return reads;
}
