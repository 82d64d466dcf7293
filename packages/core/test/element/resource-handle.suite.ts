/** Tests of ResourceHandle: texts, proto form, type validation, ref counting. */
import { expect, test } from "@jest/globals";
import { RefCounted } from "@onebuffer/allocator";
import { ResourceHandle, Tensor } from "@onebuffer/core";
import { PartialTensorShape } from "@onebuffer/shape";
import { thrown, expectStatus } from "@onebuffer/test-support";

/** The calls of some tests are wrong on purpose. */
type Any = ReturnType<typeof JSON.parse>;

class Variable extends RefCounted {}
class Named extends RefCounted {
  makeRefCountingHandleName(id: number): string {
    return `var-${id}`;
  }
}

const fields = {
  device: "cpu:0",
  container: "c",
  name: "v",
  hashCode: 0xabcdefn,
  maybeTypeName: "Var",
  dtypesAndShapes: [
    { dtype: 3, shape: new PartialTensorShape([4, -1]) },
    { dtype: 1, shape: new PartialTensorShape() },
  ],
};

test("prints TensorFlow's texts", () => {
  const handle = new ResourceHandle(fields);
  expect(handle.summarizeValue()).toBe(
    'ResourceHandle(name="v", device="cpu:0", container="c", type="Var", dtype and shapes : "[ DType enum: 3, Shape: [4,?],DType enum: 1, Shape: <unknown> ]")',
  );
  expect(handle.debugString()).toBe(
    "device: cpu:0 container: c name: v hash_code: 0xABCDEF maybe_type_name Var, dtype and shapes : [ DType enum: 3, Shape: [4,?],DType enum: 1, Shape: <unknown> ]",
  );
});

test("survives a round trip through its proto", () => {
  const handle = new ResourceHandle(fields);
  const proto = handle.asProto();
  expect(proto.dtypesAndShapes?.[0]).toMatchObject({ dtype: 3, shape: { dim: [{ size: 4 }, { size: -1 }] } });
  expect(ResourceHandle.fromProto(proto).debugString()).toBe(handle.debugString());
  expect(ResourceHandle.fromProto({}).debugString()).toBe(new ResourceHandle().debugString());
  expect(handle.asProto().dtypesAndShapes).toHaveLength(2);
});

test("ignores the sizes of a shape of unknown rank", () => {
  const proto = { dtypesAndShapes: [{ dtype: 1, shape: { unknownRank: true, dim: [{ size: 2 }, { size: -5 }] } }] };
  expect(ResourceHandle.fromProto(proto).asProto().dtypesAndShapes).toEqual([{ dtype: 1, shape: { dim: [], unknownRank: true } }]);
});

test("refuses invalid protos", () => {
  const shape = { dim: [{ size: -3 }] };
  expect(thrown(() => ResourceHandle.fromProto({ dtypesAndShapes: [{ dtype: 1, shape }] }))).toMatchObject({
    code: "INVALID_ARGUMENT",
    message: expect.stringContaining("-3"),
  });
  expect(thrown(() => ResourceHandle.fromProto({ dtypesAndShapes: [{ dtype: 99 }] }))).toMatchObject({
    message: expect.stringContaining("99"),
  });
  expect(thrown(() => ResourceHandle.fromProto({ hashCode: 1n << 64n }))).toMatchObject({
    message: expect.stringContaining("18446744073709551616"),
  });
});

test("validateType throws naming both types if the hash codes differ", () => {
  const handle = new ResourceHandle(fields);
  handle.validateType(0xabcdefn, "Var");
  const error = thrown(() => handle.validateType(5n, "Queue"));
  expect(error).toMatchObject({ code: "INVALID_ARGUMENT" });
  expect(String(error)).toMatch(/wrong type.*'v'.*'Var'.*11259375.*'Queue'.*5/);
});

test("each copy of a ref-counting handle holds a reference", () => {
  const resource = new Variable();
  const handle = ResourceHandle.makeRefCountingHandle(resource, { device: "gpu:0" });
  expect(handle.isRefCounting()).toBe(true);
  expect(handle.container).toBe("Anonymous");
  expect(handle.name).toMatch(/^Resource-\d+$/);
  const copy = handle.clone();
  expect([resource.refCount, copy.resource === resource, copy.name === handle.name]).toEqual([2, true, true]);
  handle.dispose();
  handle.dispose();
  expect(resource.refCount).toBe(1);
  copy[Symbol.dispose]();
  expect(resource.refCount).toBe(0);
  expect(new ResourceHandle().isRefCounting()).toBe(false);
});

test("a resource can name its handles, with ids that count up", () => {
  using first = ResourceHandle.makeRefCountingHandle(new Named());
  using second = ResourceHandle.makeRefCountingHandle(new Named());
  expect(Number(second.name.slice(4))).toBe(Number(first.name.slice(4)) + 1);
});

test("disposing a resource tensor releases the references of its handles", () => {
  const resource = new Variable();
  const t = new Tensor("resource", [2]);
  {
    using handle = ResourceHandle.makeRefCountingHandle(resource);
    t.vec().set(1, handle);
  }
  expect(resource.refCount).toBe(1);
  t.dispose();
  expect(resource.refCount).toBe(0);
});

test("a resource handle has a uint64 as its hash code, and entries that are objects", () => {
  for (const hashCode of [-1n, 1n << 64n, 7])
    expectStatus(() => new ResourceHandle({ hashCode: hashCode as Any }), "INVALID_ARGUMENT", "uint64");
  expectStatus(
    () => ResourceHandle.fromProto({ dtypesAndShapes: 7 } as Any),
    "INVALID_ARGUMENT",
    "dtypesAndShapes must be an array, got 7",
  );
  for (const entry of [7, null, undefined])
    expectStatus(
      () => ResourceHandle.fromProto({ dtypesAndShapes: [entry] } as Any),
      "INVALID_ARGUMENT",
      "a dtype and a shape in a resource handle",
    );
});
