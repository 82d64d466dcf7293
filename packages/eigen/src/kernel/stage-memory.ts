/**
 * stage-memory: where in the scratch memory the stages of an assignment are (XLA's counterpart is its buffer assignment).
 *
 *     stages    a    b of a    c of b          a   0 ..  256
 *                                              b 256 ..  512
 *                                              c   0 ..  256      a has been read for the last time
 *
 * Everything is known before anything runs: a stage's bytes are given to another after the last step that reads it.
 */
import { dtypeSize } from "@onebuffer/base";
import type { ExpressionTree } from "../expression/op-attributes.ts";
import { FreeRanges } from "../free-ranges.ts";
import { product } from "../map-geometry.ts";
import type { Step } from "./stage-plan.ts";

/** Stages begin at multiples of this. */
const kAlignment = 256;

/** Where stages are, in their order, and how many bytes they take at most. */
export interface StageMemory {
  readonly offsets: readonly number[];
  readonly numBytes: number;
}

/** The memory of stages that are computed in this order; what `result` reads stays to the end. */
export function stageMemory(stages: readonly Step[], result: Step): StageMemory {
  const free = new FreeRanges();
  const offsets: number[] = [];
  const sizes = stages.map(({ tree, dtype }) => Math.max(1, Math.ceil((product(tree.dimensions) * dtypeSize(dtype)) / kAlignment)) * kAlignment);
  const lastReads = lastReadsOf(stages, result);
  let end = 0;
  let numBytes = 0;
  stages.forEach((stage, s) => {
    const size = sizes[s] as number;
    let offset = free.take(size, kAlignment);
    if (offset < 0) {
      offset = free.takeTail(end);
      end = offset + size;
      numBytes = Math.max(numBytes, end);
    }
    offsets.push(offset);
    for (const read of lastReads.get(stage) ?? []) free.add(offsets[read] as number, (offsets[read] as number) + (sizes[read] as number));
  });
  return { offsets, numBytes };
}

/** Per step the numbers of the stages that nothing reads after it. */
function lastReadsOf(stages: readonly Step[], result: Step): Map<Step, number[]> {
  const last = new Map<ExpressionTree, Step>();
  for (const step of [...stages, result]) for (const need of step.needs) last.set(need, step);
  const reads = new Map<Step, number[]>();
  stages.forEach(({ tree }, s) => {
    const step = last.get(tree)!;
    const list = reads.get(step);
    if (list === undefined) reads.set(step, [s]);
    else list.push(s);
  });
  return reads;
}
