/**
 * steps: a transform as a list of calls of kernels, whose addresses are relative to buffers that each run names.
 */
import type { WorkSplitter } from "@onebuffer/kernels/internal";
import type { FftFunction } from "./fft-module.ts";

/** The buffers of a run: the operand, the target, and three of scratch memory. */
export type Buffer = 0 | 1 | 2 | 3 | 4;
export const kFrom = 0;
export const kTo = 1;
export const kWork = 2;
export const kOther = 3;
export const kSpare = 4;

/** A call of a function with the parameters `from to ...numbers`. */
export interface Step {
  readonly kernel: FftFunction;
  readonly from: Buffer;
  readonly fromOffset: number;
  readonly to: Buffer;
  readonly toOffset: number;
  readonly numbers: readonly number[];
}

/** The addresses of the buffers. */
export type Bases = readonly [from: number, to: number, work: number, other: number, spare: number];

/** Runs the steps, or adds them to the present part of a splitter. */
export function runSteps(steps: readonly Step[], bases: Bases, splitter: WorkSplitter | null): void {
  for (const { kernel, from, fromOffset, to, toOffset, numbers } of steps) {
    const [source, target] = [bases[from] + fromOffset, bases[to] + toOffset];
    if (splitter !== null) splitter.call(kernel, "run", source, target, ...numbers);
    else if (numbers.length === kPassNumbers) runPass(kernel, source, target, numbers);
    else kernel.run(source, target, ...numbers);
  }
}

/** The number of parameters of a pass behind the addresses (pass-kernel.ts). */
const kPassNumbers = 11;

/** Calls the function of a pass. A call with a list takes longer than a short pass. */
function runPass({ run }: FftFunction, source: number, target: number, n: readonly number[]): void {
  run(source, target, n[0]!, n[1]!, n[2]!, n[3]!, n[4]!, n[5]!, n[6]!, n[7]!, n[8]!, n[9]!, n[10]!);
}
