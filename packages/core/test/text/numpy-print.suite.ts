/** Tensor.toString compared with the output of NumPy 2.4.6 for the same arrays (packages/core/test/fixtures/make-numpy-print.py). */

import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import type { DType } from "@onebuffer/base";
import { numpyText } from "@onebuffer/eigen";
import { Tensor } from "@onebuffer/core";
import { sampled, thrown } from "@onebuffer/test-support";

interface Case {
  dtype: DType;
  shape: number[];
  values?: (number | string | boolean | [number | string, number | string])[];
  arange?: [number, number];
  text: string;
}

// The compiled test is in dist/test; the fixtures are in the source tree.
const cases = JSON.parse(readFileSync(new URL("../../../test/fixtures/numpy-print.json", import.meta.url), "utf8")) as Case[];

function number(value: number | string): number {
  return typeof value === "number" ? value : value === "-0" ? -0 : Number(value);
}

function elementsOf({ dtype, shape, values, arange }: Case): unknown[] {
  if (arange !== undefined) {
    const count = shape.reduce((a, b) => a * b, 1);
    const numbers = Array.from({ length: count }, (_, i) => arange[0] + i * arange[1]);
    if (dtype === "uint8") return numbers.map((x) => x & 255);
    return dtype === "int64" ? numbers.map(BigInt) : numbers;
  }
  return (values ?? []).map((value) => {
    if (Array.isArray(value)) return value.map(number);
    if (dtype === "string" || typeof value === "boolean") return value;
    return dtype === "int64" || dtype === "uint64" ? BigInt(value) : number(value);
  });
}

test("prints as NumPy does", () => {
  expect(cases.length).toBeGreaterThan(500);
  const wrong: string[] = [];
  for (const item of sampled(cases, 60)) {
    const elements = elementsOf(item) as number[];
    // A list of two numbers could be taken for one complex element; the dtype and the shape decide here.
    using tensor = Tensor.from(elements.length === 0 ? new Float32Array(0) : elements, { dtype: item.dtype, shape: item.shape });
    const text = tensor.toString();
    if (text !== item.text) wrong.push(`${item.dtype} ${JSON.stringify(item.shape)}\nNumPy:\n${item.text}\nhere:\n${text}`);
  }
  expect(wrong).toEqual([]);
});

test("options: threshold, edgeItems, lineWidth", () => {
  using t = Tensor.arange(10, undefined, 1, { dtype: "int32" });
  expect(t.toString({ threshold: 5, edgeItems: 2 })).toBe("[0 1 ... 8 9]");
  expect(t.toString({ lineWidth: 12 })).toBe("[0 1 2 3 4\n 5 6 7 8 9]");
  expect(thrown(() => t.toString({ edgeItems: 0 }))).toMatchObject({ code: "INVALID_ARGUMENT", message: expect.stringContaining("0") });
});

test("dtypes NumPy does not have print as their closest relatives", () => {
  using bf = Tensor.from([1.5, 2, 0.1], { dtype: "bfloat16" });
  expect(bf.toString()).toBe("[1.5 2.  0.1]");
  // Two digits distinguish -448 from its neighbor -416 and from -480, which the dtype does not have.
  using f8 = Tensor.from([[1.5, -448]], { dtype: "float8_e4m3fn" });
  expect(f8.toString()).toBe("[[   1.5 -450. ]]");
  using i4 = Tensor.from([-8, 7], { dtype: "int4" });
  expect(i4.toString()).toBe("[-8  7]");
  using bytes = Tensor.from(["a", new Uint8Array([0xff, 0x0a, 0x27])], { dtype: "string" });
  expect(bytes.toString()).toBe(`['a' b"\\xff\\n'"]`);
});

test("numpyText rounds numbers that the dtype cannot hold exactly", () => {
  expect(numpyText({ dims: [2], dtype: "float32", at: (i) => [0.1, 1 / 3][i] })).toBe("[0.1        0.33333334]");
});

test("numpyText reads only the elements it shows", () => {
  const read: number[] = [];
  const text = numpyText({ dims: [2000], dtype: "int32", at: (i) => read.push(i) * 0 + i });
  expect(text).toBe("[   0    1    2 ... 1997 1998 1999]");
  expect(new Set(read)).toEqual(new Set([0, 1, 2, 1997, 1998, 1999]));
});

test("lines are as long as Python counts characters: a surrogate pair is one", () => {
  using wide = Tensor.from(new Array<string>(14).fill("\u{1d538}a"));
  using narrow = Tensor.from(new Array<string>(14).fill("xa"));
  expect(wide.toString()).toBe(narrow.toString().replaceAll("x", "\u{1d538}"));
});
