// toArrayBuffer: exactly the elements' bytes, in fresh unshared memory.
import { describe, expect, test } from "@jest/globals";
import { allDTypes, isObjectDType, isStatusError } from "@onebuffer/base";
import { BFCAllocator, bytesCopied, cpuAllocator, LinearMemorySubAllocator } from "@onebuffer/allocator";
import { deepCopy, ForeignBuffer, Tensor } from "@onebuffer/core";
import { expectMistakes, NoMemory, thrown } from "@onebuffer/test-support";

const tagOf = (memory: unknown): string => Object.prototype.toString.call(memory);

/** Calls `act` with an allocator of shared memory and with one of unshared memory. */
function withAllocators(act: (allocator: BFCAllocator | ReturnType<typeof cpuAllocator>) => void): void {
  using arena = new BFCAllocator(new LinearMemorySubAllocator(), 4 * 1048576, "arena");
  act(arena);
  act(cpuAllocator());
}

describe("toArrayBuffer", () => {
  test("copies and counts the bytes of every raw dtype at any offset", () => {
    withAllocators((allocator) => {
      for (const dtype of allDTypes) {
        if (isObjectDType(dtype)) continue;
        using tensor = new Tensor(dtype, [3, 5], { allocator });
        tensor.tensorData.forEach((_, i, bytes) => {
          bytes[i] = (i * 37 + 11) % 2;
        });
        const before = bytesCopied();
        const copy = tensor.toArrayBuffer();
        expect([tagOf(copy), copy.byteLength, bytesCopied() - before]).toEqual([
          "[object ArrayBuffer]",
          tensor.totalBytes,
          tensor.totalBytes,
        ]);
        expect(Array.from(new Uint8Array(copy))).toEqual(Array.from(tensor.tensorData));
      }
    });
  });

  test("returns a copy that shares no writes with the tensor and outlives it", () => {
    withAllocators((allocator) => {
      const tensor = Tensor.from([1, 2, 3], { dtype: "int32", allocator });
      const copy = new Int32Array(tensor.toArrayBuffer());
      copy[0] = 10;
      tensor.vec().set(1, 20);
      expect([tensor.toArray(), Array.from(copy)]).toEqual([
        [1, 20, 3],
        [10, 2, 3],
      ]);
      tensor.dispose();
      expect(Array.from(copy)).toEqual([10, 2, 3]);
    });
  });

  test("copies only a slice's own bytes, also at odd offsets", () => {
    withAllocators((allocator) => {
      using bytes = Tensor.from([0, 1, 2, 3, 4, 5, 6], { dtype: "uint8", allocator });
      using odd = bytes.slice(1, 6);
      expect(Array.from(new Uint8Array(odd.toArrayBuffer()))).toEqual([1, 2, 3, 4, 5]);
      using nested = odd.slice(3, 5);
      expect(Array.from(new Uint8Array(nested.toArrayBuffer()))).toEqual([4, 5]);
    });
  });

  test("copies only the elements of a tensor over a longer buffer", () => {
    const buffer = new ForeignBuffer(new Int16Array([7, 8, 9]));
    using tensor = Tensor.fromBuffer("int16", [2], buffer);
    buffer.unref();
    expect(Array.from(new Int16Array(tensor.toArrayBuffer()))).toEqual([7, 8]);
  });

  test("returns unshared memory for a tensor over a SharedArrayBuffer", () => {
    const shared = new Uint8Array(new SharedArrayBuffer(4)).fill(3);
    using tensor = Tensor.wrap(shared);
    expect(tagOf(tensor.toArrayBuffer())).toBe("[object ArrayBuffer]");
  });

  test("copies a scalar, an empty tensor, and the same tensor twice", () => {
    using scalar = Tensor.from(2.5);
    expect(new Float32Array(scalar.toArrayBuffer())[0]).toBe(2.5);
    expect(scalar.toArrayBuffer()).not.toBe(scalar.toArrayBuffer());
    using host = Tensor.hostScalar("int64", 5n);
    expect(new BigInt64Array(host.toArrayBuffer())[0]).toBe(5n);
    using empty = Tensor.zeros([0, 3]);
    expect(empty.toArrayBuffer().byteLength).toBe(0);
  });

  test("the result can be wrapped by Tensor.wrap", () => {
    using tensor = Tensor.random([4, 4], { seed: 3 });
    using again = Tensor.wrap(new Float32Array(tensor.toArrayBuffer()), [4, 4]);
    using copy = deepCopy(tensor);
    expect([again.equals(tensor), copy.equals(again)]).toEqual([true, true]);
  });

  test("the result can be transferred, decoded, hashed and put in a Blob, unlike shared memory", async () => {
    const text = new TextEncoder().encode("geschüttelt");
    using arena = new BFCAllocator(new LinearMemorySubAllocator(), 4 * 1048576, "arena");
    using tensor = Tensor.from(text, { allocator: arena });
    expect(new TextDecoder().decode(tensor.toArrayBuffer())).toBe("geschüttelt");
    expect(await new Blob([tensor.toArrayBuffer()]).text()).toBe("geschüttelt");
    expect(await new Response(tensor.toArrayBuffer()).text()).toBe("geschüttelt");
    expect((await crypto.subtle.digest("SHA-256", tensor.toArrayBuffer())).byteLength).toBe(32);
    const gone = tensor.toArrayBuffer();
    const moved = structuredClone(gone, { transfer: [gone] });
    expect([gone.byteLength, moved.byteLength]).toEqual([0, text.length]);
  });
});

describe("toArrayBuffer refuses", () => {
  test.each([["string"], ["variant"], ["resource"]] as const)("%s", (dtype) => {
    for (const shape of [[2], [0]]) {
      using tensor = new Tensor(dtype, shape);
      const error = thrown(() => tensor.toArrayBuffer());
      expect(isStatusError(error, "INVALID_ARGUMENT")).toBe(true);
      expect(String(error)).toContain(dtype);
    }
  });

  test("a tensor that is not initialized, moved from, or disposed", () => {
    using failed = new Tensor("float64", [7], { allocator: new NoMemory() });
    const source = Tensor.zeros([3]);
    using moved = source.move();
    expect(moved.toArrayBuffer().byteLength).toBe(12);
    for (const [tensor, words] of [
      [failed, "7 elements of float64"],
      [source, "3 elements of float32"],
    ] as const) {
      const error = thrown(() => tensor.toArrayBuffer());
      expect(isStatusError(error, "FAILED_PRECONDITION")).toBe(true);
      expect(String(error)).toContain(words);
    }
    source.dispose();
    expect(
      isStatusError(
        thrown(() => source.toArrayBuffer()),
        "FAILED_PRECONDITION",
      ),
    ).toBe(true);
  });

  test("a tensor over detached memory", () => {
    expectMistakes();
    const array = new Uint8Array(8);
    using tensor = Tensor.wrap(array);
    structuredClone(array.buffer, { transfer: [array.buffer] });
    expect(
      isStatusError(
        thrown(() => tensor.toArrayBuffer()),
        "FAILED_PRECONDITION",
      ),
    ).toBe(true);
  });

  test("with RESOURCE_EXHAUSTED if the engine has no room", () => {
    using tensor = Tensor.zeros([64]);
    const real = globalThis.Uint8Array;
    // Simulates an engine that is out of memory for this one allocation.
    const full = new Proxy(real, {
      construct: (target, args: unknown[], newTarget) => {
        if (args[0] === 256 && args.length === 1) throw new RangeError("Array buffer allocation failed");
        return Reflect.construct(target, args, newTarget) as object;
      },
    });
    let error: unknown;
    const before = bytesCopied();
    globalThis.Uint8Array = full;
    try {
      error = thrown(() => tensor.toArrayBuffer());
    } finally {
      globalThis.Uint8Array = real;
    }
    expect(isStatusError(error, "RESOURCE_EXHAUSTED")).toBe(true);
    expect(String(error)).toContain("256 bytes");
    expect(bytesCopied()).toBe(before);
  });
});
