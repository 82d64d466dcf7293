// BFCAllocator in checked mode: freed memory is filled with a pattern, held back, and checked before it is reused.
import { describe, expect, test } from "@jest/globals";
import { isStatusError } from "@onebuffer/base";
import type { Pointer, WriteAfterFree } from "@onebuffer/allocator";
import { SharedCounter, BFCAllocator, LinearMemorySubAllocator } from "@onebuffer/allocator";
import { LinearMemory } from "@onebuffer/wasm";
import fc from "fast-check";
import { BlockRegions, thrown } from "@onebuffer/test-support";

const MiB = 1048576;
const memory = new LinearMemory();
const arena = (checked: boolean | object): BFCAllocator =>
  new BFCAllocator(new LinearMemorySubAllocator(memory), 4 * MiB, "checked", { checked });
const bytesOf = ({ buffer, byteOffset }: Pointer, length: number): Uint8Array => new Uint8Array(buffer, byteOffset, length);

describe("checked mode", () => {
  test("fills freed memory and does not reuse it at once", () => {
    using allocator = arena(true);
    const pointer = allocator.allocateRaw(64, 300)!;
    const bytes = bytesOf(pointer, 512).fill(1);
    allocator.deallocateRaw(pointer);
    expect(bytes.every((byte) => byte === BFCAllocator.kPoisonByte)).toBe(true);
    expect(allocator.getStats().bytesInUse).toBe(0);
    expect(allocator.allocateRaw(64, 300)!.byteOffset).not.toBe(pointer.byteOffset);
    expect(allocator.recordMemoryMap().chunk[0]).toMatchObject({ inUse: false, bin: -1, size: 512 });
  });

  test("without checked mode freed memory is reused at once", () => {
    using allocator = arena(false);
    const pointer = allocator.allocateRaw(64, 300)!;
    allocator.deallocateRaw(pointer);
    expect(allocator.allocateRaw(64, 300)!.byteOffset).toBe(pointer.byteOffset);
    allocator.flushQuarantine();
  });

  test.each([0, 299, 511])("finds a write to byte %d of freed memory", (at) => {
    using allocator = arena(true);
    const pointer = allocator.allocateRaw(64, 300)!;
    allocator.deallocateRaw(pointer);
    bytesOf(pointer, 512)[at] = 0;
    const error = thrown(() => allocator.flushQuarantine());
    expect(isStatusError(error, "FAILED_PRECONDITION")).toBe(true);
    expect(String(error)).toContain(
      `offset ${pointer.byteOffset + at} was written after it was freed: it belonged to allocation 1 of 300 bytes at offset ${pointer.byteOffset}`,
    );
    allocator.flushQuarantine(); // does not report the write again
    expect(allocator.allocateRaw(64, 300)!.byteOffset).toBe(pointer.byteOffset);
  });

  test("the quarantine has a limit in bytes; the oldest chunk leaves first; the call that finds a write completes its work", () => {
    using allocator = arena({ quarantineBytes: 1024 });
    const pointers = Array.from({ length: 4 }, () => allocator.allocateRaw(64, 512)!);
    allocator.deallocateRaw(pointers[0]!);
    allocator.deallocateRaw(pointers[1]!);
    bytesOf(pointers[0]!, 1)[0] = 9;
    expect(
      isStatusError(
        thrown(() => allocator.deallocateRaw(pointers[2]!)),
        "FAILED_PRECONDITION",
      ),
    ).toBe(true);
    expect(allocator.getStats().bytesInUse).toBe(512);
    expect(
      isStatusError(
        thrown(() => allocator.deallocateRaw(pointers[2]!)),
        "FAILED_PRECONDITION",
      ),
    ).toBe(true); // double free
    expect(allocator.allocateRaw(64, 512)!.byteOffset).toBe(pointers[0]!.byteOffset);
  });

  test("calls a callback for every write found instead of throwing", () => {
    const writes: WriteAfterFree[] = [];
    using allocator = arena({ onWriteAfterFree: (write: WriteAfterFree) => writes.push(write) });
    const pointers = [100, 200, 300].map((bytes) => allocator.allocateRaw(64, bytes)!);
    for (const pointer of pointers) allocator.deallocateRaw(pointer);
    bytesOf(pointers[0]!, 100)[7] = 1;
    bytesOf(pointers[2]!, 300)[8] = 1;
    allocator.flushQuarantine();
    const [a, , c] = pointers.map(({ byteOffset }) => byteOffset);
    expect(writes).toEqual([
      { memory: memory.buffer, byteOffset: a! + 7, allocationOffset: a, requestedSize: 100, allocationId: 1 },
      { memory: memory.buffer, byteOffset: c! + 8, allocationOffset: c, requestedSize: 300, allocationId: 3 },
    ]);
  });

  test("a double free throws, also after 100 other frees", () => {
    using allocator = arena(true);
    const pointer = allocator.allocateRaw(64, 300)!;
    allocator.deallocateRaw(pointer);
    for (let i = 0; i < 100; i++) allocator.deallocateRaw(allocator.allocateRaw(64, 300));
    const error = thrown(() => allocator.deallocateRaw({ ...pointer }));
    expect(isStatusError(error, "FAILED_PRECONDITION")).toBe(true);
    expect(String(error)).toContain(`offset ${pointer.byteOffset}`);
  });

  test("empties the quarantine when there is no other room", () => {
    using allocator = arena(true);
    const pointer = allocator.allocateRaw(64, 3 * MiB)!;
    allocator.deallocateRaw(pointer);
    expect(allocator.allocateRaw(64, 3 * MiB)!.byteOffset).toBe(pointer.byteOffset);
  });

  test("ignores chunks whose memory was detached", () => {
    using allocator = new BFCAllocator(new BlockRegions(), 4 * MiB, "blocks", { checked: true });
    const pointer = allocator.allocateRaw(64, 300)!;
    const other = allocator.allocateRaw(64, 300)!;
    allocator.deallocateRaw(other);
    structuredClone(pointer.buffer, { transfer: [pointer.buffer as ArrayBuffer] });
    allocator.deallocateRaw(pointer);
    allocator.flushQuarantine();
    expect(allocator.recordMemoryMap().chunk.length).toBe(1);
  });

  test("chunks get their stamp when they leave the quarantine", () => {
    using allocator = arena(true);
    allocator.setTimingCounter(Object.assign(new SharedCounter(), { next: () => 5 }));
    allocator.deallocateRaw(allocator.allocateRaw(64, 300));
    allocator.flushQuarantine();
    expect(allocator.recordMemoryMap().chunk.map(({ freedAtCount }) => freedAtCount)).toEqual([5, 0]);
  });

  test("random calls: live allocations never overlap each other or the quarantine, and no write is reported", () => {
    const step = fc.oneof(fc.record({ alloc: fc.integer({ min: 1, max: 20000 }) }), fc.record({ free: fc.nat() }));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80, size: "max" }), fc.constantFrom(0, 256, 30000, MiB), (list, quarantineBytes) => {
        using allocator = arena({ quarantineBytes });
        const live: { pointer: Pointer; bytes: number; mark: number }[] = [];
        let mark = 0;
        const give = (at: number): void => {
          const [entry] = live.splice(at, 1);
          expect(bytesOf(entry!.pointer, entry!.bytes).every((byte) => byte === entry!.mark)).toBe(true);
          allocator.deallocateRaw(entry!.pointer);
        };
        for (const each of list) {
          if ("alloc" in each) {
            const pointer = allocator.allocateRaw(64, each.alloc);
            if (pointer === null) continue;
            mark = (mark + 1) % 200;
            bytesOf(pointer, each.alloc).fill(mark);
            live.push({ pointer, bytes: each.alloc, mark });
          } else if (live.length > 0) give(each.free % live.length);
        }
        while (live.length > 0) give(0);
        allocator.flushQuarantine();
        expect(allocator.getStats().bytesInUse).toBe(0);
        expect(allocator.recordMemoryMap().chunk.length).toBeLessThanOrEqual(1);
      }),
      { numRuns: process.env["ONEBUFFER_LONG"] === undefined ? 15 : 60 },
    );
  });
});

test.each([
  [256, 512, 1024],
  [2048, 256, 768],
])("a write to the last byte of each of several chunks is found, of %d, %d and %d bytes", (...sizes) => {
  for (const [at, size] of sizes.entries()) {
    using allocator = arena(true);
    const pointers = sizes.map((bytes) => allocator.allocateRaw(64, bytes)!);
    for (const pointer of pointers) allocator.deallocateRaw(pointer);
    bytesOf(pointers[at]!, size)[size - 1] = 1;
    expect(String(thrown(() => allocator.flushQuarantine()))).toContain(`offset ${pointers[at]!.byteOffset + size - 1} was written`);
  }
});

test("a chunk is filled to its end, and no further", () => {
  using allocator = arena(true);
  const [first, second] = [allocator.allocateRaw(64, 512)!, allocator.allocateRaw(64, 512)!];
  bytesOf(second, 512).fill(3);
  allocator.deallocateRaw(first);
  expect(bytesOf(first, 512).every((byte) => byte === BFCAllocator.kPoisonByte)).toBe(true);
  expect(bytesOf(second, 512).every((byte) => byte === 3)).toBe(true);
});

test("an allocator that is disposed has no quarantine to look at", () => {
  const allocator = arena(true);
  const pointer = allocator.allocateRaw(64, 300)!;
  allocator.deallocateRaw(pointer);
  bytesOf(pointer, 300)[7] = 1;
  allocator.dispose();
  expect(() => allocator.flushQuarantine()).not.toThrow();
});
