// BFCAllocator against the model NaiveBfc: the same random calls give the same offsets, chunks, statistics and pictures.
import { describe, expect, test } from "@jest/globals";
import type { Pointer } from "@onebuffer/allocator";
import { SharedCounter, BFCAllocator } from "@onebuffer/allocator";
import fc from "fast-check";
import type { NaiveOptions } from "./naive-bfc.ts";
import { NaiveBfc } from "./naive-bfc.ts";
import { TestRegions } from "@onebuffer/test-support";

const KiB = 1024;
const MiB = 1048576;

type Step = { readonly alloc: number } | { readonly free: number } | { readonly gc: number } | { readonly clear: true };

/** `npm run long` runs the models thirty times as often. */
const kFactor = process.env["ONEBUFFER_LONG"] === undefined ? 0.5 : 30;

/** Sizes in bytes: small, multiples of 256, large, around 256, and larger than any memory. */
const sizes = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 8 * KiB }) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 40 }).map((units) => units * 256) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 3 * MiB }) },
  { weight: 1, arbitrary: fc.constantFrom(0, 1, 255, 256, 257, 2 ** 40, Number.MAX_SAFE_INTEGER) },
);
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ alloc: sizes }) },
    { weight: 4, arbitrary: fc.record({ free: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ gc: fc.constantFrom(0, 5000, 4 * MiB) }) },
    { weight: 1, arbitrary: fc.constant({ clear: true as const }) },
  ),
  { minLength: 10, maxLength: 120, size: "max" },
);
const options: fc.Arbitrary<NaiveOptions> = fc.record({
  totalMemory: fc.constantFrom(0, 255, 10000, 64 * KiB, MiB, 5 * MiB + 17, 16 * MiB, 2 ** 31),
  allowGrowth: fc.boolean(),
  garbageCollection: fc.boolean(),
  fragmentationFraction: fc.constantFrom(0, 0, 1e-7, 0.0001, 0.01, 0.5),
  habits: fc.record({
    gap: fc.constantFrom(0, 0, 4096),
    coalesces: fc.boolean(),
    cap: fc.constantFrom(2000, 100 * KiB, 3 * MiB, 9 * MiB, 2 ** 38),
  }),
});

function compare(product: BFCAllocator, model: NaiveBfc): void {
  const stats = product.getStats();
  expect([stats.numAllocs, stats.bytesInUse, stats.peakBytesInUse, stats.largestAllocSize]).toEqual([
    model.numAllocs,
    model.inUse,
    model.peak,
    model.largest,
  ]);
  expect([stats.poolBytes, stats.peakPoolBytes, product.currRegionAllocationBytes]).toEqual([
    model.pool,
    model.peakPool,
    model.regionBytes,
  ]);
  expect(product.regions()).toEqual(model.regions.map(({ addr, size }) => [addr, size]));
  const chunks = product.recordMemoryMap().chunk;
  expect(chunks.map(({ address, size, requestedSize, inUse }) => [address, size, requestedSize, inUse])).toEqual(model.chunks());
  expect(product.renderOccupancy()).toBe(model.occupancy());
  const free = model.chunks().filter(([, , , inUse]) => !inUse);
  expect(product.largestFreeChunk()).toBe(Math.max(0, ...free.map(([, size]) => size)));
}

describe("BFCAllocator", () => {
  test("agrees with the model", () => {
    fc.assert(
      fc.property(options, steps, (config, list) => {
        const { totalMemory, habits, ...rest } = config;
        const regions = new TestRegions(habits);
        const product = new BFCAllocator(regions, totalMemory, "product", rest);
        const model = new NaiveBfc(config);
        const live: Pointer[] = [];
        for (const step of list) {
          if ("alloc" in step) {
            const pointer = product.allocateRaw(64, step.alloc);
            expect(pointer?.byteOffset ?? null).toBe(model.alloc(step.alloc));
            if (pointer === null) continue;
            expect([product.requestedSize(pointer), product.allocationId(pointer)]).toEqual([step.alloc, model.id(pointer.byteOffset)]);
            expect(product.allocatedSize(pointer)).toBeGreaterThanOrEqual(step.alloc);
            live.push(pointer);
          } else if ("free" in step) {
            if (live.length === 0) continue;
            const [pointer] = live.splice(step.free % live.length, 1);
            product.deallocateRaw({ ...pointer! });
            model.free(pointer!.byteOffset);
          } else if ("gc" in step) {
            expect(product.deallocateFreeRegions(step.gc)).toBe(model.deallocateFreeRegions(Math.ceil(step.gc / 256) * 256));
          } else {
            expect(product.clearStats()).toBe(true);
            model.clearStats();
          }
        }
        compare(product, model);
        for (const pointer of live) {
          product.deallocateRaw(pointer);
          model.free(pointer.byteOffset);
        }
        compare(product, model);
        product.dispose();
        const bytes = (list: readonly [number, number][]): number => list.reduce((sum, [, size]) => sum + size, 0);
        expect(bytes(regions.returned)).toBe(bytes(regions.given));
      }),
      { numRuns: 80 * kFactor },
    );
  });

  test("agrees with the model for thousands of chunks of few sizes", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 31 - 1 }), (seed) => {
        let state = seed;
        const random = (below: number): number => {
          state ^= state << 13;
          state ^= state >>> 17;
          state ^= state << 5;
          return (state >>> 1) % below;
        };
        const config = { totalMemory: 8 * MiB, allowGrowth: true, garbageCollection: false, fragmentationFraction: 0, habits: {} };
        const product = new BFCAllocator(new TestRegions(), config.totalMemory, "product");
        const model = new NaiveBfc(config);
        const live: Pointer[] = [];
        for (let i = 0; i < 700; i++) {
          if (live.length === 0 || random(100) < 62) {
            const bytes = (1 + random(12)) * 256;
            const pointer = product.allocateRaw(64, bytes);
            expect(pointer?.byteOffset ?? null).toBe(model.alloc(bytes));
            if (pointer !== null) live.push(pointer);
          } else {
            const [pointer] = live.splice(random(live.length), 1);
            product.deallocateRaw(pointer!);
            model.free(pointer!.byteOffset);
          }
        }
        compare(product, model);
      }),
      { numRuns: Math.ceil(5 * kFactor) },
    );
  });
});

describe("with a timing counter", () => {
  test("chunks never overlap, regions stay covered, and everything joins once it is safe", () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.record({ alloc: fc.integer({ min: 1, max: 40 * KiB }), freedBefore: fc.nat(60) }) },
      { weight: 4, arbitrary: fc.record({ free: fc.nat() }) },
      { weight: 1, arbitrary: fc.record({ frontier: fc.nat(60) }) },
    );
    fc.assert(
      fc.property(fc.array(step, { minLength: 20, maxLength: 120, size: "max" }), (list) => {
        const product = new BFCAllocator(new TestRegions(), 256 * KiB, "timed");
        let count = 0;
        product.setTimingCounter(Object.assign(new SharedCounter(), { next: () => ++count }));
        const live: Pointer[] = [];
        for (const each of list) {
          if ("alloc" in each) {
            const attributes = { retryOnFailure: true, allocationWillBeLogged: false, freedByFunc: () => each.freedBefore };
            const pointer = product.allocateRaw(64, each.alloc, attributes);
            if (pointer !== null) live.push(pointer);
          } else if ("free" in each) {
            if (live.length > 0) product.deallocateRaw(live.splice(each.free % live.length, 1)[0]!);
          } else product.setSafeFrontier(each.frontier);
          const { chunk } = product.recordMemoryMap();
          const ends = chunk.map(({ address, size }) => address + size);
          const starts = chunk.map(({ address }) => address);
          expect([...starts, product.getStats().poolBytes]).toEqual([0, ...ends]);
          const used = chunk.filter(({ inUse }) => inUse);
          expect(used.map(({ address }) => address).sort((a, b) => a - b)).toEqual(
            live.map(({ byteOffset }) => byteOffset).sort((a, b) => a - b),
          );
        }
        for (const pointer of live) product.deallocateRaw(pointer);
        product.setSafeFrontier(count + 1);
        const last = product.allocateRaw(64, 1);
        product.setTimingCounter(null);
        product.deallocateRaw(last);
        expect(product.recordMemoryMap().chunk.length).toBe(1);
        expect(product.getStats().bytesInUse).toBe(0);
      }),
      { numRuns: 16 * kFactor },
    );
  });
});
