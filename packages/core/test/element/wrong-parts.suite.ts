// Variants, resource handles and elements: numbers of each kind, and parts of a wrong type.
import { expect, test } from "@jest/globals";
import type { VariantTensorData } from "@onebuffer/core";
import {
  decodeUnaryVariant,
  getVariantMetadata,
  newVariantTensorData,
  ResourceHandle,
  setVariantMetadata,
  Tensor,
  Variant,
} from "@onebuffer/core";
import { expectStatus } from "@onebuffer/test-support";

/** The calls of some tests are wrong on purpose. */
type Any = ReturnType<typeof JSON.parse>;

test("a number of each kind is rounded, written and read as its C++ type", () => {
  expect([new Variant(0.1, "float").get("float"), new Variant(0.1, "double").get("double")]).toEqual([Math.fround(0.1), 0.1]);
  const variants = [new Variant(1 / 3, "float"), new Variant(1 / 3, "double"), new Variant(false, "bool"), new Variant(true, "bool")];
  expect(variants.map((variant) => variant.summarizeValue())).toEqual(["0.333333343", "0.33333333333333331", "0", "1"]);
  for (const [value, kind] of [
    [7, "int"],
    [1.5, "double"],
    [1.5, "float"],
    [true, "bool"],
    [false, "bool"],
  ] as const) {
    const data = newVariantTensorData();
    setVariantMetadata(data, value, kind);
    expect(getVariantMetadata(data, kind)).toBe(value);
  }
});

test("metadata of another kind or with another value is refused", () => {
  const set = (value: unknown, kind: string) => () => setVariantMetadata(newVariantTensorData(), value as Any, kind as Any);
  expectStatus(set(1, "long"), "INVALID_ARGUMENT", "int, float, double or bool");
  expectStatus(set("1", "float"), "INVALID_ARGUMENT", "a value of type float");
  expectStatus(set(true, "double"), "INVALID_ARGUMENT", "a value of type double");
  expectStatus(set(1, "bool"), "INVALID_ARGUMENT", "a value of type bool");
  expectStatus(set(1.5, "int"), "INVALID_ARGUMENT", "an int32");
});

test("variant data without one of its parts is refused", () => {
  const whole = newVariantTensorData();
  const wrong: readonly unknown[] = [
    undefined,
    null,
    7,
    { ...whole, typeName: undefined },
    { ...whole, metadata: [1] },
    { ...whole, tensors: null },
    { ...whole, tensors: [{}] },
  ];
  for (const data of wrong) {
    expectStatus(() => decodeUnaryVariant(data as Any), "INVALID_ARGUMENT", "variant data");
    expectStatus(() => getVariantMetadata(data as VariantTensorData, "int"), "INVALID_ARGUMENT", "variant data");
  }
});

test("a variant is asked for a class or a type name, and holds values with a name of their own", () => {
  using variant = new Variant(1, "int");
  expectStatus(() => variant.get(7 as Any), "INVALID_ARGUMENT", "a class or the name of a number's type");
  expectStatus(() => variant.get(null as Any), "INVALID_ARGUMENT", "a class or the name of a number's type");
  for (const typeName of [7, "", undefined, "int"])
    expectStatus(() => new Variant({ typeName } as Any), "INVALID_ARGUMENT", "a type name of its own");
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

test("an element that no element of the dtype can hold is refused, and the message has its place", () => {
  const from = (value: unknown, dtype: string) => () => Tensor.from(value as Any, { dtype: dtype as Any });
  expectStatus(from([-129], "int8"), "INVALID_ARGUMENT", "[0] is -129, which no int8 element can hold");
  expectStatus(from([128], "int8"), "INVALID_ARGUMENT", "[0] is 128");
  expectStatus(from([-1], "uint8"), "INVALID_ARGUMENT", "[0] is -1");
  expectStatus(from([1.5], "int64"), "INVALID_ARGUMENT", "[0] is 1.5");
  expectStatus(from([2 ** 60], "int64"), "INVALID_ARGUMENT", "[0] is");
  expectStatus(() => Tensor.full([2], 300, { dtype: "uint8" }), "INVALID_ARGUMENT", "the value is 300, which no uint8 element can hold");
  expectStatus(from(Uint8Array.of(2, 0), "bool"), "INVALID_ARGUMENT", "[0] is 2, a bool element must be 0 or 1");
});
