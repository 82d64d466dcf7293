// Tensors of float4_e2m1fn, DT_FLOAT4_E2M1FN of TensorFlow 2.21: one byte per element, supported wherever float8 is. The codec is
// compared with ml_dtypes by packages/base/test/small-numbers.suite.ts, the messages with TensorFlow by `npm run interop`.
import { expect, test } from "@jest/globals";
import { DataType, dataTypeFromString, dataTypeString } from "@onebuffer/base";
import { compressTensorProtoInPlace, createTensorProto, deepCopy, Tensor } from "@onebuffer/core";
import { refusal } from "@onebuffer/test-support";

const kAll = [0, 0.5, 1, 1.5, 2, 3, 4, 6, -0, -0.5, -1, -1.5, -2, -3, -4, -6];

test("the dtype and its reference type have numbers and names", () => {
  expect([DataType.DT_FLOAT4_E2M1FN, dataTypeString(33), dataTypeString(133)]).toEqual([33, "float4_e2m1fn", "float4_e2m1fn_ref"]);
  expect([dataTypeFromString("float4_e2m1fn"), dataTypeFromString("float4_e2m1fn_ref")]).toEqual([33, 133]);
});

test("every value is stored in one byte and read back", () => {
  using t = Tensor.from(kAll, { dtype: "float4_e2m1fn" });
  expect([t.dtype, t.totalBytes, t.shape.dataType]).toEqual(["float4_e2m1fn", 16, 33]);
  expect([...t.tensorData]).toEqual(kAll.map((_, bits) => bits));
  expect(t.toArray()).toEqual(kAll);
  expect(t.vec().at(9)).toBe(-0.5);
  t.vec().set(0, 100);
  t.vec().set(1, Number.NaN);
  t.vec().set(2, -1.75);
  expect([t.vec().at(0), t.vec().at(1), t.vec().at(2)]).toEqual([6, -0, -2]);
  using matrix = t.reshape([4, 4]);
  using copy = deepCopy(matrix);
  expect([copy.matrix().at(3, 3), copy.equals(matrix)]).toEqual([-6, true]);
  expect(matrix.strided("::2, -1").toArray()).toEqual([1.5, -1.5]);
  expect(matrix.strided("::2, -1").dtype).toBe("float4_e2m1fn");
});

test("bits above the four are ignored when reading", () => {
  using t = Tensor.wrap(Uint8Array.of(0xf1, 0x18), undefined, { dtype: "float4_e2m1fn" });
  expect(t.toArray()).toEqual([0.5, -0]);
});

test("elements print as in TensorFlow and in NumPy", () => {
  using t = Tensor.from([0.5, -6, 1.5, -0], { dtype: "float4_e2m1fn" });
  expect(t.summarizeValue(10, true)).toBe("[0.5 -6 1.5 -0]");
  expect(t.debugString()).toBe("Tensor<type: float4_e2m1fn shape: [4] values: 0.5 -6 1.5...>");
  expect(t.toString()).toBe("[ 0.5 -6.   1.5 -0. ]");
});

test("casts to float4 go through float32, round to nearest even and saturate; casts from float4 are exact", () => {
  const input = [0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5, 5.1, 7, -100, Infinity, -Infinity, NaN, 0.26, -0.1, 1e-40];
  using t = Tensor.from(input);
  using small = Tensor.evaluate(t.vec().cast("float4_e2m1fn"));
  expect(small.toArray()).toEqual([0, 1, 1, 2, 2, 4, 4, 6, 6, -6, 6, -6, -0, 0.5, -0, 0]);
  using back = Tensor.evaluate(small.vec().cast("float32"));
  expect(back.toArray()).toEqual(small.toArray());
  using whole = Tensor.evaluate(small.vec().cast("int32"));
  expect(whole.toArray()).toEqual([0, 1, 1, 2, 2, 4, 4, 6, 6, -6, 6, -6, 0, 0, 0, 0]);
  using doubles = Tensor.from(input, { dtype: "float64" });
  using from64 = Tensor.evaluate(doubles.vec().cast("float4_e2m1fn"));
  expect(from64.toArray()).toEqual(small.toArray());
  using clipped = Tensor.evaluate(t.vec().saturateCast("float4_e2m1fn"));
  expect(clipped.toArray()).toEqual(small.toArray());
  using moved = Tensor.evaluate(small.vec().reverse([0]).cast("float32"));
  expect(moved.toArray()).toEqual((small.toArray() as number[]).toReversed());
});

test("messages hold the elements in float8_val, one byte each", () => {
  using t = Tensor.from([0.5, -6, 1.5, -0], { dtype: "float4_e2m1fn" });
  const field = t.asProtoField();
  expect(field).toMatchObject({ dtype: 33, float8Val: Uint8Array.of(1, 15, 3, 8) });
  expect(t.asProtoTensorContent()).toMatchObject({ dtype: 33, tensorContent: Uint8Array.of(1, 15, 3, 8) });
  for (const proto of [field, t.asProtoTensorContent()]) {
    using read = Tensor.fromProto(proto, { copy: true });
    expect([read.dtype, read.toArray()]).toEqual(["float4_e2m1fn", [0.5, -6, 1.5, -0]]);
  }
  using filled = Tensor.fromProto({ dtype: 33, tensorShape: { dim: [{ size: 3 }] }, float8Val: Uint8Array.of(5) });
  expect(filled.toArray()).toEqual([3, 3, 3]);
  using zeros = Tensor.zeros([100], { dtype: "float4_e2m1fn" });
  expect(compressTensorProtoInPlace(zeros.asProtoTensorContent({ copy: true }))).toBe(false);
  expect(refusal(() => createTensorProto("float4_e2m1fn", [1], [1])).code).toBe("INVALID_ARGUMENT");
});
