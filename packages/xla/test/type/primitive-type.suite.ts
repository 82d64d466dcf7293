// Primitive types: numbers, names, widths and kinds, conversion from and to TensorFlow's types, padding values.
import { describe, expect, test } from "@jest/globals";
import type { DType } from "@onebuffer/base";
import { allDTypes, DataType, dataTypeOf } from "@onebuffer/base";
import type { PrimitiveTypeName } from "@onebuffer/xla";
import {
  bitWidth,
  byteWidth,
  dataTypeToPrimitiveType,
  isArrayType,
  isComplexType,
  isFloatingPointType,
  isIntegralType,
  isSignedIntegralType,
  isSubByteNonPredType,
  isUnsignedIntegralType,
  PaddingValue,
  PrimitiveType,
  paddingValueName,
  primitiveTypeFromName,
  primitiveTypeName,
  primitiveTypeNumberIsValid,
  primitiveTypeToDataType,
  primitiveTypeToDType,
} from "@onebuffer/xla";
import { expectStatus } from "@onebuffer/test-support";

/** The calls of some tests are wrong on purpose. */
type Any = ReturnType<typeof JSON.parse>;

/** The number, name, bits (0 if not an array type) and kind of each type. */
const table: readonly (readonly [number, string, number, "pred" | "signed" | "unsigned" | "float" | "complex" | "none"])[] = [
  [1, "pred", 1, "pred"],
  [2, "s8", 8, "signed"],
  [3, "s16", 16, "signed"],
  [4, "s32", 32, "signed"],
  [5, "s64", 64, "signed"],
  [6, "u8", 8, "unsigned"],
  [7, "u16", 16, "unsigned"],
  [8, "u32", 32, "unsigned"],
  [9, "u64", 64, "unsigned"],
  [10, "f16", 16, "float"],
  [11, "f32", 32, "float"],
  [12, "f64", 64, "float"],
  [13, "tuple", 0, "none"],
  [14, "opaque", 0, "none"],
  [15, "c64", 64, "complex"],
  [16, "bf16", 16, "float"],
  [17, "token", 0, "none"],
  [18, "c128", 128, "complex"],
  [19, "f8e5m2", 8, "float"],
  [20, "f8e4m3fn", 8, "float"],
  [21, "s4", 4, "signed"],
  [22, "u4", 4, "unsigned"],
  [23, "f8e4m3b11fnuz", 8, "float"],
  [24, "f8e5m2fnuz", 8, "float"],
  [25, "f8e4m3fnuz", 8, "float"],
  [26, "s2", 2, "signed"],
  [27, "u2", 2, "unsigned"],
  [28, "f8e4m3", 8, "float"],
  [29, "f8e3m4", 8, "float"],
  [30, "s1", 1, "signed"],
  [31, "u1", 1, "unsigned"],
  [32, "f4e2m1fn", 4, "float"],
  [33, "f8e8m0fnu", 8, "float"],
  [34, "buffer", 0, "none"],
];

test.each(table)("%d %s", (number, name, bits, kind) => {
  const type = number as PrimitiveType;
  expect(primitiveTypeNumberIsValid(number)).toBe(true);
  expect(primitiveTypeName(type)).toBe(name);
  expect(primitiveTypeFromName(name)).toBe(number);
  expect(isArrayType(type)).toBe(bits > 0);
  expect(isFloatingPointType(type)).toBe(kind === "float");
  expect(isComplexType(type)).toBe(kind === "complex");
  expect(isSignedIntegralType(type)).toBe(kind === "signed");
  expect(isUnsignedIntegralType(type)).toBe(kind === "unsigned");
  expect(isIntegralType(type)).toBe(kind === "signed" || kind === "unsigned");
  expect(isSubByteNonPredType(type)).toBe(bits > 0 && bits < 8 && kind !== "pred");
  if (bits > 0) {
    expect(bitWidth(type)).toBe(bits);
    expect(bitWidth(name as PrimitiveTypeName)).toBe(bits);
    expect(byteWidth(type)).toBe(Math.max(1, bits / 8));
  } else {
    expectStatus(() => bitWidth(type), "INVALID_ARGUMENT", name);
    expectStatus(() => byteWidth(type), "INVALID_ARGUMENT", name);
  }
});

test("PrimitiveType has exactly these types and the invalid one", () => {
  expect(Object.values(PrimitiveType)).toEqual([0, ...table.map(([number]) => number)]);
  for (const number of [-1, 0, 35, 2000, 1.5, Number.NaN, "11", null]) expect(primitiveTypeNumberIsValid(number)).toBe(false);
});

test("refuses unknown names and numbers", () => {
  for (const name of ["", "F32", "float32", "opaque_type", "primitive_type_invalid", "constructor", "__proto__"]) {
    expectStatus(() => primitiveTypeFromName(name), "INVALID_ARGUMENT", name);
    expectStatus(() => bitWidth(name as PrimitiveTypeName), "INVALID_ARGUMENT", name);
  }
  expectStatus(() => primitiveTypeName(35 as PrimitiveType), "INVALID_ARGUMENT", 35);
  expectStatus(() => bitWidth(0 as PrimitiveType), "INVALID_ARGUMENT", 0);
});

describe("TensorFlow's types", () => {
  const quantized: Partial<Record<DType, PrimitiveTypeName>> = { qint8: "s8", quint8: "u8", qint16: "s16", quint16: "u16", qint32: "s32" };

  test("every dtype except strings, resources and variants converts to XLA, and back if it is not quantized", () => {
    for (const dtype of allDTypes) {
      if (["string", "resource", "variant"].includes(dtype)) {
        expectStatus(() => dataTypeToPrimitiveType(dtype), "INVALID_ARGUMENT", "DT_");
        continue;
      }
      const type = dataTypeToPrimitiveType(dtype);
      expect(dataTypeToPrimitiveType(dataTypeOf(dtype))).toBe(type);
      if (quantized[dtype] !== undefined) expect(primitiveTypeName(type)).toBe(quantized[dtype]);
      else {
        expect(primitiveTypeToDType(type)).toBe(dtype);
        expect(primitiveTypeToDataType(type)).toBe(dataTypeOf(dtype));
      }
    }
  });

  test.each<[DType, PrimitiveTypeName]>([
    ["float32", "f32"],
    ["bool", "pred"],
    ["float16", "f16"],
    ["bfloat16", "bf16"],
    ["complex128", "c128"],
    ["int64", "s64"],
    ["uint4", "u4"],
    ["float8_e4m3b11fnuz", "f8e4m3b11fnuz"],
    ["float4_e2m1fn", "f4e2m1fn"],
  ])("%s is %s", (dtype, name) => {
    expect(primitiveTypeName(dataTypeToPrimitiveType(dtype))).toBe(name);
  });

  test("refuses types that the other side does not have", () => {
    for (const name of ["s1", "u1", "f8e8m0fnu", "f8e4m3", "f8e3m4", "tuple", "token"] as const) {
      expectStatus(() => primitiveTypeToDataType(name), "INVALID_ARGUMENT", name);
      expectStatus(() => primitiveTypeToDType(name), "INVALID_ARGUMENT", name);
    }
    expectStatus(() => dataTypeToPrimitiveType(DataType.DT_FLOAT_REF), "INVALID_ARGUMENT", 101);
    expectStatus(() => dataTypeToPrimitiveType(0), "INVALID_ARGUMENT", "Type not set");
    expectStatus(() => dataTypeToPrimitiveType("f32" as DType), "INVALID_ARGUMENT", "f32");
  });
});

test("paddingValueName gives the names of 2017's padding values", () => {
  expect(Object.values(PaddingValue).map(paddingValueName)).toEqual([
    "INVALID_PAD",
    "ZERO_PAD",
    "ONE_PAD",
    "LOWEST_PAD",
    "HIGHEST_PAD",
    "UNKNOWN_PAD",
  ]);
  expect(paddingValueName(9 as PaddingValue)).toBe("9");
});

test("a number that is none of XLA's, or a text, is no type of arrays", () => {
  expect([isArrayType(99 as Any), isArrayType("f32" as Any), isArrayType(PrimitiveType.F32)]).toEqual([false, false, true]);
});
