// Tests parseExample: values of each type, defaults, wrong examples and wrong features. `npm run interop` compares it with TensorFlow.
import { describe, expect, test } from "@jest/globals";
import { liveBuffers } from "@onebuffer/allocator";
import type { ExampleFeatures, FixedLenFeature } from "@onebuffer/io";
import { parseExample } from "@onebuffer/io";
import type { FeatureProto } from "@onebuffer/proto";
import { exampleCodec } from "@onebuffer/proto";
import { expectRefusal } from "@onebuffer/test-support";

const record = (features: Readonly<Record<string, FeatureProto>>): Uint8Array =>
  exampleCodec.encode({ features: { feature: new Map(Object.entries(features)) } });
const floats = (...value: number[]): FeatureProto => ({ floatList: { value } });
const ints = (...value: (number | bigint)[]): FeatureProto => ({ int64List: { value } });
const bytes = (...value: number[][]): FeatureProto => ({ bytesList: { value: value.map((each) => Uint8Array.from(each)) } });

describe("parseExample", () => {
  test("gives a tensor for each feature, and leaves the others", () => {
    const records = [
      record({ f: floats(1, 2, 3, 4), i: ints(-1), s: bytes([0xff], []), more: floats(9) }),
      record({ s: bytes([], [1, 2]), i: ints(2n ** 63n - 1n), f: floats(5, 6, 7, 8) }),
    ];
    using tensors = parseExample(records, {
      f: { shape: [2, 2], dtype: "float32" },
      i: { dtype: "int64" },
      s: { shape: [2], dtype: "string" },
    });
    expect([...tensors.keys()]).toEqual(["f", "i", "s"]);
    expect(tensors.tensor("f", { dtype: "float32" }).toArray()).toEqual([
      [
        [1, 2],
        [3, 4],
      ],
      [
        [5, 6],
        [7, 8],
      ],
    ]);
    expect(tensors.tensor("i", { dtype: "int64" }).toArray()).toEqual([-1n, 2n ** 63n - 1n]);
    const strings = tensors.tensor("s", { dtype: "string" }).flat();
    expect(Array.from(strings, (each) => [...each])).toEqual([[255], [], [], [1, 2]]);
  });

  test("defaults stand for features that are missing, or that have no list", () => {
    const records = [record({ f: floats(1, 2) }), record({ f: {} }), exampleCodec.encode({}), new Uint8Array(0)];
    const features: ExampleFeatures = {
      f: { shape: [2], dtype: "float32", defaultValue: [7, 8] },
      i: { dtype: "int64", defaultValue: 3n },
      s: { shape: [1, 2], dtype: "string", defaultValue: [["a", "b"]] },
    };
    using tensors = parseExample(records, features);
    expect(tensors.tensor("f").toArray()).toEqual([
      [1, 2],
      [7, 8],
      [7, 8],
      [7, 8],
    ]);
    expect(tensors.tensor("i").toArray()).toEqual([3n, 3n, 3n, 3n]);
    expect(tensors.tensor("s").toArray()).toEqual([[["a", "b"]], [["a", "b"]], [["a", "b"]], [["a", "b"]]]);
  });

  test("no examples, no features, no values", () => {
    using none = parseExample([], { f: { shape: [2], dtype: "float32" }, s: { dtype: "string" } });
    expect([none.tensor("f").shape.dimSizes, none.tensor("s").shape.dimSizes]).toEqual([[0, 2], [0]]);
    using nothing = parseExample([record({})], {});
    expect(nothing.size).toBe(0);
    using empty = parseExample([record({ f: floats() })], new Map([["f", { shape: [0], dtype: "float32" as const }]]));
    expect(empty.tensor("f").shape.dimSizes).toEqual([1, 0]);
  });

  test.each<[string, Readonly<Record<string, FeatureProto>>, ExampleFeatures, string]>([
    ["a missing feature", {}, { f: { dtype: "float32" } }, 'example 1, feature "f": it is required (float32)'],
    ["a feature without a list", { f: {} }, { f: { dtype: "float32" } }, "it is required"],
    ["values of another type", { f: ints(1) }, { f: { dtype: "float32" } }, "its values are int64, expected float32"],
    ["too few values", { f: floats() }, { f: { dtype: "float32" } }, "it has 0 values, expected 1 for the shape []"],
    ["too many values", { f: floats(1, 2, 3) }, { f: { shape: [2], dtype: "float32" } }, "it has 3 values, expected 2 for the shape [2]"],
    ["a default in spite of wrong values", { f: floats(1, 2) }, { f: { dtype: "float32", defaultValue: 0 } }, "it has 2 values"],
  ])("refuses %s, and holds nothing", async (_what, wrong, features, words) => {
    const before = liveBuffers();
    const { shape } = (features as Readonly<Record<string, FixedLenFeature>>)["f"] ?? {};
    const good = record({ f: shape === undefined ? floats(1) : floats(1, 2) });
    await expectRefusal(() => parseExample([good, record(wrong)], features), "INVALID_ARGUMENT", words, "example 1");
    expect(liveBuffers()).toBe(before);
  });

  test.each<[string, unknown, unknown, string]>([
    ["no list of records", 7, {}, "expected a list of serialized examples"],
    ["a text", "record", {}, "expected a list"],
    ["records that are not bytes", ["record"], {}, "Expected the bytes of a tensorflow.Example"],
    ["no features", [], null, "the features"],
    ["another dtype", [], { f: { dtype: "float64" } }, "its dtype is float32, int64 or string"],
    ["an unknown size", [], { f: { dtype: "float32", shape: [-1] } }, ""],
    ["a misspelled option", [], { f: { dtype: "float32", default: 0 } }, "default"],
    ["a default of another shape", [], { f: { dtype: "float32", shape: [2], defaultValue: [1] } }, ""],
    ["no feature", [], { f: null }, 'feature "f"'],
    ["a name that is no text", [], new Map([[1, { dtype: "float32" }]]), "name of a feature"],
  ])("refuses %s", async (_what, records, features, words) => {
    await expectRefusal(() => parseExample(records as never, features as never), "INVALID_ARGUMENT", words);
  });

  test("damaged messages are the codec's errors", async () => {
    const whole = record({ f: floats(1) });
    for (let length = 1; length < whole.length; length++)
      await expectRefusal(() => parseExample([whole.subarray(0, length)], { f: { dtype: "float32" } }), "DATA_LOSS");
  });
});
