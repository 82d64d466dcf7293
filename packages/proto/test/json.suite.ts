// Tests of proto3 JSON: what toJson writes, and what fromJson accepts and refuses.
import { describe, expect, test } from "@jest/globals";
import { DataType } from "@onebuffer/base";
import type { TensorProto } from "@onebuffer/core";
import type { JsonValue } from "@onebuffer/proto";
import {
  allocationDescriptionCodec,
  bundleHeaderProtoCodec,
  memoryDumpCodec,
  shapeProtoCodec,
  tensorProtoCodec,
  tensorSliceProtoCodec,
} from "@onebuffer/proto";
import { fromHex, thrownBy } from "./hex.ts";

const read = (json: unknown): TensorProto => tensorProtoCodec.fromJson(json as JsonValue);

describe("toJson", () => {
  test("writes names and every kind of value, and leaves out defaults", () => {
    expect(
      tensorProtoCodec.toJson({
        dtype: DataType.DT_FLOAT_REF,
        tensorShape: { dim: [{ size: 2n ** 63n - 1n, name: "x" }, { size: 0 }] },
        versionNumber: 0,
        tensorContent: Uint8Array.of(251, 255),
        floatVal: Float32Array.of(0.1, 1 / 3, 3e38, -0, Number.NaN, Infinity, -Infinity),
        doubleVal: [0.1],
        stringVal: [new Uint8Array(0)],
        boolVal: Uint8Array.of(1, 0),
        int64Val: [-1n],
        uint32Val: [],
      }),
    ).toEqual({
      dtype: "DT_FLOAT_REF",
      tensorShape: { dim: [{ size: "9223372036854775807", name: "x" }, {}] },
      tensorContent: "+/8=",
      floatVal: [0.1, 0.33333334, 3e38, "-0", "NaN", "Infinity", "-Infinity"],
      doubleVal: [0.1],
      stringVal: [""],
      boolVal: [true, false],
      int64Val: ["-1"],
    });
  });

  test("follows its options, and writes enum numbers without a name as numbers", () => {
    const proto = { dtype: 9999, tensorShape: { unknownRank: true } };
    expect(tensorProtoCodec.toJson(proto, { useProtoFieldName: true })).toEqual({ dtype: 9999, tensor_shape: { unknown_rank: true } });
    expect(tensorProtoCodec.toJson({ dtype: 1 }, { enumAsInteger: true })).toEqual({ dtype: 1 });
  });

  test("writes 0 in a oneof, accepts decimal text, and leaves out unknown fields", () => {
    expect(tensorSliceProtoCodec.toJson({ extent: [{ start: "0", length: "0" }] })).toEqual({ extent: [{ length: "0" }] });
    expect(tensorProtoCodec.toJson(tensorProtoCodec.decode(fromHex("980605")))).toEqual({});
    expect(allocationDescriptionCodec.toJson({ allocatorName: "", hasSingleReference: false, requestedBytes: 0n, ptr: -0 })).toEqual({});
  });

  test("refuses the values that encoding refuses", () => {
    expect(thrownBy(() => tensorProtoCodec.toJson({ intVal: [0.5] })).message).toContain("int_val: expected an int32, got 0.5");
  });
});

describe("fromJson", () => {
  test("accepts both names of a field, null, numbers as text, and both alphabets of base64", () => {
    expect(read({ tensor_shape: { unknown_rank: true }, dtype: null })).toEqual({ tensorShape: { unknownRank: true } });
    expect(read({ versionNumber: "7", intVal: [1, "2", "3e0"], doubleVal: ["1.5", "-0", "1e3"] })).toEqual({
      versionNumber: 7,
      intVal: Int32Array.of(1, 2, 3),
      doubleVal: Float64Array.of(1.5, -0, 1000),
    });
    for (const text of ["+/8=", "-_8", "-_8=", "+/8"])
      expect(read({ tensorContent: text })).toEqual({ tensorContent: Uint8Array.of(251, 255) });
    expect(read({ tensorContent: "" })).toEqual({ tensorContent: new Uint8Array(0) });
    expect(read({ int64Val: [1, "-2", "3e2"], uint64Val: ["18446744073709551615"] })).toEqual({
      int64Val: BigInt64Array.of(1n, -2n, 300n),
      uint64Val: BigUint64Array.of(2n ** 64n - 1n),
    });
  });

  test("accepts enums by name and number, with the names of 2017 and of today", () => {
    expect(read({ dtype: "DT_HALF" })).toEqual({ dtype: 19 });
    expect(read({ dtype: 19 })).toEqual({ dtype: 19 });
    expect(read({ dtype: 4711 })).toEqual({ dtype: 4711 });
    expect(bundleHeaderProtoCodec.fromJson({ endianness: "BIG" })).toEqual({ endianness: 1 });
    for (const name of ["OPAQUE", "OPAQUE_TYPE"]) expect(shapeProtoCodec.fromJson({ elementType: name })).toEqual({ elementType: 14 });
  });

  test("gives 64-bit integers as numbers if they are safe integers, otherwise as bigints", () => {
    expect(tensorSliceProtoCodec.fromJson({ extent: [{ start: "9007199254740991", length: "9007199254740993" }] })).toEqual({
      extent: [{ start: 2 ** 53 - 1, length: 2n ** 53n + 1n }],
    });
  });

  test("accepts NaN and the infinities for floats", () => {
    expect(memoryDumpCodec.fromJson({ stats: { fragmentationMetric: "NaN" } }).stats?.fragmentationMetric).toBeNaN();
    expect(read({ floatVal: ["-Infinity", "Infinity"] }).floatVal).toEqual(Float32Array.of(-Infinity, Infinity));
  });

  test("ignores unknown names if the option is set", () => {
    const options = { ignoreUnknown: true };
    expect(tensorProtoCodec.fromJson({ dtype: "DT_NEW", novel: [1], tensorShape: { more: {} } }, options)).toEqual({ tensorShape: {} });
    expect(shapeProtoCodec.fromJson({ layout: { dimLevelTypes: ["DIM_NEW", "DIM_DENSE"] } }, options)).toEqual({
      layout: { dimLevelTypes: [0] },
    });
  });

  test.each<[string, unknown, string]>([
    ["an array instead of an object", [], "expected a JSON object, got an array of 0"],
    ["null", null, "tensorflow.TensorProto: expected a JSON object, got null"],
    ["an unknown name", { novel: 1 }, 'tensorflow.TensorProto has no field "novel"'],
    ["a name of Object's", { constructor: 1 }, 'has no field "constructor"'],
    ["both names at once", { floatVal: [], float_val: [] }, "float_val: expected only one of its two names"],
    ["an unknown enum name", { dtype: "DT_NEW" }, 'dtype: expected the name of an enum value, got "DT_NEW"'],
    ["a name of Object's as enum", { dtype: "toString" }, 'got "toString"'],
    ["an enum of another type", { dtype: true }, "dtype: expected an int32, got true"],
    ["a value for a list", { intVal: 1 }, "int_val: expected a list, got 1"],
    ["null in a list", { intVal: [null] }, "int_val: expected an int32, got null"],
    ["null in a list of messages", { variantVal: [null] }, "expected a JSON object, got null"],
    ["a fraction", { intVal: ["1.5"] }, "int_val: expected an int32, got 1.5"],
    ["hexadecimal text", { intVal: ["0x10"] }, 'int_val: expected an int32, got "0x10"'],
    ["empty text", { intVal: [""] }, 'int_val: expected an int32, got ""'],
    ["an int64 that JSON.parse rounded", { int64Val: [2 ** 53] }, "expected an exact int64"],
    ["an int64 out of range", { int64Val: ["9223372036854775808"] }, "expected an exact int64"],
    ["text as a float", { floatVal: ["nan"] }, 'float_val: expected a number, got "nan"'],
    ["a float out of range", { floatVal: [1e39] }, "expected a number that a float can hold"],
    ["a number as bool", { boolVal: [1] }, "bool_val: expected a boolean, got 1"],
    ["a number as text", { tensorShape: { dim: [{ name: 1 }] } }, "TensorShapeProto.Dim.name: expected well-formed text, got 1"],
    ["text that is not base64", { tensorContent: "a*b=" }, 'tensor_content: expected base64, got "a*b="'],
    ["base64 of a wrong length", { tensorContent: "abcde" }, "tensor_content: expected base64"],
    ["a list as bytes", { tensorContent: [1] }, "tensor_content: expected base64, got an array of 1"],
  ])("refuses %s", (_what, json, words) => {
    const error = thrownBy(() => read(json));
    expect(error.code).toBe("INVALID_ARGUMENT");
    expect(error.message).toContain(words);
  });
});
