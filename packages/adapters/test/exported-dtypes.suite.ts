// Every dtype of Zarr and of onnxruntime both ways, and what these libraries have no counterpart for.
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { RawDType } from "@onebuffer/base";
import { typedArrayConstructor } from "@onebuffer/base";
import { Tensor } from "@onebuffer/core";
import { tensorFromOnnx, tensorFromZarrChunk, toNdarray, toOnnxTensor, toZarrChunk } from "@onebuffer/adapters";
import { expectRefusal } from "@onebuffer/test-support";

/** Calls are made with values that types refuse. */
type Any = ReturnType<typeof JSON.parse>;

const kZarr = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64", "bool"] as const;

test.each(kZarr)("Zarr: %s becomes a chunk over its memory, and a tensor again", (dtype) => {
  using ones = Tensor.from([1, 0, 1, 1], { shape: [2, 2] });
  using tensor = Tensor.evaluate(ones.matrix().cast(dtype as RawDType));
  const chunk = toZarrChunk(tensor);
  expect((chunk.data as object).constructor).toBe(typedArrayConstructor(dtype));
  expect([chunk.shape, chunk.stride]).toEqual([
    [2, 2],
    [2, 1],
  ]);
  using again = tensorFromZarrChunk(chunk, { dtype });
  expect([again.dtype, again.toArray(), again.tensorData.byteOffset]).toEqual([dtype, tensor.toArray(), tensor.tensorData.byteOffset]);
});

test("dtypes that a library lacks are refused with those it has", async () => {
  using tensor = Tensor.zeros([2], { dtype: "bfloat16" });
  await expectRefusal(() => toZarrChunk(tensor), "UNIMPLEMENTED", `toZarrChunk: Zarr has no bfloat16; cast to one of ${kZarr.join(", ")}`);
  await expectRefusal(() => toNdarray(tensor), "UNIMPLEMENTED", "toNdarray: ndarray has no bfloat16; cast to one of int8, int16, ");
  await expectRefusal(() => toOnnxTensor(tensor), "UNIMPLEMENTED", "toOnnxTensor: onnxruntime has no bfloat16; cast to one of float32, ");
  await expectRefusal(
    () => tensorFromOnnx({ type: "bfloat16", data: new Uint16Array(1), dims: [1] }),
    "INVALID_ARGUMENT",
    "uint64, string",
  );
  for (const type of ["int4", "uint4"])
    await expectRefusal(() => tensorFromOnnx({ type, data: new Uint8Array(1), dims: [2] }), "UNIMPLEMENTED", "two elements in a byte");
});

test("texts of a chunk that has no elements are no texts", () => {
  using texts = tensorFromZarrChunk({ data: ["a", "b"], shape: [0, 3], stride: [3, 1] });
  expect([texts.dtype, texts.shape.dimSizes]).toEqual(["string", [0, 3]]);
});

test("onnxruntime: rows with gaps and single steps are refused, and copied if that is asked for", async () => {
  using tensor = Tensor.from([
    [1, 2, 3, 4],
    [5, 6, 7, 8],
  ]);
  const rows = tensor.matrix().strided(":, :2");
  await expectRefusal(() => toOnnxTensor(rows), "FAILED_PRECONDITION", "the strides [4,1] are not those of a row-major array of [2,2]");
  expect([...(toOnnxTensor(rows, { copy: true }).data as Float32Array)]).toEqual([1, 2, 5, 6]);
  await expectRefusal(() => toOnnxTensor(tensor, { Tensor: 3 } as Any), "INVALID_ARGUMENT", "onnxruntime's Tensor");
});

describe("onnxruntime's float16", () => {
  const place = globalThis as { Float16Array?: unknown };
  const own = place.Float16Array;
  /** A Float16Array that tells what it was made of. */
  class Float16Array {
    readonly made: readonly unknown[];
    constructor(...made: readonly unknown[]) {
      this.made = made;
    }
  }
  class OrtTensor {
    readonly made: readonly unknown[];
    constructor(...made: readonly unknown[]) {
      this.made = made;
    }
  }
  beforeAll(() => void (place.Float16Array = Float16Array));
  afterAll(() => {
    if (own === undefined) delete place.Float16Array;
    else place.Float16Array = own;
  });

  test("is a Float16Array over the same memory, and bits for its class", () => {
    using tensor = Tensor.from([1, 2, 3], { dtype: "float16" });
    const { buffer, byteOffset } = tensor.tensorData;
    expect((toOnnxTensor(tensor).data as Float16Array).made).toEqual([buffer, byteOffset, 3]);
    const { made } = toOnnxTensor(tensor, { Tensor: OrtTensor as never } as Any) as Any;
    const [type, data, dims] = made;
    expect([type, dims, data.constructor.name, [...data]]).toEqual(["float16", [3], "Uint16Array", [0x3c00, 0x4000, 0x4200]]);
    using floats = Tensor.from([1, 2]);
    expect([...(toOnnxTensor(floats).data as Float32Array)]).toEqual([1, 2]);
  });
});
