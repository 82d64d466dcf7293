/**
 * run-lines: transforms dense complex numbers along an axis, from one address to another.
 */
import type { WorkSplitter } from "@onebuffer/kernels/internal";
import { runUnits } from "./divided-work.ts";
import { complexBytes } from "./element-format.ts";
import { makePlan, planKey } from "./fft-plan.ts";
import type { FftPlan, Lines } from "./fft-plan.ts";
import { keptPlan } from "./plan-cache.ts";
import { runSteps } from "./steps.ts";

/** Lines with the key of their plan. The object is kept as long as such lines are expected: what is learned of their times is kept with it. */
export interface KeyedLines extends Lines {
  readonly key: string;
}

/** Returns lines with the key of their plan. */
export const keyedLines = (lines: Lines): KeyedLines => ({ ...lines, key: planKey(lines) });

/** Transforms lines. The operand and the target must not overlap. Throws RESOURCE_EXHAUSTED if there is no memory. */
export function transformLines(lines: KeyedLines, from: number, to: number): void {
  const plan = keptPlan(lines.key, lines.dtype, (tables) => makePlan(lines, tables));
  const offsets = offsetsOf(lines, plan);
  runUnits(lines, plan.nanoseconds, offsets.length, workBytes(plan), (begin, end, scratch, splitter) => {
    for (let k = begin; k < end; k++) runGroup(plan, from + offsets[k]!, to + offsets[k]!, scratch, splitter);
  });
}

/** Returns the bytes of the work buffers of one group. */
export const workBytes = ({ work }: FftPlan): number => work[0] + work[1] + work[2];

/** Transforms one group of lines. */
export function runGroup({ steps, work }: FftPlan, from: number, to: number, scratch: number, splitter: WorkSplitter | null): void {
  runSteps(steps, [from, to, scratch, scratch + work[0], scratch + work[0] + work[1]], splitter);
}

/** Returns the offsets of the groups in bytes. Where lines are left, the last group begins earlier, and computes some a second time. */
export function offsetsOf({ dtype, outer, length, inner }: Lines, { group, isInner }: FftPlan): readonly number[] {
  const bytes = complexBytes(dtype);
  const offsets: number[] = [];
  const [lines, others] = isInner ? [inner, outer] : [outer, inner];
  const [step, otherStep] = isInner ? [bytes, length * inner * bytes] : [length * inner * bytes, bytes];
  for (let other = 0; other < others; other++) {
    for (let line = 0; line < lines; line += group) offsets.push(other * otherStep + Math.min(line, lines - group) * step);
  }
  return offsets;
}
