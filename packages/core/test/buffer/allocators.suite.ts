// Tests of Allocator and its subclasses (CPU, wrapper, tracking) and of TypedAllocator.
import { describe, expect, test } from "@jest/globals";
import { isStatusError } from "@onebuffer/base";
import {
  AllocationAttributes,
  Allocator,
  AllocatorMemoryType,
  AllocatorWrapper,
  CPUAllocator,
  cpuAllocator,
  cpuAllocatorFullStatsEnabled,
  cpuAllocatorStatsEnabled,
  defaultAllocator,
  disableCpuAllocatorStats,
  enableCpuAllocatorStats,
  kAllocatorAlignment,
  TrackingAllocator,
} from "@onebuffer/allocator";
import { elementSizeOf } from "@onebuffer/core/internal";
import { TypedAllocator } from "@onebuffer/core";
import type { Pointer } from "@onebuffer/allocator";
import { CountingMemory, ExactTracking, LyingMemory, NoMemory, OpaqueHandles, thrown } from "@onebuffer/test-support";

const somewhere: Pointer = { buffer: new ArrayBuffer(8), byteOffset: 0 };

describe("Allocator's defaults", () => {
  test("track no sizes and no statistics", () => {
    const allocator = new NoMemory();
    expect([allocator.tracksAllocationSizes(), allocator.allocatesOpaqueHandle(), allocator.clearStats()]).toEqual([false, false, false]);
    expect([allocator.allocationId(somewhere), allocator.allocatedSizeSlow(somewhere), allocator.getStats()]).toEqual([0, 0, null]);
    expect(allocator.getMemoryType()).toBe(AllocatorMemoryType.kUnknown);
    allocator.setSafeFrontier(3);
    allocator.setStreamAndPreallocateMemory(null);
    for (const act of [() => allocator.requestedSize(somewhere), () => allocator.allocatedSize(somewhere)]) {
      const error = thrown(act);
      expect(isStatusError(error, "FAILED_PRECONDITION")).toBe(true);
      expect(String(error)).toContain("no_memory");
    }
  });

  test("allocatedSize is requestedSize, allocatedSizeSlow is allocatedSize, when sizes are tracked", () => {
    const allocator = new ExactTracking();
    const pointer = allocator.allocateRaw(64, 12)!;
    expect([allocator.allocatedSize(pointer), allocator.allocatedSizeSlow(pointer)]).toEqual([12, 12]);
  });
});

describe("CPUAllocator", () => {
  test("allocates memory of exactly the requested size, zero bytes included", () => {
    const allocator = new CPUAllocator();
    expect(allocator.name).toBe("cpu");
    expect(allocator.tracksAllocationSizes()).toBe(false);
    expect(allocator.getMemoryType()).toBe(AllocatorMemoryType.kHostPageable);
    for (const bytes of [0, 1, 63, 64, 1000]) {
      const pointer = allocator.allocateRaw(kAllocatorAlignment, bytes)!;
      expect([pointer.buffer.byteLength, pointer.byteOffset % 64]).toEqual([bytes, 0]);
      allocator.deallocateRaw(pointer);
    }
    allocator.deallocateRaw(null);
  });

  test("returns null if there is no room", () => {
    expect(new CPUAllocator().allocateRaw(64, Number.MAX_SAFE_INTEGER)).toBe(null);
  });

  test.each([0, -1, 3, 48, 0.5, 1.5, Number.NaN, 2 ** 31, Infinity])("refuses alignment %d", (alignment) => {
    const error = thrown(() => new CPUAllocator().allocateRaw(alignment, 4));
    expect(isStatusError(error, "INVALID_ARGUMENT")).toBe(true);
    expect(String(error)).toContain(String(alignment));
  });

  test.each([-1, 0.5, Number.NaN, 2 ** 53, Infinity])("refuses size %d", (numBytes) => {
    const error = thrown(() => new CPUAllocator().allocateRaw(64, numBytes));
    expect(isStatusError(error, "INVALID_ARGUMENT")).toBe(true);
    expect(String(error)).toContain(String(numBytes));
  });

  test("statistics are off until enabled", () => {
    const allocator = new CPUAllocator();
    const before = allocator.allocateRaw(64, 1000);
    expect([allocator.getStats(), allocator.clearStats(), cpuAllocatorStatsEnabled()]).toEqual([null, false, false]);
    enableCpuAllocatorStats();
    try {
      expect(cpuAllocatorStatsEnabled()).toBe(true);
      const a = allocator.allocateRaw(64, 100);
      const b = allocator.allocateRaw(64, 300);
      allocator.deallocateRaw(a);
      allocator.deallocateRaw(a); // a second time: nothing is subtracted twice
      allocator.deallocateRaw(before); // allocated before statistics were on: not subtracted
      expect(allocator.getStats()).toMatchObject({
        numAllocs: 2,
        bytesInUse: 300,
        peakBytesInUse: 400,
        largestAllocSize: 300,
        bytesLimit: null,
      });
      expect(allocator.clearStats()).toBe(true);
      expect(allocator.getStats()).toMatchObject({ numAllocs: 0, bytesInUse: 300, peakBytesInUse: 300, largestAllocSize: 0 });
      allocator.deallocateRaw(b);
      const snapshot = allocator.getStats()!;
      snapshot.bytesInUse = 77;
      expect(allocator.getStats()?.bytesInUse).toBe(0);
    } finally {
      disableCpuAllocatorStats();
    }
  });

  test("cpuAllocator() returns one process-wide CPUAllocator, which is not the default allocator", () => {
    expect(cpuAllocator() === cpuAllocator()).toBe(true);
    expect(defaultAllocator() === cpuAllocator()).toBe(false);
    expect([defaultAllocator().name, defaultAllocator() === defaultAllocator()]).toEqual(["bfc", true]);
    expect([cpuAllocator().name, cpuAllocator().tracksAllocationSizes(), cpuAllocatorFullStatsEnabled()]).toEqual(["cpu", false, false]);
  });
});

describe("AllocatorWrapper", () => {
  test("forwards every call", () => {
    const calls: string[] = [];
    const inner = new Proxy(new ExactTracking(), {
      get(target, key, receiver) {
        const value: unknown = Reflect.get(target, key, receiver);
        calls.push(String(key));
        return value;
      },
    });
    const wrapper = new AllocatorWrapper(inner);
    const pointer = wrapper.allocateRaw(64, 8, new AllocationAttributes())!;
    expect([wrapper.name, wrapper.requestedSize(pointer), wrapper.allocatedSize(pointer)]).toEqual(["exact_tracking", 8, 8]);
    expect([wrapper.allocationId(pointer), wrapper.allocatedSizeSlow(pointer)]).toEqual([41, 8]);
    expect([wrapper.tracksAllocationSizes(), wrapper.allocatesOpaqueHandle(), wrapper.memoryIsCollected()]).toEqual([true, false, false]);
    expect(new AllocatorWrapper(cpuAllocator()).memoryIsCollected()).toBe(true);
    expect([wrapper.getStats(), wrapper.clearStats(), wrapper.getMemoryType()]).toEqual([null, false, 0]);
    expect(wrapper.exhaustionReport(8)).toBe("");
    wrapper.setSafeFrontier(1);
    wrapper.setStreamAndPreallocateMemory(null);
    wrapper.deallocateRaw(pointer);
    expect(wrapper.wrapped).toBe(inner);
    const methods = Object.getOwnPropertyNames(Allocator.prototype).filter((name) => name !== "constructor");
    const abstracts = ["name", "allocateRaw", "deallocateRaw"];
    for (const method of [...methods, ...abstracts]) expect(calls).toContain(method);
  });
});

describe("TypedAllocator", () => {
  test("allocates count times element size bytes and deallocates them", () => {
    const allocator = new CountingMemory();
    const pointer = TypedAllocator.allocate(allocator, "complex128", 3)!;
    expect([...allocator.live.values()]).toEqual([48]);
    TypedAllocator.deallocate(allocator, "complex128", pointer, 3);
    expect(allocator.live.size).toBe(0);
    TypedAllocator.deallocate(allocator, "complex128", null, 3);
  });

  test.each([
    ["float32", 2 ** 62],
    ["float32", 2 ** 52],
    ["complex128", 2 ** 50],
    ["string", 2 ** 52],
  ] as const)("%s times %d overflows: returns null without calling the allocator", (dtype, count) => {
    const allocator = new CountingMemory();
    expect(TypedAllocator.allocate(allocator, dtype, count)).toBe(null);
    expect(allocator.allocations).toBe(0);
  });

  test.each([-1, 1.5, Number.NaN, Infinity])("refuses %d elements", (count) => {
    const error = thrown(() => TypedAllocator.allocate(new CountingMemory(), "int8", count));
    expect(isStatusError(error, "INVALID_ARGUMENT")).toBe(true);
    expect(String(error)).toContain(String(count));
  });

  test("object dtypes reserve as many bytes as in TensorFlow and construct their values", () => {
    const allocator = new CountingMemory();
    const pointer = TypedAllocator.allocate(allocator, "string", 3)!;
    expect([...allocator.live.values()]).toEqual([72]);
    expect(pointer.elements).toEqual([new Uint8Array(0), new Uint8Array(0), new Uint8Array(0)]);
    TypedAllocator.deallocate(allocator, "string", pointer, 3);
    expect([allocator.live.size, pointer.elements]).toEqual([0, []]);
  });

  test("returns null and deallocates the bytes if there are more values than a plain array holds", () => {
    let freed = 0;
    class Virtual extends CountingMemory {
      override allocateRaw(): Pointer | null {
        return { buffer: { byteLength: 2 ** 50 } as ArrayBuffer, byteOffset: 0 };
      }
      override deallocateRaw(): void {
        freed++;
      }
    }
    expect(TypedAllocator.allocate(new Virtual(), "string", 2 ** 26)).toBe(null);
    expect(freed).toBe(1);
  });

  test("constructs no values behind opaque handles", () => {
    const allocator = new OpaqueHandles();
    const pointer = TypedAllocator.allocate(allocator, "string", 2)!;
    expect(pointer.elements).toBe(null);
    TypedAllocator.deallocate(allocator, "string", pointer, 2);
    expect(allocator.live.size).toBe(0);
    class Handle extends OpaqueHandles {
      override allocateRaw(): Pointer | null {
        return { buffer: new ArrayBuffer(0), byteOffset: 12345 };
      }
    }
    expect(TypedAllocator.allocate(new Handle(), "float32", 2)?.byteOffset).toBe(12345);
  });

  test.each([0, -8, Number.NaN])("throws INTERNAL and deallocates if the allocator's memory is too short or starts at %d", (offset) => {
    const allocator = new LyingMemory(offset);
    const error = thrown(() => TypedAllocator.allocate(allocator, "float64", 4));
    expect(isStatusError(error, "INTERNAL")).toBe(true);
    expect(String(error)).toMatch(/lying.*32 bytes.*31/);
    expect(allocator.freed).toBe(1);
  });

  test.each([undefined, 5, "abc", {}, { byteOffset: 0 }, { buffer: 3, byteOffset: 0 }])("throws INTERNAL for the pointer %j", (pointer) => {
    class Odd extends NoMemory {
      override allocateRaw(): Pointer | null {
        return pointer as never;
      }
    }
    for (const dtype of ["float32", "string"] as const) {
      const error = thrown(() => TypedAllocator.allocate(new Odd(), dtype, 4));
      expect(isStatusError(error, "INTERNAL")).toBe(true);
      expect(String(error)).toMatch(/no_memory.*not a Pointer/);
    }
  });

  test("elementSizeOf returns TensorFlow's element sizes", () => {
    expect((["bool", "float16", "int64", "string", "variant", "resource"] as const).map(elementSizeOf)).toEqual([1, 2, 8, 24, 64, 168]);
  });
});

describe("TrackingAllocator", () => {
  const bytes = (records: readonly { readonly allocBytes: number }[]): number[] => records.map((record) => record.allocBytes);

  test("reports only totals over an allocator that tracks nothing", () => {
    const tracking = new TrackingAllocator(new CPUAllocator(), false);
    expect([tracking.name, tracking.tracksAllocationSizes(), tracking.getMemoryType()]).toEqual(["cpu", false, 2]);
    const p1 = tracking.allocateRaw(64, 4);
    tracking.deallocateRaw(p1);
    const p2 = tracking.allocateRaw(64, 12);
    expect(tracking.getSizes()).toEqual([16, 0, 0]);
    tracking.deallocateRaw(p2);
    expect(bytes(tracking.getCurrentRecords())).toEqual([4, 12]);
    expect(bytes(tracking.getRecordsAndUnRef())).toEqual([4, 12]);
    expect(tracking.getCurrentRecords()).toEqual([]);
    expect(
      isStatusError(
        thrown(() => tracking.requestedSize(p1!)),
        "FAILED_PRECONDITION",
      ),
    ).toBe(true);
  });

  test("tracks sizes in a table of its own", () => {
    const tracking = new TrackingAllocator(new CPUAllocator(), true);
    expect(tracking.tracksAllocationSizes()).toBe(true);
    const p1 = tracking.allocateRaw(64, 4)!;
    const p2 = tracking.allocateRaw(64, 12)!;
    expect([p1, p2].map((p) => [tracking.requestedSize(p), tracking.allocatedSize(p), tracking.allocationId(p)])).toEqual([
      [4, 4, 1],
      [12, 12, 2],
    ]);
    tracking.deallocateRaw({ ...p1 }); // a copy of the pointer is the same pointer
    expect([tracking.requestedSize(p1), tracking.allocatedSize(p1), tracking.allocationId(p1)]).toEqual([0, 0, 0]);
    expect(tracking.getSizes()).toEqual([16, 16, 12]);
    tracking.deallocateRaw(p2);
    expect(tracking.getSizes()).toEqual([16, 16, 0]);
    expect(bytes(tracking.getRecordsAndUnRef())).toEqual([4, 12, -4, -12]);
  });

  test("two pointers into one ArrayBuffer are two allocations", () => {
    const buffer = new ArrayBuffer(64);
    let next = 0;
    class Arena extends NoMemory {
      override allocateRaw(_alignment?: number, numBytes: number = 0): Pointer {
        return { buffer, byteOffset: (next += numBytes) - numBytes };
      }
      override allocatedSizeSlow(): number {
        return 16;
      }
    }
    const tracking = new TrackingAllocator(new Arena(), true);
    const p1 = tracking.allocateRaw(64, 8)!;
    const p2 = tracking.allocateRaw(64, 20)!;
    expect([tracking.allocatedSize(p1), tracking.allocatedSize(p2)]).toEqual([16, 20]);
    tracking.deallocateRaw(p1);
    expect(tracking.getSizes()).toEqual([36, 36, 20]);
  });

  test("reports the sizes of an inner allocator that tracks them", () => {
    const tracking = new TrackingAllocator(new ExactTracking(), true);
    const p1 = tracking.allocateRaw(64, 12)!;
    expect([tracking.requestedSize(p1), tracking.allocatedSize(p1), tracking.allocationId(p1)]).toEqual([12, 12, 41]);
    tracking.deallocateRaw(p1);
    const p2 = tracking.allocateRaw(64, 4);
    expect(tracking.getSizes()).toEqual([16, 12, 4]);
    tracking.deallocateRaw(p2);
    expect(bytes(tracking.getRecordsAndUnRef())).toEqual([12, -12, 4, -4]);
  });

  test("records neither a failed allocation nor a free of the null pointer", () => {
    const tracking = new TrackingAllocator(new NoMemory(), true);
    expect(tracking.allocateRaw(64, 12)).toBe(null);
    tracking.deallocateRaw(null);
    expect([tracking.getSizes(), tracking.getRecordsAndUnRef()]).toEqual([[0, 0, 0], []]);
  });

  test("ends once its records are fetched and its last allocation is freed", () => {
    const tracking = new TrackingAllocator(new CPUAllocator(), true);
    const p1 = tracking.allocateRaw(64, 4);
    tracking.getRecordsAndUnRef();
    const p2 = tracking.allocateRaw(64, 8); // p1 still keeps it alive
    tracking.deallocateRaw(p1);
    tracking.deallocateRaw(p2);
    const error = thrown(() => tracking.allocateRaw(64, 4));
    expect(isStatusError(error, "FAILED_PRECONDITION")).toBe(true);
    expect(
      isStatusError(
        thrown(() => tracking.getRecordsAndUnRef()),
        "FAILED_PRECONDITION",
      ),
    ).toBe(true);
    expect(tracking.getSizes()).toEqual([12, 12, 0]);
  });

  test.each([
    ["its own table", new CPUAllocator(), true],
    ["the inner allocator's sizes", new ExactTracking(), false],
    ["totals only", new CPUAllocator(), false],
  ])("refuses a free of memory it did not allocate, tracking with %s", (_, inner, trackSizes) => {
    const tracking = new TrackingAllocator(inner, trackSizes);
    const pointer = tracking.allocateRaw(64, 4);
    tracking.deallocateRaw(pointer);
    const stranger = { buffer: new ArrayBuffer(4), byteOffset: 0 };
    if (inner instanceof ExactTracking) inner.sizes.set(stranger.buffer, 4);
    const sizes = tracking.getSizes();
    expect(
      isStatusError(
        thrown(() => tracking.deallocateRaw(stranger)),
        "FAILED_PRECONDITION",
      ),
    ).toBe(true);
    expect(tracking.getSizes()).toEqual(sizes);
    expect(tracking.getCurrentRecords().length).toBe(trackSizes || inner.tracksAllocationSizes() ? 2 : 1);
  });

  test("refuses to free more bytes than are live, even if the inner allocator knows the pointer", () => {
    const inner = new ExactTracking();
    const tracking = new TrackingAllocator(inner, false);
    const pointer = tracking.allocateRaw(64, 4);
    const error = thrown(() => tracking.deallocateRaw(inner.allocateRaw(64, 8)));
    expect(isStatusError(error, "FAILED_PRECONDITION")).toBe(true);
    expect(String(error)).toMatch(/offset 0.*exact_tracking/);
    expect(tracking.getSizes()).toEqual([4, 4, 4]);
    tracking.deallocateRaw(pointer);
  });

  test("returns the inner allocator's statistics", () => {
    const tracking = new TrackingAllocator(new CPUAllocator(), true);
    expect([tracking.getStats(), tracking.clearStats(), tracking.allocatesOpaqueHandle()]).toEqual([null, false, false]);
  });

  test("record times are in microseconds and never decrease", () => {
    const tracking = new TrackingAllocator(new CPUAllocator(), false);
    const before = Date.now() * 1000;
    tracking.allocateRaw(64, 4);
    tracking.allocateRaw(64, 4);
    const [first, second] = tracking.getCurrentRecords();
    expect(first!.allocMicros).toBeGreaterThanOrEqual(before);
    expect(second!.allocMicros).toBeGreaterThanOrEqual(first!.allocMicros);
  });
});
