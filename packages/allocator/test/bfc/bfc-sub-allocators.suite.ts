// BFCAllocator and the sub-allocator that it takes regions from: unusual regions, the linear memory, and arenas that are full.
import { describe, expect, test } from "@jest/globals";
import type { Pointer, SubAllocation } from "@onebuffer/allocator";
import { AllocationAttributes, AllocatorMemoryType, BFCAllocator, LinearMemorySubAllocator, SubAllocator } from "@onebuffer/allocator";
import { LinearMemory } from "@onebuffer/wasm";
import { BlockRegions, TestRegions, expectStatus } from "@onebuffer/test-support";
import { MiB, small } from "./small-allocator.ts";
import { expectError } from "./expect-error.ts";

/** The calls of some tests are wrong on purpose. */
type Any = ReturnType<typeof JSON.parse>;

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
