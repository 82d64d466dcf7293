// Tests of decoding: values, every error with its code, position and message, and the limits on the cost of hostile bytes.
import { describe, expect, test } from "@jest/globals";
import * as proto from "@onebuffer/proto";
import {
  allocationDescriptionCodec,
  memoryDumpCodec,
  shapeProtoCodec,
  tensorProtoCodec,
  tensorShapeProtoCodec,
  versionDefCodec,
} from "@onebuffer/proto";
import { stopwatch } from "@onebuffer/test-support";
import { fromHex, thrownBy, toHex } from "./hex.ts";

const isLong = process.env["ONEBUFFER_LONG"] !== undefined;

const tensor = (hex: string): proto.JsonValue => tensorProtoCodec.toJson(tensorProtoCodec.decode(fromHex(hex)));

describe("errors", () => {
  test.each([
    ["a varint cut short", "08", "DATA_LOSS", "the bytes end after 1, inside a varint that starts at byte 1"],
    ["a long varint cut short", "088080", "DATA_LOSS", "inside a varint that starts at byte 1"],
    ["a tag cut short", "80", "DATA_LOSS", "inside a varint that starts at byte 0"],
    ["a length cut short", "2280", "DATA_LOSS", "inside a varint that starts at byte 1"],
    ["content cut short", "2205 010203", "DATA_LOSS", "the bytes end after 5, inside a field of 5 bytes that starts at byte 1"],
    ["a float cut short", "2d 000000", "DATA_LOSS", "inside a value of 4 bytes that starts at byte 1"],
    ["a double cut short", "31 00000000000000", "DATA_LOSS", "inside a value of 8 bytes that starts at byte 1"],
    ["a group cut short", "a306 0800", "DATA_LOSS", "inside group 100 that starts at byte 4"],
    ["a length beyond the last message", "1204 1203 0801", "DATA_LOSS", "inside a field of 3 bytes that starts at byte 3"],
    ["a varint beyond its message", "1203 120180 00", "INVALID_ARGUMENT", "a varint goes beyond the end of its message, byte 5, at byte 4"],
    [
      "a field beyond its message",
      "1203 120408 00",
      "INVALID_ARGUMENT",
      "a field of 4 bytes goes beyond the end of its message, byte 5, at byte 3",
    ],
    [
      "a value beyond its message",
      "1202 0d00 00",
      "INVALID_ARGUMENT",
      "a value of 4 bytes goes beyond the end of its message, byte 4, at byte 3",
    ],
    ["a group beyond its message", "1202 a306 08", "INVALID_ARGUMENT", "group 100 goes beyond the end of its message, byte 4, at byte 4"],
    [
      "a one-byte varint beyond its message",
      "1201 18 01",
      "INVALID_ARGUMENT",
      "a varint goes beyond the end of its message, byte 3, at byte 3",
    ],
    [
      "a field beyond its message, with bytes behind",
      "1203 120408 000000000000",
      "INVALID_ARGUMENT",
      "a field of 4 bytes goes beyond the end of its message, byte 5, at byte 3",
    ],
    ["field number 0 of another wire type", "0500000000", "INVALID_ARGUMENT", "field number 0 at byte 0"],
    ["a varint of 11 bytes", "08 8080808080808080808001", "INVALID_ARGUMENT", "a varint of more than 10 bytes at byte 1"],
    ["a packed int32 of 11 bytes", "3a0b 8080808080808080808001", "INVALID_ARGUMENT", "a varint of more than 10 bytes at byte 2"],
    ["a packed int64 of 11 bytes", "520e 8080808080808080808001010101", "INVALID_ARGUMENT", "a varint of more than 10 bytes at byte 2"],
    ["a packed bool of 11 bytes", "5a0b 8080808080808080808001", "INVALID_ARGUMENT", "a varint of more than 10 bytes at byte 2"],
    ["a tag of 6 bytes", "888080808000 01", "INVALID_ARGUMENT", "a tag of more than 32 bits at byte 0"],
    ["a tag of 35 bits", "8880808010 01", "INVALID_ARGUMENT", "a tag of more than 32 bits at byte 0"],
    ["field number 0", "0001", "INVALID_ARGUMENT", "field number 0 at byte 0"],
    ["a length of 2^31", "22 8080808008", "INVALID_ARGUMENT", "a length of 2^31 or more at byte 1"],
    ["a length of 2^32 + 1", "22 8180808010 00", "INVALID_ARGUMENT", "a length of 2^31 or more at byte 1"],
    ["wire type 6", "0e00", "INVALID_ARGUMENT", "wire type 6 of field 1 at byte 1"],
    ["wire type 7", "0f00", "INVALID_ARGUMENT", "wire type 7 of field 1 at byte 1"],
    ["the end of a group without a start", "a406", "INVALID_ARGUMENT", "the end of group 100, which was not started, at byte 2"],
    ["the end of another group", "a306 ac06", "INVALID_ARGUMENT", "the end of group 101, which was not started, at byte 4"],
    ["packed floats of 5 bytes", "2a05 0000803f00", "INVALID_ARGUMENT", "5 bytes of packed float_val, not a multiple of 4, at byte 2"],
    ["packed doubles of 4 bytes", "3204 0000803f", "INVALID_ARGUMENT", "4 bytes of packed double_val, not a multiple of 8, at byte 2"],
    ["incomplete packed varints", "3a02 0180", "INVALID_ARGUMENT", "packed varints of which the last one is incomplete at byte 2"],
    ["text that is not UTF-8", "7a03 0a01ff", "INVALID_ARGUMENT", "a string that is not UTF-8 at byte 4"],
    ["text with a lone surrogate", "7a05 0a03eda080", "INVALID_ARGUMENT", "a string that is not UTF-8 at byte 4"],
  ])("%s", (_what, hex, code, words) => {
    const error = thrownBy(() => tensorProtoCodec.decode(fromHex(hex)));
    expect(error.code).toBe(code);
    expect(error.message).toContain("tensorflow.TensorProto: ");
    expect(error.message).toContain(words);
  });

  test("packed values of a plain list that end inside a varint", () => {
    expect(thrownBy(() => versionDefCodec.decode(fromHex("1a0180"))).code).toBe("DATA_LOSS");
    expect(thrownBy(() => versionDefCodec.decode(fromHex("1a018001"))).message).toContain("goes beyond the end of its message");
  });

  test.each([[null], [undefined], ["0801"], [[8, 1]], [new ArrayBuffer(2)], [new Int8Array(2)], [new DataView(new ArrayBuffer(1))]])(
    "%p is no message",
    (bytes) => {
      const error = thrownBy(() => tensorProtoCodec.decode(bytes as unknown as Uint8Array));
      expect(error.code).toBe("INVALID_ARGUMENT");
      expect(error.message).toContain("Expected the bytes of a tensorflow.TensorProto, got");
    },
  );
});

describe("values", () => {
  test("the last of several singular values counts, sub-messages are merged, and lists are concatenated", () => {
    expect(tensor("0801 0803")).toEqual({ dtype: "DT_INT32" });
    expect(tensor("2201aa 2201bb")).toEqual({ tensorContent: "uw==" });
    expect(tensor("1204 12020802 1204 12020803 1202 1801")).toEqual({
      tensorShape: { dim: [{ size: "2" }, { size: "3" }], unknownRank: true },
    });
  });

  test("repeated numbers may be packed, unpacked, or both", () => {
    expect(tensor("3a020102 3803 3804 3a0105")).toEqual({ intVal: [1, 2, 3, 4, 5] });
    expect(tensor("2d0000803f 2d00000040 2a0400004040")).toEqual({ floatVal: [1, 2, 3] });
    expect(tensor("31000000000000f03f 31000000000000f0bf")).toEqual({ doubleVal: [1, -1] });
    expect(tensor("5001 50ffffffffffffffffff01")).toEqual({ int64Val: ["1", "-1"] });
    expect(tensor("52050102030405 52050102030405 5006")).toEqual({ int64Val: [1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 6].map(String) });
    expect(tensor("5805 5800 58808001")).toEqual({ boolVal: [true, false, true] });
    expect(tensor("880101 880102 8a01020304")).toEqual({ uint64Val: ["1", "2", "3", "4"] });
    expect(versionDefCodec.decode(fromHex("1801 1a020203 1804")).badConsumers).toEqual([1, 2, 3, 4]);
    expect(tensor("3a00 2a00 5200")).toEqual({});
  });

  test("packed fields become typed arrays of the field's kind", () => {
    const read = (hex: string): object => tensorProtoCodec.decode(fromHex(hex));
    expect(read("2a040000803f")).toEqual({ floatVal: Float32Array.of(1) });
    expect(read("3208000000000000f03f")).toEqual({ doubleVal: Float64Array.of(1) });
    expect(read("3a0affffffffffffffffff01")).toEqual({ intVal: Int32Array.of(-1) });
    expect(read("520affffffffffffffffff01")).toEqual({ int64Val: BigInt64Array.of(-1n) });
    expect(read("5205 0102030405")).toEqual({ int64Val: BigInt64Array.of(1n, 2n, 3n, 4n, 5n) });
    expect(read("5a020001")).toEqual({ boolVal: Uint8Array.of(0, 1) });
    expect(read("82010affffffffffffffffff01")).toEqual({ uint32Val: Uint32Array.of(2 ** 32 - 1) });
    expect(read("8a010affffffffffffffffff01")).toEqual({ uint64Val: BigUint64Array.of(2n ** 64n - 1n) });
    expect(read("6a03ff8703")).toEqual({ halfVal: Int32Array.of(0xc3ff) });
  });

  test("accepts varints with padding and truncates those with more bits than their field", () => {
    expect(tensor("08818000")).toEqual({ dtype: "DT_FLOAT" });
    expect(tensor("88800001")).toEqual({ dtype: "DT_FLOAT" });
    expect(tensor("18 8180808010")).toEqual({ versionNumber: 1 });
    expect(tensor("18 ffffffff0f")).toEqual({ versionNumber: -1 });
    expect(tensor("3a05 8180808010")).toEqual({ intVal: [1] });
    expect(tensor("3a0a ffffffffffffffffff7f")).toEqual({ intVal: [-1] });
  });

  test("64-bit integers are numbers if they are safe integers, otherwise bigints", () => {
    const bytes = (value: number | bigint): Uint8Array => allocationDescriptionCodec.encode({ requestedBytes: value });
    for (const value of [2 ** 53 - 1, -(2 ** 53 - 1), 2 ** 32, -1, 1, -(2n ** 53n), 2n ** 53n, -(2n ** 63n), 2n ** 63n - 1n])
      expect(allocationDescriptionCodec.decode(bytes(value)).requestedBytes).toBe(value);
    expect(allocationDescriptionCodec.decode(allocationDescriptionCodec.encode({ ptr: 2n ** 64n - 1n })).ptr).toBe(2n ** 64n - 1n);
    expect(allocationDescriptionCodec.decode(allocationDescriptionCodec.encode({ ptr: 2n ** 53n - 1n })).ptr).toBe(2 ** 53 - 1);
  });

  test("keeps the bits of a NaN, packed and unpacked, few and many", () => {
    const odd = "010080ff";
    for (const hex of [`2a04${odd}`, `2d${odd}`, `2a8801${odd.repeat(34)}`]) {
      const { floatVal } = tensorProtoCodec.decode(fromHex(hex));
      expect(new Uint32Array((floatVal as Float32Array).buffer, (floatVal as Float32Array).byteOffset, 1)[0]).toBe(0xff800001);
    }
    const { doubleVal } = tensorProtoCodec.decode(fromHex("3208 010000000000f07f"));
    expect(toHex(tensorProtoCodec.encode({ doubleVal: doubleVal! }))).toBe("3208010000000000f07f");
  });

  test("a text may begin with U+FEFF and be long", () => {
    const name = `\ufeff${"é".repeat(40)}`;
    expect(tensorShapeProtoCodec.decode(tensorShapeProtoCodec.encode({ dim: [{ name }] })).dim).toEqual([{ name }]);
  });

  test("keeps unknown fields and fields of another wire type, and encodes them after the known ones", () => {
    const read = tensorProtoCodec.decode(fromHex("9806 05 0801 a306 0803 a406 0a0161 9d0601020304"));
    expect(read.dtype).toBe(1);
    expect(read.unknownFields?.map(({ no, wireType, data }) => [no, wireType, toHex(data)])).toEqual([
      [99, 0, "05"],
      [100, 3, "0803a406"],
      [1, 2, "0161"],
      [99, 5, "01020304"],
    ]);
    expect(toHex(tensorProtoCodec.encode(read))).toBe("0801980605a3060803a4060a01619d0601020304");
  });

  test("one codec reads the shapes of 2017 and of today", () => {
    const of2017 = shapeProtoCodec.decode(fromHex("100b 1a020203 2a0a 0a020001 12020305 1801"));
    expect(of2017.layout).toEqual({ minorToMajor: [0, 1], paddedDimensions: [3, 5], paddingValue: 1 });
  });
});

describe("views", () => {
  test("bytes fields are views of the input, at any offset and over shared memory", () => {
    for (const buffer of [new ArrayBuffer(64), new SharedArrayBuffer(64)]) {
      const bytes = new Uint8Array(buffer, 7, 14);
      bytes.set(fromHex("22020102 42020304 4200 92010105"));
      const read = tensorProtoCodec.decode(bytes);
      for (const view of [read.tensorContent!, ...read.stringVal!, read.float8Val!]) expect(view.buffer).toBe(buffer);
      expect(read.tensorContent!.byteOffset).toBe(9);
      bytes[2] = 9;
      expect([...read.tensorContent!]).toEqual([9, 2]);
      expect(read.stringVal!.map((each) => [...each])).toEqual([[3, 4], []]);
    }
  });

  test("numbers are copied, and input in a Node Buffer gives plain Uint8Arrays", () => {
    const bytes = Buffer.from(fromHex("2a040000803f 22020102"));
    const read = tensorProtoCodec.decode(bytes);
    expect((read.floatVal as Float32Array).buffer).not.toBe(bytes.buffer);
    expect(read.tensorContent!.constructor).toBe(Uint8Array);
  });
});

describe("bounds", () => {
  /** Returns the bytes of a variant in a tensor in a variant …, with `depth` messages nested in the outermost. */
  const nested = (depth: number): Uint8Array => {
    let bytes = new Uint8Array(0);
    for (let i = 0; i < depth; i++) {
      const head: number[] = [(depth - i) % 2 === 1 ? 0x7a : 0x1a];
      for (let rest = bytes.length; ; rest >>>= 7) {
        head.push(rest > 0x7f ? (rest & 0x7f) | 0x80 : rest);
        if (rest <= 0x7f) break;
      }
      const outer = new Uint8Array(head.length + bytes.length);
      outer.set(head);
      outer.set(bytes, head.length);
      bytes = outer;
    }
    return bytes;
  };

  test("messages may be nested 100 deep in the outermost, as in protobuf, or as deep as the option allows", () => {
    expect(tensorProtoCodec.encode(tensorProtoCodec.decode(nested(100)))).toEqual(nested(100));
    const error = thrownBy(() => tensorProtoCodec.decode(nested(101)));
    expect(error.code).toBe("INVALID_ARGUMENT");
    expect(error.message).toMatch(/messages nested more than 100 deep at byte \d+/);
    const deep = tensorProtoCodec.decode(nested(300), { recursionLimit: 300 });
    expect(thrownBy(() => tensorProtoCodec.encode(deep)).message).toContain("recursionLimit");
    expect(tensorProtoCodec.encode(deep, { recursionLimit: 300 })).toEqual(nested(300));
    expect(thrownBy(() => tensorProtoCodec.toJson(deep)).message).toContain("recursionLimit");
    const json = tensorProtoCodec.toJson(deep, { recursionLimit: 300 });
    expect(thrownBy(() => tensorProtoCodec.fromJson(json)).message).toContain("recursionLimit");
    expect(tensorProtoCodec.byteLength(tensorProtoCodec.fromJson(json, { recursionLimit: 300 }), { recursionLimit: 300 })).toBe(
      nested(300).length,
    );
  });

  test("the recursionLimit is at most 1000, so that the stack cannot overflow", () => {
    const options = { recursionLimit: Number.POSITIVE_INFINITY };
    expect(thrownBy(() => tensorProtoCodec.decode(nested(1001), options)).message).toContain("more than 1000 deep");
    const deep = nested(1000);
    expect(tensorProtoCodec.encode(tensorProtoCodec.decode(deep, options), options).length).toBe(deep.length);
    expect(thrownBy(() => tensorProtoCodec.decode(fromHex("9b01".repeat(5000)), options)).message).toContain("more than 1000 deep");
  });

  test("refuses to make more objects than the objectLimit", () => {
    const strings = new Uint8Array(3000).map((_, i) => [0x42, 1, 7][i % 3]!);
    expect(tensorProtoCodec.decode(strings, { objectLimit: 1000 }).stringVal!.length).toBe(1000);
    const error = thrownBy(() => tensorProtoCodec.decode(strings, { objectLimit: 999 }));
    expect(error.code).toBe("RESOURCE_EXHAUSTED");
    expect(error.message).toContain("tensorflow.TensorProto: more objects than the objectLimit allows, at byte 2999");
    const limited = (codec: proto.MessageCodec<object>, hex: string): string =>
      thrownBy(() => codec.decode(fromHex(hex.repeat(100)), { objectLimit: 50 })).code;
    expect(limited(tensorShapeProtoCodec, "1200")).toBe("RESOURCE_EXHAUSTED");
    expect(limited(versionDefCodec, "1801")).toBe("RESOURCE_EXHAUSTED");
    expect(limited(versionDefCodec, "1a020101")).toBe("RESOURCE_EXHAUSTED");
    expect(limited(versionDefCodec, "7801")).toBe("RESOURCE_EXHAUSTED");
    expect(limited(memoryDumpCodec, "0a00")).toBe("RESOURCE_EXHAUSTED");
  });

  const kMany = isLong ? 50_000 : 8000;
  test("unpacked values take linear time, in one run, between other fields, and in pieces of a sub-message", () => {
    const pieces: [string, string, number][] = [
      ["2d0000803f", "floatVal", kMany],
      ["2d0000803f3801", "floatVal", kMany],
      ["5001 3801", "int64Val", kMany],
    ];
    for (const [hex, name, count] of pieces) {
      const bytes = Uint8Array.from(Buffer.from(hex.replaceAll(" ", "").repeat(count), "hex"));
      const milliseconds = stopwatch();
      const read = tensorProtoCodec.decode(bytes) as unknown as Record<string, ArrayLike<unknown>>;
      expect(read[name]!.length).toBe(count);
      expect((read[name] as Float32Array).buffer.byteLength).toBe((read[name] as Float32Array).byteLength);
      expect(milliseconds()).toBeLessThan(1000);
    }
    const merged = Uint8Array.from(Buffer.from("1a062a040000803f".repeat(kMany), "hex"));
    const milliseconds = stopwatch();
    expect(proto.savedSliceCodec.decode(merged).data!.floatVal!.length).toBe(kMany);
    expect(milliseconds()).toBeLessThan(1000);
  });

  test("a length is checked before anything is allocated for it", () => {
    for (const tag of ["22", "2a", "3a", "42", "52", "5a"])
      expect(thrownBy(() => tensorProtoCodec.decode(fromHex(`${tag}ffffffff0701`))).code).toBe("DATA_LOSS");
  });
});
