// Tests of Buffer and HostScalarTensorBuffer.
import { describe, expect, test } from "@jest/globals";
import { allDTypes, dtypeSize, isObjectDType, isStatusError, typedArrayConstructor } from "@onebuffer/base";
import type { RawDType } from "@onebuffer/base";
import { AllocatorMemoryType, CPUAllocator, cpuAllocator, liveBuffers, TrackingAllocator } from "@onebuffer/allocator";
import { Buffer, BufferBase, ForeignBuffer, HostScalarTensorBuffer, SubBuffer, TensorBuffer } from "@onebuffer/core";
import { elementSizeOf } from "@onebuffer/core/internal";
import {
  CountingMemory,
  ExactTracking,
  expectMistakes,
  LyingMemory,
  NoMemory,
  OddMemory,
  OpaqueHandles,
  thrown,
} from "@onebuffer/test-support";

const rawDTypes = allDTypes.filter((dtype): dtype is RawDType => !isObjectDType(dtype));

describe("Buffer", () => {
  test.each(rawDTypes)("of %s: allocates its bytes and deallocates them at the last unref", (dtype) => {
    const allocator = new CountingMemory();
    const before = liveBuffers();
    const buffer = new Buffer(dtype, allocator, 5);
    const bytes = 5 * dtypeSize(dtype);
    expect([buffer.size, buffer.byteOffset, buffer.hasData, buffer.dtype]).toEqual([bytes, 0, true, dtype]);
    expect([...allocator.live.values()]).toEqual([bytes]);
    expect(buffer.rootBuffer).toBe(buffer);
    expect([buffer.elements, buffer.elementOffset, buffer.memory?.byteLength]).toEqual([null, 0, bytes]);
    const array = buffer.typedArray(dtype)!;
    expect(array.constructor).toBe(typedArrayConstructor(dtype));
    expect([array.byteLength, array.buffer === buffer.memory]).toEqual([bytes, true]);
    expect(liveBuffers()).toBe(before + 1);
    expect(buffer.unref()).toBe(true);
    expect([allocator.live.size, liveBuffers() - before, buffer.hasData, buffer.memory, buffer.pointer]).toEqual([0, 0, false, null, null]);
  });

  test("the class hierarchy is TensorFlow's", () => {
    const parents = [Buffer, BufferBase, SubBuffer, HostScalarTensorBuffer].map((c) => Object.getPrototypeOf(c) as unknown);
    expect(parents).toEqual([BufferBase, TensorBuffer, TensorBuffer, TensorBuffer]);
  });

  test("a failed allocation makes a buffer with a size but without data", () => {
    const buffer = new Buffer("float64", new NoMemory(), 3);
    expect([buffer.hasData, buffer.size, buffer.pointer, buffer.getAllocatedBytes()]).toEqual([false, 24, null, null]);
    expect(buffer.fillAllocationDescription()).toMatchObject({ requestedBytes: 24, allocatedBytes: 0, allocatorName: "no_memory" });
    for (const act of [() => buffer.typedArray("float64"), () => buffer.bytes()]) {
      const error = thrown(act);
      expect(isStatusError(error, "FAILED_PRECONDITION")).toBe(true);
      expect(String(error)).toContain("24 bytes");
    }
    expect(buffer.unref()).toBe(true);
  });

  test("a size beyond all memory makes a buffer without data; from 2^53 bytes on it is refused", () => {
    for (const n of [2 ** 45, 2 ** 49, 2 ** 50 - 1]) {
      const buffer = new Buffer("float64", new CPUAllocator(), n);
      expect([buffer.hasData, buffer.size]).toEqual([false, n * 8]);
      buffer.unref();
    }
    // From 2^53 bytes on the size would not be exact: it is refused, not rounded.
    for (const n of [2 ** 50, 2 ** 53 - 1, 2 ** 53]) {
      const error = thrown(() => new Buffer("float64", new CPUAllocator(), n));
      expect(isStatusError(error, "INVALID_ARGUMENT")).toBe(true);
      expect(String(error)).toContain(`${n} elements`);
    }
  });

  test("zero elements are a valid buffer", () => {
    const buffer = new Buffer("int32", cpuAllocator(), 0);
    expect([buffer.hasData, buffer.size, buffer.typedArray("int32")?.length, buffer.bytes().length]).toEqual([true, 0, 0, 0]);
    buffer.unref();
  });

  test("a constructor that throws leaves no live buffer", () => {
    const before = liveBuffers();
    expect(
      isStatusError(
        thrown(() => new Buffer("int32", cpuAllocator(), -1)),
        "INVALID_ARGUMENT",
      ),
    ).toBe(true);
    expect(
      isStatusError(
        thrown(() => new Buffer("int32", new LyingMemory(0), 1)),
        "INTERNAL",
      ),
    ).toBe(true);
    expect(
      isStatusError(
        thrown(() => new Buffer("int33" as "int32", cpuAllocator(), 1)),
        "INVALID_ARGUMENT",
      ),
    ).toBe(true);
    expect(liveBuffers()).toBe(before);
  });

  test.each([
    [1, [null, null, null, 1]],
    [2, [null, null, 2, 2]],
    [4, [null, 4, 4, 4]],
    [12, [null, 12, 12, 12]],
    [24, [24, 24, 24, 24]],
  ])("memory at address %i has typed arrays only of element sizes that divide the address", (odd, expected) => {
    const buffer = new Buffer("uint8", new OddMemory(odd), 16);
    expect(buffer.byteOffset).toBe(odd);
    const dtypes = ["float64", "float32", "int16", "uint8"] as const;
    expect(dtypes.map((dtype) => buffer.typedArray(dtype)?.byteOffset ?? null)).toEqual(expected);
    expect(buffer.bytes().byteOffset).toBe(odd);
    buffer.unref();
  });

  test("caches the typed array requested last, until the last unref", () => {
    expectMistakes();
    const buffer = new Buffer("float32", cpuAllocator(), 4);
    const f32 = buffer.typedArray("float32");
    expect(buffer.typedArray("float32")).toBe(f32);
    expect(buffer.typedArray("complex64")).toBe(f32);
    const u16 = buffer.typedArray("bfloat16");
    expect([buffer.typedArray("float16") === u16, buffer.typedArray("float32") === f32]).toEqual([true, false]);
    buffer.unref();
    expect(
      isStatusError(
        thrown(() => buffer.typedArray("float32")),
        "FAILED_PRECONDITION",
      ),
    ).toBe(true);
  });

  test("a typed array of a larger dtype leaves out an incomplete last element", () => {
    const buffer = new Buffer("uint8", cpuAllocator(), 11);
    expect((["float64", "float32", "uint16"] as const).map((dtype) => buffer.typedArray(dtype)?.length)).toEqual([1, 2, 5]);
    buffer.unref();
  });

  test("access to detached memory throws and names the remaining bytes", () => {
    const buffer = new Buffer("float32", cpuAllocator(), 4);
    buffer.typedArray("float32");
    structuredClone(buffer.memory, { transfer: [buffer.memory as ArrayBuffer] });
    for (const act of [() => buffer.typedArray("float32"), () => buffer.typedArray("int8"), () => buffer.bytes()]) {
      const error = thrown(act);
      expect(isStatusError(error, "FAILED_PRECONDITION")).toBe(true);
      expect(String(error)).toMatch(/Buffer of 16 bytes.*shrunk to 0 bytes, it needs 16/);
    }
    expect(buffer.refs).toBe(1);
    buffer.unref();
  });

  test("access to detached memory of zero bytes throws, too", () => {
    const buffer = new Buffer("float32", cpuAllocator(), 0);
    structuredClone(buffer.memory, { transfer: [buffer.memory as ArrayBuffer] });
    expect(
      isStatusError(
        thrown(() => buffer.typedArray("float32")),
        "FAILED_PRECONDITION",
      ),
    ).toBe(true);
    buffer.unref();
  });

  test("describes the allocation with what the allocator tracks", () => {
    const plain = new Buffer("float32", cpuAllocator(), 4);
    expect(plain.fillAllocationDescription()).toEqual({
      requestedBytes: 16,
      allocatedBytes: 0,
      allocatorName: "cpu",
      allocationId: 0,
      hasSingleReference: false,
      ptr: 0,
    });
    expect([plain.getAllocatedBytes(), plain.getMemoryType(), plain.ownsMemory()]).toEqual([null, AllocatorMemoryType.kHostPageable, true]);
    plain.unref();
    const tracked = new Buffer("float32", new ExactTracking(), 4);
    expect(tracked.fillAllocationDescription()).toMatchObject({ allocatedBytes: 16, allocationId: 41, hasSingleReference: true });
    tracked.ref();
    expect(tracked.fillAllocationDescription().hasSingleReference).toBe(false);
    expect(tracked.getAllocatedBytes()).toBe(16);
    tracked.unref();
    tracked.unref();
  });

  test("a tracking allocator counts string buffers with TensorFlow's sizes", () => {
    const tracking = new TrackingAllocator(cpuAllocator(), true);
    const buffer = new Buffer("string", tracking, 3);
    expect([tracking.getSizes(), buffer.getAllocatedBytes(), buffer.memory]).toEqual([[72, 72, 72], 72, null]);
    buffer.unref();
    expect(tracking.getSizes()).toEqual([72, 72, 0]);
  });

  test.each(["string", "variant", "resource"] as const)(
    "of %s: has values counted with TensorFlow's sizes, destroyed at the last unref",
    (dtype) => {
      const allocator = new CountingMemory();
      const buffer = new Buffer(dtype, allocator, 2);
      const elements = buffer.elements!;
      expect([elements.length, buffer.size, buffer.hasData, buffer.memory]).toEqual([2, 2 * elementSizeOf(dtype), true, null]);
      expect(
        isStatusError(
          thrown(() => buffer.typedArray("uint8")),
          "FAILED_PRECONDITION",
        ),
      ).toBe(true);
      buffer.unref();
      expect([elements.length, buffer.elements, allocator.live.size, buffer.elementOffset]).toEqual([0, null, 0, 0]);
    },
  );

  test("has no values if the allocator has no room or returns opaque handles", () => {
    const none = new Buffer("string", new NoMemory(), 2);
    expect([none.hasData, none.size]).toEqual([false, 48]);
    none.unref();
    const opaque = new Buffer("string", new OpaqueHandles(), 2);
    expect([opaque.hasData, opaque.elements]).toEqual([true, null]);
    opaque.unref();
  });

  test("every access after the last unref throws", () => {
    expectMistakes();
    const buffer = new Buffer("float32", cpuAllocator(), 4);
    buffer.unref();
    for (const act of [
      () => buffer.bytes(),
      () => buffer.typedArray("int8"),
      () => buffer.ref(),
      () => buffer.unref(),
      () => new SubBuffer(buffer, 0, 1),
    ]) {
      const error = thrown(act);
      expect(isStatusError(error, "FAILED_PRECONDITION")).toBe(true);
      expect(String(error)).toContain("Buffer of 16 bytes");
    }
  });

  test("offsets and sizes above 2^30 and 2^31 are exact", () => {
    class Far extends OddMemory {
      override allocateRaw(): { buffer: ArrayBuffer; byteOffset: number } {
        return { buffer: { byteLength: 2 ** 45 } as ArrayBuffer, byteOffset: 2 ** 40 + 64 };
      }
    }
    const root = new Buffer("uint8", new Far(0), 2 ** 33 + 3);
    expect([root.byteOffset, root.size]).toEqual([2 ** 40 + 64, 2 ** 33 + 3]);
    const window = new SubBuffer(root, 2 ** 31 + 5, 2 ** 30 - 1);
    expect([window.byteOffset - root.byteOffset, window.size]).toEqual([2 ** 31 + 5, 2 ** 30 - 1]);
    window.unref();
    root.unref();
  });
});

describe("HostScalarTensorBuffer", () => {
  test("holds one value without an allocator", () => {
    const buffer = new HostScalarTensorBuffer("float64", 2.5);
    expect([buffer.size, [...buffer.typedArray("float64")!], buffer.getAllocatedBytes(), buffer.ownsMemory()]).toEqual([
      8,
      [2.5],
      null,
      true,
    ]);
    expect(buffer.fillAllocationDescription()).toMatchObject({
      requestedBytes: 8,
      allocatorName: "HostScalarTensorBuffer",
      allocatedBytes: 0,
    });
    expect(buffer.getMemoryType()).toBe(AllocatorMemoryType.kUnknown);
    const before = liveBuffers();
    buffer.unref();
    expect(liveBuffers()).toBe(before - 1);
  });

  test("encodes the value as its dtype does", () => {
    const bytes = (buffer: TensorBuffer): number[] => {
      const array = [...buffer.bytes()];
      buffer.unref();
      return array;
    };
    expect(bytes(new HostScalarTensorBuffer("bool", true))).toEqual([1]);
    expect(bytes(new HostScalarTensorBuffer("int64", -2n))).toEqual([254, 255, 255, 255, 255, 255, 255, 255]);
    expect(bytes(new HostScalarTensorBuffer("bfloat16", 1))).toEqual([0x80, 0x3f]);
    expect(bytes(new HostScalarTensorBuffer("complex64", [0, 1]))).toEqual([0, 0, 0, 0, 0, 0, 128, 63]);
  });

  test("keeps a string value as a Uint8Array", () => {
    const value = new Uint8Array([104, 105]);
    const buffer = new HostScalarTensorBuffer("string", value);
    expect([buffer.size, buffer.memory, buffer.elements]).toEqual([24, null, [value]]);
    buffer.unref();
    expect(buffer.elements).toBe(null);
  });
});

test("messages name the class in minified code, too", () => {
  expectMistakes();
  const buffer = new Buffer("float32", cpuAllocator(), 4);
  const foreign = new ForeignBuffer(new Uint8Array(4));
  const all = [new SubBuffer(buffer, 0, 4), buffer, new HostScalarTensorBuffer("int32", 1), foreign];
  // A minifier leaves no name that means anything.
  for (const each of all) Object.defineProperty(each.constructor, "name", { value: "a", configurable: true });
  try {
    expect(all.map((each) => each.className)).toEqual(["SubBuffer", "Buffer", "HostScalarTensorBuffer", "ForeignBuffer"]);
    for (const each of all) {
      const { className } = each;
      each.unref();
      expect(thrown(() => each.unref())).toMatchObject({ message: expect.stringContaining(`${className} of`) });
    }
  } finally {
    for (const each of all) Object.defineProperty(each.constructor, "name", { value: each.className, configurable: true });
  }
});
