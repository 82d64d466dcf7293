// Tests copyDataFromTensorSliceToTensorSlice against known copies and a simple loop.
import { describe, expect, test } from "@jest/globals";
import type { TypedArray } from "@onebuffer/base";
import { TensorShape } from "@onebuffer/shape";
import { TensorSlice, copyDataFromTensorSliceToTensorSlice } from "@onebuffer/slice";
import fc from "fast-check";
import { indicesOf, sliceOf, slicesOfOne } from "./arbitraries.ts";
import { expectStatus, isLong } from "@onebuffer/test-support";

const parse = TensorSlice.parse;
const copy = copyDataFromTensorSliceToTensorSlice;

describe("copies of known slices", () => {
  const table: [shape: number[], srcSlice: string, dstSlice: string, src: number[], dst: number[], copied: boolean, result: number[]][] = [
    [[4, 5], "1,2:1,3", "1,2:1,3", [6, 7, 8, 11, 12, 13], [0, 0, 0, 0, 0, 0], true, [6, 7, 8, 11, 12, 13]],
    [[4, 5], "1,2:1,3", "3,1:2,3", [6, 7, 8, 11, 12, 13], [0, 0, 0], false, [0, 0, 0]],
    [[2, 2, 2], "-:-:-", "-:1,1:-", [0, 1, 2, 3, 4, 5, 6, 7], [-1, -1, -1, -1], true, [2, 3, 6, 7]],
    [[3], "-", "1,1", [4, 5, 6], [0], true, [5]],
    [[], "", "", [9], [0], true, [9]],
    [[4, 5], "-", "-:-", [1], [0], false, [0]],
    [[3], "2,2", "-", [1, 2], [0, 0, 0], false, [0, 0, 0]],
    [[3], "-", "1,3", [1, 2, 3], [0, 0, 0], false, [0, 0, 0]],
    [[0, 3], "-:-", "-:1,1", [], [], true, []],
    [[0, 3], "-:-", "-:1,1", [7, 7, 7], [1], true, [1]],
  ];
  test.each(table)("%j: %j into %j", (shape, srcSlice, dstSlice, src, dst, copied, result) => {
    const typed = Float32Array.from(dst);
    expect(copy(new TensorShape(shape), parse(srcSlice), parse(dstSlice), Float32Array.from(src), typed)).toBe(copied);
    expect([...typed]).toEqual(result);
    const plain = [...dst];
    expect(copy(new TensorShape(shape), parse(srcSlice), parse(dstSlice), src, plain)).toBe(copied);
    // toStrictEqual, because toEqual ignores undefined values beyond the end.
    expect(plain).toStrictEqual(result);
  });
});

/** The model: copies element by element, by index text, in row-major order. */
function naive<T>(
  dims: readonly number[],
  srcSlice: TensorSlice,
  dstSlice: TensorSlice,
  src: ArrayLike<T>,
  dst: ArrayLike<T>,
  slots: number,
): T[] {
  const byIndex = new Map<string, T[]>();
  [...indicesOf(srcSlice, dims)].forEach((index, i) =>
    byIndex.set(
      index,
      Array.from({ length: slots }, (_, k) => src[i * slots + k]!),
    ),
  );
  return [...indicesOf(dstSlice, dims)].flatMap(
    (index, i) => byIndex.get(index) ?? Array.from({ length: slots }, (_, k) => dst[i * slots + k]!),
  );
}

const kinds: [name: string, make: (values: readonly number[]) => TypedArray][] = [
  ["Float32Array", (values) => Float32Array.from(values)],
  ["Float64Array", (values) => Float64Array.from(values)],
  ["Int8Array", (values) => Int8Array.from(values)],
  ["Uint8Array", (values) => Uint8Array.from(values)],
  ["Int16Array", (values) => Int16Array.from(values)],
  ["Uint16Array", (values) => Uint16Array.from(values)],
  ["Int32Array", (values) => Int32Array.from(values)],
  ["Uint32Array", (values) => Uint32Array.from(values)],
  ["BigInt64Array", (values) => BigInt64Array.from(values.map(BigInt))],
  ["BigUint64Array", (values) => BigUint64Array.from(values.map(BigInt))],
];

test("copies the same as a simple loop, for every pair of array types and both slot counts", () => {
  const kind = fc.constantFrom(...kinds);
  fc.assert(
    fc.property(slicesOfOne(2, 5), kind, kind, fc.constantFrom<1 | 2>(1, 2), ({ dims, slices }, [, makeSrc], [, makeDst], slots) => {
      const [srcSlice, dstSlice] = slices as [TensorSlice, TensorSlice];
      const srcValues = Array.from({ length: indicesOf(srcSlice, dims).size * slots }, (_, i) => i % 100);
      const dstValues = Array.from({ length: indicesOf(dstSlice, dims).size * slots }, (_, i) => 100 + (i % 20));
      const dst = makeDst(dstValues);
      const copied = copy(new TensorShape(dims), srcSlice, dstSlice, makeSrc(srcValues), dst, slots);
      expect(copied).toBe(srcSlice.overlaps(dstSlice));
      expect(Array.from<number | bigint, number>(dst, Number)).toEqual(naive(dims, srcSlice, dstSlice, srcValues, dstValues, slots));
    }),
    { numRuns: isLong ? 400 : 200 },
  );
});

test("copies plain arrays, which do not grow", () => {
  fc.assert(
    fc.property(slicesOfOne(2, 4), ({ dims, slices }) => {
      const [srcSlice, dstSlice] = slices as [TensorSlice, TensorSlice];
      const src = Array.from({ length: indicesOf(srcSlice, dims).size }, (_, i) => ({ i }));
      const dst = Array.from({ length: indicesOf(dstSlice, dims).size }, (_, i) => ({ i: -1 - i }));
      const expected = naive(dims, srcSlice, dstSlice, src, dst, 1);
      copy(new TensorShape(dims), srcSlice, dstSlice, src, dst);
      expect(dst).toStrictEqual(expected);
    }),
  );
});

test("copies long runs over several dimensions", () => {
  const dims = [3, 40, 50];
  fc.assert(
    fc.property(fc.array(sliceOf(dims), { minLength: 2, maxLength: 2 }), ([srcSlice, dstSlice]) => {
      const src = Float64Array.from({ length: indicesOf(srcSlice!, dims).size }, (_, i) => i);
      const dst = new Float64Array(indicesOf(dstSlice!, dims).size).fill(-1);
      const expected = naive(dims, srcSlice!, dstSlice!, src, dst, 1);
      copy(new TensorShape(dims), srcSlice!, dstSlice!, src, dst);
      expect([...dst]).toEqual(expected);
    }),
    { numRuns: isLong ? 25 : 15 },
  );
});

test("arrays of the same type are copied bit for bit: NaN payloads are kept", () => {
  for (const [Ctor, Bits, payload] of [
    [Float32Array, Uint32Array, [0x7fa00001, 0xffc12345]],
    [Float64Array, Uint32Array, [1, 0x7ff00000, 7, 0xfff80000]],
  ] as const) {
    const src = new Ctor(Uint32Array.from(payload).buffer);
    const dst = new Ctor(src.length + 1);
    expect(copy(new TensorShape([src.length]), TensorSlice.full(1), TensorSlice.full(1), src, dst)).toBe(true);
    expect([...new Bits(dst.buffer)].slice(0, payload.length)).toEqual([...payload]);
    expect(dst.at(-1)).toBe(0);
  }
});

describe("casts", () => {
  const all = TensorSlice.full(1);
  const table: [src: TypedArray, dst: TypedArray, result: (number | bigint)[]][] = [
    [Float32Array.of(1.9, -1.9, 300.5), new Int32Array(3), [1, -1, 300]],
    [Int32Array.of(300, -1, 128), new Int8Array(3), [44, -1, -128]],
    [Int32Array.of(-1), new Uint32Array(1), [4294967295]],
    [Float64Array.of(0.1), new Float32Array(1), [Math.fround(0.1)]],
    [Uint16Array.of(0x3c00), new Int32Array(1), [0x3c00]],
    [BigInt64Array.of(-5n, 2n ** 53n + 1n), new Float64Array(2), [-5, 2 ** 53]],
    [BigInt64Array.of(-1n), new BigUint64Array(1), [2n ** 64n - 1n]],
    [Float64Array.of(2.9, -2.9, 2 ** 63), new BigInt64Array(3), [2n, -2n, -(2n ** 63n)]],
    [Float64Array.of(NaN, Infinity, -Infinity), new BigInt64Array(3).fill(7n), [0n, 0n, 0n]],
    [Float64Array.of(NaN, Infinity, -Infinity), new Int32Array(3).fill(7), [0, 0, 0]],
    [Uint8Array.of(1, 0), new BigUint64Array(2).fill(7n), [1n, 0n]],
  ];
  test.each(table)("cast %#", (src, dst, result) => {
    expect(copy(new TensorShape([src.length]), all, all, src, dst)).toBe(true);
    expect([...dst]).toEqual(result);
  });
});

describe("shared memory", () => {
  test("overlapping arrays give the same result as a copied source", () => {
    fc.assert(
      fc.property(slicesOfOne(2, 3), fc.nat(20), fc.nat(20), fc.boolean(), ({ dims, slices }, srcAt, dstAt, cast) => {
        const [srcSlice, dstSlice] = slices as [TensorSlice, TensorSlice];
        const [srcSize, dstSize] = [indicesOf(srcSlice, dims).size, indicesOf(dstSlice, dims).size];
        const memory = Int32Array.from({ length: 150 }, (_, i) => i);
        const src = memory.subarray(srcAt, srcAt + srcSize);
        const dst = memory.subarray(dstAt, dstAt + dstSize);
        const expected = naive(dims, srcSlice, dstSlice, src.slice(), dst.slice(), 1);
        const target = cast ? new Uint32Array(dst.buffer, dst.byteOffset, dst.length) : dst;
        copy(new TensorShape(dims), srcSlice, dstSlice, src, target);
        expect([...target]).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });

  test("source and target may be the same plain array", () => {
    const values = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
    expect(copy(new TensorShape([3, 4]), parse("-:1,3"), parse("-:0,3"), values, values)).toBe(true);
    expect(values).toEqual(["a", "a", "b", "d", "d", "e", "g", "g", "h"]);
  });

  test("copies a Node Buffer and SharedArrayBuffers", () => {
    const dst = new Uint8Array(new SharedArrayBuffer(2));
    expect(copy(new TensorShape([3]), parse("-"), parse("1,2"), Buffer.from([7, 8, 9]), dst)).toBe(true);
    expect([...dst]).toEqual([8, 9]);
  });
});

test.each([[[-1, 2]], [[1, -2]], [[1, -1]]] as [number, number][][])("the unvalidated extent %j does not fit any shape", (extent) => {
  const dst = Int8Array.of(5, 5, 5);
  const odd = TensorSlice.fromExtents([extent]);
  expect(copy(new TensorShape([3]), TensorSlice.full(1), odd, Int8Array.of(1, 2, 3), dst)).toBe(false);
  expect(copy(new TensorShape([3]), odd, TensorSlice.full(1), Int8Array.of(1, 2, 3), dst)).toBe(false);
  expect([...dst]).toEqual([5, 5, 5]);
});

describe("refuses", () => {
  const shape = new TensorShape([2, 3]);
  const full = TensorSlice.full(2);

  test("arrays too short for their slices, writing nothing", () => {
    const dst = new Float32Array(6);
    expectStatus(() => copy(shape, full, full, new Float32Array(5), dst), "INVALID_ARGUMENT", "source", 5, 6, "-:-");
    expectStatus(() => copy(shape, full, full, new Float32Array(7).fill(1), dst.subarray(0, 4)), "INVALID_ARGUMENT", "target", 4, 6);
    expectStatus(() => copy(shape, full, full, new Float32Array(11), new Float32Array(12), 2), "INVALID_ARGUMENT", 11, 12);
    expect([...dst]).toEqual([0, 0, 0, 0, 0, 0]);
  });

  test("a detached array", () => {
    const src = new Float32Array(6);
    structuredClone(src.buffer, { transfer: [src.buffer] });
    expectStatus(() => copy(shape, full, full, src, new Float32Array(6)), "INVALID_ARGUMENT", 0, 6);
  });

  test("ranks above 8, as TensorFlow does", () => {
    const full9 = TensorSlice.full(9);
    const shape9 = new TensorShape(Array(9).fill(1));
    expectStatus(() => copy(shape9, full9, full9, new Int8Array(1), new Int8Array(1)), "INVALID_ARGUMENT", 8, 9);
    expect(copy(new TensorShape(Array(8).fill(1)), TensorSlice.full(8), TensorSlice.full(8), Int8Array.of(3), new Int8Array(1))).toBe(true);
  });

  test("a plain array with a typed array, and values that are not arrays", () => {
    const any = (value: unknown): Float32Array => value as Float32Array;
    expectStatus(() => copy(shape, full, full, any([1, 2, 3, 4, 5, 6]), new Float32Array(6)), "INVALID_ARGUMENT", "Array", "Float32Array");
    for (const value of [null, undefined, "abcdef", 6, new DataView(new ArrayBuffer(24)), { length: 6 }]) {
      expectStatus(() => copy(shape, full, full, any(value), new Float32Array(6)), "INVALID_ARGUMENT", "array");
      expectStatus(() => copy(shape, full, full, new Float32Array(6), any(value)), "INVALID_ARGUMENT", "array");
    }
  });
});

test("arrays of classes that override what a copy reads are read and written as plain ones", () => {
  class Odd extends Float32Array {
    override get length(): number {
      return 100;
    }
    override get buffer(): ArrayBuffer {
      return new ArrayBuffer(400);
    }
  }
  const shape = new TensorShape([2, 3]);
  const copyAll = (source: TypedArray, target: TypedArray): boolean => copy(shape, parse("-:-"), parse("-:-"), source, target);
  const source = new Float32Array([1, 2, 3, 4, 5, 6]);
  for (const [from, to] of [
    [new Odd(source), new Float32Array(6)],
    [source, new Odd(6)],
    [new Odd(source), new Float64Array(6)],
  ] as const) {
    expect(copyAll(from, to)).toBe(true);
    expect(Array.from({ length: 6 }, (_, i) => to[i])).toEqual([1, 2, 3, 4, 5, 6]);
  }
});
