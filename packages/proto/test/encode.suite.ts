// Tests of encoding: canonical bytes, chunks that are the caller's own memory, and refusal of values that a field cannot hold.
import { describe, expect, test } from "@jest/globals";
import type { TensorProto } from "@onebuffer/core";
import * as proto from "@onebuffer/proto";
import {
  allocationDescriptionCodec,
  bundleEntryProtoCodec,
  memoryDumpCodec,
  tensorProtoCodec,
  tensorShapeProtoCodec,
  tensorSliceProtoCodec,
  versionDefCodec,
} from "@onebuffer/proto";
import { isLong } from "@onebuffer/test-support";
import { fromHex, thrownBy, toHex } from "./hex.ts";

const hexOf = (message: object): string => toHex(tensorProtoCodec.encode(message as TensorProto));

describe("bytes", () => {
  test("leaves out defaults, null and empty lists, but not -0.0 or 0 in a oneof", () => {
    expect(
      hexOf({ dtype: 0, tensorShape: null, versionNumber: undefined, tensorContent: new Uint8Array(0), intVal: [], stringVal: [] }),
    ).toBe("");
    expect(toHex(memoryDumpCodec.encode({ allocatorName: "", stats: { fragmentationMetric: 0, bytesInUse: 0n } }))).toBe("2a00");
    expect(toHex(memoryDumpCodec.encode({ stats: { fragmentationMetric: -0 } }))).toBe("2a052d00000080");
    expect(toHex(tensorSliceProtoCodec.encode({ extent: [{ start: 0, length: 0 }, { length: null }] }))).toBe("0a0210000a00");
    expect(hexOf({ tensorShape: {}, stringVal: [new Uint8Array(0)] })).toBe("12004200");
  });

  test("accepts any list of values for a packed field", () => {
    const same: [string, unknown[]][] = [
      ["2a080000803f00000040", [[1, 2], Float32Array.of(1, 2), Float64Array.of(1, 2), Int8Array.of(1, 2)]],
      ["3a020107", [[1, 7], Int32Array.of(1, 7), Uint8Array.of(1, 7)]],
    ];
    for (const values of same[0]![1]) expect(hexOf({ floatVal: values })).toBe(same[0]![0]);
    for (const values of same[1]![1]) expect(hexOf({ intVal: values })).toBe(same[1]![0]);
    for (const values of [[true, false], [1, 0], Uint8Array.of(1, 0)]) expect(hexOf({ boolVal: values })).toBe("5a020100");
    for (const values of [[-1n, 5n], [-1, 5], ["-1", "5"], BigInt64Array.of(-1n, 5n)])
      expect(hexOf({ int64Val: values })).toBe("520bffffffffffffffffff0105");
    for (const values of [[2n ** 64n - 1n], ["18446744073709551615"], BigUint64Array.of(2n ** 64n - 1n)])
      expect(hexOf({ uint64Val: values })).toBe("8a010affffffffffffffffff01");
  });

  test("encodes a view of a part of a buffer", () => {
    expect(hexOf({ floatVal: new Float32Array([0, 1, 0]).subarray(1, 2) })).toBe("2a040000803f");
    expect(hexOf({ int64Val: BigInt64Array.of(0n, 3n, 0n).subarray(1, 2) })).toBe("520103");
    expect(hexOf({ tensorContent: Uint8Array.of(1, 2, 3).subarray(1) })).toBe("22020203");
  });

  test("encodes varints of every length", () => {
    for (let bits = 0; bits < 64; bits++) {
      for (const value of [2n ** BigInt(bits) - 1n, 2n ** BigInt(bits)]) {
        const bytes = allocationDescriptionCodec.encode({ ptr: value });
        expect(bytes.length).toBe(value === 0n ? 0 : 1 + Math.ceil(value.toString(2).length / 7));
        expect(BigInt(allocationDescriptionCodec.decode(bytes).ptr ?? 0)).toBe(value);
      }
    }
  });

  test("encodes short and long texts of all Unicode planes", () => {
    for (const name of ["a", "é", "\u{1F600}", "a".repeat(24), "a".repeat(25), `${"a".repeat(23)}é`, "é".repeat(5000)]) {
      const bytes = tensorShapeProtoCodec.encode({ dim: [{ name }] });
      expect(Buffer.from(bytes.subarray(-Buffer.byteLength(name))).toString()).toBe(name);
      expect(tensorShapeProtoCodec.byteLength({ dim: [{ name }] })).toBe(bytes.length);
    }
  });

  test("the result shares no memory with the message or other results", () => {
    const first = tensorProtoCodec.encode({ dtype: 1 });
    tensorProtoCodec.encode({ dtype: 7, stringVal: [Uint8Array.of(1)] });
    expect(toHex(first)).toBe("0801");
    expect(first.buffer.byteLength).toBe(2);
  });

  test("encodes fields by number, in whatever order the object has them", () => {
    const reversed = { float8Val: Uint8Array.of(1), intVal: [2], other: 1, dtype: 3, versionNumber: 4, tensorShape: {} };
    expect(hexOf(reversed)).toBe("0803120018043a010292010101");
    expect(hexOf(Object.assign(Object.create(null) as object, reversed))).toBe(hexOf(reversed));
  });

  test("instances of classes may have getters and inherited fields", () => {
    class Named {
      get name(): string {
        return "x";
      }
    }
    expect(toHex(tensorShapeProtoCodec.encode({ dim: [new Named()] }))).toBe("1203120178");
    expect(hexOf(Object.create({ dtype: 3 }) as object)).toBe("0803");
  });

  test("a getter that encodes another message does not disturb this one", () => {
    const sly = {
      dtype: 3,
      get tensorShape() {
        return tensorShapeProtoCodec.decode(tensorShapeProtoCodec.encode({ dim: [{ size: 5 }] }));
      },
    };
    expect(hexOf(sly)).toBe("0803120412020805");
  });
});

describe("chunks", () => {
  const content = new Uint8Array(10_000).map((_, i) => i);
  const message: TensorProto = { dtype: 4, tensorShape: { dim: [{ size: 10_000 }] }, tensorContent: content, float8Val: Uint8Array.of(7) };

  test("a large payload is not copied", () => {
    const chunks = tensorProtoCodec.encodeChunks(message);
    expect(chunks.length).toBe(3);
    expect(chunks[1]).toBe(content);
    expect(Buffer.concat(chunks)).toEqual(Buffer.from(tensorProtoCodec.encode(message)));
    expect(tensorProtoCodec.byteLength(message)).toBe(tensorProtoCodec.encode(message).length);
  });

  test("floats and doubles of typed arrays are views of them", () => {
    const floatVal = new Float32Array(5000).fill(1.5).subarray(10);
    const doubleVal = new Float64Array(5000).fill(-2);
    const chunks = tensorProtoCodec.encodeChunks({ floatVal, doubleVal });
    expect(chunks[1]!.buffer).toBe(floatVal.buffer);
    expect([chunks[1]!.byteOffset, chunks[1]!.byteLength]).toEqual([40, 4990 * 4]);
    expect(chunks[3]!.buffer).toBe(doubleVal.buffer);
    expect(tensorProtoCodec.decode(Buffer.concat(chunks))).toEqual({ floatVal, doubleVal });
  });

  test("lengths of sub-messages include payloads that are not copied", () => {
    const saved = { name: "w", data: message, slice: {} };
    const chunks = proto.savedSliceCodec.encodeChunks(saved);
    expect(chunks.includes(content)).toBe(true);
    expect(proto.savedSliceCodec.decode(Buffer.concat(chunks))).toEqual({ ...saved, data: message });
    const strings = { stringVal: [content, Uint8Array.of(1), content] };
    expect(tensorProtoCodec.encodeChunks(strings).filter((chunk) => chunk === content).length).toBe(2);
    expect(tensorProtoCodec.decode(tensorProtoCodec.encode(strings))).toEqual(strings);
  });

  test("encodes many varints", () => {
    // More bytes than the buffer that is kept.
    const intVal = new Int32Array(isLong ? 70_000 : 24_000).map((_, i) => (i % 3 === 0 ? -i : i * 1000));
    const uint32Val = new Uint32Array(3000).map((_, i) => 2 ** 32 - 1 - i);
    const int64Val = new BigInt64Array(3000).map((_, i) => BigInt(i - 1500) ** 5n);
    const boolVal = new Uint8Array(9000).map((_, i) => i & 1);
    const all = { intVal, int64Val, boolVal, uint32Val };
    const decoded = tensorProtoCodec.decode(tensorProtoCodec.encode(all)) as typeof all;
    expect(Object.keys(decoded).sort()).toEqual(Object.keys(all).sort());
    for (const key of Object.keys(all) as (keyof typeof all)[]) expect(decoded[key]).toEqual(all[key]);
    expect(tensorProtoCodec.encode({ dtype: 1 })).toEqual(Uint8Array.of(8, 1));
  });

  test("refuses messages of 2 GiB, protobuf's limit", () => {
    const part = new Uint8Array(2 ** 20);
    const error = thrownBy(() => tensorProtoCodec.encodeChunks({ stringVal: Array<Uint8Array>(2048).fill(part) }));
    expect(error.code).toBe("RESOURCE_EXHAUSTED");
    expect(error.message).toContain("2147483647");
    expect(hexOf({ dtype: 1 })).toBe("0801");
  });
});

describe("refuses", () => {
  test.each<[string, object, string]>([
    ["an int32 too large", { intVal: [2 ** 31] }, "tensorflow.TensorProto.int_val: expected an int32, got 2147483648"],
    ["a fraction", { intVal: [1.5] }, "expected an int32, got 1.5"],
    ["a text as int32", { versionNumber: "1" }, 'version_number: expected an int32, got "1"'],
    ["a NaN", { dtype: Number.NaN }, "dtype: expected an int32, got NaN"],
    ["a negative uint32", { uint32Val: [-1] }, "uint32_val: expected a uint32, got -1"],
    ["a uint32 too large", { uint32Val: [2 ** 32] }, "expected a uint32, got 4294967296"],
    ["a number that was rounded", { int64Val: [2 ** 53] }, "int64_val: expected an exact int64, got 9007199254740992"],
    ["an int64 too large", { int64Val: [2n ** 63n] }, "expected an exact int64, got 9223372036854775808n"],
    ["text that is not a number", { int64Val: ["0x1"] }, 'expected an exact int64, got "0x1"'],
    ["a negative uint64", { uint64Val: [-1n] }, "expected an exact uint64, got -1n"],
    ["a negative uint64 as a number", { uint64Val: [-1] }, "expected an exact uint64, got -1"],
    ["a bool of 2", { boolVal: Uint8Array.of(2) }, "bool_val: expected a boolean, got 2"],
    ["a text as bool", { tensorShape: { unknownRank: "true" } }, "tensorflow.TensorShapeProto.unknown_rank: expected a boolean"],
    ["a float too large", { floatVal: [1e39] }, "float_val: expected a number that a float can hold, got 1e+39"],
    ["a bigint as float", { floatVal: [1n] }, "float_val: expected a number, got 1n"],
    ["a lone surrogate", { tensorShape: { dim: [{ name: "\ud800" }] } }, "TensorShapeProto.Dim.name: expected well-formed text"],
    ["a number as text", { tensorShape: { dim: [{ name: 1 }] } }, "expected well-formed text, got 1"],
    ["text as bytes", { tensorContent: "aa" }, 'tensor_content: expected a Uint8Array, got "aa"'],
    ["other views as bytes", { tensorContent: new Int8Array(1) }, "expected a Uint8Array, got [object Int8Array]"],
    ["a number as a message", { tensorShape: 1 }, "tensor_shape: expected a tensorflow.TensorShapeProto, got 1"],
    ["a list as a message", { tensorShape: [] }, "Expected a tensorflow.TensorShapeProto, got an array of 0"],
    ["a hole in a list", { stringVal: [undefined] }, "string_val: expected a Uint8Array, got undefined"],
    ["null in a list of messages", { variantVal: [null] }, "Expected a tensorflow.VariantTensorDataProto, got null"],
    ["text as a list", { intVal: "12" }, 'int_val: expected a list, got "12"'],
    ["an object as a list", { intVal: { length: 1, 0: 1 } }, "int_val: expected a list, got an object"],
    ["a DataView as a list", { intVal: new DataView(new ArrayBuffer(4)) }, "int_val: expected a list"],
    ["unknown fields that are not a list", { unknownFields: {} }, "unknownFields: expected a list"],
    [
      "an unknown field 0",
      { unknownFields: [{ no: 0, wireType: 0, data: Uint8Array.of(1) }] },
      "unknownFields[0]: 0 is not a field number",
    ],
    ["an unknown field 2^29", { unknownFields: [{ no: 2 ** 29, wireType: 0, data: Uint8Array.of(1) }] }, "536870912 is not a field number"],
    [
      "an unknown wire type",
      { unknownFields: [{ no: 99, wireType: 8, data: Uint8Array.of(1) }] },
      "expected a wire type and its data, got 8",
    ],
    ["an unknown field without data", { unknownFields: [{ no: 99, wireType: 0 }] }, "got 0 and undefined"],
    [
      "unknown data of two values",
      { unknownFields: [{ no: 99, wireType: 0, data: Uint8Array.of(1, 1) }] },
      "more than one value at byte 1",
    ],
    ["an unknown field of null", { unknownFields: [null] }, "Expected a UnknownField, got null"],
  ])("%s", (_what, message, words) => {
    const error = thrownBy(() => hexOf(message));
    expect(error.code).toBe("INVALID_ARGUMENT");
    expect(error.message).toContain(words);
    expect(hexOf({ dtype: 1 })).toBe("0801");
  });

  test("unknown data that ends inside a value", () => {
    const cut = { unknownFields: [{ no: 99, wireType: 2, data: Uint8Array.of(5, 1) }] };
    expect(thrownBy(() => tensorProtoCodec.encode(cut)).code).toBe("DATA_LOSS");
  });

  test.each([[null], [undefined], [1], ["{}"], [[]], [new Uint8Array(1)]])("%p instead of a message", (message) => {
    expect(thrownBy(() => versionDefCodec.encode(message as unknown as object)).message).toContain("Expected a tensorflow.VersionDef, got");
  });

  test("a fixed32 is a uint32", () => {
    expect(toHex(bundleEntryProtoCodec.encode({ crc32c: 2 ** 32 - 1 }))).toBe("35ffffffff");
    expect(bundleEntryProtoCodec.decode(fromHex("35ffffffff")).crc32c).toBe(2 ** 32 - 1);
    expect(thrownBy(() => bundleEntryProtoCodec.encode({ crc32c: -1 })).message).toContain("crc32c: expected a uint32, got -1");
  });

  test("a message that contains itself", () => {
    const loop: { tensors: object[] } = { tensors: [] };
    loop.tensors.push({ variantVal: [loop] });
    expect(thrownBy(() => proto.variantTensorDataProtoCodec.encode(loop)).code).toBe("INVALID_ARGUMENT");
    expect(thrownBy(() => proto.variantTensorDataProtoCodec.toJson(loop)).code).toBe("INVALID_ARGUMENT");
  });
});
