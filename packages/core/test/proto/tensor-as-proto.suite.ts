// asProtoField, asProtoTensorContent, createTensorProto: the contents of a message, and which arrays are views of the tensor.
import { describe, expect, test } from "@jest/globals";
import type { DType } from "@onebuffer/base";
import { allDTypes, dataTypeOf, isObjectDType } from "@onebuffer/base";
import type { TensorProto } from "@onebuffer/core";
import { Allocator, bytesCopied } from "@onebuffer/allocator";
import { createTensorProto, ResourceHandle, Tensor, Variant } from "@onebuffer/core";
import type { Pointer } from "@onebuffer/allocator";
import { refusal } from "@onebuffer/test-support";

const dim = [{ size: 2 }];

test.each<[DType, readonly unknown[], TensorProto]>([
  ["float32", [1.5, -0], { floatVal: Float32Array.of(1.5, -0) }],
  ["float64", [0.1, 2], { doubleVal: Float64Array.of(0.1, 2) }],
  ["int8", [-1, -128], { intVal: Int32Array.of(-1, -128) }],
  ["uint8", [255, 0], { intVal: Int32Array.of(255, 0) }],
  ["int16", [-2, 32767], { intVal: Int32Array.of(-2, 32767) }],
  ["uint16", [65535, 1], { intVal: Int32Array.of(65535, 1) }],
  ["int32", [-1, 7], { intVal: Int32Array.of(-1, 7) }],
  ["qint32", [-1, 7], { intVal: Int32Array.of(-1, 7) }],
  ["quint16", [65535, 1], { intVal: Int32Array.of(65535, 1) }],
  ["int4", [-8, 7], { intVal: Int32Array.of(-8, 7) }],
  ["uint4", [15, 0], { intVal: Int32Array.of(15, 0) }],
  ["int2", [-2, 1], { intVal: Int32Array.of(-2, 1) }],
  ["uint2", [3, 0], { intVal: Int32Array.of(3, 0) }],
  ["uint32", [4294967295, 1], { uint32Val: Uint32Array.of(4294967295, 1) }],
  ["int64", [-1n, 2n ** 62n], { int64Val: BigInt64Array.of(-1n, 2n ** 62n) }],
  ["uint64", [2n ** 64n - 1n, 0n], { uint64Val: BigUint64Array.of(2n ** 64n - 1n, 0n) }],
  ["bool", [true, false], { boolVal: Uint8Array.of(1, 0) }],
  ["float16", [1, -2], { halfVal: Int32Array.of(0x3c00, 0xc000) }],
  ["bfloat16", [1, -2], { halfVal: Int32Array.of(0x3f80, 0xc000) }],
  [
    "complex64",
    [
      [1, 2],
      [3, 4],
    ],
    { scomplexVal: Float32Array.of(1, 2, 3, 4) },
  ],
  [
    "complex128",
    [
      [1, 2],
      [3, 4],
    ],
    { dcomplexVal: Float64Array.of(1, 2, 3, 4) },
  ],
  ["float8_e5m2", [1, -1], { float8Val: Uint8Array.of(0x3c, 0xbc) }],
  ["string", ["a", ""], { stringVal: [Uint8Array.of(97), new Uint8Array(0)] }],
])("the field of %s", (dtype, values, field) => {
  using tensor = Tensor.from(values as never, { dtype });
  const { dtype: number, tensorShape, ...rest } = tensor.asProtoField({ copy: true });
  expect([number, tensorShape, rest]).toEqual([dataTypeOf(dtype), { dim }, field]);
});

test.each(allDTypes)("%s is read back from both forms, also from a slice at an odd offset", (dtype) => {
  using whole = Tensor.ones([3], { dtype: isObjectDType(dtype) ? "uint8" : dtype });
  if (isObjectDType(dtype)) return;
  using part = whole.slice(1, 3);
  for (const proto of [part.asProtoField(), part.asProtoTensorContent(), part.asProtoField({ copy: true })]) {
    using back = Tensor.fromProto(proto);
    expect(back.equals(part)).toBe(true);
  }
});

test("NaN payloads pass through both forms", () => {
  using tensor = Tensor.wrap(Uint32Array.of(0x7f800001, 0xffc12345), [2], { dtype: "float32" });
  for (const proto of [tensor.asProtoField(), tensor.asProtoTensorContent(), tensor.asProtoField({ copy: true })]) {
    using back = Tensor.fromProto(proto, { copy: true });
    expect([...back.tensorData]).toEqual([...tensor.tensorData]);
  }
});

test("bits above a narrow element are in its bytes, but not in its number", () => {
  using tensor = Tensor.wrap(Uint8Array.of(0x0e, 0xf7), [2], { dtype: "int4" });
  expect(tensor.asProtoField().intVal).toEqual(Int32Array.of(-2, 7));
  expect([...tensor.asProtoTensorContent().tensorContent!]).toEqual([0x0e, 0xf7]);
});

describe("copies", () => {
  test("the content is a view; that of a slice has only the slice's bytes", () => {
    using tensor = Tensor.from([1, 2, 3], { dtype: "int16" });
    using tail = tensor.slice(1, 3);
    const before = bytesCopied();
    const content = tail.asProtoTensorContent().tensorContent!;
    expect(bytesCopied()).toBe(before);
    tensor.vec().set(2, 0x0605);
    expect([...content]).toEqual([2, 0, 5, 6]);
    const own = tail.asProtoTensorContent({ copy: true }).tensorContent!;
    expect(bytesCopied()).toBe(before + 4);
    tensor.vec().set(2, 0);
    expect([...own]).toEqual([2, 0, 5, 6]);
  });

  test("the field is a view if it holds the same numbers as memory", () => {
    for (const dtype of ["float32", "int64", "bool", "float8_e5m2", "complex64"] as const) {
      using tensor = Tensor.zeros([2], { dtype });
      const before = bytesCopied();
      tensor.asProtoField();
      expect(bytesCopied()).toBe(before);
      tensor.asProtoField({ copy: true });
      expect(bytesCopied()).toBe(before + tensor.totalBytes);
    }
  });

  test("elements at an odd address are copied", () => {
    class Odd extends Allocator {
      override get name(): string {
        return "odd";
      }
      override allocateRaw(_alignment: number, numBytes: number): Pointer {
        return { buffer: new ArrayBuffer(numBytes + 1), byteOffset: 1 };
      }
      override deallocateRaw(): void {}
    }
    using tensor = new Tensor("float32", [2], { allocator: new Odd() });
    tensor.unalignedFlat().set(1, 5);
    expect(tensor.asProtoField().floatVal).toEqual(Float32Array.of(0, 5));
  });

  test("a message made with `copy` outlives the tensor", () => {
    const tensor = Tensor.from([1, 2]);
    const field = tensor.asProtoField({ copy: true });
    const content = tensor.asProtoTensorContent({ copy: true });
    tensor.dispose();
    for (const proto of [field, content]) {
      using back = Tensor.fromProto(proto);
      expect(back.toArray()).toEqual([1, 2]);
    }
  });
});

test("messages of scalars have a shape; those of tensors without a buffer have no elements", () => {
  using scalar = Tensor.from(1.5);
  expect(scalar.asProtoField({ copy: true })).toEqual({ dtype: 1, tensorShape: { dim: [] }, floatVal: Float32Array.of(1.5) });
  using empty = Tensor.zeros([0, 3]);
  using moved = Tensor.zeros([2]);
  using thief = moved.move();
  for (const tensor of [empty, moved])
    for (const proto of [tensor.asProtoField(), tensor.asProtoTensorContent()])
      expect(proto).toEqual({ dtype: 1, tensorShape: tensor.shape.asProto() });
  expect(thief.numElements).toBe(2);
  thief.dispose();
  expect(refusal(() => thief.asProtoField()).code).toBe("FAILED_PRECONDITION");
  expect(refusal(() => thief.asProtoTensorContent()).code).toBe("FAILED_PRECONDITION");
});

test("strings are encoded as a list of lengths followed by the bytes", () => {
  using tensor = Tensor.from(["", "é", "x".repeat(200)]);
  const { tensorContent } = tensor.asProtoTensorContent();
  expect([...tensorContent!.subarray(0, 6)]).toEqual([0, 2, 0xc8, 0x01, 0xc3, 0xa9]);
  using back = Tensor.fromProto({ ...tensor.asProtoField(), stringVal: undefined, tensorContent });
  expect(back.toArray()).toEqual(tensor.toArray());
});

test.each([0, 1, 127, 128, 16383, 16384, 2097151, 2097152])("a string of %d bytes is read back from a string list", (length) => {
  using tensor = Tensor.from([new Uint8Array(length).fill(7), Uint8Array.of(8)] as never, { dtype: "string" });
  using back = Tensor.fromProto(tensor.asProtoTensorContent());
  expect(back.equals(tensor)).toBe(true);
});

test("handles and variants as content need the proto package", () => {
  for (const dtype of ["resource", "variant"] as const) {
    using tensor = Tensor.zeros([1], { dtype });
    const error = refusal(() => tensor.asProtoTensorContent());
    expect([error.code, /import onebuffer\/proto,/.test(error.message)]).toEqual(["FAILED_PRECONDITION", true]);
    const proto = { dtype: dataTypeOf(dtype), tensorContent: Uint8Array.of(0) };
    expect(refusal(() => Tensor.fromProto(proto)).code).toBe("FAILED_PRECONDITION");
  }
});

test("handles become messages, each with its own dtypes and shapes", () => {
  using tensor = Tensor.zeros([2], { dtype: "resource" });
  const proto = {
    name: "v",
    device: "d",
    container: "c",
    hashCode: 2 ** 40,
    maybeTypeName: "T",
    dtypesAndShapes: [{ dtype: 1, shape: { dim: [{ size: -1 }] } }],
  };
  using handle = ResourceHandle.fromProto(proto);
  tensor.flat("resource").set(0, handle);
  const field = tensor.asProtoField();
  expect(field.resourceHandleVal?.[0]).toEqual({ ...proto, hashCode: 2n ** 40n });
  expect(field.resourceHandleVal?.[1]?.dtypesAndShapes).toEqual([]);
  using back = Tensor.fromProto(field);
  expect(back.asProtoField()).toEqual(field);
});

describe("createTensorProto", () => {
  test("returns the field form of the values", () => {
    expect(createTensorProto("float32", [1.1, 2.2], [2])).toEqual({ dtype: 1, tensorShape: { dim }, floatVal: Float32Array.of(1.1, 2.2) });
    expect(createTensorProto("string", ["a", Uint8Array.of(255)], [1, 2]).stringVal).toEqual([Uint8Array.of(97), Uint8Array.of(255)]);
    expect(createTensorProto("complex64", [[1, 2]], []).scomplexVal).toEqual(Float32Array.of(1, 2));
    expect(createTensorProto("float16", Uint16Array.of(0x3c00), [1]).halfVal).toEqual(Int32Array.of(0x3c00));
    expect(createTensorProto("int64", [], [0])).toEqual({ dtype: 9, tensorShape: { dim: [{ size: 0 }] } });
  });

  test("returns an empty message if the counts differ", () => {
    expect(createTensorProto("int32", [1, 2], [3])).toEqual({});
    expect(createTensorProto("int32", [], [])).toEqual({});
  });

  test.each<DType>(["resource", "variant", "float8_e5m2", "int4", "uint2"])("does not support %s", (dtype) => {
    const error = refusal(() => createTensorProto(dtype, [], [0]));
    expect([error.code, error.message.includes(dtype)]).toEqual(["INVALID_ARGUMENT", true]);
  });

  test("refuses values that the dtype cannot hold", () => {
    expect(refusal(() => createTensorProto("int8", [128], [1])).message).toMatch(/128/);
    expect(refusal(() => createTensorProto("int8", [1], [-1])).message).toMatch(/-1/);
  });
});

test("a variant that cannot be encoded throws, and leaks nothing", () => {
  using tensor = Tensor.zeros([1], { dtype: "variant" });
  using variant = new Variant({ typeName: "mute" });
  tensor.flat("variant").set(0, variant);
  expect(refusal(() => tensor.asProtoField()).message).toMatch(/mute/);
});
