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
import type { ExpressionTree } from "../../expression/tree/op-attributes.ts";
import { FreeRanges } from "@onebuffer/wasm/internal";
import { product } from "../../geometry/map-geometry.ts";
import type { Step } from "./stage-plan.ts";

/** Stages begin at multiples of this. */
const kAlignment = 256;

/** Where the steps that are stages are, in their order (others have an offset of -1), and how many bytes they take at most. */
export interface StageMemory {
  readonly offsets: readonly number[];
  readonly numBytes: number;
}

/** The memory of the stages among steps that are run in this order. */
export function stageMemory(steps: readonly Step[]): StageMemory {
  const free = new FreeRanges();
  const sizes = steps.map(
    ({ tree, dtype }) => Math.max(1, Math.ceil((product(tree.dimensions) * dtypeSize(dtype)) / kAlignment)) * kAlignment,
  );
  const lastReads = lastReadsOf(steps);
  const offsets: number[] = [];
  let end = 0;
  let numBytes = 0;
  steps.forEach(({ isStage }, s) => {
    let offset = isStage ? free.take(sizes[s] as number, kAlignment) : -1;
    if (isStage && offset < 0) {
      offset = free.takeTail(end);
      end = offset + (sizes[s] as number);
      numBytes = Math.max(numBytes, end);
    }
    offsets.push(offset);
    for (const read of lastReads[s]!) free.add(offsets[read] as number, (offsets[read] as number) + (sizes[read] as number));
  });
  return { offsets, numBytes };
}

/** Per step the numbers of the stages that nothing reads after it. */
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
