// Tests of memorySnapshot and configureMemory in one process; properties that need a new process are tested in lifetime/properties.ts.
import { describe, expect, test } from "@jest/globals";
import { isStatusError } from "@onebuffer/base";
import { bufferLedger, memorySnapshot } from "@onebuffer/allocator/internal";
import { configureMemory, cpuAllocator, defaultAllocator, liveBuffers } from "@onebuffer/allocator";
import { Tensor } from "@onebuffer/core";
import { thrown } from "@onebuffer/test-support";

describe("memorySnapshot", () => {
  test("has no arena before the first tensor and does not make one", () => {
    expect(memorySnapshot()).toEqual({
      liveBuffers: 0,
      watchedBuffers: 0,
      watchedBytes: 0,
      reclaimedBuffers: 0,
      reclaimedBytes: 0,
      sweeps: 0,
      reclaimFailures: [],
      threads: 1,
      blocks: 0,
      tickets: 0,
      arena: null,
      holders: [],
    });
    expect(memorySnapshot().arena).toBe(null);
  });

  test("counts buffers, bytes and chunks, and lists their holders", () => {
    // With the stacks of the holders, which tests go without.
    bufferLedger.enable();
    const first = (function makeFirst(): Tensor {
      const made = Tensor.zeros([1000]);
      // The tensor is read before it is returned: an engine with proper tail calls leaves the caller of a last call out of the stack.
      expect(made.dims).toBe(1);
      return made;
    })();
    const second = Tensor.zeros([3], { dtype: "uint8" });
    using plain = Tensor.zeros([8], { allocator: cpuAllocator() });
    using row = first.slice(0, 10);
    const { arena, ...figures } = memorySnapshot();
    expect(figures).toMatchObject({ liveBuffers: 3, watchedBuffers: 2, watchedBytes: 4096 + 256, reclaimedBuffers: 0 });
    expect(figures.holders.map(({ name, refs }) => [name, refs])).toEqual([
      ["Buffer of 4000 bytes", 2],
      ["Buffer of 3 bytes", 1],
      ["Buffer of 32 bytes", 1],
      ["SubBuffer of 40 bytes", 1],
    ]);
    expect(figures.holders[0]?.stack).toContain("makeFirst");
    const stats = defaultAllocator().getStats()!;
    expect(arena).toMatchObject({ name: "bfc", bytesInUse: 4096 + 256, chunksInUse: 2, peakBytesInUse: 4096 + 256, freeChunks: 1 });
    expect([arena?.poolBytes, arena?.bytesLimit]).toEqual([stats.poolBytes, stats.bytesLimit]);
    expect(arena!.freeBytes).toBe(arena!.poolBytes - arena!.bytesInUse);
    expect([arena!.largestFreeBytes, arena!.fragmentation]).toEqual([arena!.freeBytes, 0]);
    first.dispose();
    second.dispose();
    // `row` still holds the first tensor's buffer.
    expect(memorySnapshot()).toMatchObject({
      liveBuffers: 2,
      watchedBuffers: 1,
      watchedBytes: 4096,
      arena: { bytesInUse: 4096, chunksInUse: 1 },
    });
    expect([plain.dims, row.dims]).toEqual([1, 1]);
  });

  test("is a copy: later events do not change it", () => {
    const before = memorySnapshot();
    using t = Tensor.zeros([10]);
    expect([t.dims, before.liveBuffers, before.holders.length, liveBuffers()]).toEqual([1, 0, 0, 1]);
  });

  test("lists no holders while the ledger is disabled", () => {
    bufferLedger.disable();
    using t = Tensor.zeros([10]);
    expect([t.dims, memorySnapshot().holders, memorySnapshot().liveBuffers]).toEqual([1, [], 1]);
  });
});

describe("configureMemory", () => {
  test.each<[options: object, words: string]>([
    [{ checked: "yes" }, "checked cannot be"],
    [{ checked: null }, "checked cannot be null"],
    [{ limit: -1 }, "limit cannot be -1"],
    [{ limit: 1.5 }, "limit cannot be 1.5"],
    [{ limit: 2 ** 53 }, "limit cannot be 9007199254740992"],
    [{ sweep: 1 }, "sweep cannot be 1"],
    [{ sweep: "Eager" }, 'sweep cannot be "Eager"'],
    [{ sweep: "" }, 'sweep cannot be ""'],
    [{ sweep: null }, "sweep cannot be null"],
    [{ sweep: ["eager"] }, "sweep cannot be"],
    [{ checked: [] }, "checked cannot be"],
    [{ checked: { quarantineBytes: -1 } }, "checked.quarantineBytes cannot be -1"],
    [{ checked: { quarantineBytes: "5" } }, "checked.quarantineBytes cannot be"],
    [{ checked: { onWriteAfterFree: 5 } }, "checked.onWriteAfterFree cannot be 5"],
    [{ ballast: -0.5 }, "ballast cannot be -0.5"],
    [{ ballast: Number.NaN }, "ballast cannot be NaN"],
    [{ ballast: Infinity }, "ballast cannot be Infinity"],
    [{ ballast: "much" }, "ballast cannot be"],
    [null as never, "configureMemory: expected options such as { checked: … }, got null"],
    [undefined as never, "configureMemory: expected options such as { checked: … }, got undefined"],
    [5 as never, "configureMemory: expected options such as { checked: … }, got 5"],
    [[{ sweep: true }], "configureMemory: expected options such as"],
    [(() => {}) as never, "configureMemory: expected options such as"],
  ])("refuses %j", (options, words) => {
    const error = thrown(() => configureMemory(options));
    expect([isStatusError(error, "INVALID_ARGUMENT"), String(error)]).toEqual([true, expect.stringContaining(words)]);
  });

  test("refuses checked and limit once the arena exists, and accepts the other options", () => {
    using t = Tensor.zeros([1]);
    expect(t.dims).toBe(1);
    for (const options of [{ checked: false }, { limit: 2 ** 20 }]) {
      const error = thrown(() => configureMemory(options));
      expect([isStatusError(error, "FAILED_PRECONDITION"), String(error)]).toEqual([
        true,
        expect.stringContaining("before the arena exists"),
      ]);
    }
    for (const sweep of ["eager", false, true] as const) configureMemory({ sweep, ballast: 1 });
    configureMemory({});
    configureMemory({ sweep: undefined, ballast: undefined } as object);
  });
});
