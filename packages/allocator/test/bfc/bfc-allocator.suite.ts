// Tests BFCAllocator: construction, allocation, invalid frees, unusual sub-allocators, retry, timing counter, statistics, dispose.
import { describe, expect, test } from "@jest/globals";
import type { StatusCode } from "@onebuffer/base";
import { isStatusError } from "@onebuffer/base";
import type { Pointer, SubAllocation } from "@onebuffer/allocator";
import {
  SharedCounter,
  AllocationAttributes,
  AllocatorMemoryType,
  BFCAllocator,
  LinearMemorySubAllocator,
  SubAllocator,
} from "@onebuffer/allocator";
import { LinearMemory } from "@onebuffer/wasm";
import { BlockRegions, TestRegions, thrown } from "@onebuffer/test-support";

const MiB = 1048576;

function expectError(act: () => unknown, code: StatusCode, message: RegExp): void {
  const error = thrown(act);
  expect(isStatusError(error, code) ? code : error).toBe(code);
  expect(String(error)).toMatch(message);
}

/** Returns the state of an allocator that callers can observe. */
const snapshot = (allocator: BFCAllocator): unknown => [
  allocator.getStats(),
  allocator.recordMemoryMap(),
  allocator.regions(),
  allocator.currRegionAllocationBytes,
];

/** Returns an allocator whose only region is 1 MiB at offset 0. */
const small = (options = {}): BFCAllocator => new BFCAllocator(new TestRegions(), MiB, "small", { allowGrowth: false, ...options });

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
});

describe("sub-allocators", () => {
  test("a sub-allocator without memory: the allocation is null after fewer than 100 attempts", () => {
    for (const [bytes, least] of [
      [1, 256],
      [2304, 2304],
      [MiB, MiB],
    ] as const) {
      const regions = new TestRegions({ cap: 0 });
      const allocator = new BFCAllocator(regions, 64 * MiB, "empty");
      expect(allocator.allocateRaw(64, bytes)).toBe(null);
      expect(regions.asked[0]).toBe(2 * MiB);
      expect(Math.min(...regions.asked)).toBeGreaterThanOrEqual(least);
      expect(regions.asked.length).toBeLessThan(100);
    }
  });

  test("if a region is refused, requests nine tenths of its size, computed in single precision", () => {
    const regions = new TestRegions({ cap: 1.6 * MiB });
    const allocator = new BFCAllocator(regions, 64 * MiB, "tight");
    expect(allocator.allocateRaw(64, 1000)!.byteOffset).toBe(0);
    expect(regions.asked).toEqual([2097152, 1887488, 1698816, 1529088]);
  });

  test("nine tenths of 402654464 bytes differ in single and double precision", () => {
    const regions = new TestRegions({ cap: 390_000_000 });
    new BFCAllocator(regions, 402654464, "large", { allowGrowth: false }).allocateRaw(64, 1000);
    expect(regions.asked).toEqual([402654464, 362388992]); // in double precision 362389248
  });

  test("adjacent regions are not merged if their boundary is not a multiple of 256", () => {
    const regions = new TestRegions({ give: (bytes) => bytes + 100 });
    const allocator = new BFCAllocator(regions, 64 * MiB, "ragged");
    const pointers = [1, 2].map(() => allocator.allocateRaw(64, 2 * MiB)!);
    expect(allocator.regions()).toEqual([
      [0, 2 * MiB],
      [2 * MiB + 256, 4 * MiB - 256],
    ]);
    expect(pointers.map(({ byteOffset }) => byteOffset)).toEqual([0, 2 * MiB + 256]);
    allocator.dispose();
    expect(regions.returned).toEqual(regions.given);
  });

  test("a sub-allocator that gives less than requested: the region is used; if it is too small, the allocation is null", () => {
    const regions = new TestRegions({ give: (bytes) => bytes / 2 });
    const allocator = new BFCAllocator(regions, 64 * MiB, "less");
    expect(allocator.allocateRaw(64, 1.5 * MiB)).toBe(null);
    expect(allocator.getStats()).toMatchObject({ poolBytes: MiB, bytesInUse: 0 });
    expect(allocator.allocateRaw(64, 0.5 * MiB)!.byteOffset).toBe(0);
  });

  test("a sub-allocator that gives more than requested: the whole region is used", () => {
    const regions = new TestRegions({ give: (bytes) => bytes * 3 });
    const allocator = new BFCAllocator(regions, 2 * MiB, "more");
    expect(allocator.allocateRaw(64, 5 * MiB)).toBe(null);
    expect(allocator.allocateRaw(64, 1 * MiB)!.byteOffset).toBe(0);
    expect(allocator.allocateRaw(64, 4 * MiB)!.byteOffset).toBe(1 * MiB);
    expect(allocator.getStats().poolBytes).toBe(6 * MiB);
  });

  test("a sub-allocator that gives less than 256 bytes: the region is freed", () => {
    const regions = new TestRegions({ give: () => 255 });
    const allocator = new BFCAllocator(regions, MiB, "crumbs");
    expect(allocator.allocateRaw(64, 10)).toBe(null);
    expect([regions.returned, allocator.regions()]).toEqual([[[0, 255]], []]);
  });

  test("a sub-allocator of unaligned regions: the edges are not used, and dispose frees the whole regions", () => {
    const regions = new TestRegions({ start: 100, gap: 3 });
    const allocator = new BFCAllocator(regions, 16 * MiB, "unaligned");
    const pointers = [MiB, 1, MiB, 3 * MiB].map((bytes) => allocator.allocateRaw(64, bytes)!);
    for (const { byteOffset } of pointers) expect(byteOffset % 256).toBe(0);
    expect(allocator.regions().length).toBe(3);
    for (const [address, size] of allocator.regions()) expect([address % 256, size % 256]).toEqual([0, 0]);
    expect(allocator.regions()[0]).toEqual([256, 2 * MiB - 256]);
    allocator.dispose();
    expect(regions.returned).toEqual(regions.given);
  });

  test.each([
    [
      "outside the memory",
      { pointer: { buffer: new ArrayBuffer(1000), byteOffset: 500 }, bytesReceived: 600 },
      /600 bytes at 500 of a memory of 1000/,
    ],
    ["at a negative offset", { pointer: { buffer: new ArrayBuffer(1000), byteOffset: -1 }, bytesReceived: 600 }, /at -1/],
    ["of NaN bytes", { pointer: { buffer: new ArrayBuffer(1000), byteOffset: 0 }, bytesReceived: Number.NaN }, /NaN bytes/],
  ])("a sub-allocator that gives a region %s causes an INTERNAL error", (_, given, message) => {
    class Liar extends BlockRegions {
      override alloc(): SubAllocation {
        return given;
      }
    }
    expectError(() => new BFCAllocator(new Liar(), MiB, "liar").allocateRaw(64, 10), "INTERNAL", message);
  });

  test("a sub-allocator that gives the same region twice causes an INTERNAL error, and existing allocations stay valid", () => {
    const buffer = new ArrayBuffer(2 * MiB);
    class Same extends BlockRegions {
      override alloc(): SubAllocation {
        return { pointer: { buffer, byteOffset: 0 }, bytesReceived: 2 * MiB };
      }
    }
    const allocator = new BFCAllocator(new Same(), 64 * MiB, "twice");
    const pointer = allocator.allocateRaw(64, 2 * MiB)!;
    expectError(() => allocator.allocateRaw(64, 1), "INTERNAL", /overlap/);
    allocator.deallocateRaw(pointer);
    expect(allocator.getStats()).toMatchObject({ bytesInUse: 0, poolBytes: 2 * MiB });
  });

  test("a sub-allocator with a separate memory for each region: offsets are looked up in their own memory", () => {
    const allocator = new BFCAllocator(new BlockRegions(), 256 * MiB, "blocks", { garbageCollection: true });
    const pointers = Array.from({ length: 6 }, () => allocator.allocateRaw(64, 2 * MiB)!);
    expect(new Set(pointers.map(({ buffer }) => buffer)).size).toBe(3);
    for (const { buffer, byteOffset } of pointers) expect(byteOffset + 2 * MiB).toBeLessThanOrEqual(buffer.byteLength);
    expectError(() => allocator.deallocateRaw({ buffer: pointers[0]!.buffer, byteOffset: 2 * MiB }), "INVALID_ARGUMENT", /no region/);
    allocator.deallocateRaw(pointers[0]!);
    expect(allocator.deallocateFreeRegions()).toBe(true);
    allocator.allocateRaw(64, 20 * MiB);
    for (const pointer of pointers.slice(1)) allocator.deallocateRaw(pointer);
    expect(allocator.getStats().bytesInUse).toBe(32 * MiB); // the whole region: less than twice the request
    expectError(() => allocator.deallocateRaw(pointers[0]!), "INVALID_ARGUMENT", /no region/);
  });

  test("calls visitors in order on alloc and in reverse order on free", () => {
    const calls: string[] = [];
    const visitor =
      (name: string) =>
      (pointer: Pointer, index: number, bytes: number): void => {
        calls.push(`${name} ${pointer.byteOffset} ${index} ${bytes}`);
      };
    const regions = new TestRegions({}, [visitor("a"), visitor("b")], [visitor("c"), visitor("d")]);
    const allocator = new BFCAllocator(regions, MiB, "visited");
    allocator.allocateRaw(64, 1);
    allocator.dispose();
    expect(calls).toEqual(["a 0 0 1048576", "b 0 0 1048576", "d 0 0 1048576", "c 0 0 1048576"]);
    expect(SubAllocator.prototype.getMemoryType.call(regions)).toBe(AllocatorMemoryType.kUnknown);
  });

  test("in the linear memory, one region is extended, and dispose frees it", () => {
    const memory = new LinearMemory();
    const sub = new LinearMemorySubAllocator(memory);
    const allocator = new BFCAllocator(sub, 64 * MiB, "linear");
    expect(memory.isConstructed).toBe(false);
    const a = allocator.allocateRaw(64, 3 * MiB)!;
    const b = allocator.allocateRaw(64, 5 * MiB)!;
    expect([a.buffer, b.buffer]).toEqual([memory.buffer, memory.buffer]);
    expect(allocator.regions().length).toBe(1);
    expect(a.byteOffset).toBeGreaterThan(0);
    new Uint8Array(a.buffer, a.byteOffset, 3 * MiB).fill(7);
    expect(memory.reservedBytes).toBe(allocator.getStats().poolBytes);
    expectError(() => sub.free({ buffer: new ArrayBuffer(8), byteOffset: 0 }, 256), "INVALID_ARGUMENT", /does not point into/);
    expectError(() => sub.alloc(48, 256), "INVALID_ARGUMENT", /48/);
    expect(sub.alloc(256, 0)).toBe(null);
    allocator.dispose();
    expect(memory.reservedBytes).toBe(0);
  });

  test("two arenas in one memory do not overlap", () => {
    const memory = new LinearMemory();
    const [a, b] = [0, 1].map((i) => new BFCAllocator(new LinearMemorySubAllocator(memory), 16 * MiB, `arena ${i}`));
    const pointers = Array.from({ length: 12 }, (_, i) => (i % 2 ? a! : b!).allocateRaw(64, MiB)!);
    const offsets = pointers.map(({ byteOffset }) => byteOffset).sort((x, y) => x - y);
    for (let i = 1; i < offsets.length; i++) expect(offsets[i]! - offsets[i - 1]!).toBeGreaterThanOrEqual(MiB);
    expectError(() => a!.deallocateRaw(pointers[0]!), "INVALID_ARGUMENT", /no region/);
    a!.dispose();
    b!.dispose();
    expect(memory.reservedBytes).toBe(0);
  });

  test("returns null and does not throw if the linear memory cannot be constructed", () => {
    const allocator = new BFCAllocator(new LinearMemorySubAllocator(new LinearMemory({ constructMemory: null })), MiB, "none");
    expect(allocator.allocateRaw(64, 1)).toBe(null);
    expect(allocator.exhaustionReport(1)).toMatch(
      /allocator "none": no room for 1 bytes; 0 bytes in use.*\ntaken 0 of at most 1048576 bytes/,
    );
  });
});

describe("a full arena", () => {
  test("calls onExhausted once, and tries again if it freed memory", () => {
    const held: Pointer[] = [];
    const asked: number[] = [];
    const allocator: BFCAllocator = small({
      onExhausted: (bytes: number) => {
        asked.push(bytes);
        expect(allocator.allocateRaw(64, 2 * MiB)).toBe(null); // an allocation inside onExhausted does not call it again
        const pointer = held.pop();
        if (pointer !== undefined) allocator.deallocateRaw(pointer);
        return pointer !== undefined;
      },
    });
    held.push(allocator.allocateRaw(64, MiB)!);
    expect(allocator.allocateRaw(64, 1000)!.byteOffset).toBe(0);
    expect(asked).toEqual([1000]);
    expect(allocator.allocateRaw(64, MiB)).toBe(null);
    expect(asked).toEqual([1000, MiB]);
  });

  test("does not call onExhausted if the attributes or the option forbid a retry", () => {
    let asked = 0;
    const onExhausted = (): boolean => ++asked > 0;
    expect(small({ onExhausted }).allocateRaw(64, 2 * MiB, new AllocationAttributes({ retryOnFailure: false }))).toBe(null);
    expect(small({ onExhausted, allowRetryOnFailure: false }).allocateRaw(64, 2 * MiB)).toBe(null);
    expect(asked).toBe(0);
    expect(small({ onExhausted }).allocateRaw(64, 2 * MiB, new AllocationAttributes())).toBe(null);
    expect(asked).toBe(1);
  });

  test("if onExhausted throws, the allocator is unchanged and calls it again the next time", () => {
    let calls = 0;
    const allocator = small({
      onExhausted: () => {
        calls++;
        throw new TypeError("the hook's own");
      },
    });
    for (let i = 0; i < 2; i++) expect(() => allocator.allocateRaw(64, 2 * MiB)).toThrow("the hook's own");
    expect(calls).toBe(2);
  });

  test("the exhaustion report contains the statistics, the bins and the occupancy picture", () => {
    const allocator = small();
    allocator.allocateRaw(64, 1000);
    allocator.allocateRaw(64, 500_000);
    const [holders, ...lines] = allocator.exhaustionReport(900_000).split("\n");
    expect(holders).toBe("largest holders: 1 x 500000 bytes, 1 x 1000 bytes; bufferLedger.enable() records where buffers are made");
    expect(lines[0]).toBe('allocator "small": no room for 900000 bytes; 501248 bytes in use, 547328 free, the largest free chunk 547328');
    expect(lines[1]).toBe("taken 1048576 of at most 1048576 bytes, in 1 regions");
    expect(lines).toContain("bin 2 (1024 bytes and up): 1 chunks in use, 1024 bytes (1000 requested); 0 free, 0 bytes");
    expect(lines.at(-1)).toBe(allocator.renderOccupancy());
    expect(allocator.exhaustionReport()).not.toContain("no room");
  });

  test("frees unused regions if that makes room for a larger one", () => {
    const regions = new TestRegions({ gap: 4096 });
    const allocator = new BFCAllocator(regions, 8 * MiB, "gc", { garbageCollection: true });
    const pointers = [1, 2].map(() => allocator.allocateRaw(64, 2 * MiB)!);
    expect(allocator.allocateRaw(64, 4 * MiB)).toBe(null);
    expect(regions.returned).toEqual([]);
    for (const pointer of pointers) allocator.deallocateRaw(pointer);
    expect(allocator.allocateRaw(64, 7 * MiB)).not.toBe(null);
    expect(regions.returned.length).toBe(2);
    expect(allocator.getStats()).toMatchObject({ poolBytes: 8 * MiB, peakPoolBytes: 8 * MiB });
    expect(new BFCAllocator(regions, MiB, "off").deallocateFreeRegions()).toBe(false);
    expectError(() => allocator.deallocateFreeRegions(-1), "INVALID_ARGUMENT", /-1/);
  });
});

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
