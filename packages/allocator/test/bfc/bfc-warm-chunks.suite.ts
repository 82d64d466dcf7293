// BfcWarmChunks, the fast path for chunks that are freed last in, first out: it must not change any result.
import { expect, test } from "@jest/globals";
import type { Pointer } from "@onebuffer/allocator";
import { BFCAllocator } from "@onebuffer/allocator";
import fc from "fast-check";
import { NaiveBfc } from "./naive-bfc.ts";
import { TestRegions, thrown } from "@onebuffer/test-support";

const MiB = 1048576;
const config = { totalMemory: 4 * MiB, allowGrowth: true, garbageCollection: false, fragmentationFraction: 0, habits: {} };

/** Calls that must not change the results of later calls. */
const queries: ((allocator: BFCAllocator, live: readonly Pointer[]) => void)[] = [
  (allocator) => allocator.getStats(),
  (allocator) => allocator.recordMemoryMap(),
  (allocator) => allocator.largestFreeChunk(),
  (allocator, live) => live.length > 0 && allocator.allocatedSize(live[0]!),
  (allocator) => allocator.deallocateFreePieces(MiB * 64),
  (allocator) => allocator.setTimingCounter(null),
];

test("random calls: offsets, chunks and statistics agree with the model", () => {
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ alloc: fc.constantFrom(1, 256, 300, 400, 512, 700, 1024, 5000) }) },
    { weight: 6, arbitrary: fc.record({ last: fc.constant(true) }) },
    { weight: 1, arbitrary: fc.record({ free: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ twice: fc.constant(true) }) },
    { weight: 1, arbitrary: fc.record({ ask: fc.nat(queries.length - 1) }) },
  );
  fc.assert(
    fc.property(fc.array(step, { minLength: 20, maxLength: 120, size: "max" }), (list) => {
      const product = new BFCAllocator(new TestRegions(), config.totalMemory, "product");
      const model = new NaiveBfc(config);
      const live: Pointer[] = [];
      let freed: Pointer | null = null;
      const free = (at: number): void => {
        const [pointer] = live.splice(at, 1);
        product.deallocateRaw({ ...pointer! });
        model.free(pointer!.byteOffset);
        freed = pointer!;
      };
      for (const each of list) {
        if ("alloc" in each) {
          const pointer = product.allocateRaw(64, each.alloc);
          expect(pointer?.byteOffset ?? null).toBe(model.alloc(each.alloc));
          if (pointer !== null) live.push(pointer);
          freed = null;
        } else if ("twice" in each) {
          if (freed !== null) expect(thrown(() => product.deallocateRaw(freed))).toMatchObject({ code: "FAILED_PRECONDITION" });
        } else if ("ask" in each) queries[each.ask]!(product, live);
        else if (live.length > 0) free("last" in each ? live.length - 1 : each.free % live.length);
      }
      const { numAllocs, bytesInUse, peakBytesInUse, largestAllocSize } = product.getStats();
      expect([numAllocs, bytesInUse, peakBytesInUse, largestAllocSize]).toEqual([model.numAllocs, model.inUse, model.peak, model.largest]);
      const { chunk } = product.recordMemoryMap();
      expect(chunk.map(({ address, size, requestedSize, inUse }) => [address, size, requestedSize, inUse])).toEqual(model.chunks());
    }),
    { numRuns: 100 },
  );
});

test("freed memory is refused at once, even though the next request gets it again", () => {
  const allocator = new BFCAllocator(new TestRegions(), MiB, "warm");
  const [a, b] = [allocator.allocateRaw(64, 512)!, allocator.allocateRaw(64, 256)!];
  allocator.deallocateRaw(b);
  allocator.deallocateRaw(a);
  expect(allocator.getStats().bytesInUse).toBe(0);
  for (const call of ["deallocateRaw", "requestedSize", "allocatedSize", "allocationId"] as const)
    expect(thrown(() => allocator[call](b))).toMatchObject({ code: "FAILED_PRECONDITION" });
  expect(allocator.recordMemoryMap().chunk.map(({ size, inUse }) => [size, inUse])).toEqual([[MiB, false]]);
  const again = allocator.allocateRaw(64, 400)!;
  expect([again.byteOffset, allocator.requestedSize(again), allocator.allocationId(again)]).toEqual([a.byteOffset, 400, 3]);
});

test("more chunks than the stack holds are reused in the same order", () => {
  const allocator = new BFCAllocator(new TestRegions(), MiB, "deep");
  const take = (): Pointer[] => Array.from({ length: 50 }, () => allocator.allocateRaw(64, 256)!);
  const first = take();
  for (const pointer of first.toReversed()) allocator.deallocateRaw(pointer);
  const second = take();
  expect(second.map(({ byteOffset }) => byteOffset)).toEqual(first.map(({ byteOffset }) => byteOffset));
  for (const pointer of second) allocator.deallocateRaw(pointer);
  expect(allocator.recordMemoryMap().chunk.length).toBe(1);
});

test("a region whose chunks are only warm is freed", () => {
  const regions = new TestRegions();
  const allocator = new BFCAllocator(regions, 4 * MiB, "back", { garbageCollection: true });
  const pointer = allocator.allocateRaw(64, 1000)!;
  allocator.deallocateRaw(pointer);
  expect(allocator.deallocateRegionIfFree(pointer)).toBe(true);
  expect([regions.returned.length, allocator.getStats().poolBytes]).toEqual([1, 0]);
  allocator.deallocateRaw(allocator.allocateRaw(64, 1000)!);
  expect(allocator.deallocateFreeRegions(1)).toBe(true);
  expect(allocator.getStats().poolBytes).toBe(0);
});
