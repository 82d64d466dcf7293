// Tests parseShapeAndSlice: valid, invalid and hostile texts.
import { describe, expect, test } from "@jest/globals";
import { TensorShape } from "@onebuffer/shape";
import { parseShapeAndSlice } from "@onebuffer/slice";
import fc from "fast-check";
import { sliceOf, smallDims } from "./arbitraries.ts";
import { expectStatus, statusErrorsOnly } from "@onebuffer/test-support";

describe("parseShapeAndSlice", () => {
  const good: [text: string, shape: number[], slice: string, sliceShape: number[]][] = [
    ["4 5 0,2:-", [4, 5], "0,2:-", [2, 5]],
    ["4 -", [4], "-", [4]],
    ["0 7 -:3,1", [0, 7], "-:3,1", [0, 1]],
    ["\t4 +5 0,2:-", [4, 5], "0,2:-", [2, 5]],
    [
      "0 9007199254740991 9007199254740991 -:-:-",
      [0, 9007199254740991, 9007199254740991],
      "-:-:-",
      [0, 9007199254740991, 9007199254740991],
    ],
  ];
  test.each(good)("%j", (text, shape, slice, sliceShape) => {
    const parsed = parseShapeAndSlice(text);
    expect(parsed.shape.dimSizes).toEqual(shape);
    expect(parsed.slice.debugString()).toBe(slice);
    expect(parsed.sliceShape.dimSizes).toEqual(sliceShape);
  });

  const bad: [text: string, code: "INVALID_ARGUMENT" | "INTERNAL", contains: string][] = [
    ["", "INVALID_ARGUMENT", "at least two elements"],
    ["-", "INVALID_ARGUMENT", "at least two elements in shape_and_slice specification: -"],
    ["4 x -:-", "INVALID_ARGUMENT", "Non numerical dimension in shape_and_slice: 4 x -:-"],
    ["4  -", "INVALID_ARGUMENT", "Non numerical dimension in shape_and_slice: 4  -"],
    [" -", "INVALID_ARGUMENT", "Non numerical"],
    ["4.5 -", "INVALID_ARGUMENT", "4.5"],
    ["-4 -", "INVALID_ARGUMENT", "-4"],
    ["9007199254740992 -", "INVALID_ARGUMENT", "Dimension 9007199254740992 exceeds 9007199254740991"],
    ["4 0;1", "INVALID_ARGUMENT", "but got '0;1'"],
    ["4 0,5", "INTERNAL", "Extent in dimension 0 out of bounds: shape = [4], slice = 0,5"],
    ["4 5 -", "INTERNAL", "Mismatching ranks: shape = [4,5], slice = -"],
    ["4 ", "INTERNAL", "Mismatching ranks: shape = [4], slice = "],
    [`${"1 ".repeat(255)}-`, "INVALID_ARGUMENT", "Too many dimensions"],
  ];
  test.each(bad)("%.40j is refused", (text, code, contains) => {
    expectStatus(() => parseShapeAndSlice(text), code, contains);
  });

  test("parses the texts of shapes and slices", () => {
    fc.assert(
      fc.property(
        smallDims(4, 0)
          .filter((dims) => dims.length > 0)
          .chain((dims) => fc.tuple(fc.constant(dims), sliceOf(dims))),
        ([dims, slice]) => {
          const parsed = parseShapeAndSlice(`${dims.join(" ")} ${slice}`);
          expect(parsed.slice.equals(slice)).toBe(true);
          expect(parsed.sliceShape.isSameSize(slice.sliceTensorShape(new TensorShape(dims)))).toBe(true);
        },
      ),
    );
  });

  test("hostile text throws only StatusErrors", () => {
    const word = fc.constantFrom("", " ", "1", "4", "0", "-", "-1", "0,1", ":", "99999999999999999999", "9007199254740991", "x", "\t");
    fc.assert(
      fc.property(fc.array(word, { maxLength: 12 }), (words) => void statusErrorsOnly(() => parseShapeAndSlice(words.join("")))),
      { numRuns: 500 },
    );
  });
});
