// BFCAllocator.adoptRegion: an allocator ("heir") takes over a region from an allocator that has ended.
import { describe, expect, test } from "@jest/globals";
import type { StatusCode } from "@onebuffer/base";
import { isStatusError } from "@onebuffer/base";
import type { AdoptedAllocation } from "@onebuffer/allocator";
import { BFCAllocator } from "@onebuffer/allocator";
import fc from "fast-check";
import type { RegionHabits } from "@onebuffer/test-support";
import { TestRegions, thrown } from "@onebuffer/test-support";
import { sortedAllocations } from "../../src/bfc/adopted-allocations.ts";

const KiB = 1024;
const MiB = 1048576;

interface Heir {
  readonly regions: TestRegions;
  readonly heir: BFCAllocator;
  readonly at: (byteOffset: number) => { buffer: ArrayBufferLike; byteOffset: number };
  readonly adopt: (start: number, bytes: number, live: readonly (readonly [number, number])[]) => void;
}

const allocation = ([byteOffset, bytes]: readonly [number, number]): AdoptedAllocation => ({ byteOffset, bytes });

function makeHeir(limit = 64 * MiB, habits: RegionHabits = { coalesces: false, start: 32 * MiB }): Heir {
  const regions = new TestRegions(habits);
  const heir = new BFCAllocator(regions, limit, "heir");
  const at = (byteOffset: number): { buffer: ArrayBufferLike; byteOffset: number } => ({ buffer: regions.memory, byteOffset });
  return { regions, heir, at, adopt: (start, bytes, live) => heir.adoptRegion(at(start), bytes, live.map(allocation)) };
}

test("the listed allocations are in use, the memory between them is free", () => {
  const { heir, at, adopt } = makeHeir();
  adopt(8 * MiB, MiB, [
    [8 * MiB + 512 * KiB, 1000],
    [8 * MiB, 256],
  ]);
  expect(heir.regions()).toEqual([[8 * MiB, MiB]]);
  expect(heir.getStats()).toMatchObject({ bytesInUse: 1280, peakBytesInUse: 1280, poolBytes: MiB, peakPoolBytes: MiB, numAllocs: 0 });
  expect([heir.requestedSize(at(8 * MiB + 512 * KiB)), heir.allocatedSize(at(8 * MiB + 512 * KiB))]).toEqual([1000, 1024]);
  expect([heir.allocationId(at(8 * MiB)), heir.allocationId(at(8 * MiB + 512 * KiB))]).toEqual([1, 2]);
  expect(heir.largestFreeChunk()).toBe(512 * KiB - 256);
  const next = heir.allocateRaw(64, 100)!;
  expect([next.byteOffset, heir.allocationId(next)]).toEqual([8 * MiB + 512 * KiB + 1024, 3]); // the best fit of the two gaps
  for (const pointer of [next, at(8 * MiB), at(8 * MiB + 512 * KiB)]) heir.deallocateRaw(pointer);
  expect([heir.getStats().bytesInUse, heir.largestFreeChunk(), heir.fragmentation()]).toEqual([0, MiB, 0]);
});

test("a region without allocations is one free chunk; a full region has no free chunk", () => {
  const { heir, adopt, at } = makeHeir();
  adopt(0, 4 * KiB, []);
  adopt(8 * KiB, 4 * KiB, [[8 * KiB, 4 * KiB]]);
  expect([heir.largestFreeChunk(), heir.getStats().bytesInUse]).toEqual([4 * KiB, 4 * KiB]);
  heir.deallocateRaw(at(8 * KiB));
  expect(heir.renderOccupancy()).toBe("_".repeat(100));
});

test("adjacent adopted regions are not merged, even if the sub-allocator supports coalescing", () => {
  const { heir, adopt } = makeHeir(64 * MiB, { start: 32 * MiB });
  adopt(0, MiB, [[0, MiB / 2]]);
  adopt(MiB, MiB, [[MiB + MiB / 2, MiB / 2]]);
  const regions = [
    [0, MiB],
    [MiB, MiB],
  ];
  expect([heir.regions(), heir.largestFreeChunk()]).toEqual([regions, MiB / 2]);
});

test("deallocateRegionIfFree frees an adopted region once nothing in it is in use", () => {
  const { heir, adopt, at, regions } = makeHeir();
  adopt(0, MiB, [[512, 100]]);
  adopt(4 * MiB, MiB, [[4 * MiB, 100]]);
  heir.deallocateRaw(at(4 * MiB));
  expect([heir.deallocateRegionIfFree(at(512)), regions.returned]).toEqual([false, []]);
  heir.deallocateRaw(at(512));
  expect([heir.deallocateRegionIfFree(at(512)), regions.returned]).toEqual([true, [[0, MiB]]]);
  expect([heir.deallocateRegionIfFree(at(512)), heir.regions(), heir.getStats().poolBytes]).toEqual([true, [[4 * MiB, MiB]], MiB]);
});

test("an adopted region may exceed the limit, but then no other region is taken", () => {
  const { heir, adopt, regions, at } = makeHeir(MiB);
  adopt(0, 4 * MiB, [[0, 4 * MiB]]);
  expect([heir.allocateRaw(64, 256), regions.asked]).toEqual([null, []]);
  heir.deallocateRaw(at(0));
  expect(heir.allocateRaw(64, 2 * MiB)!.byteOffset).toBe(0);
});

test("an adopted region is freed by garbage collection and by dispose, like any other", () => {
  const regions = new TestRegions({ coalesces: false, start: 32 * MiB });
  const heir = new BFCAllocator(regions, 3 * MiB, "heir", { garbageCollection: true });
  const pointer = { buffer: regions.memory, byteOffset: 0 };
  heir.adoptRegion(pointer, 2 * MiB, [{ byteOffset: 0, bytes: 300 }]);
  heir.deallocateRaw(pointer);
  expect([heir.allocateRaw(64, 3 * MiB)!.byteOffset, regions.returned]).toEqual([32 * MiB, [[0, 2 * MiB]]]);
  heir.dispose();
  expect(regions.returned.length).toBe(2);
});

describe("adoptRegion refuses, changing nothing,", () => {
  const cases: [string, StatusCode, [number, number, [number, number][]], RegExp][] = [
    ["an allocation not at a multiple of 256", "INVALID_ARGUMENT", [0, MiB, [[100, 10]]], /10 bytes at offset 100 /],
    ["an allocation before the region", "INVALID_ARGUMENT", [MiB, MiB, [[0, 10]]], /offset 0 .*at 1048576/],
    ["an allocation after the region", "INVALID_ARGUMENT", [0, 512, [[512, 1]]], /1 bytes at offset 512 .*region of 512/],
    ["an allocation longer than the region", "INVALID_ARGUMENT", [0, 512, [[256, 257]]], /257 bytes at offset 256/],
    [
      "overlapping allocations",
      "INVALID_ARGUMENT",
      [
        0,
        MiB,
        [
          [256, 1],
          [0, 257],
        ],
      ],
      /1 bytes at offset 256 .*up to 512/,
    ],
    [
      "an allocation listed twice",
      "INVALID_ARGUMENT",
      [
        0,
        MiB,
        [
          [0, 1],
          [0, 1],
        ],
      ],
      /up to 256/,
    ],
    ["an allocation of no bytes", "INVALID_ARGUMENT", [0, MiB, [[0, 0]]], /0 bytes at offset 0/],
    ["an allocation of NaN bytes", "INVALID_ARGUMENT", [0, MiB, [[0, Number.NaN]]], /NaN bytes/],
    ["an allocation at offset NaN", "INVALID_ARGUMENT", [0, MiB, [[Number.NaN, 1]]], /offset NaN/],
    ["a region that overlaps one of the arena", "INTERNAL", [32 * MiB, MiB, []], /overlap/],
    ["a region of less than 256 bytes", "RESOURCE_EXHAUSTED", [0, 255, []], /255 bytes at 0/],
  ];
  test.each(cases)("%s: %s", (_, code, [start, bytes, live], message) => {
    const { heir, adopt } = makeHeir();
    heir.allocateRaw(64, 1000);
    const before = [heir.recordMemoryMap(), heir.getStats(), heir.regions()];
    const error = thrown(() => adopt(start, bytes, live));
    expect(isStatusError(error, code) ? code : error).toBe(code);
    expect(String(error)).toMatch(message);
    expect([heir.recordMemoryMap(), heir.getStats(), heir.regions()]).toEqual(before);
  });

  test("every region after dispose: FAILED_PRECONDITION", () => {
    const { heir, adopt } = makeHeir();
    heir.dispose();
    expect(
      isStatusError(
        thrown(() => adopt(0, MiB, [])),
        "FAILED_PRECONDITION",
      ),
    ).toBe(true);
  });
});

test("random calls: an heir of all regions behaves exactly as the first allocator", () => {
  const step = fc.record({ free: fc.boolean(), bytes: fc.integer({ min: 1, max: 300 * KiB }), pick: fc.nat() });
  const steps = fc.array(step, { maxLength: 60 });
  fc.assert(
    fc.property(steps, steps, fc.boolean(), (life, after, coalesces) => {
      // Chunks are always split to the size of the request, because the heir cannot know how much more the owner gave.
      const options = { fragmentationFraction: 1e-9 };
      const regions = new TestRegions({ coalesces, gap: coalesces ? 0 : 4 * KiB });
      const owner = new BFCAllocator(regions, 4 * MiB, "bfc", options);
      const heir = new BFCAllocator(regions, 4 * MiB, "bfc", options);
      const live: AdoptedAllocation[] = [];
      const run = (allocators: readonly BFCAllocator[], todo: typeof life): void => {
        for (const { free, bytes, pick } of todo) {
          if (free && live.length > 0) {
            const [gone] = live.splice(pick % live.length, 1);
            for (const each of allocators) each.deallocateRaw({ buffer: regions.memory, byteOffset: gone!.byteOffset });
            continue;
          }
          const [byteOffset, ...others] = allocators.map((each) => each.allocateRaw(64, bytes)?.byteOffset);
          for (const other of others) expect(other).toBe(byteOffset);
          if (byteOffset !== undefined) live.push({ byteOffset, bytes });
        }
      };
      // Takes the whole limit.
      for (const pointer of [owner.allocateRaw(64, 2 * MiB), owner.allocateRaw(64, 2 * MiB)]) owner.deallocateRaw(pointer);
      run([owner], life);
      for (const [start, bytes] of owner.regions())
        heir.adoptRegion(
          { buffer: regions.memory, byteOffset: start },
          bytes,
          live.filter(({ byteOffset }) => byteOffset >= start && byteOffset < start + bytes),
        );
      const map = (allocator: BFCAllocator): unknown => [
        allocator.recordMemoryMap().chunk,
        allocator.regions(),
        allocator.getStats().bytesInUse,
      ];
      expect(map(heir)).toEqual(map(owner));
      run([owner, heir], after);
      expect(map(heir)).toEqual(map(owner));
    }),
    { numRuns: process.env["ONEBUFFER_LONG"] === undefined ? 24 : 100 },
  );
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
