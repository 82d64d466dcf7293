// Tests of the text format: Python's text_format (protobuf 7.36) decided text-format.json, which has texts and what it made of them.
import { describe, expect, test } from "@jest/globals";
import {
  checkpointStateCodec,
  exampleCodec,
  fromTextFormat,
  tensorProtoCodec,
  toTextFormat,
  trackableObjectGraphCodec,
  versionDefCodec,
} from "@onebuffer/proto";
import fc from "fast-check";
import { readFileSync } from "node:fs";
import { isLong } from "@onebuffer/test-support";
import { fromHex, thrownBy } from "./hex.ts";
import type { AnyCodec } from "./oracle.ts";
import { asOurs, messageArbitrary, pairs } from "./oracle.ts";

interface Vector {
  readonly type: string;
  readonly text: string;
  readonly hex?: string;
  readonly printed?: string;
  readonly error?: true;
}

const vectors = JSON.parse(readFileSync(new URL("../../test/text-format.json", import.meta.url), "utf8")) as readonly Vector[];
const codecs: Readonly<Record<string, unknown>> = {
  CheckpointState: checkpointStateCodec,
  Example: exampleCodec,
  TensorProto: tensorProtoCodec,
  TrackableObjectGraph: trackableObjectGraphCodec,
  VersionDef: versionDefCodec,
};
const codecOf = (type: string): AnyCodec => codecs[type] as AnyCodec;

test("a codec is one of a message", () => {
  for (const wrong of [undefined, null, 5, {}, { type: {} }]) {
    expect(thrownBy(() => toTextFormat(wrong as never, {})).code).toBe("INVALID_ARGUMENT");
    expect(thrownBy(() => fromTextFormat(wrong as never, "")).code).toBe("INVALID_ARGUMENT");
  }
});

/** Texts for which protobuf's C++ parser, and this one, differ from Python's: spaces after a sign, a plus sign, escapes. */
const kAsInCpp: readonly (readonly [text: string, accepted: boolean])[] = [
  ["all_model_checkpoint_timestamps: - 1", true],
  ["all_model_checkpoint_timestamps: +1", false],
  ['model_checkpoint_path: "\\q"', false],
];

describe("text format", () => {
  test.each(vectors.map((vector) => [vector.text, vector] as const))("%j", (text, { type, hex, printed, error }) => {
    const codec = codecOf(type);
    const cpp = kAsInCpp.find(([each]) => each === text);
    if (cpp?.[1] ?? error === undefined) {
      const message = fromTextFormat(codec, text);
      if (cpp !== undefined || text.includes("\\?")) return;
      expect(codec.decode(codec.encode(message))).toEqual(codec.decode(fromHex(hex!)));
      expect(toTextFormat(codec, message)).toBe(printed);
    } else expect(thrownBy(() => fromTextFormat(codec, text)).code).toBe("INVALID_ARGUMENT");
  });

  test.each(pairs.filter(([name]) => !name.includes("2017")))("%s comes back from its text", (_name, codec, schema) => {
    fc.assert(
      fc.property(messageArbitrary(schema, 3), (message) => {
        const ours = asOurs(schema, message);
        const read = fromTextFormat(codec, toTextFormat(codec, ours));
        // JSON drops the default values that a parser may or may not keep.
        const json = codec.toJson(ours) as object;
        expect(codec.toJson(read)).toEqual(json);
      }),
      { numRuns: process.env["ONEBUFFER_LONG"] === undefined ? 3 : 300 },
    );
  });

  test("every prefix of a text parses or is INVALID_ARGUMENT", () => {
    const text = 'nodes { children { node_id: 1 local_name: "w\\n" } has_checkpoint_values { value: true } } nodes < >';
    let parsed = 0;
    for (let length = 0; length <= text.length; length++) {
      try {
        fromTextFormat(trackableObjectGraphCodec, text.slice(0, length));
        parsed++;
      } catch (error) {
        expect(error).toMatchObject({ code: "INVALID_ARGUMENT" });
      }
    }
    expect(parsed).toBe(4);
  });

  test("long runs of spaces, comments and digits take linear time and no stack", () => {
    const state = (text: string): unknown => fromTextFormat(checkpointStateCodec, text);
    const one = { modelCheckpointPath: "a" };
    // More characters than a call can have arguments.
    const count = isLong ? 1_000_000 : 200_000;
    for (const blank of [" ".repeat(count), "#\n".repeat(count / 5), `#${"x".repeat(count)}\n`, "\n".repeat(count)])
      expect(state(`${blank}model_checkpoint_path: "a"${blank}`)).toEqual(one);
    const length = isLong ? 500_000 : 150_000;
    for (const digits of ["9".repeat(length), `0x${"f".repeat(length)}`, `0${"7".repeat(length)}`])
      expect(thrownBy(() => fromTextFormat(tensorProtoCodec, `int64_val: ${digits}`)).message).toContain("expected an integer");
    expect(fromTextFormat(tensorProtoCodec, `int64_val: 0x${"0".repeat(40)}11`)).toEqual({ int64Val: BigInt64Array.of(17n) });
  });

  test("errors name the line and the column", () => {
    const words = (text: string): string => thrownBy(() => fromTextFormat(checkpointStateCodec, text)).message;
    expect(words('model_checkpoint_path: "a"\n  path: 1')).toBe(
      'text format, line 2, column 7: tensorflow.CheckpointState has no field "path"',
    );
    expect(words("\n model_checkpoint_path = 1")).toBe('text format, line 2, column 24: expected ":", got "="');
    expect(thrownBy(() => fromTextFormat(checkpointStateCodec, 7 as never)).message).toContain("expected the text of a tensorflow.Che");
    for (const escape of ["ud800", "udfff", "U00110000"]) expect(words(`model_checkpoint_path: "\\${escape}"`)).toContain("no code point");
    expect(words('model_checkpoint_path: "\ud800"')).toContain("a lone surrogate");
  });

  test("prints negative zero, and refuses two values of a oneof", () => {
    expect(toTextFormat(tensorProtoCodec, { floatVal: [-0, 0.1], doubleVal: [-0] })).toBe(
      "float_val: -0.0\nfloat_val: 0.1\ndouble_val: -0.0\n",
    );
    const feature = new Map([["a", { floatList: {}, bytesList: {} }]]);
    expect(thrownBy(() => toTextFormat(exampleCodec, { features: { feature } })).message).toContain("the oneof kind has one value");
  });

  test("the recursionLimit holds in both directions", () => {
    const nest = (depth: number): string => "tensors { variant_val { ".repeat(depth / 2) + "} } ".repeat(depth / 2);
    const variants = pairs.find(([name]) => name === "tensorflow.VariantTensorDataProto")![1];
    const deep = fromTextFormat(variants, nest(100));
    expect(thrownBy(() => fromTextFormat(variants, nest(102))).message).toContain("recursionLimit");
    expect(thrownBy(() => toTextFormat(variants, deep, { recursionLimit: 99 })).message).toContain("recursionLimit");
    expect(toTextFormat(variants, deep, { recursionLimit: 100 }).length).toBeGreaterThan(100);
    expect(thrownBy(() => fromTextFormat(exampleCodec, "features{feature{value{}}}", { recursionLimit: 2 })).code).toBe("INVALID_ARGUMENT");
  });
});

test.each([
  // Ties of decimal digits go to the even one, as C prints them; toPrecision rounds them up.
  [1267336.25, "1267336.2"],
  [-1267336.25, "-1267336.2"],
  [1267336.75, "1267336.8"],
  [0.1, "0.1"],
  [16777216, "16777216.0"],
  [2 ** -149, "1.4013e-45"],
])("a float of %p is %s in text and JSON", (value, text) => {
  const message = { dtype: 1, floatVal: [value] };
  expect(toTextFormat(tensorProtoCodec, message)).toContain(`float_val: ${text}\n`);
  expect((tensorProtoCodec.toJson(message) as { readonly floatVal: readonly number[] }).floatVal).toEqual([Number(text)]);
});
