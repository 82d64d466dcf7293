// Tests the adapters for arrays of other libraries: memory is shared where layouts allow, any strides against a naive twin, every dtype both
// ways, hostile descriptions.
import { describe, expect, test } from "@jest/globals";
import type { DType, RawDType } from "@onebuffer/base";
import { allDTypes, isObjectDType, typedArrayConstructor } from "@onebuffer/base";
import { Tensor } from "@onebuffer/core";
import { constStridedMap } from "@onebuffer/eigen";
import type { StridedArray } from "@onebuffer/adapters";
import {
  mapFromNdarray,
  mapFromStridedArray,
  mapFromZarrChunk,
  tensorFromNdarray,
  tensorFromOnnx,
  tensorFromStridedArray,
  tensorFromZarrChunk,
  toNdarray,
  toOnnxTensor,
  toStridedArray,
  toZarrChunk,
} from "@onebuffer/adapters";
import { expectRefusal } from "@onebuffer/test-support";
import fc from "fast-check";
import { BoolArray, kNdarrays, kOrtTensors } from "./foreign-libraries.ts";

const kRaw = allDTypes.filter((dtype): dtype is RawDType => !isObjectDType(dtype));

/** Elements by the plain definition of strides, row-major. */
function naive(data: ArrayLike<unknown>, sizes: readonly number[], strides: readonly number[], offset: number): unknown[] {
  const count = sizes.reduce((product, size) => product * size, 1);
  return Array.from({ length: count }, (_, i) => {
    let place = offset;
    for (let d = sizes.length - 1, rest = i; d >= 0; rest = Math.floor(rest / sizes[d]!), d--) place += (rest % sizes[d]!) * strides[d]!;
    return data[place];
  });
}

describe("strided arrays", () => {
  const kData = Int32Array.from({ length: 60 }, (_, i) => i);
  const views = fc.record({
    sizes: fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 4 }),
    strides: fc.array(fc.integer({ min: -7, max: 7 }), { minLength: 4, maxLength: 4 }),
    offset: fc.integer({ min: 0, max: 59 }),
    shift: fc.constantFrom(0, 1, 2, 3), // less than an element, so that none fits before the first
  });

  test("of any sizes and strides have the naive elements, or are refused where one is outside the memory", async () => {
    let inside = 0;
    await fc.assert(
      fc.asyncProperty(views, async ({ sizes, strides: four, offset, shift }) => {
        const strides = four.slice(0, sizes.length);
        const bytes = new Uint8Array(kData.byteLength + shift);
        bytes.set(new Uint8Array(kData.buffer), shift);
        const array: StridedArray = { dtype: "int32", shape: sizes, strides, byteOffset: shift + offset * 4, buffer: bytes };
        const expected = naive(kData, sizes, strides, offset);
        if (expected.includes(undefined)) {
          await expectRefusal(() => tensorFromStridedArray(array), "INVALID_ARGUMENT", "occupy the bytes");
          await expectRefusal(() => mapFromStridedArray(array), "INVALID_ARGUMENT", "occupy the bytes");
          return;
        }
        inside++;
        using tensor = tensorFromStridedArray(array);
        expect([tensor.dtype, tensor.shape.dimSizes]).toEqual(["int32", sizes]);
        expect([...tensor.flat()] as unknown[]).toEqual(expected);
        const repeats = sizes.some((size, d) => size > 1 && strides[d] === 0) && !sizes.includes(0);
        if (shift % 4 !== 0 || repeats) return expectRefusal(() => mapFromStridedArray(array), "FAILED_PRECONDITION");
        const map = mapFromStridedArray(array);
        expect([[...map.dimensions], [...map] as unknown[]]).toEqual([sizes, expected]);
        // And back: the same elements by the same definition.
        const back = toStridedArray(map);
        const size = (back.buffer as Int32Array).BYTES_PER_ELEMENT;
        expect(naive(back.buffer as Int32Array, back.shape, back.strides, back.byteOffset / size)).toEqual(expected);
        if (expected.length > 0) expect((back.buffer as Int32Array).buffer).toBe(bytes.buffer);
      }),
      { numRuns: process.env["ONEBUFFER_LONG"] === undefined ? 24 : 1000 },
    );
    expect(inside).toBeGreaterThan(10);
  });

  test.each(kRaw)("%s: out and in again over the same memory, and as a copy", (dtype) => {
    const make = typedArrayConstructor(dtype);
    const bytes = new Uint8Array(96).map((_, i) => (dtype === "bool" || /int[24]$/.test(dtype) ? i % 2 : (i * 7) % 100));
    using source = Tensor.wrap(bytes.slice(0, 6 * (dtype.startsWith("complex") ? 2 : 1) * make.BYTES_PER_ELEMENT), [2, 3], { dtype });
    const array = toStridedArray(source);
    expect([array.dtype, array.shape, array.strides, array.byteOffset]).toEqual([dtype, [2, 3], [3, 1], 0]);
    using again = tensorFromStridedArray(array);
    expect([...again.tensorData]).toEqual([...source.tensorData]);
    const first = again.tensorData;
    first[0]! ^= 1;
    expect(source.tensorData[0]).toBe(first[0]);
    const transposed = toStridedArray(source.matrix().strided().transpose());
    expect([transposed.shape, transposed.strides, transposed.byteOffset]).toEqual([[3, 2], [1, 3], 0]);
    const reversed = toStridedArray(source.matrix().strided().reverse([1]));
    expect([reversed.strides, reversed.byteOffset]).toEqual([[3, -1], 2 * (source.totalBytes / 6)]);
    using copied = tensorFromStridedArray(toStridedArray(source.matrix().strided().transpose(), { copy: true }));
    using expected = Tensor.evaluate(source.matrix().strided().transpose() as never);
    expect([...copied.tensorData]).toEqual([...expected.tensorData]);
    copied.tensorData[0]! ^= 1;
    expect(copied.sharesBufferWith(source)).toBe(false);
  });

  test("buffers, parts of buffers, shared memory, scalars and empty arrays", () => {
    const buffer = new SharedArrayBuffer(16);
    new Float32Array(buffer).set([1, 2, 3, 4]);
    using whole = tensorFromStridedArray({ dtype: "float32", shape: [4], buffer });
    using part = tensorFromStridedArray({ dtype: "float32", shape: [1], byteOffset: 4, buffer: new DataView(buffer, 4) });
    using scalar = tensorFromStridedArray({ dtype: "float32", shape: [], byteOffset: 12, buffer });
    using empty = tensorFromStridedArray({ dtype: "float64", shape: [0, 5], buffer: new ArrayBuffer(0) });
    expect([whole.toArray(), part.toArray(), scalar.toArray(), empty.shape.dimSizes]).toEqual([[1, 2, 3, 4], [3], 4, [0, 5]]);
    expect(toStridedArray(empty).shape).toEqual([0, 5]);
    expect(toStridedArray(scalar).shape).toEqual([]);
  });

  test("a size of 1 gets a plain stride, and a broadcast map keeps its stride of 0", () => {
    using tensor = Tensor.from([[1], [2]]);
    expect(toStridedArray(tensor.matrix().strided().transpose()).strides).toEqual([1, 1]);
    using rows = Tensor.from([
      [1, 2],
      [3, 4],
    ]);
    expect(toStridedArray(rows.matrix().strided("1:2")).strides).toEqual([1, 1]);
    const repeated = toStridedArray(constStridedMap("float32", Float32Array.of(1, 2), [3, 2], [0, 1]));
    expect(repeated.strides).toEqual([0, 1]);
    using back = tensorFromStridedArray(repeated);
    expect(back.toArray()).toEqual([
      [1, 2],
      [1, 2],
      [1, 2],
    ]);
  });

  test.each<[string, unknown, string]>([
    ["null", null, "the strided array"],
    ["no dtype", { shape: [1], buffer: new ArrayBuffer(4) }, "is no dtype of numbers"],
    ["an unknown dtype", { dtype: "f4", shape: [1], buffer: new ArrayBuffer(4) }, '"f4" is no dtype'],
    ["strings", { dtype: "string", shape: [1], buffer: new ArrayBuffer(4) }, "is no dtype of numbers"],
    ["no shape", { dtype: "int8", buffer: new ArrayBuffer(4) }, "shape"],
    ["a negative size", { dtype: "int8", shape: [-1], buffer: new ArrayBuffer(4) }, "shape[0]"],
    ["a fraction", { dtype: "int8", shape: [1.5], buffer: new ArrayBuffer(4) }, "shape[0]"],
    ["too few strides", { dtype: "int8", shape: [1, 1], strides: [1], buffer: new ArrayBuffer(4) }, "2 sizes [1,1] and 1 strides [1]"],
    ["a stride of text", { dtype: "int8", shape: [1], strides: ["1"], buffer: new ArrayBuffer(4) }, "strides[0]"],
    ["a negative offset", { dtype: "int8", shape: [1], byteOffset: -1, buffer: new ArrayBuffer(4) }, "byteOffset"],
    ["no memory", { dtype: "int8", shape: [1], buffer: [1, 2] }, "expected an ArrayBuffer"],
    [
      "sizes whose product is not exact",
      { dtype: "int8", shape: [2 ** 40, 2 ** 40], strides: [0, 0], buffer: new ArrayBuffer(4) },
      "occupy",
    ],
    ["strides beyond 2^53", { dtype: "int8", shape: [3], strides: [2 ** 53 - 1], buffer: new ArrayBuffer(4) }, "occupy"],
  ])("refuses %s", async (_what, array, words) => {
    await expectRefusal(() => tensorFromStridedArray(array as never), "INVALID_ARGUMENT", words);
    await expectRefusal(() => mapFromStridedArray(array as never), "INVALID_ARGUMENT", words);
  });

  test("refuses to give away what is no tensor of numbers, and disposed tensors", async () => {
    using text = Tensor.from(["a"]);
    const gone = Tensor.from([1]);
    gone.dispose();
    for (const to of [toStridedArray, toNdarray, toZarrChunk, toOnnxTensor] as ((source: never, options?: never) => unknown)[]) {
      for (const wrong of [null, 1, {}, [1], new Float32Array(1)]) await expectRefusal(() => to(wrong as never), "INVALID_ARGUMENT");
      if (to !== (toOnnxTensor as never)) await expectRefusal(() => to(text as never), "UNIMPLEMENTED", "string");
      await expectRefusal(() => to(gone as never), "FAILED_PRECONDITION");
      await expectRefusal(() => to(text as never, { copies: true } as never), "INVALID_ARGUMENT");
    }
  });
});

describe.each(kNdarrays)("ndarray, with %s", (_name, ndarray) => {
  const data = Float64Array.from({ length: 24 }, (_, i) => i);
  const array = ndarray(data, [2, 3, 4]);

  test("has the form that the adapters expect", () => {
    const { shape, stride, offset, dtype } = array;
    expect([array.data, [...shape], [...stride], offset, dtype]).toEqual([data, [2, 3, 4], [12, 4, 1], 0, "float64"]);
  });

  test.each([
    ["row-major", array],
    ["transposed", array.transpose(2, 0, 1)],
    ["reversed", array.step(-1, 1, -2)],
    ["cut", array.lo(1, 1, 2)],
  ])("%s", (what, view) => {
    const sizes = [...view.shape];
    const expected = naive(data, sizes, view.stride, view.offset);
    const map = mapFromNdarray(view);
    expect([[...map.dimensions], [...map]]).toEqual([sizes, expected]);
    using tensor = tensorFromNdarray(view);
    expect([...tensor.flat()]).toEqual(expected);
    expect(tensor.tensorData.buffer === data.buffer).toBe(what === "row-major");
    const { data: again, shape, stride, offset, dtype } = toNdarray(map);
    expect([dtype, shape, (again as Float64Array).buffer === data.buffer]).toEqual(["float64", sizes, true]);
    const made = ndarray(again, shape, stride, offset);
    const last = sizes.map((size) => size - 1);
    expect(made.get(...last)).toBe(view.get(...last));
  });
});

test("ndarray: dtypes both ways, and data that cannot be viewed", async () => {
  const one = (data: unknown): never => ({ data, shape: [1], stride: [1], offset: 0 }) as never;
  const dtypeOf = (data: unknown, options?: { dtype: RawDType }): DType => {
    using tensor = tensorFromNdarray(one(data), options);
    return tensor.dtype;
  };
  const arrays = [Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, Float32Array, Float64Array];
  expect(arrays.map((make) => dtypeOf(new make(1)))).toEqual([
    "int8",
    "uint8",
    "uint8",
    "int16",
    "uint16",
    "int32",
    "uint32",
    "float32",
    "float64",
  ]);
  expect([dtypeOf(new BigInt64Array(1)), dtypeOf(new BigUint64Array(1)), dtypeOf(Buffer.alloc(1))]).toEqual(["int64", "uint64", "uint8"]);
  expect(dtypeOf(new Uint8ClampedArray(1), { dtype: "bool" })).toBe("bool");
  expect(dtypeOf(new Uint16Array(1), { dtype: "bfloat16" })).toBe("bfloat16");
  for (const data of [[1], { get: () => 1, set: () => undefined, length: 1 }, null, new DataView(new ArrayBuffer(8)), "a"])
    await expectRefusal(() => tensorFromNdarray(one(data)), "INVALID_ARGUMENT", "expected a typed array as data");
  await expectRefusal(() => tensorFromNdarray(one([1])), "INVALID_ARGUMENT", "Tensor.from copies a plain array");
  await expectRefusal(
    () => mapFromNdarray(one(new Int8Array(1)), { dtype: "float32" }),
    "INVALID_ARGUMENT",
    "stored in a Float32Array, got a Int8Array",
  );
  await expectRefusal(() => mapFromNdarray(one(new Int8Array(1)), { dtype: "x" } as never), "INVALID_ARGUMENT", "no dtype");
  await expectRefusal(() => mapFromNdarray(one(new Int8Array(1)), { type: "bool" } as never), "INVALID_ARGUMENT");
  await expectRefusal(() => tensorFromNdarray({ data: new Int8Array(1), shape: [1], stride: [1] } as never), "INVALID_ARGUMENT", "offset");
  for (const wrong of [{ byteOffset: -1 }, { byteOffset: 9 }, { length: 2 ** 53 }]) {
    const bools = { buffer: new ArrayBuffer(8), byteOffset: 0, length: 8, BYTES_PER_ELEMENT: 1, get: () => true, ...wrong };
    await expectRefusal(() => tensorFromNdarray(one(bools)), "INVALID_ARGUMENT", "an array of bools");
  }
  const texts = { data: new Array(1e9), shape: [1e9], stride: [1] };
  await expectRefusal(() => tensorFromZarrChunk(texts), "INVALID_ARGUMENT", "1000000000 texts");
  await expectRefusal(() => tensorFromZarrChunk({ data: ["a"], shape: [1e9], stride: [0] }), "INVALID_ARGUMENT", "in 1 texts");
  await expectRefusal(() => toOnnxTensor({ dtype: "string" } as never), "INVALID_ARGUMENT", "expected a tensor or a map");
  const names: string[] = [];
  for (const dtype of kRaw) {
    using tensor = new Tensor(dtype, [1]);
    try {
      names.push(`${dtype} ${toNdarray(tensor).dtype}`);
    } catch (error) {
      expect(error).toMatchObject({ code: "UNIMPLEMENTED" });
    }
  }
  expect(names.sort()).toEqual([
    "bool uint8",
    "float32 float32",
    "float64 float64",
    "int16 int16",
    "int32 int32",
    "int64 bigint64",
    "int8 int8",
    "uint16 uint16",
    "uint32 uint32",
    "uint64 biguint64",
    "uint8 uint8",
  ]);
});

describe("zarrita's chunks", () => {
  test("typed arrays, bools and texts", async () => {
    const data = Int16Array.of(1, 2, 3, 4, 5, 6);
    using rows = tensorFromZarrChunk({ data, shape: [2, 3], stride: [3, 1] });
    using columns = tensorFromZarrChunk({ data, shape: [2, 3], stride: [1, 2] });
    expect([rows.toArray(), columns.toArray()]).toEqual([
      [
        [1, 2, 3],
        [4, 5, 6],
      ],
      [
        [1, 3, 5],
        [2, 4, 6],
      ],
    ]);
    mapFromZarrChunk({ data, shape: [2, 3], stride: [1, 2] }).set(1, 0, 9);
    expect([data[1], rows.matrix().at(0, 1), columns.matrix().at(1, 0)]).toEqual([9, 9, 2]);
    const bits = new BoolArray(Uint8Array.of(0, 1, 0, 1).buffer, 1, 3);
    using bools = tensorFromZarrChunk({ data: bits, shape: [3], stride: [1] });
    expect([bools.dtype, bools.toArray(), bools.tensorData.buffer]).toEqual(["bool", [true, false, true], bits.buffer]);
    using none = tensorFromZarrChunk({ data: new BoolArray(new ArrayBuffer(0)), shape: [0], stride: [1] });
    expect(none.dtype).toBe("bool");
    using texts = tensorFromZarrChunk({ data: ["a", "b", "ß", "d"], shape: [2, 2], stride: [1, 2] });
    expect([texts.dtype, texts.toArray()]).toEqual([
      "string",
      [
        ["a", "ß"],
        ["b", "d"],
      ],
    ]);
    using noTexts = tensorFromZarrChunk({ data: [], shape: [0, 2], stride: [2, 1] });
    expect(noTexts.shape.dimSizes).toEqual([0, 2]);
    await expectRefusal(() => tensorFromZarrChunk({ data: ["a"], shape: [2], stride: [1] }), "INVALID_ARGUMENT", "occupy");
    await expectRefusal(() => tensorFromZarrChunk({ data: [1], shape: [1], stride: [1] }), "INVALID_ARGUMENT");
    await expectRefusal(() => mapFromZarrChunk({ data: ["a"], shape: [1], stride: [1] }), "INVALID_ARGUMENT", "typed array");
    await expectRefusal(() => tensorFromZarrChunk({ data: {}, shape: [1], stride: [1] }), "INVALID_ARGUMENT", "typed array");
    await expectRefusal(() => tensorFromZarrChunk({ data, shape: [1] } as never), "INVALID_ARGUMENT", "strides");
  });

  test("of tensors and maps", async () => {
    using tensor = Tensor.from([
      [1, 2, 3],
      [4, 5, 6],
    ]);
    const { data, shape, stride } = toZarrChunk(tensor);
    expect([[...(data as Float32Array)], shape, stride]).toEqual([
      [1, 2, 3, 4, 5, 6],
      [2, 3],
      [3, 1],
    ]);
    (data as Float32Array)[5] = 7;
    expect(tensor.matrix().at(1, 2)).toBe(7);
    const cut = toZarrChunk(tensor.matrix().strided("1, ::2"));
    expect([[...(cut.data as Float32Array)], cut.shape, cut.stride]).toEqual([[4, 5, 7], [2], [2]]);
    await expectRefusal(() => toZarrChunk(tensor.matrix().strided().reverse()), "FAILED_PRECONDITION", "no offset");
    expect(toZarrChunk(tensor.matrix().strided().reverse(), { copy: true }).stride).toEqual([3, 1]);
    using complex = new Tensor("complex64", [1]);
    await expectRefusal(() => toZarrChunk(complex), "UNIMPLEMENTED", "Zarr has no complex64");
  });
});

describe.each(kOrtTensors)("onnxruntime, with %s", (_name, OrtTensor) => {
  const kTypes: readonly (readonly [string, RawDType, ArrayLike<unknown>])[] = [
    ["float32", "float32", Float32Array.of(1, 2)],
    ["float64", "float64", Float64Array.of(1, 2)],
    ["int8", "int8", Int8Array.of(1, 2)],
    ["uint8", "uint8", Uint8Array.of(1, 2)],
    ["int16", "int16", Int16Array.of(1, 2)],
    ["uint16", "uint16", Uint16Array.of(1, 2)],
    ["int32", "int32", Int32Array.of(1, 2)],
    ["uint32", "uint32", Uint32Array.of(1, 2)],
    ["int64", "int64", BigInt64Array.of(1n, 2n)],
    ["uint64", "uint64", BigUint64Array.of(1n, 2n)],
    ["bool", "bool", Uint8Array.of(1, 0)],
    ["float16", "float16", Uint16Array.of(0x3c00, 0x4000)],
  ];

  test("has the form that the adapters expect", () => {
    const data = Float32Array.of(1, 2);
    const { type, dims, location, data: held } = new OrtTensor("float32", data, [2]);
    expect([type, [...dims], location, held]).toEqual(["float32", [2], "cpu", data]);
  });

  test.each(kTypes)("%s: in and out over the same memory", (type, dtype, data) => {
    const theirs = new OrtTensor(type, data, [1, 2]);
    using ours = tensorFromOnnx(theirs);
    expect([ours.dtype, ours.shape.dimSizes]).toEqual([dtype, [1, 2]]);
    expect(ours.tensorData.buffer).toBe((theirs.data as Float32Array).buffer);
    const made = toOnnxTensor(ours, { Tensor: OrtTensor as never }) as unknown as typeof theirs;
    expect([made instanceof OrtTensor, made.type, [...made.dims]]).toEqual([true, type, [1, 2]]);
    expect((made.data as Float32Array).buffer).toBe(ours.tensorData.buffer);
    const plain = toOnnxTensor(ours);
    expect([plain.type, plain.dims, plain.location]).toEqual([type, [1, 2], "cpu"]);
    using again = tensorFromOnnx(plain);
    expect([...again.tensorData]).toEqual([...ours.tensorData]);
    const copy = toOnnxTensor(ours, { copy: true });
    expect((copy.data as Float32Array).buffer).not.toBe(ours.tensorData.buffer);
  });

  test("texts", async () => {
    using ours = tensorFromOnnx(new OrtTensor("string", ["a", "ß", "", "d"], [2, 2]));
    expect([ours.dtype, ours.toArray()]).toEqual([
      "string",
      [
        ["a", "ß"],
        ["", "d"],
      ],
    ]);
    const made = toOnnxTensor(ours, { Tensor: OrtTensor as never }) as unknown as { data: unknown; dims: unknown };
    expect([made.data, made.dims]).toEqual([
      ["a", "ß", "", "d"],
      [2, 2],
    ]);
    const column = toOnnxTensor((ours as Tensor<"string">).matrix().strided().transpose() as never);
    expect(column.data).toEqual(["a", "", "ß", "d"]);
    using scalar = Tensor.from("x");
    expect(toOnnxTensor(scalar).data).toEqual(["x"]);
    using bytes = Tensor.from(Uint8Array.of(0xff), { dtype: "string", shape: [] });
    await expectRefusal(() => toOnnxTensor(bytes), "INVALID_ARGUMENT", "string 0 is not UTF-8");
  });
});

test("onnxruntime: what has no counterpart is refused", async () => {
  const data = Float32Array.of(1, 2);
  const refused = (tensor: unknown, code: "INVALID_ARGUMENT" | "FAILED_PRECONDITION" | "UNIMPLEMENTED", words: string): Promise<void> =>
    expectRefusal(() => tensorFromOnnx(tensor as never), code, words);
  await refused(null, "INVALID_ARGUMENT", "the onnxruntime tensor");
  await refused({ type: "float32", data, dims: [3] }, "INVALID_ARGUMENT", "dims [3] are of 3 elements, its data has 2");
  await refused({ type: "float32", data, dims: 2 }, "INVALID_ARGUMENT", "shape");
  await refused(
    { type: "float32", data: new Float64Array(2), dims: [2] },
    "INVALID_ARGUMENT",
    "stored in a Float32Array, got a Float64Array",
  );
  await refused(
    { type: "bfloat16", data: new Uint16Array(2), dims: [2] },
    "INVALID_ARGUMENT",
    'its type is "bfloat16", expected one of float32',
  );
  await refused({ type: "uint4", data: new Uint8Array(1), dims: [2] }, "UNIMPLEMENTED", "two elements in a byte");
  await refused({ type: "string", data, dims: [2] }, "INVALID_ARGUMENT", "data");
  await refused({ type: "string", data: ["a"], dims: [2] }, "INVALID_ARGUMENT", "");
  for (const location of ["gpu-buffer", "texture", "ml-tensor", "none", 1])
    await refused({ type: "float32", data, dims: [2], location }, "FAILED_PRECONDITION", "getData()");
  using pinned = tensorFromOnnx({ type: "float32", data, dims: [2], location: "cpu-pinned" });
  expect(pinned.toArray()).toEqual([1, 2]);
  using tensor = Tensor.from([
    [1, 2],
    [3, 4],
  ]);
  await expectRefusal(() => toOnnxTensor(tensor.matrix().strided().transpose()), "FAILED_PRECONDITION", "row-major");
  const row = toOnnxTensor(tensor.matrix().strided("1"));
  expect([[...(row.data as Float32Array)], row.dims]).toEqual([[3, 4], [2]]);
  expect([...(toOnnxTensor(tensor.matrix().strided().transpose(), { copy: true }).data as Float32Array)]).toEqual([1, 3, 2, 4]);
  using bfloat = new Tensor("bfloat16", [1]);
  await expectRefusal(() => toOnnxTensor(bfloat), "UNIMPLEMENTED", "onnxruntime has no bfloat16");
  await expectRefusal(() => toOnnxTensor(tensor, { Tensor: 1 } as never), "INVALID_ARGUMENT", "onnxruntime's Tensor");
});
