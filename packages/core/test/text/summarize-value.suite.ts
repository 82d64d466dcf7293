/** SummarizeValue, DebugString and the text of floats, in addition to the cases of conformance/vectors. */

import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { doubleText, floatText } from "@onebuffer/core/internal";
import { ResourceHandle, Tensor, Variant } from "@onebuffer/core";
import { summaryText } from "../../src/text/summarize-value.ts";
import fc from "fast-check";

describe("floats", () => {
  const cases: [number, string][] = [
    [0.1, "0.1"],
    [1e-7, "1e-07"],
    [1e20, "1e+20"],
    [-0, "-0"],
    [16777216, "16777216"],
    [1000000, "1e+06"],
    [123456, "123456"],
    [0.0001, "0.0001"],
    [0.00001, "1e-05"],
    [Infinity, "inf"],
    [-Infinity, "-inf"],
    [NaN, "nan"],
    // C rounds an exact tie to even where toPrecision rounds up.
    [1.001953125, "1.00195312"],
    [2 ** -149, "1.4013e-45"],
    [3.4028234663852886e38, "3.40282347e+38"],
  ];
  test.each(cases)("float %p", (value, text) => expect(floatText(Math.fround(value))).toBe(text));
  test("a number that float32 cannot hold is rounded", () => expect([floatText(0.1), floatText(1e300)]).toEqual(["0.1", "inf"]));
  test("the sign of a NaN", () => expect([floatText(NaN, true), doubleText(NaN, true)]).toEqual(["-nan", "-nan"]));
  test("doubles", () => {
    expect([0.1, Math.PI, 1e300, Number("123456789012345678"), 1 / 3, 5e-324].map((x) => doubleText(x))).toEqual([
      "0.1",
      "3.1415926535897931",
      "1e+300",
      "1.2345678901234568e+17",
      "0.33333333333333331",
      "4.94065645841247e-324",
    ]);
  });
  test("the text of every float and double parses back to the same number", () => {
    fc.assert(
      fc.property(fc.float({ noNaN: true }), fc.double({ noNaN: true }), (float, double) => {
        expect(Math.fround(Number(floatText(float).replace("inf", "Infinity")))).toBe(float);
        expect(Number(doubleText(double).replace("inf", "Infinity"))).toBe(double);
      }),
      { numRuns: 500 },
    );
  });
});

describe("a NaN element prints its sign bit", () => {
  test.each(["float32", "float64", "float16", "bfloat16"] as const)("%s", (dtype) => {
    using t = Tensor.from([NaN, NaN], { dtype });
    const bytes = t.tensorData;
    const size = bytes.length / 2;
    bytes[size - 1] = (bytes[size - 1] ?? 0) & 0x7f;
    bytes[2 * size - 1] = (bytes[2 * size - 1] ?? 0) | 0x80;
    expect(t.summarizeValue(-1)).toBe("nan -nan");
  });
});

test("bool with no entries prints nothing at all, as TensorFlow 2.21 does", () => {
  using none = new Tensor("bool", [0]);
  using two = Tensor.from([true, false]);
  using scalar = Tensor.from(true);
  for (const t of [none, two, scalar]) expect([t.summarizeValue(0), t.summarizeValue(0, true)]).toEqual(["", ""]);
  expect([none.summarizeValue(-1), none.summarizeValue(-1, true)]).toEqual(["", ""]);
  using others = new Tensor("int8", [0]);
  expect([others.summarizeValue(-1, true), two.summarizeValue(1), two.summarizeValue(1, true)]).toEqual(["[]", "1...", "[1 0]"]);
});

test("strings are bytes: the string form reads UTF-8, the bytes form is exact", () => {
  using t = Tensor.from(["é", new Uint8Array([0xff, 0x00])], { dtype: "string" });
  expect(Buffer.from(t.summarizeValueBytes(-1)).toString("hex")).toBe("c3a920ff5c303030");
  expect(t.summarizeValue(1)).toBe("é...");
  using text = t.slice(0, 1);
  expect(text.debugString()).toBe("Tensor<type: string shape: [1] values: é>");
});

test("prints objects whose dtype has no printer", () => {
  using variants = new Tensor("variant", [3]);
  variants.vec().set(1, new Variant(7, "int"));
  expect(variants.summarizeValue(2)).toBe("<[empty]> <7>...");
  expect(variants.summarizeValue(-1, true)).toBe("[<[empty]> <7> <[empty]>]");
  using handles = new Tensor("resource", []);
  handles.scalar().set(new ResourceHandle({ name: "é" }));
  expect(handles.summarizeValue(1)).toContain('name="é"');
  using complex = Tensor.from(
    [
      [
        [1, 2],
        [3, 4],
      ],
    ],
    { dtype: "complex64" },
  );
  expect(complex.summarizeValue(-1, true)).toBe("[? ?]");
  using none = new Tensor("qint32", [2, 0]);
  expect(none.summarizeValue(-1)).toBe("");
});

test("a variant's tensor of strings that are not UTF-8 is summarized with their bytes", () => {
  using strings = new Tensor("string", [1]);
  strings.vec().set(0, Uint8Array.of(0xff, 0xc3, 0xa9));
  using variants = new Tensor("variant", [2]);
  using first = new Variant(strings);
  variants.vec().set(0, first);
  variants.vec().set(1, new Variant({ typeName: "named", debugString: () => "\u00e9" }));
  using outer = new Tensor("variant", []);
  using second = new Variant(variants);
  outer.scalar().set(second);
  const inner = "<Tensor<type: string shape: [1] values: \xff\xc3\xa9>> <\xc3\xa9>";
  expect(Buffer.from(variants.summarizeValueBytes(-1)).toString("latin1")).toBe(inner);
  expect(Buffer.from(outer.summarizeValueBytes(-1, true)).toString("latin1")).toBe(`<Tensor<type: variant shape: [2] values: ${inner}>>`);
  expect(variants.summarizeValue(-1)).toBe(inner);
});

test("the text of an uninitialized tensor says so and has the DataType number", () => {
  using t = Tensor.fromBuffer("int32", [4, 4], null);
  expect(t.summarizeValue(16)).toBe("uninitialized Tensor of 16 elements of type 3");
  expect(t.summarizeValue(0)).toBe("...");
  expect(t.deviceSafeDebugString()).toBe("Tensor<type: int32 shape: [4,4]>");
  expect(String(t)).toContain("uninitialized Tensor of 16 elements");
});

interface Vector {
  id: string;
  op: string;
  args: { dtype: string; shape: number[]; values: unknown[]; max_entries: number; print_v2: boolean };
  expect: string;
}

test("equals TensorFlow's own summaries of integers", () => {
  const url = new URL("../../../../../conformance/vectors/tf-tensor.json", import.meta.url);
  const vectors = (JSON.parse(readFileSync(url, "utf8")) as Vector[]).filter(
    (v) => v.op === "tensor.summarize" && v.args.dtype === "DT_INT32",
  );
  expect(vectors.length).toBeGreaterThan(10);
  for (const { args, expect: text } of vectors) {
    using t = Tensor.from(new Int32Array(args.values as number[]), { shape: args.shape });
    expect(t.summarizeValue(args.max_entries, args.print_v2)).toBe(text);
  }
});

test("bytes of a summary that are not UTF-8 are shown one by one", () => {
  expect(summaryText(Uint8Array.of(0x61, 0xff, 0xe9))).toBe("aÿé");
  expect(summaryText(Uint8Array.of(0x61, 0xc3, 0xa9))).toBe("aé");
});

test("a scalar variant has no brackets, and a third has the digits of its type", () => {
  using variant = Tensor.full([], new Variant(1, "int"), { dtype: "variant" });
  using variants = Tensor.full([1], new Variant(1, "int"), { dtype: "variant" });
  expect([variant.summarizeValue(3, true), variants.summarizeValue(3, true)]).toEqual(["<1>", "[<1>]"]);
  using double = Tensor.from([1 / 3], { dtype: "float64" });
  using float = Tensor.from([1 / 3], { dtype: "float32" });
  expect([double.summarizeValue(1), float.summarizeValue(1)]).toEqual(["0.33333333333333331", "0.333333343"]);
});
