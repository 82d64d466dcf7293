// BFCAllocator and its helpers at the edges: pointers that are no multiples of 256, adopted regions with many blocks, memories that follow one
// another only by their offsets, lists of the caller, and arguments of wrong types.
import { expect, test } from "@jest/globals";
import type { AdoptedAllocation, Pointer, SubAllocation } from "@onebuffer/allocator";
import {
  BFCAllocator,
  cpuAllocator,
  cpuAllocatorStatsEnabled,
  disableCpuAllocatorStats,
  enableCpuAllocatorStats,
  SharedCounter,
  SubAllocator,
  TrackingAllocator,
  WeakPtr,
  WeakRefCounted,
} from "@onebuffer/allocator";
import { exhaustedError } from "@onebuffer/allocator/internal";
import { BlockRegions, expectStatus, TestRegions } from "@onebuffer/test-support";
import { binNumForSize } from "../../src/bfc/bfc-bins.ts";
import { sortedAllocations } from "../../src/bfc/adopted-allocations.ts";

const MiB = 1048576;

/** The calls of some tests are wrong on purpose. */
type Any = ReturnType<typeof JSON.parse>;

test("a pointer that is no multiple of 256 is refused, and frees nothing", () => {
  const allocator = new BFCAllocator(new TestRegions({ coalesces: false, start: 0 }), MiB, "edges");
  const [first, second] = [allocator.allocateRaw(64, 256)!, allocator.allocateRaw(64, 256)!];
  expect([first.byteOffset, second.byteOffset]).toEqual([0, 256]);
  expectStatus(() => allocator.deallocateRaw({ buffer: first.buffer, byteOffset: 8 }), "INVALID_ARGUMENT");
  expect(allocator.getStats().bytesInUse).toBe(512);
  allocator.deallocateRaw(second);
  // The second one is only marked as free until the next request.
  expectStatus(() => allocator.deallocateRaw(second), "FAILED_PRECONDITION");
  expect(allocator.getStats().bytesInUse).toBe(256);
  allocator.deallocateRaw(first);
});

test("a region with thousands of blocks is adopted", () => {
  const regions = new TestRegions({ coalesces: false, start: 32 * MiB });
  const heir = new BFCAllocator(regions, 64 * MiB, "heir");
  const live: AdoptedAllocation[] = Array.from({ length: 5000 }, (_, k) => ({ byteOffset: k * 512, bytes: 200 }));
  heir.adoptRegion({ buffer: regions.memory, byteOffset: 0 }, 5000 * 512, live);
  expect(heir.getStats().bytesInUse).toBe(5000 * 256);
  for (const { byteOffset } of live) heir.deallocateRaw({ buffer: regions.memory, byteOffset });
  expect([heir.getStats().bytesInUse, heir.largestFreeChunk()]).toEqual([0, 5000 * 512]);
});

test("the caller's list of allocations keeps its order", () => {
  const memory = new ArrayBuffer(4096);
  const live = [1024, 0, 512].map((byteOffset) => ({ byteOffset, bytes: 256 }));
  const sorted = sortedAllocations({ buffer: memory, byteOffset: 0 }, 4096, live);
  expect([live, sorted].map((list) => list.map(({ byteOffset }) => byteOffset))).toEqual([
    [1024, 0, 512],
    [0, 512, 1024],
  ]);
});

test("regions of two memories are two, although one begins at the offset at which the other ends", () => {
  let taken = 0;
  class Apart extends SubAllocator {
    override alloc(_alignment: number, numBytes: number): SubAllocation {
      const byteOffset = taken;
      taken += numBytes;
      return { pointer: { buffer: new ArrayBuffer(taken), byteOffset }, bytesReceived: numBytes };
    }
    override free(): void {}
    override supportsCoalescing(): boolean {
      return true;
    }
  }
  const allocator = new BFCAllocator(new Apart(), 16 * MiB, "apart");
  const pointers: Pointer[] = [];
  for (let k = 0; k < 6; k++) pointers.push(allocator.allocateRaw(64, MiB)!);
  for (const { buffer, byteOffset } of pointers) expect(byteOffset + MiB).toBeLessThanOrEqual(buffer.byteLength);
  expect(new Set(pointers.map(({ buffer }) => buffer)).size).toBeGreaterThan(1);
  for (const pointer of pointers) allocator.deallocateRaw(pointer);
});

test("the safe frontier may be set without a counter, and bins are powers of two of 256 bytes", () => {
  const allocator = new BFCAllocator(new BlockRegions(), MiB, "edges");
  allocator.setSafeFrontier(3);
  expect(allocator.getStats().bytesInUse).toBe(0);
  const sizes = [0, 256, 511, 512, 1024, 4096, 2 ** 27, 2 ** 28, 2 ** 40];
  expect(sizes.map(binNumForSize)).toEqual([0, 0, 0, 1, 2, 4, 19, 20, 20]);
});

test("the visitors of a sub-allocator are a list of functions, of which it has a copy", () => {
  class Visited extends BlockRegions {
    override alloc(alignment: number, numBytes: number): SubAllocation {
      const given = super.alloc(alignment, numBytes);
      this.visitAlloc(given.pointer, 0, given.bytesReceived);
      return given;
    }
  }
  expectStatus(() => new Visited(7 as Any), "INVALID_ARGUMENT", "an array of visitors");
  expectStatus(() => new Visited([], [7 as Any]), "INVALID_ARGUMENT", "a visitor");
  let visits = 0;
  const visitors = [() => void visits++];
  const regions = new Visited(visitors);
  visitors.push(() => void visits++);
  regions.alloc(256, 4096);
  expect(visits).toBe(1);
  expect(regions.allocAt({ buffer: new ArrayBuffer(8), byteOffset: 0 }, 8)).toBeNull();
});

test("a tracking allocator gives copies of its records, and its memory is not collected", () => {
  const tracking = new TrackingAllocator(cpuAllocator(), true);
  const pointer = tracking.allocateRaw(64, 100)!;
  const records = tracking.getCurrentRecords();
  records.length = 0;
  expect([tracking.getCurrentRecords().length, tracking.memoryIsCollected()]).toEqual([1, false]);
  tracking.deallocateRaw(pointer);
  tracking.getRecordsAndUnRef();
});

test("the statistics of CPU allocators are switched off again", () => {
  const before = cpuAllocatorStatsEnabled();
  enableCpuAllocatorStats();
  expect(cpuAllocatorStatsEnabled()).toBe(true);
  disableCpuAllocatorStats();
  expect(cpuAllocatorStatsEnabled()).toBe(false);
  if (before) enableCpuAllocatorStats();
});

test("the error of an allocator without a report ends with what was asked for", () => {
  expect(exhaustedError(cpuAllocator(), 100, "no room for 100 bytes").message.endsWith("no room for 100 bytes")).toBe(true);
});

test("a weak pointer is assigned from a weak pointer only", () => {
  class Target extends WeakRefCounted {}
  const target = new Target();
  const weak = new WeakPtr(target);
  for (const other of [null, undefined, 7, "x", {}]) {
    expectStatus(() => weak.assign(other as Any), "INVALID_ARGUMENT", "a WeakPtr");
    expectStatus(() => weak.moveAssign(other as Any), "INVALID_ARGUMENT", "a WeakPtr");
  }
  weak.dispose();
  target.unref();
});

test("all chunks that the safe frontier has passed are merged, wherever they are", () => {
  const allocator = new BFCAllocator(new TestRegions({ coalesces: false, start: 0 }), 8192, "stamped", { allowGrowth: false });
  const pointers = Array.from({ length: 32 }, () => allocator.allocateRaw(64, 256)!);
  allocator.setTimingCounter(Object.assign(new SharedCounter(), { next: () => 5 }));
  const freed = [2, 3, 10, 11, 20, 21].map((k) => pointers[k]!);
  for (const pointer of freed) allocator.deallocateRaw(pointer);
  allocator.setSafeFrontier(6);
  // The first request merges all: the others would find only chunks of 256 bytes.
  const pairs = [0, 1, 2].map(() => allocator.allocateRaw(64, 512));
  expect(pairs.map((pointer) => pointer?.byteOffset)).toEqual([2, 10, 20].map((k) => k * 256));
  expect(allocator.allocateRaw(64, 256)).toBeNull();
});
