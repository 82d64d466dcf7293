// BFCAllocator with a timing counter: freed chunks have stamps, and are merged when the safe frontier has passed them.
import { describe, expect, test } from "@jest/globals";
import { SharedCounter, AllocationAttributes, BFCAllocator } from "@onebuffer/allocator";
import { MiB, small } from "./small-allocator.ts";
import { BlockRegions, TestRegions } from "@onebuffer/test-support";
import { binNumForSize } from "../../src/bfc/bfc-bins.ts";

describe("a timing counter", () => {
  const timed = (): BFCAllocator => {
    const allocator = small();
    let count = 0;
    allocator.setTimingCounter(Object.assign(new SharedCounter(), { next: () => ++count }));
    return allocator;
  };
  const freeSizes = (allocator: BFCAllocator): number[] =>
    allocator
      .recordMemoryMap()
      .chunk.filter(({ inUse }) => !inUse)
      .map(({ size }) => size);

  test("does not merge freed chunks until the frontier has passed their stamps", () => {
    const allocator = timed();
    const [a, b] = [allocator.allocateRaw(64, 512)!, allocator.allocateRaw(64, 512)!];
    allocator.deallocateRaw(a);
    allocator.deallocateRaw(b);
    expect(freeSizes(allocator)).toEqual([512, 512, MiB - 1024]);
    expect(allocator.recordMemoryMap().chunk.map(({ freedAtCount }) => freedAtCount)).toEqual([1, 2, 0]);
    allocator.setSafeFrontier(2); // passes the first stamp only
    expect(allocator.allocateRaw(64, 4096)!.byteOffset).toBe(1024);
    expect(freeSizes(allocator)).toEqual([512, 512, MiB - 1024 - 4096]);
    allocator.setSafeFrontier(3);
    allocator.setSafeFrontier(1); // it never moves back
    allocator.allocateRaw(64, 4096);
    expect(freeSizes(allocator)).toEqual([1024, MiB - 1024 - 8192]);
  });

  test("freedByFunc allows stamped chunks up to its count", () => {
    const allocator = timed();
    const [a, b] = [allocator.allocateRaw(64, 512)!, allocator.allocateRaw(64, 512)!];
    allocator.deallocateRaw(b);
    allocator.deallocateRaw(a);
    const at = (count: number): number =>
      allocator.allocateRaw(64, 512, new AllocationAttributes({ freedByFunc: () => count }))!.byteOffset;
    expect(at(1)).toBe(512);
    expect(at(1)).toBe(1024);
    expect(at(2)).toBe(0);
  });

  test("orders the remainder by size if the split chunk was not the first that fits", () => {
    const allocator = timed();
    const [a, , b] = [14, 1, 15, 1].map((units) => allocator.allocateRaw(64, units * 256)!);
    allocator.deallocateRaw(b!); // stamp 1
    allocator.deallocateRaw(a!); // stamp 2
    const early = new AllocationAttributes({ freedByFunc: () => 1 });
    expect(allocator.allocateRaw(64, 4 * 256, early)!.byteOffset).toBe(b!.byteOffset); // leaves 11 units
    expect(allocator.allocateRaw(64, 11 * 256)!.byteOffset).toBe(b!.byteOffset + 4 * 256);
    expect(allocator.allocateRaw(64, 14 * 256)!.byteOffset).toBe(a!.byteOffset);
  });

  test("a chunk that was reused and freed again is merged only after its last stamp is passed", () => {
    const allocator = timed();
    const [a, b] = [allocator.allocateRaw(64, 512)!, allocator.allocateRaw(64, 512)!];
    allocator.deallocateRaw(a); // stamp 1
    expect(allocator.allocateRaw(64, 512)!.byteOffset).toBe(0);
    allocator.deallocateRaw(a); // stamp 2
    allocator.deallocateRaw(b); // stamp 3
    allocator.setSafeFrontier(2);
    allocator.allocateRaw(64, 4096);
    expect(allocator.recordMemoryMap().chunk.map(({ freedAtCount }) => freedAtCount)).toEqual([2, 3, 0, 0]);
  });

  test("a chunk that is reused loses its stamp", () => {
    const allocator = timed();
    const a = allocator.allocateRaw(64, 512)!;
    allocator.deallocateRaw(a);
    allocator.allocateRaw(64, 512);
    expect(allocator.recordMemoryMap().chunk[0]).toMatchObject({ inUse: true, freedAtCount: 0 });
    allocator.setTimingCounter(null);
    allocator.deallocateRaw(a);
    expect(freeSizes(allocator)).toEqual([MiB]);
  });

  test("after the counter is removed, freed chunks are merged again, but not with stamped chunks", () => {
    const allocator = timed();
    const [a, b, c] = [1, 2, 3].map(() => allocator.allocateRaw(64, 512)!);
    allocator.deallocateRaw(a!);
    allocator.setTimingCounter(null);
    allocator.deallocateRaw(b!);
    expect(freeSizes(allocator)).toEqual([512, 512, MiB - 1536]);
    allocator.deallocateRaw(c!);
    expect(freeSizes(allocator)).toEqual([512, MiB - 512]);
  });

  test("merges stamped chunks early rather than fail, oldest first and only as many as needed", () => {
    const allocator = timed();
    const pointers = Array.from({ length: 4 }, () => allocator.allocateRaw(64, MiB / 4)!);
    for (const pointer of pointers) allocator.deallocateRaw(pointer);
    expect(allocator.allocateRaw(64, MiB / 2, new AllocationAttributes({ freedByFunc: () => 1 }))).toBe(null);
    expect(allocator.allocateRaw(64, MiB / 2)!.byteOffset).toBe(0);
    expect(freeSizes(allocator).reduce((sum, size) => sum + size)).toBe(MiB / 2);
    expect(allocator.allocateRaw(64, MiB / 2)!.byteOffset).toBe(MiB / 2);
  });
});

test("the safe frontier may be set without a counter, and bins are powers of two of 256 bytes", () => {
  const allocator = new BFCAllocator(new BlockRegions(), MiB, "edges");
  allocator.setSafeFrontier(3);
  expect(allocator.getStats().bytesInUse).toBe(0);
  const sizes = [0, 256, 511, 512, 1024, 4096, 2 ** 27, 2 ** 28, 2 ** 40];
  expect(sizes.map(binNumForSize)).toEqual([0, 0, 0, 1, 2, 4, 19, 20, 20]);
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
