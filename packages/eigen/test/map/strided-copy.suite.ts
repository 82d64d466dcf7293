// Tests of copyFrom between strided maps: a copy between any two views of one memory gives the same result as a copy by way of a temporary,
// whether the views overlap or not.
import { describe, expect, test } from "@jest/globals";
import type { DType, RawDType } from "@onebuffer/base";
import { arraySlots, InvalidArgumentError, typedArrayConstructor } from "@onebuffer/base";
import type { CopySource, StridedMap } from "@onebuffer/eigen";
import type { ObjectLifecycle } from "@onebuffer/storage/internal";
import { stridedMap, tensorMap } from "@onebuffer/eigen";
import { unalignedTensorMap } from "@onebuffer/eigen/internal";
import { kUnowned, withObjectLifecycle } from "@onebuffer/storage/internal";
import fc from "fast-check";
import { everyIndex } from "../row-major.ts";
import { expectStatus, stopwatch } from "@onebuffer/test-support";
import { rawDTypes } from "./subjects.ts";

const isLong = process.env["ONEBUFFER_LONG"] !== undefined;

/** The geometry of a dense array that was permuted, spread by a gap and reversed. No two of its elements share a place. */
interface Box {
  readonly dims: readonly number[];
  readonly strides: readonly number[];
  readonly offset: number;
}

/** Makes a box: `order` lists the dimensions from the fastest, `reversed` is a bit mask of dimensions, `shift` is the lowest offset. */
function box(dims: readonly number[], order: readonly number[], gap: number, reversed: number, shift: number): Box {
  const strides = dims.map(() => 0);
  let stride = gap;
  for (const d of order) {
    strides[d] = stride;
    stride *= dims[d] as number;
  }
  let offset = shift;
  strides.forEach((step, d) => {
    if (((reversed >> d) & 1) === 0) return;
    offset += ((dims[d] as number) - 1) * step;
    strides[d] = -step;
  });
  return { dims, strides, offset };
}

/** Returns the element offsets of a box in row-major order. */
const cellsOf = ({ dims, strides, offset }: Box): number[] =>
  everyIndex(dims).map((index) => index.reduce((sum, i, d) => sum + i * (strides[d] as number), offset));

const kTotal = 400;
const sizes = fc.constantFrom<readonly number[]>([24], [4, 6], [6, 4], [2, 3, 4], [4, 3, 2], [1, 24], [2, 1, 12], [2, 2, 2, 3]);
const boxes = fc
  .tuple(
    sizes,
    fc.array(fc.nat({ max: 3 }), { minLength: 4, maxLength: 4 }),
    fc.integer({ min: 1, max: 3 }),
    fc.nat({ max: 15 }),
    fc.nat({ max: 120 }),
  )
  .map(([dims, numbers, gap, reversed, shift]) => {
    const left = dims.map((_, d) => d);
    const order = dims.map((_, k) => left.splice((numbers[k] as number) % left.length, 1)[0] as number);
    return box(dims, order, gap, reversed, shift);
  });

/** Makes a memory of `kTotal` elements and functions that read all of them and that make the map of a box. */
function memory(
  dtype: RawDType,
  isUnaligned: boolean,
): { readonly all: () => unknown[]; readonly view: (b: Box) => StridedMap<DType, number> } {
  const array = new (typedArrayConstructor(dtype))(kTotal * arraySlots(dtype));
  const bytes = new Uint8Array(array.buffer);
  for (let i = 0; i < bytes.length; i++) bytes[i] = (i * 37 + (i >> 8)) & 0x3f;
  if (!isUnaligned) {
    const whole = tensorMap(dtype, array as never, [kTotal]);
    return {
      all: () => [...whole],
      view: ({ dims, strides, offset }) => stridedMap(dtype as DType, array as never, dims, strides, offset),
    };
  }
  const odd = new ArrayBuffer(bytes.length + 1);
  new Uint8Array(odd).set(bytes, 1);
  const whole = unalignedTensorMap(dtype, odd, 1, undefined as never, [kTotal]).strided();
  // stridedMap does not take unaligned bytes, so the box is made from the whole by a slice, a reshape, a permutation and a reversal.
  const view = ({ dims, strides, offset }: Box): StridedMap<DType, number> => {
    const widths = strides.map(Math.abs);
    const order = dims
      .map((_, d) => d)
      .sort((a, b) => (widths[b] as number) - (widths[a] as number) || (dims[a] as number) - (dims[b] as number));
    const gap = Math.min(...widths.filter((_, d) => dims[d] !== 1));
    const low = strides.reduce((sum, s, d) => sum + (s < 0 ? s * ((dims[d] as number) - 1) : 0), offset);
    const flat = whole.slice([low, low + dims.reduce((a, b) => a * b, 1) * gap, gap]);
    const packed = flat.reshape(order.map((d) => dims[d] as number)) as StridedMap<RawDType, number>;
    return packed
      .permute(dims.map((_, d) => order.indexOf(d)))
      .reverse(dims.map((_, d) => d).filter((d) => (strides[d] as number) < 0)) as unknown as StridedMap<DType, number>;
  };
  return { all: () => [...whole], view };
}

const kinds = [
  ...rawDTypes.map((dtype) => [dtype, false] as const),
  ...(["float32", "complex128", "uint8", "int16"] as const).map((dtype) => [dtype, true] as const),
];

test.each(kinds)("%s, unaligned %s: copies between any two boxes of one memory", (dtype, isUnaligned) => {
  fc.assert(
    fc.property(boxes, boxes, (from, to) => {
      const { all, view } = memory(dtype, isUnaligned);
      const expected = all();
      const source = cellsOf(from).map((cell) => expected[cell]);
      for (const [n, cell] of cellsOf(to).entries()) expected[cell] = source[n];
      view(to).copyFrom(view(from));
      expect(all()).toEqual(expected);
    }),
    { numRuns: isLong ? 12 : 2 },
  );
});

test.each(["float32", "complex128", "uint8", "int16"] as const)("%s: planes of every size end where they end", (dtype) => {
  // Sizes on both sides of a block of 32 rows and 8 columns; 5 elements before the target and 40 behind it stay as they are.
  for (const [rows, columns] of [7, 8, 9, 15, 17].flatMap((columns) => [31, 33].map((rows) => [rows, columns] as const))) {
    const slots = arraySlots(dtype);
    const from = new (typedArrayConstructor(dtype))(rows * columns * slots);
    for (let i = 0; i < from.length; i++) from[i] = 1 + (i % 89);
    const array = new (typedArrayConstructor(dtype))((5 + rows * columns + 40) * slots);
    const expected = [...array];
    for (let i = 0; i < rows; i++)
      for (let j = 0; j < columns; j++)
        for (let k = 0; k < slots; k++) expected[(5 + i + j * rows) * slots + k] = from[(i * columns + j) * slots + k]!;
    const target = stridedMap(dtype as DType, array as never, [rows, columns], [1, rows], 5);
    target.copyFrom(tensorMap(dtype, from as never, [rows, columns]) as never);
    expect([...array]).toEqual(expected);
  }
});

test.each(["float32", "complex64", "uint8"] as const)("%s: a fill writes the elements of a box and no others", (dtype) => {
  const written = boxes.filter(({ dims }) => dims.length > 1);
  fc.assert(
    fc.property(written, (box) => {
      const { all, view } = memory(dtype, false);
      const value = dtype === "complex64" ? [9, 8] : 99;
      const expected = all();
      for (const cell of cellsOf(box)) expected[cell] = value;
      (view(box) as unknown as { fill(value: unknown): void }).fill(value);
      expect(all()).toEqual(expected);
    }),
    { numRuns: isLong ? 200 : 20 },
  );
});

describe("copies large planes, which are copied in blocks and in runs", () => {
  const check = (
    dtype: "float32" | "complex128" | "uint8" | "int16",
    change: (map: StridedMap<DType, number>) => StridedMap<DType, number>,
  ): void => {
    const from = new (typedArrayConstructor(dtype))(70 * 37 * 2 * arraySlots(dtype));
    for (let i = 0; i < from.length; i++) from[i] = (i * 7) % 97;
    const source = change(tensorMap(dtype, from as never, [70, 37, 2]).strided() as unknown as StridedMap<DType, number>);
    const into = tensorMap(dtype, new (typedArrayConstructor(dtype))(source.size * arraySlots(dtype)) as never, source.dimensions);
    into.copyFrom(source as never);
    expect([...into]).toEqual([...source]);
    const back = change(
      tensorMap(dtype, new (typedArrayConstructor(dtype))(from.length) as never, [70, 37, 2]).strided() as unknown as StridedMap<
        DType,
        number
      >,
    );
    back.copyFrom(into as never);
    expect([...back]).toEqual([...source]);
  };
  test.each(["float32", "complex128", "uint8", "int16"] as const)("%s", (dtype) => {
    check(dtype, (map) => map.transpose());
    check(dtype, (map) => map.permute([1, 0, 2]));
    check(dtype, (map) => map.slice([1, -1], [2, 36]));
    check(dtype, (map) => map.slice([null, null, -2], null, [null, null, -1]));
    check(dtype, (map) => map.permute([2, 0, 1]).slice(null, [5, 67]));
  });
});

test("copies from every kind of source", () => {
  const array = new Int16Array(12);
  const map = stridedMap("int16", array, [2, 3], [1, 4]);
  map.copyFrom([1, 2, 3, 4, 5, 6]);
  expect([...array]).toEqual([1, 4, 0, 0, 2, 5, 0, 0, 3, 6, 0, 0]);
  map.copyFrom(Int16Array.of(6, 5, 4, 3, 2, 1));
  expect(map.toArray()).toEqual([
    [6, 5, 4],
    [3, 2, 1],
  ]);
  map.copyFrom(tensorMap("int16", Int16Array.of(1, 1, 2, 2, 3, 3), [6]));
  expect(map.toArray()).toEqual([
    [1, 1, 2],
    [2, 3, 3],
  ]);
  const dense = tensorMap("int16", new Int16Array(6), [3, 2]);
  dense.copyFrom(map);
  expect(dense.toArray()).toEqual([
    [1, 1],
    [2, 2],
    [3, 3],
  ]);
  dense.copyFrom(tensorMap("int16", Int16Array.of(8, 9), [2]).strided().broadcast([3, 2]));
  expect(dense.toArray()).toEqual([
    [8, 9],
    [8, 9],
    [8, 9],
  ]);
  // Stands for a map of another copy of the package, of which only the public members and the iterator are used.
  const foreign = { dtype: "int16", size: 6, dimension: () => 6, [Symbol.iterator]: () => [7, 6, 5, 4, 3, 2].values() };
  map.copyFrom(foreign as unknown as CopySource<"int16">);
  expect(map.toArray()).toEqual([
    [7, 6, 5],
    [4, 3, 2],
  ]);
  const texts = tensorMap(
    "string",
    ["a", "b", "c", "d"].map((text) => new TextEncoder().encode(text)),
    [2, 2],
  );
  texts.copyFrom(texts.strided().transpose());
  expect(
    texts
      .toArray()
      .flat()
      .map((bytes) => new TextDecoder().decode(bytes)),
  ).toEqual(["a", "c", "b", "d"]);
  texts.strided("0").copyFrom(["x", new Uint8Array([121])]);
  expect(
    texts
      .toArray()
      .flat()
      .map((bytes) => new TextDecoder().decode(bytes)),
  ).toEqual(["x", "y", "b", "d"]);
});

test("strided writes of elements with a lifecycle copy the value and destroy what they overwrite", () => {
  const destroyed: unknown[] = [];
  const lifecycle: ObjectLifecycle = {
    copy: (value) => {
      if (value === "bad") throw new InvalidArgumentError("bad");
      return `copy of ${String(value)}`;
    },
    destroy: (element) => void destroyed.push(element),
  };
  const array = withObjectLifecycle(["a", "b", "c", "d"], lifecycle);
  const map = stridedMap("variant", array as never, [2], [-2], 3) as unknown as StridedMap<"variant", 1> & {
    fill(value: unknown): void;
    copyFrom(values: unknown): void;
  };
  map.set(0, "x" as never);
  expect([[...array], destroyed]).toEqual([["a", "b", "c", "copy of x"], ["d"]]);
  map.fill("y");
  expect([[...array], destroyed]).toEqual([
    ["a", "copy of y", "c", "copy of y"],
    ["d", "copy of x", "b"],
  ]);
  // The source is the target reversed: both copies are made before the first is stored.
  map.copyFrom(map.reverse());
  expect([...array]).toEqual(["a", "copy of copy of y", "c", "copy of copy of y"]);
  expect(destroyed.splice(0)).toHaveLength(5);
  expectStatus(() => map.copyFrom(["z", "bad"]), "INVALID_ARGUMENT", "bad");
  expect([[...array], destroyed]).toEqual([["a", "copy of copy of y", "c", "copy of copy of y"], ["copy of z"]]);
});

test("a copied NaN keeps its bits", () => {
  const bits = Uint32Array.of(0x7fc00001, 0x7f800001, 0xffc12345, 0x7fffffff);
  const map = tensorMap("float32", new Float32Array(bits.buffer), [2, 2]);
  map.strided().copyFrom(map.strided().transpose());
  expect([...bits]).toEqual([0x7fc00001, 0xffc12345, 0x7f800001, 0x7fffffff]);
});

const kNumberDTypes = ["float32", "float64", "int8", "int16", "int32", "uint8", "uint16", "uint32"] as const;

test.each(kNumberDTypes)("a list of numbers is stored as set stores them: %s", (dtype) => {
  const list = [1.5, -1, 300, 0, 70_000, NaN];
  const width = typedArrayConstructor(dtype).BYTES_PER_ELEMENT;
  const bytes = new Uint8Array(40 * width);
  const dense = tensorMap(dtype, new (typedArrayConstructor(dtype))(bytes.buffer, 8, 6), [2, 3]);
  const targets = [
    dense,
    dense.strided(),
    dense.strided().reverse([1]),
    stridedMap(dtype, new (typedArrayConstructor(dtype))(bytes.buffer), [6], [3], 2),
    unalignedTensorMap(dtype, bytes.buffer, 1, kUnowned, [6]),
  ];
  for (const target of targets) {
    const twin = tensorMap(dtype, new (typedArrayConstructor(dtype))(6), [6]);
    list.forEach((value, i) => twin.set(i, value));
    bytes.fill(0);
    target.copyFrom(list as never);
    expect([...target]).toEqual([...twin]);
    const before = [...bytes];
    expectStatus(() => target.copyFrom([1, 2, 3, 4, 5, 6n] as never), "INVALID_ARGUMENT", "6n");
    expect([...bytes]).toEqual(before);
  }
});

test("the bytes of an ImageData are elements of uint8, and of no other dtype", () => {
  const clamped = Uint8ClampedArray.of(1, 300, 3);
  const map = tensorMap("uint8", new Uint8Array(6), [2, 3]);
  map.strided(":, ::-1").chip(0).copyFrom(clamped);
  expect(map.toArray()).toEqual([
    [3, 255, 1],
    [0, 0, 0],
  ]);
  const signed = tensorMap("int8", new Int8Array(3), [3]);
  expectStatus(() => signed.copyFrom(clamped as never), "INVALID_ARGUMENT", "Int8Array", "Uint8ClampedArray");
});

/** The part of WebAssembly.Memory that the test uses. This package is built without the types of the web platform. */
declare const WebAssembly: { readonly Memory: new (limits: object) => { readonly buffer: SharedArrayBuffer; grow(pages: number): number } };

test("arrays over two SharedArrayBuffer objects of one memory count as overlapping", () => {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 2, shared: true });
  const before = new Uint8Array(memory.buffer);
  memory.grow(1);
  const after = new Uint8Array(memory.buffer);
  expect(before.buffer === after.buffer).toBe(false);
  before.set([1, 2, 3, 4]);
  stridedMap("uint8", after, [4], [-1], 3).copyFrom(stridedMap("uint8", before, [4], [1]));
  expect([...before.subarray(0, 4)]).toEqual([4, 3, 2, 1]);
});

test("refuses a source of another count, dtype or class, and stores nothing", () => {
  const array = new Float32Array([1, 2, 3, 4]);
  const map = stridedMap("float32", array, [2], [2]);
  expectStatus(() => map.copyFrom([1, 2, 3]), "INVALID_ARGUMENT", "3 elements", "[2]");
  expectStatus(() => map.copyFrom(stridedMap("float32", array, [3], [1])), "INVALID_ARGUMENT", "3 elements", "[2]");
  expectStatus(() => map.copyFrom(stridedMap("float64", new Float64Array(2), [2], [1]) as never), "INVALID_ARGUMENT", "float64", "float32");
  expectStatus(() => map.copyFrom([9, "9"] as never), "INVALID_ARGUMENT", '"9"', "float32");
  expectStatus(() => map.copyFrom(new Float64Array(2) as never), "INVALID_ARGUMENT", "Float64Array", "Float32Array");
  expectStatus(() => map.copyFrom(5 as never), "INVALID_ARGUMENT", "5");
  expect([...array]).toEqual([1, 2, 3, 4]);
});

test("a copy along one axis with a step takes about as long for bytes as for words", () => {
  const count = 1 << 16;
  const least = ([dtype, array]: readonly ["uint8" | "float32", (length: number) => never]): number => {
    const from = tensorMap(dtype, array(count), [count]);
    const to = stridedMap(dtype, array(3 * count), [count], [3]);
    const times = Array.from({ length: 30 }, () => {
      const elapsed = stopwatch();
      to.copyFrom(from as never);
      return elapsed();
    });
    return Math.min(...times);
  };
  const words = least(["float32", (length) => new Float32Array(length) as never]);
  expect(least(["uint8", (length) => new Uint8Array(length) as never])).toBeLessThan(2.2 * words + 0.05);
});
