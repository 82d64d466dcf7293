// BFCAllocator.deallocateFreePieces: frees pieces of free memory in multiples of a grain, also in the middle of regions.
import { describe, expect, test } from "@jest/globals";
import { isStatusError } from "@onebuffer/base";
import type { Pointer, SubAllocation } from "@onebuffer/allocator";
import { SharedCounter, BFCAllocator, SubAllocator } from "@onebuffer/allocator";
import fc from "fast-check";
import { thrown } from "@onebuffer/test-support";

const KiB = 1024;
const kGrain = 64 * KiB;
const kGrains = 64;

/**
 * A sub-allocator that gives the first run of free grains of one memory and accepts any run of whole grains back. With `lengthens` it
 * supports `allocAt` and `pieceBytes`.
 */
class Grains extends SubAllocator {
  readonly memory = new ArrayBuffer(kGrains * kGrain);
  readonly taken: boolean[] = new Array(kGrains).fill(false);
  private readonly lengthens: boolean;

  constructor(lengthens: boolean = false) {
    super();
    this.lengthens = lengthens;
  }

  override alloc(_alignment: number, numBytes: number): SubAllocation | null {
    const count = Math.ceil(numBytes / kGrain);
    for (let first = 0; first + count <= kGrains; first++) {
      if (this.taken.slice(first, first + count).includes(true)) continue;
      this.taken.fill(true, first, first + count);
      return { pointer: { buffer: this.memory, byteOffset: first * kGrain }, bytesReceived: count * kGrain };
    }
    return null;
  }

  override allocAt({ byteOffset }: Pointer, numBytes: number): SubAllocation | null {
    const first = byteOffset / kGrain;
    const end = first + Math.ceil(numBytes / kGrain);
    if (!this.lengthens || !Number.isInteger(first) || end > kGrains || this.taken.slice(first, end).includes(true)) return null;
    this.taken.fill(true, first, end);
    return { pointer: { buffer: this.memory, byteOffset }, bytesReceived: (end - first) * kGrain };
  }

  override pieceBytes(): number {
    return this.lengthens ? kGrain : 0;
  }

  override free(pointer: Pointer, numBytes: number): void {
    const first = pointer.byteOffset / kGrain;
    const count = numBytes / kGrain;
    expect([Number.isInteger(first), Number.isInteger(count)]).toEqual([true, true]);
    expect(this.taken.slice(first, first + count)).toEqual(new Array(count).fill(true));
    this.taken.fill(false, first, first + count);
  }

  override supportsCoalescing(): boolean {
    return true;
  }

  get count(): number {
    return this.taken.filter(Boolean).length;
  }
}

function makeArena(lengthens = false): { grains: Grains; arena: BFCAllocator; take: (bytes: number) => Pointer } {
  const grains = new Grains(lengthens);
  const arena = new BFCAllocator(grains, kGrains * kGrain, "pieces", { doubleRegions: false });
  const take = (bytes: number): Pointer => {
    const pointer = arena.allocateRaw(64, bytes);
    if (pointer === null) throw new Error(`no room for ${bytes}`);
    return pointer;
  };
  return { grains, arena, take };
}

/** Checks that the regions do not overlap, that the sub-allocator gave them, and that their chunks fill them without gaps. */
function check(arena: BFCAllocator, grains: Grains): void {
  const { poolBytes, bytesInUse } = arena.getStats();
  const regions = arena.regions();
  const chunks = arena.recordMemoryMap().chunk;
  let next = 0;
  for (const [address, size] of regions) {
    let at = address;
    while (at < address + size) {
      expect(chunks[next]?.address).toBe(at);
      at += chunks[next++]!.size;
    }
    expect(at).toBe(address + size);
  }
  expect(next).toBe(chunks.length);
  expect(regions.reduce((sum, [, size]) => sum + size, 0)).toBe(poolBytes);
  expect(poolBytes).toBe(grains.count * kGrain);
  expect(chunks.filter(({ inUse }) => inUse).reduce((sum, { size }) => sum + size, 0)).toBe(bytesInUse);
}

test("frees the middle of a region and keeps the allocations on both sides", () => {
  const { grains, arena, take } = makeArena();
  const [low, middle, high] = [take(1000), take(10 * kGrain), take(2000)];
  arena.deallocateRaw(middle);
  const before = grains.count * kGrain;
  const regions = arena.regions().length;
  expect(arena.deallocateFreePieces(kGrain)).toBe(before - grains.count * kGrain);
  expect(arena.regions().length).toBe(regions + 1);
  check(arena, grains);
  expect([arena.requestedSize(low), arena.requestedSize(high)]).toEqual([1000, 2000]);
  expect(arena.deallocateFreePieces(kGrain)).toBe(0);
  arena.deallocateRaw(low);
  arena.deallocateRaw(high);
  arena.deallocateFreePieces(kGrain);
  expect([grains.count, arena.regions(), arena.freeBytes]).toEqual([0, [], 0]);
});

test.each([
  ["begins inside a grain", 1024, 3 * kGrain - 1024],
  ["begins and ends with grains", kGrain, 2 * kGrain],
  ["ends inside a grain", kGrain, 2 * kGrain + 512],
])("free memory that %s: the regions on both sides are no longer adjacent", (_, lowBytes, middleBytes) => {
  const { grains, arena, take } = makeArena();
  const [low, middle, high, end] = [take(lowBytes), take(middleBytes), take(kGrain), take(256)];
  arena.deallocateRaw(middle);
  expect(arena.deallocateFreePieces(kGrain)).toBeGreaterThanOrEqual(2 * kGrain);
  check(arena, grains);
  arena.deallocateRaw(high);
  check(arena, grains);
  arena.deallocateRaw(low);
  check(arena, grains);
  arena.deallocateRaw(end);
  arena.deallocateFreePieces(kGrain);
  check(arena, grains);
  expect(grains.count).toBe(0);
});

test("freed pieces can be taken again", () => {
  const { grains, arena, take } = makeArena();
  const all = take(kGrains * kGrain);
  expect(arena.allocateRaw(64, 1)).toBe(null);
  arena.deallocateRaw(all);
  expect(arena.deallocateFreePieces(kGrain)).toBe(kGrains * kGrain);
  const other = new BFCAllocator(grains, kGrains * kGrain, "other");
  const theirs = other.allocateRaw(64, 40 * kGrain);
  expect(theirs).not.toBe(null);
  expect(arena.allocateRaw(64, 40 * kGrain)).toBe(null);
  other.deallocateRaw(theirs);
  other.deallocateFreePieces(kGrain);
  arena.deallocateRaw(take(40 * kGrain));
  check(arena, grains);
});

test("keeps chunks with a stamp until they are safe", () => {
  const { grains, arena, take } = makeArena();
  arena.setTimingCounter(Object.assign(new SharedCounter(), { next: () => 7 }));
  arena.deallocateRaw(take(32 * kGrain));
  expect([arena.deallocateFreePieces(kGrain), grains.count]).toEqual([0, 32]);
  arena.setSafeFrontier(8);
  arena.deallocateRaw(take(256)); // merges the chunks that have become safe
  arena.setSafeFrontier(9);
  arena.deallocateRaw(take(256));
  expect(arena.deallocateFreePieces(kGrain)).toBeGreaterThan(0);
});

test("keeps free chunks smaller than a grain", () => {
  const { grains, arena, take } = makeArena();
  const kept = take(256);
  const { count } = grains;
  arena.deallocateFreePieces(2 ** 21 * kGrain);
  expect(grains.count).toBe(count);
  arena.deallocateRaw(kept);
});

describe("deallocateFreePieces refuses", () => {
  test.each([0, -256, 100, 384, Number.NaN, Number.POSITIVE_INFINITY])("a grain of %p", (grain) => {
    const { arena } = makeArena();
    const error = thrown(() => arena.deallocateFreePieces(grain));
    expect(isStatusError(error, "INVALID_ARGUMENT")).toBe(true);
    expect(String(error)).toContain(`the size of pieces must be a multiple of 256 bytes, got ${grain}`);
  });
});

test("with doubleRegions: false a region is extended only by the bytes that a request lacks", () => {
  const { grains, arena, take } = makeArena();
  const steps = Array.from({ length: 16 }, () => {
    take(256 * KiB);
    return [grains.count * kGrain, arena.currRegionAllocationBytes];
  });
  expect(steps).toEqual([...new Array(8).fill([2048 * KiB, 2048 * KiB]), ...new Array(8).fill([4096 * KiB, 2048 * KiB])]);
  check(arena, grains);
});

test("random calls: allocations keep their offsets and bytes when free pieces are freed", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          {
            weight: 4,
            arbitrary: fc.record({ take: fc.oneof(fc.integer({ min: 1, max: 3000 }), fc.integer({ min: 1, max: 6 * kGrain })) }),
          },
          { weight: 4, arbitrary: fc.record({ free: fc.nat(1000) }) },
          { weight: 1, arbitrary: fc.constant("trim" as const) },
        ),
        { maxLength: 120 },
      ),
      fc.boolean(),
      fc.boolean(),
      fc.array(fc.nat(kGrains - 1), { maxLength: 4 }),
      (steps, abandon, lengthens, theirs) => {
        const { grains, arena } = makeArena(lengthens);
        // Grains in between that another user holds, freed after half of the steps.
        for (const grain of theirs) grains.taken[grain] = true;
        const live: { pointer: Pointer; bytes: number; mark: number }[] = [];
        for (const [i, step] of steps.entries()) {
          if (i === steps.length >> 1) for (const grain of theirs) grains.taken[grain] = false;
          if (step === "trim") arena.deallocateFreePieces(kGrain);
          else if ("take" in step) {
            const pointer = arena.allocateRaw(64, step.take);
            if (pointer === null) continue;
            new Uint8Array(pointer.buffer, pointer.byteOffset, step.take).fill(i % 251);
            live.push({ pointer, bytes: step.take, mark: i % 251 });
          } else if (live.length > 0) arena.deallocateRaw(live.splice(step.free % live.length, 1)[0]!.pointer);
        }
        if (steps.length === 0) for (const grain of theirs) grains.taken[grain] = false;
        check(arena, grains);
        for (const { pointer, bytes, mark } of live) {
          expect(arena.requestedSize(pointer)).toBe(bytes);
          expect(new Uint8Array(pointer.buffer, pointer.byteOffset, bytes).every((byte) => byte === mark)).toBe(true);
          if (!abandon) arena.deallocateRaw(pointer);
        }
        if (abandon) arena.dispose();
        else arena.deallocateFreePieces(kGrain);
        expect(grains.count).toBe(0);
      },
    ),
    { numRuns: process.env["ONEBUFFER_LONG"] === undefined ? 30 : 3000 },
  );
});
