// Tests BFCAllocator: construction, allocation, invalid frees, statistics, dispose.
import { describe, expect, test } from "@jest/globals";
import type { StatusCode } from "@onebuffer/base";
import type { Pointer } from "@onebuffer/allocator";
import { AllocatorMemoryType, BFCAllocator, LinearMemorySubAllocator } from "@onebuffer/allocator";
import { BlockRegions, TestRegions, expectStatus } from "@onebuffer/test-support";
import { MiB, small } from "./small-allocator.ts";
import { expectError } from "./expect-error.ts";

/** Returns the state of an allocator that callers can observe. */
const snapshot = (allocator: BFCAllocator): unknown => [
  allocator.getStats(),
  allocator.recordMemoryMap(),
  allocator.regions(),
  allocator.currRegionAllocationBytes,
];

describe("construction", () => {
  test("requests no memory before the first allocation", () => {
    const regions = new TestRegions();
    const allocator = new BFCAllocator(regions, 64 * MiB, "lazy");
    expect([allocator.name, regions.asked, allocator.regions(), allocator.renderOccupancy()]).toEqual([
      "lazy",
      [],
      [],
      "<allocator contains no memory>",
    ]);
    expect([allocator.fragmentation(), allocator.largestFreeChunk(), allocator.tracksAllocationSizes()]).toEqual([0, 0, true]);
    expect(allocator.getStats()).toMatchObject({ bytesLimit: 64 * MiB, poolBytes: 0, peakPoolBytes: 0, bytesInUse: 0 });
    expect([BFCAllocator.kMinAllocationSize, BFCAllocator.kNumBins]).toEqual([256, 21]);
  });

  test.each([-1, 0.5, Number.NaN, Infinity, 2 ** 53])("refuses a limit of %d", (limit) => {
    expectError(() => new BFCAllocator(new TestRegions(), limit, "x"), "INVALID_ARGUMENT", new RegExp(String(limit).replace("+", "\\+")));
  });

  test.each([-0.1, Number.NaN, Infinity])("refuses a fragmentation fraction of %d", (fragmentationFraction) => {
    expectError(() => small({ fragmentationFraction }), "INVALID_ARGUMENT", new RegExp(String(fragmentationFraction)));
  });

  test("refuses a quarantine of negative size", () => {
    expectError(() => small({ checked: { quarantineBytes: -5 } }), "INVALID_ARGUMENT", /-5/);
  });

  test("has the memory type of its sub-allocator", () => {
    expect(new BFCAllocator(new LinearMemorySubAllocator(), 0, "x").getMemoryType()).toBe(AllocatorMemoryType.kHostPageable);
    expect(small().getMemoryType()).toBe(AllocatorMemoryType.kUnknown);
  });
});

describe("allocation", () => {
  test("regions double in size from 2 MiB on, and adjacent regions are merged", () => {
    const regions = new TestRegions();
    const allocator = new BFCAllocator(regions, 64 * MiB, "grow");
    for (let i = 0; i < 5; i++) allocator.allocateRaw(64, 2 * MiB);
    expect(regions.given).toEqual([
      [0, 2 * MiB],
      [2 * MiB, 4 * MiB],
      [6 * MiB, 8 * MiB],
    ]);
    expect(allocator.regions()).toEqual([[0, 14 * MiB]]);
    expect(allocator.currRegionAllocationBytes).toBe(16 * MiB);
  });

  test.each([true, false])("extends a region after its last chunk was merged into another (doubleRegions %p)", (doubleRegions) => {
    const regions = new TestRegions();
    using arena = new BFCAllocator(regions, 64 * MiB, "arena", { doubleRegions });
    const [a, b] = [arena.allocateRaw(64, MiB)!, arena.allocateRaw(64, MiB)!];
    const c = arena.allocateRaw(64, 3 * MiB)!; // the region is extended after b
    arena.deallocateRaw(a);
    arena.deallocateRaw(b); // the record of b is free and is reused next
    const d = arena.allocateRaw(64, 8 * MiB)!;
    expect(arena.regions().length).toBe(1);
    expect([c, d].map((pointer) => arena.requestedSize(pointer))).toEqual([3 * MiB, 8 * MiB]);
    const chunks = arena.recordMemoryMap().chunk;
    expect(chunks.reduce((sum, { size }) => sum + size, 0)).toBe(arena.getStats().poolBytes);
  });

  test("the region size is not doubled again after it was doubled for a large request", () => {
    const regions = new TestRegions();
    const allocator = new BFCAllocator(regions, 64 * MiB, "grow");
    allocator.allocateRaw(64, 5 * MiB);
    expect([regions.given, allocator.currRegionAllocationBytes]).toEqual([[[0, 8 * MiB]], 8 * MiB]);
  });

  test("returns null for 0 bytes and for huge sizes, and rounds other sizes up to a multiple of 256", () => {
    const allocator = small();
    expect(allocator.allocateRaw(64, 0)).toBe(null);
    const odd = allocator.allocateRaw(64, 12345)!;
    expect([
      allocator.requestedSize(odd),
      allocator.allocatedSize(odd),
      allocator.allocationId(odd),
      allocator.allocatedSizeSlow(odd),
    ]).toEqual([12345, 12544, 1, 12544]);
    for (const huge of [MiB, 2 ** 31, 2 ** 32, 2 ** 39, 2 ** 40, 2 ** 48, Number.MAX_SAFE_INTEGER])
      expect(allocator.allocateRaw(64, huge)).toBe(null);
    expect(allocator.allocationId(allocator.allocateRaw(64, 1)!)).toBe(2);
    const all = new BFCAllocator(new TestRegions(), Number.MAX_SAFE_INTEGER, "all");
    for (const huge of [2 ** 39, 2 ** 40, Number.MAX_SAFE_INTEGER]) expect(all.allocateRaw(64, huge)).toBe(null);
    expect(all.getStats()).toMatchObject({ poolBytes: 0, numAllocs: 0 });
  });

  test.each([1, 2, 64, 128, 256])("respects an alignment of %d", (alignment) => {
    const allocator = small();
    allocator.allocateRaw(1, 1);
    expect(allocator.allocateRaw(alignment, 100)!.byteOffset % alignment).toBe(0);
  });

  test.each([0, 3, -64, 96, 0.5, Number.NaN, 512, 4096, 2 ** 31])("refuses an alignment of %d", (alignment) => {
    const allocator = small();
    const before = snapshot(allocator);
    expectError(() => allocator.allocateRaw(alignment, 4), "INVALID_ARGUMENT", new RegExp(String(alignment)));
    expect(snapshot(allocator)).toEqual(before);
  });

  test.each([-1, 0.5, Number.NaN, 2 ** 53, Infinity])("refuses a size of %d", (bytes) => {
    expectError(() => small().allocateRaw(64, bytes), "INVALID_ARGUMENT", new RegExp(String(bytes)));
  });

  test("takes the smallest chunk that fits, at the lowest address", () => {
    const allocator = small();
    const sizes = [1024, 256, 768, 256, 1024, 256, 768, 256];
    const pointers = sizes.map((bytes) => allocator.allocateRaw(64, bytes)!);
    for (const at of [0, 2, 4, 6]) allocator.deallocateRaw(pointers[at]!);
    expect(allocator.allocateRaw(64, 600)!.byteOffset).toBe(pointers[2]!.byteOffset);
    expect(allocator.allocateRaw(64, 600)!.byteOffset).toBe(pointers[6]!.byteOffset);
    expect(allocator.allocateRaw(64, 600)!.byteOffset).toBe(pointers[0]!.byteOffset);
  });

  test.each([
    [0, 4, 3, 4], // 0 means the default: 128 MiB may be wasted
    [1e-12, 4, 3, 3],
    [0.001, 4, 3, 4], // a thousandth of 1 MiB: 1048 bytes may be wasted
    [0.001, 10, 6, 10], // four units, 1024 bytes, are wasted
    [0.001, 11, 6, 6],
  ])(
    "with fragmentation fraction %d, a free chunk of %d units serves a request of %d units with a chunk of %d",
    (fragmentationFraction, has, wants, gets) => {
      const allocator = small({ fragmentationFraction });
      const [a] = [allocator.allocateRaw(64, has * 256)!, allocator.allocateRaw(64, 256)!];
      allocator.deallocateRaw(a);
      expect(allocator.allocatedSize(allocator.allocateRaw(64, wants * 256)!)).toBe(gets * 256);
    },
  );

  test("orders the remainder of a split chunk by size in the last bin, which holds chunks of many sizes", () => {
    const allocator = new BFCAllocator(new TestRegions(), 4096 * MiB, "huge", { allowGrowth: false });
    const [a, , b] = [450, 1, 900, 1].map((size) => allocator.allocateRaw(64, size * MiB)!);
    allocator.deallocateRaw(a!);
    allocator.deallocateRaw(b!);
    expect(allocator.allocateRaw(64, 500 * MiB)!.byteOffset).toBe(b!.byteOffset); // leaves 400 MiB
    expect(allocator.allocateRaw(64, 390 * MiB)!.byteOffset).toBe(b!.byteOffset + 500 * MiB);
    expect(allocator.allocateRaw(64, 430 * MiB)!.byteOffset).toBe(a!.byteOffset);
  });

  test("never splits off a chunk of 0 bytes, even if the allowed waste is 0 bytes", () => {
    const allocator = small({ fragmentationFraction: 1e-12 });
    const [a] = [allocator.allocateRaw(64, 1024)!, allocator.allocateRaw(64, 256)!];
    allocator.deallocateRaw(a);
    allocator.allocateRaw(64, 1024);
    expect(allocator.recordMemoryMap().chunk.map(({ size }) => size)).toEqual([1024, 256, MiB - 1280]);
  });
});

describe("an invalid free throws and changes nothing", () => {
  const memory = new TestRegions().memory;
  const cases: [string, (allocator: BFCAllocator, live: Pointer, freed: Pointer) => Pointer, StatusCode, RegExp][] = [
    [
      "inside an allocation, at a multiple of 256",
      (_, { buffer }) => ({ buffer, byteOffset: 256 }),
      "INVALID_ARGUMENT",
      /offset 256 points inside the allocation of 1024 bytes at offset 0/,
    ],
    [
      "inside an allocation, within the first 256 bytes",
      (_, { buffer }) => ({ buffer, byteOffset: 64 }),
      "INVALID_ARGUMENT",
      /offset 64 points inside/,
    ],
    ["inside an allocation, at a fraction of a byte", (_, { buffer }) => ({ buffer, byteOffset: 0.5 }), "INVALID_ARGUMENT", /offset 0\.5/],
    ["a second free", (_, __, freed) => freed, "FAILED_PRECONDITION", /nothing is allocated at offset 1024: it was freed already/],
    ["inside a free chunk", (_, { buffer }) => ({ buffer, byteOffset: MiB - 256 }), "FAILED_PRECONDITION", /offset 1048320/],
    [
      "inside a free chunk, not at a multiple of 256",
      (_, { buffer }) => ({ buffer, byteOffset: MiB - 100 }),
      "INVALID_ARGUMENT",
      /offset 1048476/,
    ],
    ["after the region", (_, { buffer }) => ({ buffer, byteOffset: MiB }), "INVALID_ARGUMENT", /offset 1048576 lies in no region/],
    ["far after the region", (_, { buffer }) => ({ buffer, byteOffset: 2 ** 52 }), "INVALID_ARGUMENT", /no region/],
    ["negative", (_, { buffer }) => ({ buffer, byteOffset: -256 }), "INVALID_ARGUMENT", /offset -256/],
    ["NaN", (_, { buffer }) => ({ buffer, byteOffset: Number.NaN }), "INVALID_ARGUMENT", /offset NaN/],
    ["in another memory", () => ({ buffer: memory, byteOffset: 0 }), "INVALID_ARGUMENT", /offset 0 lies in no region/],
  ];
  test.each(cases)("%s", (_, pick, code, message) => {
    const allocator = small();
    const live = allocator.allocateRaw(64, 1024)!;
    const freed = allocator.allocateRaw(64, 512)!;
    allocator.allocateRaw(64, 256);
    allocator.deallocateRaw(freed);
    const before = snapshot(allocator);
    const pointer = pick(allocator, live, freed);
    for (const act of [
      () => allocator.deallocateRaw(pointer),
      () => allocator.requestedSize(pointer),
      () => allocator.allocatedSize(pointer),
      () => allocator.allocationId(pointer),
    ])
      expectError(act, code, message);
    expect(snapshot(allocator)).toEqual(before);
    allocator.deallocateRaw({ buffer: live.buffer, byteOffset: live.byteOffset }); // an equal pointer is accepted
    expect(allocator.getStats().bytesInUse).toBe(256);
  });

  test("an offset outside a memory does not free a chunk of a neighboring memory", () => {
    const allocator = new BFCAllocator(new BlockRegions(), 64 * MiB, "blocks", { fragmentationFraction: 1e-9 });
    const [, last, other] = [2 * MiB - 256, 256, 4 * MiB].map((bytes) => allocator.allocateRaw(64, bytes)!);
    expect([last!.byteOffset, other!.byteOffset]).toEqual([2 * MiB - 256, 0]);
    for (const byteOffset of [-256, 4 * MiB])
      expectError(() => allocator.deallocateRaw({ buffer: other!.buffer, byteOffset }), "INVALID_ARGUMENT", /no region/);
    expect(allocator.requestedSize(last!)).toBe(256);
  });

  test("ignores null", () => {
    const allocator = small();
    const before = snapshot(allocator);
    allocator.deallocateRaw(null);
    expect(snapshot(allocator)).toEqual(before);
  });

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
});

describe("statistics", () => {
  test("clearStats resets the counts and keeps the bytes in use", () => {
    const allocator = small();
    allocator.deallocateRaw(allocator.allocateRaw(64, 5000));
    allocator.allocateRaw(64, 100);
    expect(allocator.clearStats()).toBe(true);
    expect(allocator.getStats()).toMatchObject({ numAllocs: 0, bytesInUse: 256, peakBytesInUse: 256, largestAllocSize: 0 });
  });

  test("bins count chunks by their size, free or in use", () => {
    const allocator = small();
    const a = allocator.allocateRaw(64, 700)!;
    allocator.allocateRaw(64, 1000);
    allocator.deallocateRaw(a);
    const bins = allocator.binDebugInfo();
    expect(bins.length).toBe(21);
    expect(bins[1]).toEqual({
      totalBytesInUse: 0,
      totalBytesInBin: 768,
      totalRequestedBytesInUse: 0,
      totalChunksInUse: 0,
      totalChunksInBin: 1,
    });
    expect(bins[2]).toEqual({
      totalBytesInUse: 1024,
      totalBytesInBin: 1024,
      totalRequestedBytesInUse: 1000,
      totalChunksInUse: 1,
      totalChunksInBin: 1,
    });
    expect(bins[11]!.totalChunksInBin).toBe(1);
  });

  test("fragmentation is the fraction of free bytes that are not in the largest free chunk", () => {
    const allocator = small();
    const quarters = Array.from({ length: 4 }, () => allocator.allocateRaw(64, MiB / 4)!);
    expect(allocator.fragmentation()).toBe(0); // full: TensorFlow divides 0 by 0
    allocator.deallocateRaw(quarters[0]!);
    expect(allocator.fragmentation()).toBe(0);
    allocator.deallocateRaw(quarters[2]!);
    expect([allocator.fragmentation(), allocator.largestFreeChunk()]).toEqual([0.5, MiB / 4]);
  });

  test("recordMemoryMap lists the chunks and bins", () => {
    const allocator = small();
    allocator.allocateRaw(64, 700);
    const map = allocator.recordMemoryMap();
    expect([map.allocatorName, map.binSummary.length, map.snapShot]).toEqual(["small", 21, []]);
    expect(map.stats).toEqual({ numAllocs: 1, bytesInUse: 768, peakBytesInUse: 768, largestAllocSize: 768, fragmentationMetric: 0 });
    const rest = { opName: "", freedAtCount: 0, actionCount: 0, stepId: 0 };
    expect(map.chunk).toEqual([
      { address: 0, size: 768, requestedSize: 700, bin: -1, inUse: true, ...rest },
      { address: 768, size: MiB - 768, requestedSize: 0, bin: 11, inUse: false, ...rest },
    ]);
    expect(map.binSummary[11]).toEqual({
      bin: 11,
      totalBytesInUse: 0,
      totalBytesInBin: MiB - 768,
      totalChunksInUse: 0,
      totalChunksInBin: 1,
    });
  });

  test("renderOccupancy shows padding as x, over all regions end to end", () => {
    const allocator = new BFCAllocator(new TestRegions({ gap: 256 }), 25600, "picture", { allowGrowth: false });
    for (const bytes of [1, 256, 300, 256 * 3]) allocator.allocateRaw(64, bytes);
    // Each cell is one unit of 256 bytes. A cell with both requested bytes and padding shows as requested.
    expect(allocator.renderOccupancy()).toBe("*".repeat(7) + "_".repeat(93));
    const coarse = new BFCAllocator(new TestRegions(), 100 * MiB, "coarse", { allowGrowth: false, fragmentationFraction: 1 });
    const a = coarse.allocateRaw(64, 40 * MiB)!;
    coarse.allocateRaw(64, MiB);
    coarse.deallocateRaw(a);
    coarse.allocateRaw(64, 30 * MiB);
    expect(coarse.renderOccupancy()).toBe("*".repeat(30) + "x".repeat(10) + "*" + "_".repeat(59));
  });
});

describe("dispose", () => {
  test("frees every region, even those in use, and refuses later allocations and frees", () => {
    const regions = new TestRegions({ gap: 256 });
    const allocator = new BFCAllocator(regions, 64 * MiB, "gone");
    const pointer = allocator.allocateRaw(64, 2 * MiB)!;
    allocator.allocateRaw(64, 2 * MiB);
    allocator[Symbol.dispose]();
    allocator.dispose();
    expect(regions.returned).toEqual(regions.given);
    expect(allocator.getStats()).toMatchObject({ bytesInUse: 0, poolBytes: 0 });
    expect([allocator.regions(), allocator.recordMemoryMap().chunk, allocator.largestFreeChunk()]).toEqual([[], [], 0]);
    expectError(() => allocator.allocateRaw(64, 1), "FAILED_PRECONDITION", /"gone" was disposed/);
    expectError(() => allocator.deallocateRaw(pointer), "FAILED_PRECONDITION", /disposed/);
    expectError(() => allocator.requestedSize(pointer), "INVALID_ARGUMENT", /no region/);
    expect(allocator.deallocateFreeRegions()).toBe(false);
  });
});
