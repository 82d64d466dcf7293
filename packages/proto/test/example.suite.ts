// Tests of maps and oneofs, the two kinds of fields that Example has and no other message: order, doubles, hostile entries.
import { describe, expect, test } from "@jest/globals";
import type { FeatureProto } from "@onebuffer/proto";
import { exampleCodec, featureCodec, featuresCodec, trackableObjectGraphCodec } from "@onebuffer/proto";
import { fromHex, thrownBy, toHex } from "./hex.ts";

const features = (hex: string): ReadonlyMap<string, FeatureProto> | undefined => featuresCodec.decode(fromHex(hex)).feature;

describe("maps", () => {
  test("keep the order of their entries, and any key", () => {
    const keys = ["b", "", "__proto__", "7", "constructor", "\u{1f600}", "a"];
    const feature = new Map<string, FeatureProto>(keys.map((key, i) => [key, { int64List: { value: [i] } }]));
    const bytes = featuresCodec.encode({ feature });
    const read = featuresCodec.decode(bytes).feature!;
    expect([...read.keys()]).toEqual(keys);
    expect(featuresCodec.encode({ feature: read })).toEqual(bytes);
    const json = featuresCodec.toJson({ feature: read });
    const again = featuresCodec.fromJson(JSON.parse(JSON.stringify(json)) as never).feature!;
    expect([...again.keys()].sort()).toEqual([...keys].sort());
    expect(again.get("__proto__")).toEqual({ int64List: { value: BigInt64Array.of(2n) } });
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  test("the last entry of a key counts and is not merged; two values in one entry are merged", () => {
    expect(features("0a09 0a0161 12041a020a00 0a05 0a0161 1200")).toEqual(new Map([["a", {}]]));
    expect(features("0a0f 0a0161 12041a020801 12041a020802")?.get("a")?.int64List?.value).toEqual(BigInt64Array.of(1n, 2n));
    expect([...features("0a0e 0a0161 1200 0a0162 12041a020801")!.keys()]).toEqual(["b"]);
  });

  test("an entry may lack its key or its value and have them in any order; other fields are dropped", () => {
    expect(features("0a00")).toEqual(new Map([["", {}]]));
    expect(features("0a03 0a0161")).toEqual(new Map([["a", {}]]));
    expect(features("0a05 1200 0a0161")).toEqual(new Map([["a", {}]]));
    expect(features("0a0b 0a0161 1801 0801 1200 1001")).toEqual(new Map([["a", {}]]));
    expect(toHex(featuresCodec.encode({ feature: features("0a00")! }))).toBe("0a040a001200");
  });

  test.each([
    ["an entry cut short", "0a05 0a0161", "DATA_LOSS"],
    ["a key beyond its entry", "0a03 0a0261 00", "INVALID_ARGUMENT"],
    ["a value beyond its entry", "0a02 1201 0000", "INVALID_ARGUMENT"],
    ["a key that is not UTF-8", "0a03 0a01ff", "INVALID_ARGUMENT"],
    ["the end of a group", "0a01 24", "INVALID_ARGUMENT"],
  ])("%s", (_what, hex, code) => {
    expect(thrownBy(() => features(hex)).code).toBe(code);
  });

  test("entries count as objects and as a level of nesting", () => {
    const many = fromHex("0a00".repeat(100));
    expect(thrownBy(() => featuresCodec.decode(many, { objectLimit: 99 })).code).toBe("RESOURCE_EXHAUSTED");
    expect(featuresCodec.decode(many, { objectLimit: 100 }).feature!.size).toBe(1);
    const one = { features: { feature: new Map([["a", { int64List: {} }]]) } };
    const bytes = exampleCodec.encode(one);
    expect(thrownBy(() => exampleCodec.decode(bytes, { recursionLimit: 3 })).message).toContain("nested more than 3 deep");
    expect(exampleCodec.decode(bytes, { recursionLimit: 4 })).toEqual(one);
    expect(thrownBy(() => exampleCodec.encode(one, { recursionLimit: 3 })).message).toContain("recursionLimit");
    expect(exampleCodec.encode(one, { recursionLimit: 4 })).toEqual(bytes);
    expect(thrownBy(() => exampleCodec.decode(fromHex("0a020a00"), { recursionLimit: 1 })).message).toContain("nested more than 1 deep");
  });

  test.each([
    ["an object", { a: {} }, "feature: expected a Map"],
    ["a key that is no text", new Map([[1, {}]]), "feature: expected well-formed text, got 1"],
    ["a value that is no message", new Map([["a", 1]]), "feature: expected a tensorflow.Feature, got 1"],
    ["no value", new Map([["a", undefined]]), "feature: expected a tensorflow.Feature"],
  ])("refuses %s", (_what, feature, words) => {
    for (const write of [featuresCodec.encode.bind(featuresCodec), featuresCodec.toJson.bind(featuresCodec)]) {
      const error = thrownBy(() => write({ feature } as never));
      expect(error.code).toBe("INVALID_ARGUMENT");
      if (write.name.includes("encode")) expect(error.message).toContain(words);
    }
  });

  test("JSON refuses lists, null values, and a second value of a oneof", () => {
    for (const feature of [[], 1, { a: null }, { a: 1 }, { a: { floatList: {}, bytesList: {} } }])
      expect(thrownBy(() => featuresCodec.fromJson({ feature } as never)).code).toBe("INVALID_ARGUMENT");
  });
});

describe("oneofs", () => {
  test.each([
    ["0a030a0178 1a030a0105", { int64List: { value: BigInt64Array.of(5n) } }],
    ["1a030a0105 0a00", { bytesList: {} }],
    ["1a030a0105 1a030a0106", { int64List: { value: BigInt64Array.of(5n, 6n) } }],
    ["1a030a0105 0a00 1a030a0106", { int64List: { value: BigInt64Array.of(6n) } }],
    ["1a030a0105 0801", { int64List: { value: BigInt64Array.of(5n) }, unknownFields: [{ no: 1, wireType: 0, data: Uint8Array.of(1) }] }],
  ])("the last field clears the others, and the same field is merged: %s", (hex, expected) => {
    expect(featureCodec.decode(fromHex(hex))).toEqual(expected);
  });

  test("two values are refused", () => {
    const two = { floatList: {}, bytesList: {} };
    const words = "tensorflow.Feature: both float_list and bytes_list are set; the oneof kind has one value";
    expect(thrownBy(() => featureCodec.encode(two)).message).toBe(words);
    expect(thrownBy(() => featureCodec.toJson(two)).code).toBe("INVALID_ARGUMENT");
    expect(featureCodec.encode({ floatList: {}, bytesList: undefined })).toEqual(Uint8Array.of(18, 0));
  });
});

test("a wrapper is a boolean in JSON, and absent is not false", () => {
  const nodes = [{}, { hasCheckpointValues: {} }, { hasCheckpointValues: { value: true } }];
  const json = trackableObjectGraphCodec.toJson({ nodes });
  expect(json).toEqual({ nodes: [{}, { hasCheckpointValues: false }, { hasCheckpointValues: true }] });
  expect(trackableObjectGraphCodec.encode(trackableObjectGraphCodec.fromJson(json))).toEqual(trackableObjectGraphCodec.encode({ nodes }));
  for (const hasCheckpointValues of [1, { value: true }, "true"])
    expect(thrownBy(() => trackableObjectGraphCodec.fromJson({ nodes: [{ hasCheckpointValues }] })).code).toBe("INVALID_ARGUMENT");
});
