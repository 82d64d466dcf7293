// Compares the tables of element types with one table written from TensorFlow's specification.
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import {
  DataType,
  allDTypes,
  arraySlots,
  baseType,
  dataTypeAlwaysOnHost,
  dataTypeCanUseMemcpy,
  dataTypeFromName,
  dataTypeFromString,
  dataTypeIsComplex,
  dataTypeIsFloating,
  dataTypeIsInteger,
  dataTypeIsNumeric,
  dataTypeIsQuantized,
  dataTypeIsSigned,
  dataTypeIsUnsigned,
  dataTypeName,
  dataTypeOf,
  dataTypeSize,
  dataTypeString,
  dtypeOf,
  dtypeSize,
  elementCodec,
  isDType,
  isObjectDType,
  isRawDType,
  isRefType,
  kDataTypeRefOffset,
  makeRefType,
  removeRefType,
  typedArrayConstructor,
} from "@onebuffer/base";
import type { DType, RawDType } from "@onebuffer/base";
import { expectStatus } from "@onebuffer/test-support";

/**
 * The letters of the sets that a type is in: Floating, Complex, Quantized, Signed or Unsigned (integers), Numeric, Memcpy, always on Host.
 * The array is the class that holds its raw elements.
 */
type Row = readonly [
  number: number,
  name: string,
  text: string,
  dtype: DType,
  size: number,
  sets: string,
  array: { readonly name: string } | null,
];

const rows: readonly Row[] = [
  [1, "DT_FLOAT", "float", "float32", 4, "FNM", Float32Array],
  [2, "DT_DOUBLE", "double", "float64", 8, "FNM", Float64Array],
  [3, "DT_INT32", "int32", "int32", 4, "SNM", Int32Array],
  [4, "DT_UINT8", "uint8", "uint8", 1, "UNM", Uint8Array],
  [5, "DT_INT16", "int16", "int16", 2, "SNM", Int16Array],
  [6, "DT_INT8", "int8", "int8", 1, "SNM", Int8Array],
  [7, "DT_STRING", "string", "string", 0, "H", null],
  [8, "DT_COMPLEX64", "complex64", "complex64", 8, "CNM", Float32Array],
  [9, "DT_INT64", "int64", "int64", 8, "SNM", BigInt64Array],
  [10, "DT_BOOL", "bool", "bool", 1, "M", Uint8Array],
  [11, "DT_QINT8", "qint8", "qint8", 1, "QNM", Int8Array],
  [12, "DT_QUINT8", "quint8", "quint8", 1, "QNM", Uint8Array],
  [13, "DT_QINT32", "qint32", "qint32", 4, "QNM", Int32Array],
  [14, "DT_BFLOAT16", "bfloat16", "bfloat16", 2, "FNM", Uint16Array],
  [15, "DT_QINT16", "qint16", "qint16", 2, "QNM", Int16Array],
  [16, "DT_QUINT16", "quint16", "quint16", 2, "QNM", Uint16Array],
  [17, "DT_UINT16", "uint16", "uint16", 2, "UNM", Uint16Array],
  [18, "DT_COMPLEX128", "complex128", "complex128", 16, "CNM", Float64Array],
  [19, "DT_HALF", "half", "float16", 2, "FNM", Uint16Array],
  [20, "DT_RESOURCE", "resource", "resource", 0, "H", null],
  [21, "DT_VARIANT", "variant", "variant", 0, "", null],
  [22, "DT_UINT32", "uint32", "uint32", 4, "UNM", Uint32Array],
  [23, "DT_UINT64", "uint64", "uint64", 8, "UNM", BigUint64Array],
  [24, "DT_FLOAT8_E5M2", "float8_e5m2", "float8_e5m2", 1, "FM", Uint8Array],
  [25, "DT_FLOAT8_E4M3FN", "float8_e4m3fn", "float8_e4m3fn", 1, "FM", Uint8Array],
  [26, "DT_FLOAT8_E4M3FNUZ", "float8_e4m3fnuz", "float8_e4m3fnuz", 1, "FM", Uint8Array],
  [27, "DT_FLOAT8_E4M3B11FNUZ", "float8_e4m3b11fnuz", "float8_e4m3b11fnuz", 1, "FM", Uint8Array],
  [28, "DT_FLOAT8_E5M2FNUZ", "float8_e5m2fnuz", "float8_e5m2fnuz", 1, "FM", Uint8Array],
  [29, "DT_INT4", "int4", "int4", 1, "SM", Int8Array],
  [30, "DT_UINT4", "uint4", "uint4", 1, "UM", Uint8Array],
  [31, "DT_INT2", "int2", "int2", 1, "SM", Int8Array],
  [32, "DT_UINT2", "uint2", "uint2", 1, "UM", Uint8Array],
  [33, "DT_FLOAT4_E2M1FN", "float4_e2m1fn", "float4_e2m1fn", 1, "FM", Uint8Array],
];

/** Returns the letters of the sets that a DataType number is in. */
function setsOf(dataType: number): string {
  return [
    dataTypeIsFloating(dataType) ? "F" : "",
    dataTypeIsComplex(dataType) ? "C" : "",
    dataTypeIsQuantized(dataType) ? "Q" : "",
    dataTypeIsSigned(dataType) ? "S" : "",
    dataTypeIsUnsigned(dataType) ? "U" : "",
    dataTypeIsNumeric(dataType) ? "N" : "",
    dataTypeCanUseMemcpy(dataType) ? "M" : "",
    dataTypeAlwaysOnHost(dataType) ? "H" : "",
  ].join("");
}

test("the table has 33 types, their reference types, and DT_INVALID", () => {
  expect(rows.map(([, , , dtype]) => dtype)).toEqual(allDTypes);
  const names = rows.flatMap(
    ([number, name]) =>
      [
        [name, number],
        [`${name}_REF`, number + 100],
      ] as const,
  );
  expect(DataType).toEqual(Object.fromEntries([["DT_INVALID", 0], ...names]));
});

describe.each(rows)("%d %s", (number, name, text, dtype, size, sets, array) => {
  test("converts between name and number", () => {
    expect([dataTypeOf(dtype), dtypeOf(number), isDType(dtype)]).toEqual([number, dtype, true]);
    expect([dataTypeName(number), dataTypeFromName(name)]).toEqual([name, number]);
    expect([dataTypeString(number), dataTypeFromString(text), dataTypeFromString(dtype)]).toEqual([text, number, number]);
  });

  test("has a reference type", () => {
    const ref = number + kDataTypeRefOffset;
    expect([isRefType(number), isRefType(ref)]).toEqual([false, true]);
    expect([makeRefType(number), removeRefType(ref), baseType(ref), baseType(number)]).toEqual([ref, number, number, number]);
    expect([dataTypeName(ref), dataTypeFromName(`${name}_REF`)]).toEqual([`${name}_REF`, ref]);
    expect([dataTypeString(ref), dataTypeFromString(`${text}_ref`), dataTypeFromString(`${dtype}_ref`)]).toEqual([`${text}_ref`, ref, ref]);
    expect(dataTypeFromString(`${text}_ref_ref`)).toBe(null);
    expect([dataTypeSize(ref), setsOf(ref)]).toEqual([0, name === "DT_STRING" ? "H" : ""]);
    expectStatus(() => dtypeOf(ref), "INVALID_ARGUMENT", `Unexpected type: ${ref}, a reference to ${dtype}`);
    expectStatus(() => makeRefType(ref), "INVALID_ARGUMENT", String(ref));
    expectStatus(() => removeRefType(number), "INVALID_ARGUMENT", String(number));
  });

  test("has its size and is in its sets", () => {
    expect([dataTypeSize(number), dtypeSize(dtype)]).toEqual([size, size]);
    expect(setsOf(number)).toBe(sets);
    expect(dataTypeIsInteger(number)).toBe(/[SU]/.test(sets));
    expect([isRawDType(dtype), isObjectDType(dtype)]).toEqual([size > 0, size === 0]);
  });

  test("has its typed array", () => {
    const raw = dtype as RawDType;
    if (array === null) {
      expectStatus(() => typedArrayConstructor(raw), "INVALID_ARGUMENT", dtype);
      expectStatus(() => elementCodec(raw), "INVALID_ARGUMENT", dtype);
    } else {
      expect(typedArrayConstructor(raw)).toBe(array);
      expect(typedArrayConstructor(raw).BYTES_PER_ELEMENT * arraySlots(raw)).toBe(size);
      expect(elementCodec(raw).bytes).toBe(size);
    }
  });
});

describe("numbers and texts that are not types", () => {
  test.each([0, 34, 35, 99, 100, 134, 150, 255, -1, 1.5, NaN, Infinity])("%d is in no set and has no size", (number) => {
    expect([dataTypeSize(number), setsOf(number), dataTypeIsInteger(number)]).toEqual([0, "", false]);
    expect(dataTypeName(number)).toBe(number === 0 ? "DT_INVALID" : null);
    expectStatus(() => dtypeOf(number), "INVALID_ARGUMENT", number === 0 ? "Type not set" : `Unexpected type: ${number}`);
    expectStatus(() => makeRefType(number), "INVALID_ARGUMENT", String(number));
    expectStatus(() => removeRefType(number), "INVALID_ARGUMENT", String(number));
    if (number === 0) expect(baseType(number)).toBe(0);
    else expectStatus(() => baseType(number), "INVALID_ARGUMENT", String(number));
  });

  test.each([
    [0, "INVALID"],
    [34, "unknown dtype enum (34)"],
    [-1, "unknown dtype enum (-1)"],
    [100, "unknown dtype enum (100)"],
    [134, "unknown dtype enum (34)_ref"],
    [199, "unknown dtype enum (99)_ref"],
  ])("%d prints as %s", (number, text) => {
    expect(dataTypeString(number)).toBe(text);
  });

  test.each([
    "",
    "_ref",
    "foo",
    "foo_ref",
    "INVALID",
    "Float",
    "FLOAT",
    " float",
    "float ",
    "int32_REF",
    "DT_FLOAT",
    "toString",
    "__proto__",
    "constructor",
  ])("%p is not the text of a type", (text) => {
    expect([dataTypeFromString(text), dataTypeFromName(text.replace("DT_", "")), isDType(text)]).toEqual([null, null, false]);
    expectStatus(() => dataTypeOf(text as DType), "INVALID_ARGUMENT", text);
    expectStatus(() => dtypeSize(text as DType), "INVALID_ARGUMENT", text);
    expectStatus(() => typedArrayConstructor(text as RawDType), "INVALID_ARGUMENT", text);
    expectStatus(() => elementCodec(text as RawDType), "INVALID_ARGUMENT", text);
  });

  test("values that are not dtypes are refused with INVALID_ARGUMENT", () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, withBigInt: true }), (value) => {
        fc.pre(!(allDTypes as readonly unknown[]).includes(value));
        expect(isDType(value)).toBe(false);
        expectStatus(() => dataTypeOf(value as DType), "INVALID_ARGUMENT");
        expectStatus(() => isRawDType(value as DType), "INVALID_ARGUMENT");
      }),
    );
  });

  test("messages stay short for long values", () => {
    expectStatus(() => dataTypeOf("x".repeat(1e6) as DType), "INVALID_ARGUMENT", "xxx");
    try {
      dataTypeOf("x".repeat(1e6) as DType);
    } catch (error) {
      expect((error as Error).message.length).toBeLessThan(100);
    }
  });
});

test("arraySlots does not convert what is no dtype to text", () => {
  const odd: readonly unknown[] = [Object.create(null), { toString: 5 }, new Array(1e9), null, undefined, "toString", Symbol("s")];
  expect(odd.map((value) => arraySlots(value as never))).toEqual(odd.map(() => 1));
});
