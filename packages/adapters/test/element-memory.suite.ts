// The memory of other libraries' arrays: where elements begin, what is shared and what is copied, arrays of bools that are no typed arrays, and
// the names of calls and arrays in errors.
import { describe, expect, test } from "@jest/globals";
import { bytesCopied } from "@onebuffer/allocator";
import { Tensor } from "@onebuffer/core";
import { unalignedTensorMap } from "@onebuffer/eigen/internal";
import { kUnowned } from "@onebuffer/storage/internal";
import * as adapters from "@onebuffer/adapters";
import {
  mapFromNdarray,
  mapFromStridedArray,
  tensorFromNdarray,
  tensorFromStridedArray,
  tensorFromZarrChunk,
  toStridedArray,
} from "@onebuffer/adapters";
import { expectRefusal } from "@onebuffer/test-support";

/** Calls are made with values that types refuse. */
type Any = ReturnType<typeof JSON.parse>;

const counted = (count: number): Int32Array<ArrayBuffer> => Int32Array.from({ length: count }, (_, i) => i);

describe("memory that begins between elements", () => {
  // int32 elements 0 to 9; the view begins in the middle of the first.
  const { buffer: memory } = counted(10);
  const view = new Uint8Array(memory, 2, 38);
  const array = { dtype: "int32", shape: [3], byteOffset: 6, buffer: view } as const;

  test("elements at multiples of their size in memory are shared", () => {
    using tensor = tensorFromStridedArray(array);
    expect([tensor.toArray(), tensor.tensorData.buffer === memory]).toEqual([[2, 3, 4], true]);
    const map = mapFromStridedArray({ ...array, shape: [2, 2], strides: [4, 2] });
    expect([...map]).toEqual([2, 4, 6, 8]);
    map.set(1, 1, 88);
    expect(new Int32Array(memory)[8]).toBe(88);
    map.set(1, 1, 8);
    using columns = tensorFromStridedArray({ ...array, shape: [2, 2], strides: [1, 4] });
    expect([columns.toArray(), columns.tensorData.buffer === memory]).toEqual([
      [
        [2, 6],
        [3, 7],
      ],
      false,
    ]);
    expect([...mapFromStridedArray({ ...array, shape: [9], byteOffset: 2 })]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test("others are copied into a tensor, from the first byte to the last, and have no map", async () => {
    const before = bytesCopied();
    using tensor = tensorFromStridedArray({ ...array, byteOffset: 9, shape: [2] });
    expect(bytesCopied() - before).toBe(8);
    expect(tensor.toArray()).toEqual([11, 15].map((at) => new DataView(memory).getInt32(at, true)));
    await expectRefusal(
      () => mapFromStridedArray({ ...array, byteOffset: 5 }),
      "FAILED_PRECONDITION",
      "at byte 7, which is no multiple of 4",
    );
  });

  test("the parts of a complex number are aligned one by one", () => {
    const parts = Float32Array.from({ length: 9 }, (_, i) => i);
    const map = mapFromStridedArray({ dtype: "complex64", shape: [2], strides: [2], byteOffset: 4, buffer: parts });
    expect([...map]).toEqual([
      [1, 2],
      [5, 6],
    ]);
    using tensor = tensorFromStridedArray({ dtype: "complex64", shape: [4], byteOffset: 4, buffer: parts });
    expect([tensor.shape.dimSizes, tensor.tensorData.buffer === parts.buffer]).toEqual([[4], true]);
  });

  test("the stride of a size of 1 does not make a copy", () => {
    using tensor = tensorFromStridedArray({ ...array, shape: [1, 3], strides: [7, 1] });
    expect([tensor.toArray(), tensor.tensorData.buffer === memory]).toEqual([[[2, 3, 4]], true]);
  });

  test("a map of our own at an odd address is given away as a copy", async () => {
    const bytes = new Uint8Array(9);
    bytes.set(new Uint8Array(Float32Array.of(1, 2).buffer), 1);
    const odd = unalignedTensorMap("float32", bytes.buffer, 1, kUnowned, [2]) as Any;
    await expectRefusal(() => toStridedArray(odd), "FAILED_PRECONDITION", "toStridedArray: the float32 elements are not aligned in memory");
    expect([...(toStridedArray(odd, { copy: true }).buffer as Float32Array)]).toEqual([1, 2]);
  });
});

describe("arrays of bools that are no typed arrays", () => {
  /** An array as zarrita's, but for `changes`. */
  const bools = (buffer: ArrayBufferLike, byteOffset: number, length: number, changes: object = {}): object => ({
    buffer,
    byteOffset,
    length,
    BYTES_PER_ELEMENT: 1,
    get: (index: number) => (index < length ? new Uint8Array(buffer)[byteOffset + index] === 1 : undefined),
    ...changes,
  });
  const chunkOf = (data: unknown, count: number): Any => ({ data, shape: [count], stride: [1] });

  test("are views of their memory, shared or not", () => {
    for (const make of [ArrayBuffer, SharedArrayBuffer]) {
      const buffer = new make(6);
      new Uint8Array(buffer).set([0, 1, 0, 1, 1, 0]);
      for (const options of [{}, { dtype: "bool" }] as const) {
        using tensor = tensorFromZarrChunk(chunkOf(bools(buffer, 1, 4), 4), options);
        expect([tensor.dtype, tensor.toArray(), tensor.tensorData.buffer]).toEqual(["bool", [true, false, true, true], buffer]);
      }
    }
  });

  test("of no elements, also of memory that was given away", () => {
    const buffer = new ArrayBuffer(4);
    using none = tensorFromZarrChunk(chunkOf(bools(buffer, 4, 0), 0));
    structuredClone(buffer, { transfer: [buffer] });
    using given = tensorFromZarrChunk(chunkOf(bools(buffer, 0, 0), 0));
    expect([none.dtype, none.shape.dimSizes, given.dtype, given.shape.dimSizes]).toEqual(["bool", [0], "bool", [0]]);
  });

  test.each<readonly [string, unknown]>([
    ["no buffer", bools(new ArrayBuffer(4), 0, 4, { buffer: {} })],
    ["no number as place", bools(new ArrayBuffer(4), 0, 4, { byteOffset: "0" })],
    ["no number as length", bools(new ArrayBuffer(4), 0, 4, { length: "4" })],
    ["no method get", bools(new ArrayBuffer(4), 0, 4, { get: true })],
    ["elements of two bytes", bools(new ArrayBuffer(4), 0, 4, { BYTES_PER_ELEMENT: 2 })],
    ["elements that are no bools", bools(new ArrayBuffer(4), 0, 4, { get: () => 1 })],
    ["a view without elements", new DataView(new ArrayBuffer(4))],
    ["nothing", undefined],
    ["a text", "true"],
  ])("is refused: %s", async (_, data) => {
    await expectRefusal(() => tensorFromZarrChunk(chunkOf(data, 4)), "INVALID_ARGUMENT", "the chunk: expected a typed array as data, got ");
  });

  test("outside their memory, or as another dtype, are refused", async () => {
    const buffer = new ArrayBuffer(4);
    await expectRefusal(() => tensorFromZarrChunk(chunkOf(bools(buffer, 2, 3), 3)), "INVALID_ARGUMENT", "the length of an array of bools");
    await expectRefusal(
      () => tensorFromZarrChunk(chunkOf(bools(buffer, 5, 0), 0)),
      "INVALID_ARGUMENT",
      "the byteOffset of an array of bools",
    );
    await expectRefusal(() => tensorFromZarrChunk(chunkOf(bools(buffer, 0, 4), 4), { dtype: "uint8" }), "INVALID_ARGUMENT", "typed array");
  });
});

test("plain arrays are refused with the call that copies them, typed arrays of other elements with theirs", async () => {
  const array = { data: [1, 2], shape: [2], stride: [1], offset: 0 } as Any;
  const refusal = "the ndarray: expected a typed array as data, got an array of 2; Tensor.from copies a plain array";
  await expectRefusal(() => tensorFromNdarray(array), "INVALID_ARGUMENT", refusal);
  const bytes = { ...array, data: new Uint8Array(2) };
  await expectRefusal(
    () => mapFromNdarray(bytes, { dtype: "float16" }),
    "INVALID_ARGUMENT",
    "elements of float16 are stored in a Uint16Array, got a Uint8Array",
  );
  await expectRefusal(() => mapFromNdarray(bytes, { dtype: "string" as never }), "INVALID_ARGUMENT", "is no dtype of numbers");
  expect([...mapFromNdarray({ ...array, data: new Uint8ClampedArray([3, 4]) }, { dtype: "uint8" })]).toEqual([3, 4]);
});

const kNdarray = { data: new Int8Array(2), shape: [2], stride: [1], offset: 0 };

test.each([
  ["mapFromNdarray", kNdarray, "the ndarray"],
  ["tensorFromNdarray", kNdarray, "the ndarray"],
  ["mapFromZarrChunk", kNdarray, "the chunk"],
  ["tensorFromZarrChunk", kNdarray, "the chunk"],
  ["mapFromImage", { data: new Uint8Array(4), width: 1, height: 1 }, "the image"],
] as const)("%s names itself and its source", async (name, source, what) => {
  const call = (adapters as Any)[name];
  await expectRefusal(() => call(source, { wrong: 1 }), "INVALID_ARGUMENT", `${name}: `);
  await expectRefusal(() => call(null), "INVALID_ARGUMENT", what);
});

test.each(["toNdarray", "toOnnxTensor", "toStridedArray", "toZarrChunk", "toImage"])("%s names itself", async (name) => {
  using tensor = Tensor.zeros([1, 1, 4], { dtype: "uint8" });
  const call = (adapters as Any)[name];
  await expectRefusal(() => call(tensor, { wrong: 1 }), "INVALID_ARGUMENT", `${name}: `);
  await expectRefusal(() => call({}), "INVALID_ARGUMENT", `${name}: expected a tensor or a map, got an object`);
});

test("an array whose memory was sent to a worker is refused", () => {
  const data = new Uint8Array(4);
  structuredClone(data.buffer, { transfer: [data.buffer] });
  for (const make of [
    () => adapters.mapFromImage({ data, width: 1, height: 1 } as never),
    () => tensorFromNdarray({ data, shape: [4], stride: [1], offset: 0 } as never),
    () => adapters.tensorFromOnnx({ data, dims: [4], type: "uint8" } as never),
  ])
    expect(make).toThrow(expect.objectContaining({ code: "FAILED_PRECONDITION", message: expect.stringContaining("is detached") }));
});

test("copies to and from arrays of other libraries are counted", () => {
  using tensor = Tensor.arange(1000);
  const bytesOf = (copy: () => unknown): number => {
    const before = bytesCopied();
    copy();
    return bytesCopied() - before;
  };
  expect(bytesOf(() => adapters.toNdarray(tensor, { copy: true }))).toBe(4000);
  expect(bytesOf(() => adapters.toNdarray(tensor))).toBe(0);
  const reversed = { data: new Float32Array(1000), shape: [1000], stride: [-1], offset: 999 };
  expect(bytesOf(() => tensorFromNdarray(reversed as never).dispose())).toBe(4000);
});
