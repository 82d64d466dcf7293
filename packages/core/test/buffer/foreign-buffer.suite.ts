// Tests of ForeignBuffer: buffers over memory that the caller owns.
import { describe, expect, test } from "@jest/globals";
import { isStatusError } from "@onebuffer/base";
import { liveBuffers } from "@onebuffer/allocator";
import { ForeignBuffer, SubBuffer, Tensor } from "@onebuffer/core";
import type { ForeignMemory } from "@onebuffer/core";
import { runInNewContext } from "node:vm";
import { expectMistakes, thrown } from "@onebuffer/test-support";

describe("ForeignBuffer", () => {
  const memory = new ArrayBuffer(32);
  test.each<[string, ForeignMemory, number, number]>([
    ["a typed array", new Float32Array(memory, 8, 4), 8, 16],
    ["a DataView", new DataView(memory, 3, 5), 3, 5],
    ["an ArrayBuffer", memory, 0, 32],
    ["a SharedArrayBuffer", new SharedArrayBuffer(16), 0, 16],
    ["a view of a SharedArrayBuffer", new Uint8Array(new SharedArrayBuffer(16), 4, 8), 4, 8],
    ["a Node Buffer", globalThis.Buffer.from(memory, 2, 3), 2, 3],
    ["a memory of another realm", runInNewContext("new ArrayBuffer(24)") as ArrayBuffer, 0, 24],
    ["a view of another realm", runInNewContext("new Int16Array(6).subarray(2)") as Int16Array, 4, 8],
    ["an empty array", new Uint8Array(0), 0, 0],
  ])("wraps %s", (_, source, byteOffset, size) => {
    const released: ForeignMemory[] = [];
    const buffer = new ForeignBuffer(source, (it) => released.push(it));
    expect([buffer.byteOffset, buffer.size, buffer.hasData, buffer.ownsMemory()]).toEqual([byteOffset, size, true, false]);
    expect(buffer.memory).toBe(ArrayBuffer.isView(source) ? source.buffer : source);
    expect([buffer.bytes().length, buffer.getAllocatedBytes(), buffer.getMemoryType()]).toEqual([size, null, 0]);
    expect(buffer.fillAllocationDescription()).toMatchObject({ requestedBytes: size, allocatorName: "foreign", ptr: byteOffset });
    expect(released).toEqual([]);
    buffer.unref();
    expect(released.length).toBe(1);
    expect(released[0]).toBe(source);
  });

  test("the buffer and the source see each other's writes", () => {
    const source = new Float32Array([1, 2, 3]);
    const buffer = new ForeignBuffer(source);
    buffer.typedArray("float32")![1] = 9;
    expect(source[1]).toBe(9);
    source[2] = 7;
    expect(buffer.typedArray("float32")![2]).toBe(7);
    buffer.unref();
  });

  test("calls release once, when the buffer and its windows are all released", () => {
    expectMistakes();
    let released = 0;
    const buffer = new ForeignBuffer(new Uint8Array(8), () => released++);
    const window = new SubBuffer(buffer, 2, 4);
    buffer.unref();
    expect(released).toBe(0);
    window.unref();
    expect(released).toBe(1);
    expect(
      isStatusError(
        thrown(() => buffer.unref()),
        "FAILED_PRECONDITION",
      ),
    ).toBe(true);
    expect(released).toBe(1);
  });

  test("rethrows an error of release after all counts are updated", () => {
    expectMistakes();
    const before = liveBuffers();
    let calls = 0;
    const buffer = new ForeignBuffer(new Uint8Array(8), () => {
      calls++;
      throw new RangeError("owner");
    });
    const window = new SubBuffer(buffer, 2, 4);
    buffer.unref();
    expect(() => window.unref()).toThrow("owner");
    expect([buffer.refs, window.refs, buffer.memory, calls, liveBuffers() - before]).toEqual([0, 0, null, 1, 0]);
    expect(
      isStatusError(
        thrown(() => window.unref()),
        "FAILED_PRECONDITION",
      ),
    ).toBe(true);
  });

  test.each([[[1, 2]], [{ byteLength: 4 }], ["bytes"], [null], [undefined], [new Map()]])("refuses %p", (source) => {
    const before = liveBuffers();
    const error = thrown(() => new ForeignBuffer(source as unknown as ForeignMemory));
    expect(isStatusError(error, "INVALID_ARGUMENT")).toBe(true);
    expect(String(error)).toContain(Object.prototype.toString.call(source));
    expect(liveBuffers()).toBe(before);
  });

  test("refuses an object that only pretends to be an ArrayBuffer", () => {
    const impostor = { [Symbol.toStringTag]: "ArrayBuffer", byteLength: 8 };
    expect(
      isStatusError(
        thrown(() => new ForeignBuffer(impostor as unknown as ArrayBuffer)),
        "INVALID_ARGUMENT",
      ),
    ).toBe(true);
  });

  test("refuses detached memory, and throws on access if the memory is detached later", () => {
    const source = new Float64Array(4);
    const buffer = new ForeignBuffer(source);
    const window = new SubBuffer(buffer, 1, 2, 8);
    structuredClone(source, { transfer: [source.buffer] });
    for (const act of [
      () => buffer.bytes(),
      () => window.typedArray("float64"),
      () => new ForeignBuffer(source),
      () => new ForeignBuffer(source.buffer),
    ])
      expect(isStatusError(thrown(act), "FAILED_PRECONDITION")).toBe(true);
    window.unref();
    buffer.unref();
  });

  test("throws on access if the memory has shrunk below the buffer's end", () => {
    const source = new ArrayBuffer(32, { maxByteLength: 64 });
    const buffer = new ForeignBuffer(source);
    buffer.typedArray("uint8");
    source.resize(64);
    expect(buffer.bytes().length).toBe(32);
    source.resize(31);
    const error = thrown(() => buffer.typedArray("uint8"));
    expect(isStatusError(error, "FAILED_PRECONDITION")).toBe(true);
    expect(String(error)).toMatch(/31 bytes, it needs 32/);
    source.resize(0);
    expect(
      isStatusError(
        thrown(() => buffer.bytes()),
        "FAILED_PRECONDITION",
      ),
    ).toBe(true);
    buffer.unref();
  });

  test("a WebAssembly memory that grows detaches its old buffer", () => {
    const { WebAssembly } = globalThis as unknown as {
      WebAssembly: { Memory: new (o: object) => { buffer: ArrayBuffer; grow(n: number): number } };
    };
    const wasm = new WebAssembly.Memory({ initial: 1, maximum: 2 });
    const buffer = new ForeignBuffer(wasm.buffer);
    buffer.typedArray("float32");
    wasm.grow(1);
    expect(
      isStatusError(
        thrown(() => buffer.typedArray("float32")),
        "FAILED_PRECONDITION",
      ),
    ).toBe(true);
    buffer.unref();
  });

  test("the release of wrapped memory is a method of its options", () => {
    const released: unknown[] = [];
    const options = {
      dtype: "float32",
      release(source: unknown) {
        released.push(source, this.dtype);
      },
    } as const;
    const memory = new Float32Array(2);
    Tensor.wrap(memory, [2], options).dispose();
    expect(released).toEqual([memory, "float32"]);
  });
});
