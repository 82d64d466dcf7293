// The scratch memory of kernels (calls/scratch.ts): regions never overlap, the stack is replaced by one with room for what did not fit, and what
// is larger than a stack is not kept.
import { beforeEach, expect, test } from "@jest/globals";
import { threadArena } from "@onebuffer/allocator/internal";
import { linearMemory } from "@onebuffer/wasm";
import { bincount } from "@onebuffer/eigen";
import { detachScratch, releaseScratch, scratchMark, takeScratch, withScratch } from "@onebuffer/kernels/internal";
import { scratchInUse } from "@onebuffer/kernels/src/calls/scratch";
import { arenaMap } from "./kernel-subjects.ts";

/** A stack that is kept has at most 16 of these. */
const kMiB = 2 ** 20;

/** Returns the bytes that this thread's arena holds. */
const heldBytes = (): number => threadArena()!.allocator.getStats()!.bytesInUse;

/** Takes regions of some bytes and releases them. Returns how many of them were outside the stack. */
function outside(...sizes: readonly number[]): number {
  const before = scratchInUse().length;
  return withScratch(() => {
    for (const size of sizes) takeScratch(size);
    return scratchInUse().length - before;
  });
}

beforeEach(() => detachScratch()());

test("regions are multiples of 256, do not overlap, and keep their bytes until they are released", () => {
  const bytes = new Uint8Array(linearMemory().buffer);
  const regions: { address: number; size: number; mark: ReturnType<typeof scratchMark>; value: number }[] = [];
  const before = scratchMark();
  for (let step = 0; step < 200; step++) {
    // Three of four steps take a region: of none to 4,000 bytes, and now and then one that no stack has room for.
    if (step % 4 !== 3) {
      const size = step % 29 === 5 ? 40_000 * (1 + (step % 3)) : (step * 997) % 4000;
      const mark = scratchMark();
      const address = takeScratch(size);
      expect(address % 256).toBe(0);
      bytes.fill(step, address, address + size);
      regions.push({ address, size, mark, value: step });
      continue;
    }
    // What is left has the bytes that were stored there: nothing was given away twice.
    for (const { address, size, value } of regions)
      expect([step, bytes.subarray(address, address + size).every((byte) => byte === value)]).toEqual([step, true]);
    const [released] = regions.splice(regions.length - 1 - (step % 3));
    if (released !== undefined) releaseScratch(released.mark);
  }
  releaseScratch(before);
  expect(scratchMark()).toEqual(before);
});

test("a stack is replaced by one with room for all that was in use at a time", () => {
  const nothing = heldBytes();
  expect(outside(1000)).toBe(0);
  // The first of these is on the stack, the others do not fit; from then on they do.
  expect(outside(1000, 3 * kMiB, 4 * kMiB)).toBe(2);
  const held = heldBytes();
  expect(outside(1000, 3 * kMiB, 4 * kMiB)).toBe(0);
  expect(heldBytes()).toBeGreaterThan(held);
  const grown = heldBytes();
  expect([outside(7 * kMiB), outside(1000, 3 * kMiB, 4 * kMiB), heldBytes()]).toEqual([0, 0, grown]);
  // The one before was released.
  detachScratch()();
  expect(heldBytes()).toBe(nothing);
});

test("what is larger than the largest stack is released after use, and makes none", () => {
  outside(1000, 7 * kMiB);
  expect(outside(1000, 7 * kMiB)).toBe(0);
  const held = heldBytes();
  expect([outside(17 * kMiB), heldBytes()]).toEqual([1, held]);
  // Together they are larger than a stack may be, though each is not.
  expect([outside(1000, 9 * kMiB, 9 * kMiB), heldBytes()]).toEqual([1, held]);
  expect([outside(1000, 9 * kMiB, 9 * kMiB), heldBytes()]).toEqual([1, held]);
});

test("scratch memory that is given away stays until it is freed, and others are not taken from it", () => {
  const bytes = new Uint8Array(linearMemory().buffer);
  outside(1000);
  const mark = scratchMark();
  const [stack, region] = [takeScratch(1000), takeScratch(2 * kMiB)];
  bytes.fill(1, stack, stack + 1000).fill(1, region, region + 2 * kMiB);
  const held = heldBytes();
  const free = detachScratch();
  releaseScratch([0, 0]);
  expect(heldBytes()).toBe(held);
  withScratch(() => {
    for (const size of [1000, 2 * kMiB]) {
      const address = takeScratch(size);
      bytes.fill(2, address, address + size);
    }
    expect(bytes.subarray(stack, stack + 1000).every((byte) => byte === 1)).toBe(true);
    expect(bytes.subarray(region, region + 2 * kMiB).every((byte) => byte === 1)).toBe(true);
  });
  expect(mark).toEqual([0, 0]);
  const later = heldBytes();
  free();
  expect(heldBytes()).toBeLessThanOrEqual(later - 1000 - 2 * kMiB);
});

test("counts of many numbers, of which each is rare, take one table of scratch memory", () => {
  const [numbers, counts] = [arenaMap("int32", [100]), arenaMap("int32", [5 * kMiB])];
  numbers.data.set(Array.from({ length: 100 }, (_, k) => (k * k) % 40));
  const { allocator } = threadArena()!;
  allocator.clearStats();
  const held = heldBytes();
  counts.assign(bincount(numbers, 5 * kMiB) as never);
  // The table and the counts before they are assigned have 20 MiB each. Four tables would have 80.
  expect(allocator.getStats()!.peakBytesInUse - held).toBeLessThan(50 * kMiB);
  expect([...counts.data.subarray(0, 5)]).toEqual([5, 20, 0, 0, 10]);
});
