// Tests of slice texts, the argument of `strided`: the results recorded from NumPy (test/data/slice-texts.json) and the error messages.

import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { isStatusError } from "@onebuffer/base";
import type { StridedMap } from "@onebuffer/eigen";
import { tensorMap } from "@onebuffer/eigen";
import fc from "fast-check";
import { expectStatus } from "@onebuffer/test-support";
import { line, matrix } from "./counted-maps.ts";

/** The calls of some tests are wrong on purpose. */
type Any = ReturnType<typeof JSON.parse>;

/** The result of a slice text: an error code, or the sizes, strides and elements of the view. */
type Verdict = string | readonly [dims: readonly number[], strides: readonly number[], values: readonly number[]];
type Case = readonly [shape: readonly number[], text: string, verdict: Verdict];

const cases = JSON.parse(readFileSync(new URL("../../../test/data/slice-texts.json", import.meta.url), "utf8")) as readonly Case[];

/** Returns a map of the shape with the elements 0, 1, 2, … */
function arange(shape: readonly number[]): StridedMap<"int32", number> {
  const count = shape.reduce((a, b) => a * b, 1);
  return tensorMap(
    "int32",
    Int32Array.from({ length: count }, (_, i) => i),
    shape,
  ).strided();
}

/** Applies a text to the map. Strides that do not matter are 0, as in the recorded results. */
function verdictOf(shape: readonly number[], text: string): Verdict {
  try {
    const map = arange(shape).strided(text);
    const dims = map.dimensions;
    return [dims, map.strides.map((stride, d) => ((dims[d] as number) < 2 || map.size === 0 ? 0 : stride)), [...map]];
  } catch (error) {
    if (isStatusError(error)) return error.code;
    throw error;
  }
}

test("every recorded text gives the result of NumPy", () => {
  expect(cases.length).toBeGreaterThan(1000);
  const got = cases.map(([shape, text]) => [shape, text, verdictOf(shape, text)]);
  expect(got).toEqual(cases);
});

describe("errors name the column", () => {
  test.each<[string, string, ...(string | number)[]]>([
    ["", "INVALID_ARGUMENT", "column 1", "the end"],
    ["0, x", "INVALID_ARGUMENT", "column 4", '"x"'],
    ["0, 1 2", "INVALID_ARGUMENT", "column 6", '"2"', '","'],
    ["0, -", "INVALID_ARGUMENT", "column 5", "the end", "decimal integer"],
    ["1.5", "INVALID_ARGUMENT", "column 1", '"1"'],
    ["..., ...", "INVALID_ARGUMENT", "column 6", "second"],
    ["0, 0, 0", "INVALID_ARGUMENT", "column 7", "3 indices", "[3,4]"],
    [":, ::0", "INVALID_ARGUMENT", "column 4", "step"],
    [":, -5", "OUT_OF_RANGE", "column 4", "index -5", "dimension 1", "[-4, 4)"],
    ["None, 0, 4", "OUT_OF_RANGE", "column 10", "index 4", "dimension 1", "[-4, 4)"],
    ["..., 4", "OUT_OF_RANGE", "column 6", "index 4", "dimension 1", "[-4, 4)"],
    ["3", "OUT_OF_RANGE", "column 1", "index 3", "dimension 0", "[-3, 3)"],
    ["😀", "INVALID_ARGUMENT", "column 1", "😀"],
    [Array(253).fill("None").join(), "INVALID_ARGUMENT", "slice text", "makes 255 dimensions"],
  ])("%j", (text, code, ...parts) => {
    expectStatus(() => arange([3, 4]).strided(text), code as "OUT_OF_RANGE", ...parts);
  });

  test("refuses a text that is not a string", () => {
    expectStatus(() => arange([3]).strided(1 as unknown as string), "INVALID_ARGUMENT", "1");
    expectStatus(() => arange([3]).strided(undefined as unknown as string), "INVALID_ARGUMENT", "undefined");
  });

  test("each None adds a dimension, up to 254 dimensions", () => {
    expect(arange([3, 4]).strided(Array(252).fill("None").join()).rank).toBe(254);
  });
});

test("any text either gives a view or throws INVALID_ARGUMENT or OUT_OF_RANGE", () => {
  const words = fc.constantFrom(
    "1",
    "-1",
    "0",
    ":",
    ",",
    "...",
    "None",
    "newaxis",
    " ",
    "-",
    "+",
    "9".repeat(400),
    ".",
    "_",
    "[",
    "\u0000",
    "é",
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(words, { maxLength: 12 }).map((list) => list.join("")),
      ),
      (text) => {
        const verdict = verdictOf([3, 4], text);
        expect(typeof verdict !== "string" || ["INVALID_ARGUMENT", "OUT_OF_RANGE"].includes(verdict)).toBe(true);
      },
    ),
    { numRuns: process.env["ONEBUFFER_LONG"] === undefined ? 120 : 1000 },
  );
});

test("a text may make 254 dimensions, of which indices take away some", () => {
  const text = (count: number): string => `${"newaxis, ".repeat(count)}0, 0`;
  expect(matrix().strided(text(253)).dimensions).toEqual(new Array<number>(253).fill(1));
  expect(matrix().strided(`0, ${"newaxis, ".repeat(253)}:`).dimensions.length).toBe(254);
  expectStatus(() => matrix().strided(`0, ${"newaxis, ".repeat(254)}:`), "INVALID_ARGUMENT", "makes 255 dimensions, more than 254");
});

test("numbers of a text may have underscores, as in Python", () => {
  const long = tensorMap("float32", line(20), [20]) as Any;
  expect([...long.strided("1_0:1_2")]).toEqual([10, 11]);
  expectStatus(() => long.strided("-"), "INVALID_ARGUMENT", "a decimal integer");
});
