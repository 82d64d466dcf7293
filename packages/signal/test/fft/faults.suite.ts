// Transforms where the linear memory has no room: for tables, for scratch memory, at every allocation. The evaluator computes the result, and no
// memory of a plan that was begun is left behind.
import { beforeAll, expect, test } from "@jest/globals";
import { releaseScratch, reserveScratch } from "@onebuffer/allocator/internal";
import { evaluate, ready } from "@onebuffer/eigen";
import { fft, fftPlanCounts, rfft } from "@onebuffer/signal";
import { isLong } from "@onebuffer/test-support";
import { linearMemory } from "@onebuffer/wasm";
import { complexMap, errorOf, exactLines, numbers, valuesOf } from "./errors.ts";

beforeAll(async () => {
  await ready();
});

type Range = readonly [start: number, bytes: number];

/** Reserves all free memory, in ranges of at most `most` bytes. Returns them, the smallest last. */
function filled(): Range[] {
  const ranges: Range[] = [];
  for (let bytes = 2 ** 28; bytes >= 256; ) {
    const start = reserveScratch(bytes);
    if (start === null) bytes /= 2;
    else ranges.push([start, bytes]);
  }
  return ranges;
}

const bytesOf = (ranges: readonly Range[]): number => ranges.reduce((sum, [, bytes]) => sum + bytes, 0);
const release = (ranges: readonly Range[]): void => ranges.forEach(([start, bytes]) => releaseScratch(start, bytes));

test("no room at any allocation", () => {
  expect(linearMemory().isAvailable).toBe(true);
  // Scratch memory is kept between uses: it has its size before the memory is full.
  const warm = complexMap("complex64", numbers(2 * 4001, 1), [4001]);
  evaluate(fft(warm));
  evaluate(rfft((warm as unknown as { real(): never }).real()));
  const free = filled();
  const before = { bytes: bytesOf(free), plans: fftPlanCounts().bytes };
  const steps = isLong ? [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] : [0, 3];
  let kept = 0;
  for (const step of steps) {
    // The ranges that are released are the only free memory: some kilobytes more at each step.
    const hole = free.splice(-1 - step);
    release(hole);
    const length = 1009 + 2 * step;
    const parts = numbers(2 * length, step);
    const x = complexMap("complex64", parts, [length]);
    const made = fftPlanCounts().made;
    const exact = exactLines(parts, [1, length, 1]);
    expect(errorOf(valuesOf(fft(x) as never), exact, [1, length, 1], false, 2 ** -24)).toBeLessThan(16);
    expect(valuesOf(rfft((x as unknown as { real(): never }).real()) as never).length).toBe(length + 1);
    kept += fftPlanCounts().made - made;
    free.push(...filled());
  }
  const after = { bytes: bytesOf(free), plans: fftPlanCounts().bytes };
  release(free);
  expect(after.bytes + after.plans).toBe(before.bytes + before.plans);
  // With room the next transform has a plan again.
  const made = fftPlanCounts().made;
  evaluate(fft(complexMap("complex64", numbers(2 * 1511, 3), [1511])));
  expect([kept < 2 * steps.length, fftPlanCounts().made]).toEqual([true, made + 1]);
});
