/** Tensor: construction, queries, sharing, comparison, and conversion from and to JavaScript values. */

import { inspect } from "node:util";
import { describe, expect, test } from "@jest/globals";
import type { DType } from "@onebuffer/base";
import { allDTypes } from "@onebuffer/base";
import { AllocatorMemoryType, bytesCopied, cpuAllocator, liveBuffers, RefCountPtr, TrackingAllocator } from "@onebuffer/allocator";
import { Buffer as TensorBuffer, Tensor, TensorReference } from "@onebuffer/core";
import { TensorShape } from "@onebuffer/shape";
import { TensorSlice } from "@onebuffer/slice";
import { thrown } from "@onebuffer/test-support";

describe("construction", () => {
  test("the default tensor is float32 of shape [0] without a buffer", () => {
    using t = new Tensor();
    expect([t.dtype, t.shape.dimSizes, t.buffer, t.isInitialized(), t.totalBytes, t.tensorData.length]).toEqual([
      "float32",
      [0],
      null,
      true,
      0,
      0,
    ]);
    expect([t.sharesBufferWith(t), t.refCountIsOne(), t.isAligned(), t.bufferSize, t.data]).toEqual([false, false, true, 0, null]);
    expect(thrown(() => t.refCount)).toMatchObject({ code: "FAILED_PRECONDITION" });
    expect(thrown(() => t.getMemoryType())).toMatchObject({ code: "FAILED_PRECONDITION" });
  });
  test("has exactly two fields, and the shape is sealed", () => {
    using t = new Tensor("int32", [2]);
    expect(Reflect.ownKeys(t)).toHaveLength(2);
    expect(t.shape.isSealed).toBe(true);
    expect(thrown(() => t.shape.addDim(1))).toMatchObject({ code: "FAILED_PRECONDITION" });
    const shape = new TensorShape([2, 3]);
    using other = new Tensor("int32", shape);
    shape.addDim(4);
    expect(other.shape.dimSizes).toEqual([2, 3]);
  });
  test.each(allDTypes)("makes a tensor of %s", (dtype: DType) => {
    using t = new Tensor(dtype, [2, 3], { allocator: cpuAllocator() }); // gives zeroed bytes
    expect([t.dtype, t.numElements, t.isInitialized(), t.isAligned()]).toEqual([dtype, 6, true, true]);
    expect(t.flat().size).toBe(6);
    using empty = new Tensor(dtype, [2, 0]);
    expect([empty.buffer, empty.flat().size, empty.toArray(), empty.totalBytes]).toEqual([null, 0, [[], []], 0]);
    using zero = Tensor.zeros([2, 3], { dtype });
    expect(zero.toString()).toBe(t.toString());
  });
  test("fromBuffer adds a reference, or takes over that of a RefCountPtr", () => {
    const buffer = new TensorBuffer("float32", cpuAllocator(), 4);
    using t = Tensor.fromBuffer("int32", [2, 2], buffer);
    expect(buffer.refs).toBe(2);
    using other = Tensor.fromBuffer("uint8", [16], new RefCountPtr(buffer));
    expect(buffer.refs).toBe(2);
    expect(t.sharesBufferWith(other)).toBe(true);
    const pointer = new RefCountPtr(new TensorBuffer("uint8", cpuAllocator(), 1));
    expect(thrown(() => Tensor.fromBuffer("float32", [1], pointer))).toMatchObject({ code: "INVALID_ARGUMENT" });
    expect(pointer.get()?.refs).toBe(1);
    pointer.dispose();
  });
  test("hostScalar makes a scalar without an allocator", () => {
    using t = Tensor.hostScalar("float16", 1.5);
    using s = Tensor.hostScalar("string", "é");
    expect([t.dims, t.scalar().at(), t.totalBytes, s.toArray(), s.totalBytes]).toEqual([0, 1.5, 2, "é", 26]);
    expect(t.fillDescription().allocationDescription?.allocatorName).toBe("HostScalarTensorBuffer");
  });
  test("wrap does not copy, releases once, and does not own the memory", () => {
    const memory = new Int16Array(6);
    const released: unknown[] = [];
    const t = Tensor.wrap(memory, [2, 3], { release: (m) => released.push(m) });
    expect([t.dtype, t.refCountIsOne(), t.refCount]).toEqual(["int16", false, 1]);
    const row = t.slice(1, 2);
    t.dispose();
    expect(released).toEqual([]);
    row.dispose();
    expect(released).toEqual([memory]);
  });
  test("wrap views the bytes as another dtype", () => {
    using bits = Tensor.wrap(new Uint16Array([0x3f80]), undefined, { dtype: "bfloat16" });
    using shared = Tensor.wrap(new SharedArrayBuffer(8), [1], { dtype: "float64" });
    expect([bits.toArray(), shared.toArray()]).toEqual([[1], [0]]);
  });
});

describe("from", () => {
  const cases: [unknown, DType, unknown][] = [
    [3, "float32", 3],
    [[], "float32", []],
    [[[], []], "float32", [[], []]],
    [[1n, -2n], "int64", [1n, -2n]],
    [[[true], [false]], "bool", [[true], [false]]],
    ["text", "string", "text"],
    [[["a", "é"]], "string", [["a", "é"]]],
    [new Uint8ClampedArray([1, 255]), "uint8", [1, 255]],
    [
      [new Int8Array([1, -1]), [2, 3]],
      "int8",
      [
        [1, -1],
        [2, 3],
      ],
    ],
    [new BigUint64Array([2n ** 64n - 1n]), "uint64", [2n ** 64n - 1n]],
  ];
  test.each(cases)("%p", (value, dtype, array) => {
    using t = Tensor.from(value as number);
    expect([t.dtype, t.toArray()]).toEqual([dtype, array]);
  });
  const given: [unknown, DType, unknown][] = [
    [[1, 2], "int64", [1n, 2n]],
    [[0.1], "float64", [0.1]],
    [[[1, 2]], "complex64", [[1, 2]]],
    [
      [1, 2, 3],
      "complex128",
      [
        [1, 0],
        [2, 0],
        [3, 0],
      ],
    ],
    [[-8, 7], "int4", [-8, 7]],
    [new Float64Array([1, 2]), "int32", [1, 2]],
    [new Float32Array([1.5]), "float16", [1.5]],
    [new Uint16Array([0x3c00]), "float16", [1]],
    [new Float32Array([1, 2]), "complex64", [[1, 2]]],
    [new Uint8Array([0, 1]), "bool", [false, true]],
    [new Uint8Array([104, 105]), "string", "hi"],
  ];
  test.each(given)("%p as %s", (value, dtype, array) => {
    using t = Tensor.from(value as number, { dtype });
    expect([t.dtype, t.toArray()]).toEqual([dtype, array]);
  });
  test("copies the elements and counts the bytes", () => {
    const source = new Float32Array([1, 2, 3, 4]);
    const before = bytesCopied();
    using t = Tensor.from(source, { shape: [2, -0 + 2] });
    source[0] = 9;
    expect(t.toArray()).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(bytesCopied() - before).toBe(16);
  });
  test("byte strings are copied", () => {
    const bytes = new Uint8Array([97]);
    using t = Tensor.from([bytes], { dtype: "string" });
    bytes[0] = 98;
    expect(t.toArray({ bytes: true })).toEqual([new Uint8Array([97])]);
  });
});

describe("factories", () => {
  test("full, ones, eye, arange and linspace fill the tensor", () => {
    using full = Tensor.full([2], "x", { dtype: "string" });
    using ones = Tensor.ones([2], { dtype: "bool" });
    using wide = Tensor.ones([1], { dtype: "uint64" });
    using eye = Tensor.eye(2, 3);
    using range = Tensor.arange(5, 0, -2, { dtype: "int64" });
    using line = Tensor.linspace(0, 1, 3);
    using open = Tensor.linspace(0, 1, 2, { endpoint: false, dtype: "float64" });
    using single = Tensor.linspace(3, 9, 1);
    expect(full.toArray()).toEqual(["x", "x"]);
    expect([ones.toArray(), wide.toArray()]).toEqual([[true, true], [1n]]);
    expect(eye.toArray()).toEqual([
      [1, 0, 0],
      [0, 1, 0],
    ]);
    expect(range.toArray()).toEqual([5n, 3n, 1n]);
    expect([line.toArray(), open.toArray(), single.toArray()]).toEqual([[0, 0.5, 1], [0, 0.5], [3]]);
    using none = Tensor.arange(3, 0);
    expect(none.toArray()).toEqual([]);
  });
  test("random numbers are uniform and depend only on the seed", () => {
    using a = Tensor.random([1000], { seed: 7, dtype: "float64" });
    using b = Tensor.random([1000], { seed: 7, dtype: "float64" });
    using c = Tensor.random([1000], { seed: 8, dtype: "float64" });
    expect(a.equals(b)).toBe(true);
    expect(a.equals(c)).toBe(false);
    const values = a.toArray() as number[];
    const mean = values.reduce((x, y) => x + y) / 1000;
    expect(Math.abs(mean - 0.5)).toBeLessThan(0.05);
    expect(values.every((x) => x >= 0 && x < 1)).toBe(true);
    using dice = Tensor.random([600], { dtype: "int8", low: 1, high: 7 });
    expect(new Set(dice.toArray() as number[])).toEqual(new Set([1, 2, 3, 4, 5, 6]));
    using coins = Tensor.random([100], { dtype: "bool" });
    expect(new Set(coins.toArray() as boolean[])).toEqual(new Set([true, false]));
  });
});

describe("queries", () => {
  test("slices have their own sizes in bytes and refCount -1", () => {
    const tracking = new TrackingAllocator(cpuAllocator(), true);
    const t = new Tensor("float32", [10, 3], { allocator: tracking });
    const row = t.slice(1, 3);
    expect([row.totalBytes, row.bufferSize, row.allocatedBytes, row.refCount, row.isAligned()]).toEqual([24, 24, 120, -1, false]);
    expect([t.refCount, t.refCountIsOne(), row.refCountIsOne()]).toEqual([2, false, false]);
    expect(row.fillDescription()).toMatchObject({
      dtype: 1,
      shape: { dim: [{ size: 2 }, { size: 3 }] },
      allocationDescription: { requestedBytes: 120 },
    });
    t.dispose();
    expect(row.refCountIsOne()).toBe(true);
    row.dispose();
    tracking.getRecordsAndUnRef();
  });
  test("totalBytes of strings counts their objects and their bytes", () => {
    using t = Tensor.from(["hello", "", "é"]);
    using tail = t.slice(1, 3);
    expect([t.totalBytes, tail.totalBytes]).toEqual([3 * 24 + 7, 2 * 24 + 2]);
  });
  test("the description of a tensor without a buffer has no allocation", () => {
    using t = new Tensor("int8", [0]);
    expect(t.fillDescription()).toEqual({ dtype: 6, shape: { dim: [{ size: 0 }] } });
  });
  test("getMemoryType, tensorData of a slice, and typeName", () => {
    using t = Tensor.from([1, 2, 3]);
    using tail = t.slice(1, 3);
    expect(t.getMemoryType()).toBe(AllocatorMemoryType.kHostPageable);
    expect(tail.tensorData.byteLength).toBe(8);
    expect(t.typeName).toBe("tensorflow::Tensor");
  });
  test("an uninitialized tensor has a shape but no data", () => {
    using t = Tensor.fromBuffer("float32", [2], null);
    expect([t.isInitialized(), t.sharesBufferWith(t), t.isAligned()]).toEqual([false, false, true]);
    for (const act of [() => t.totalBytes, () => t.flat(), () => t.toArray()])
      expect(thrown(act)).toMatchObject({ code: "FAILED_PRECONDITION" });
    using row = t.subSlice(0);
    expect([row.isInitialized(), row.dims]).toEqual([false, 0]);
  });

  test("a slice without elements is aligned, wherever it begins", () => {
    using tensor = Tensor.from([1, 2, 3]);
    using none = tensor.slice(1, 1);
    using rest = tensor.slice(1);
    expect([none.isAligned(), rest.isAligned()]).toEqual([true, false]);
  });
});

describe("sharing", () => {
  test("copyFrom returns false and changes nothing if the counts differ; accepts itself and the same buffer", () => {
    using t = Tensor.from([1, 2, 3, 4]);
    using other = Tensor.from([9]);
    expect(other.copyFrom(t, [3])).toBe(false);
    expect(other.toArray()).toEqual([9]);
    expect(other.copyFrom(t, [2, 2])).toBe(true);
    expect([other.toArray(), t.refCount]).toEqual([
      [
        [1, 2],
        [3, 4],
      ],
      2,
    ]);
    expect(other.copyFrom(t, [4, 1])).toBe(true);
    expect(t.copyFrom(t, [1, 4])).toBe(true);
    expect([t.refCount, t.shape.dimSizes]).toEqual([2, [1, 4]]);
    using empty = new Tensor();
    using none = new Tensor<"float32">();
    expect([none.copyFrom(empty as Tensor<"float32">, [5, 0]), none.copyFrom(empty as Tensor<"float32">, [])]).toEqual([true, false]);
  });
  test("move leaves the source without a buffer; it can be assigned again or disposed", () => {
    using t = Tensor.from([1, 2]);
    using moved = t.move();
    expect([t.isInitialized(), moved.toArray(), moved.refCount]).toEqual([false, [1, 2], 1]);
    expect(t.copyFrom(moved, [2])).toBe(true);
    expect(t.toArray()).toEqual([1, 2]);
  });
  test("bitcastFrom shares the bytes under another dtype", () => {
    using t = Tensor.from([1]);
    using bits = new Tensor("uint8");
    bits.bitcastFrom(t, "uint8", [4]);
    expect([bits.toArray(), t.refCount]).toEqual([[0, 0, 128, 63], 2]);
  });
  test("slices of slices refer to the root; the whole range is the buffer itself", () => {
    const t = Tensor.arange(10);
    const middle = t.slice(2, 8);
    using inner = middle.slice(1, 3);
    using whole = t.slice(0, 10);
    expect(whole.buffer).toBe(t.buffer);
    t.dispose();
    middle.dispose();
    expect(inner.toArray()).toEqual([3, 4]);
    expect(inner.sharesBufferWith(whole)).toBe(true);
    using none = inner.slice(1, 1);
    expect([none.totalBytes, none.buffer?.size, none.flat().size]).toEqual([0, 0, 0]);
  });
  test("a region of one run is a view; other regions are copied", () => {
    using t = Tensor.arange(24, undefined, 1, { dtype: "uint8" });
    using cube = t.reshape([2, 3, 4]);
    const texts = ["-:-:-", "1,1:-:-", "0,1:1,2:-", "1,1:2,1:1,3", "-:1,1:-", "0,2:0,3:0,2", "0,1:0,2:1,2"];
    for (const text of texts) {
      const slice = TensorSlice.parse(text);
      using copy = cube.copySlice(slice);
      const expected: number[] = [];
      const range = (d: number, size: number): number[] =>
        Array.from({ length: slice.isFullAt(d) ? size : slice.length(d) }, (_, i) => i + (slice.isFullAt(d) ? 0 : slice.start(d)));
      for (const i of range(0, 2)) for (const j of range(1, 3)) for (const k of range(2, 4)) expected.push(i * 12 + j * 4 + k);
      expect([...copy.flat()]).toEqual(expected);
      const contiguous = expected.every((x, i) => x === (expected[0] ?? 0) + i);
      if (!contiguous) expect(thrown(() => cube.slice(slice))).toMatchObject({ code: "FAILED_PRECONDITION" });
      else {
        using view = cube.slice(slice);
        expect(view.equals(copy)).toBe(true);
      }
    }
    using strings = Tensor.from([
      ["a", "b"],
      ["c", "d"],
    ]);
    using column = strings.copySlice(TensorSlice.parse("-:1,1"));
    expect(column.toArray()).toEqual([["b"], ["d"]]);
    using rows = Tensor.zeros([40, 40]);
    using part = rows.copySlice(TensorSlice.parse("0,40:0,20"));
    expect(part.shape.dimSizes).toEqual([40, 20]);
  });
  test("iterates over maps of its rows, which are views and hold no reference", () => {
    using t = Tensor.from([
      [1, 2],
      [3, 4],
    ]);
    const held = t.refCount;
    for (const row of t.rows()) row.set(0, -row.at(0));
    expect(t.toArray()).toEqual([
      [-1, 2],
      [-3, 4],
    ]);
    expect(Array.from(t, String)).toEqual(["[-1.  2.]", "[-3.  4.]"]);
    expect([t.refCount, held]).toEqual([1, 1]);
    using cube = Tensor.zeros([2, 3, 4]);
    expect(Array.from(cube.rows(), (row) => row.dimensions)).toEqual([
      [3, 4],
      [3, 4],
    ]);
    using empty = Tensor.zeros([2, 0]);
    expect(Array.from(empty.rows(), (row) => row.size)).toEqual([0, 0]);
    using none = Tensor.zeros([0, 2]);
    expect([...none]).toEqual([]);
  });
  test("iterating over a tensor of rank 1 yields its elements, a scalar is refused", () => {
    using t = Tensor.from([1n, 2n]);
    const elements: (bigint | object)[] = [...t];
    expect(elements).toEqual([1n, 2n]);
    using one = Tensor.from(1);
    expect(thrown(() => one[Symbol.iterator]())).toMatchObject({ code: "INVALID_ARGUMENT", message: expect.stringContaining("scalar") });
    expect(thrown(() => one.rows())).toMatchObject({ code: "INVALID_ARGUMENT" });
    expect(thrown(() => t.rows())).toMatchObject({ code: "INVALID_ARGUMENT" });
  });
  test("rows at an odd byte offset are maps, too, and throw after dispose", () => {
    const t = Tensor.wrap(new Uint8Array(9).subarray(1), [2, 2], { dtype: "uint16" });
    const rows = t.rows();
    const first = rows.next().value as { set(i: number, value: number): void; at(i: number): number };
    first.set(1, 700);
    expect(first.at(1)).toBe(700);
    t.dispose();
    expect(thrown(() => first.at(1))).toMatchObject({ code: "FAILED_PRECONDITION" });
    expect(thrown(() => rows.next())).toMatchObject({ code: "FAILED_PRECONDITION" });
  });
  test("refCount: holders of the root buffer, -1 for a window", () => {
    const t = Tensor.from([
      [1, 2],
      [3, 4],
    ]);
    const row = t.subSlice(0);
    expect([t.refCount, row.refCount, t.refCountIsOne(), row.refCountIsOne()]).toEqual([2, -1, false, false]);
    const root = row.buffer!.rootBuffer;
    t.dispose();
    expect(thrown(() => t.refCount)).toMatchObject({ code: "FAILED_PRECONDITION" });
    expect([row.refCount, root.refCount, row.refCountIsOne()]).toEqual([-1, 1, true]);
    row.dispose();
    expect(root.refCount).toBe(0);
  });
  test("a TensorReference keeps the buffer beyond the tensor", () => {
    const live = liveBuffers();
    const t = Tensor.from([1]);
    const reference = new TensorReference(t);
    expect(t.refCount).toBe(2);
    t.dispose();
    expect(liveBuffers() - live).toBe(1);
    reference.unref();
    expect(liveBuffers()).toBe(live);
  });

  test("a tensor without a buffer can take the place of one with a buffer", () => {
    using tensor = Tensor.from([1, 2]);
    using none = new Tensor("float32", [0]);
    expect(tensor.copyFrom(none, none.shape)).toBe(true);
    expect([tensor.buffer, tensor.shape.dimSizes]).toEqual([null, [0]]);
  });
});

describe("comparing", () => {
  const nan = Number.NaN;
  test("equals compares dtype, shape and elements", () => {
    using a = Tensor.from([1, nan, 0]);
    using b = Tensor.from([1, nan, -0]);
    using c = Tensor.from([[1, nan, 0]]);
    using d = Tensor.from([1, nan, 0], { dtype: "float64" });
    using s = Tensor.from(["a", "b"]);
    using u = Tensor.from(["a", "c"]);
    expect([a.equals(b), a.equals(b, { equalNan: true }), a.equals(c), a.equals(d, { equalNan: true }), s.equals(s), s.equals(u)]).toEqual([
      false,
      true,
      false,
      false,
      true,
      false,
    ]);
  });
  const close: [number[], number[], boolean][] = [
    [[1], [1.00001], true],
    [[1], [1.0001], false],
    [[1e10], [1.00001e10], true],
    [[1e-7], [1e-8], false],
    [[1e-9], [0], true],
    [[Infinity], [Infinity], true],
    [[Infinity], [-Infinity], false],
    [[Infinity], [1e308], false],
    [[nan], [nan], false],
  ];
  test.each(close)("isClose %p %p", (x, y, expected) => {
    using a = Tensor.from(x, { dtype: "float64" });
    using b = Tensor.from(y, { dtype: "float64" });
    expect(a.isClose(b)).toBe(expected);
  });
  test("isClose supports other dtypes and tolerances", () => {
    using a = Tensor.from([2n ** 60n]);
    using b = Tensor.from([2n ** 60n + 1n]);
    using c = Tensor.from([[1, 1]], { dtype: "complex64" });
    using d = Tensor.from([[1, 1.5]], { dtype: "complex64" });
    using e = Tensor.from([nan]);
    expect([a.isClose(b, { rtol: 0, atol: 0 }), a.isClose(b, { rtol: 0, atol: 1 }), c.isClose(d), c.isClose(d, { atol: 0.5 })]).toEqual([
      false,
      true,
      false,
      true,
    ]);
    expect([e.isClose(e, { equalNan: true }), a.isClose(e), c.isClose(c)]).toEqual([true, false, true]);
  });
  test("isClose of complex numbers that are not finite compares their parts", () => {
    using finite = Tensor.from([[1, 1]], { dtype: "complex64" });
    using infinite = Tensor.from([[Infinity, 1]], { dtype: "complex64" });
    using unknown = Tensor.from([[nan, 1]], { dtype: "complex64" });
    expect([infinite.isClose(infinite), infinite.isClose(finite), finite.isClose(infinite)]).toEqual([true, false, false]);
    expect([unknown.isClose(unknown), unknown.isClose(unknown, { equalNan: true }), unknown.isClose(finite)]).toEqual([false, true, false]);
  });
});

test("Node shows a tensor's type, shape and elements", () => {
  using t = Tensor.from([[1, 2]]);
  expect(inspect(t)).toBe("Tensor<type: float shape: [1,2]>\n[[1. 2.]]");
});
