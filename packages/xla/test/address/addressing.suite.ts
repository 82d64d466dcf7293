// Linear indices, cells and strides: XLA's quirks, limits, and refused arguments.
import { describe, expect, test } from "@jest/globals";
import {
  elementStrides,
  IndexUtil,
  kUnboundedSize,
  Layout,
  layoutFromStrides,
  LayoutUtil,
  parseShape,
  Shape,
  ShapeUtil,
  stridesFromLayout,
  tiledElementCount,
  tiledLinearIndex,
  tiledLinearToIndex,
} from "@onebuffer/xla";
import fc from "fast-check";
import { orderOf, plainArray, smallSizes } from "../model/arbitraries.ts";
import { expectStatus } from "@onebuffer/test-support";
import { indicesOf, naiveCells } from "./naive-layout.ts";
import { rowMajorMatrix } from "../model/matrix-shapes.ts";

const padded = (dims: number[], order: number[], widths: number[]): Shape =>
  Shape.array("f32", dims, { layout: new Layout(order, { paddedDimensions: widths }) });

describe("indices and cells", () => {
  test("XLA's LinearIndex ignores tiles in rank 1 and the second tile", () => {
    expect(LayoutUtil.linearIndex(parseShape("f32[7]{0:T(2,4)}"), [6])).toBe(6);
    expect(LayoutUtil.linearIndex(parseShape("f32[4,8]{1,0:T(2,4)(2,1)}"), [2, 2])).toBe(18);
    expectStatus(() => LayoutUtil.linearIndex(parseShape("f32[4,8]{1,0:T(*,4)}"), [2, 2]), "UNIMPLEMENTED", "{-1,4}");
  });

  test("bumpIndices visits all indices in row-major order, whatever the layout", () => {
    fc.assert(
      fc.property(plainArray(4, 1), (shape) => {
        const index = shape.dimensions.map(() => 0);
        const seen = [[...index]];
        while (IndexUtil.bumpIndices(shape, index)) seen.push([...index]);
        expect(seen).toEqual(indicesOf(shape.dimensions));
        expect(index).toEqual(seen.at(-1));
      }),
      { numRuns: 100 },
    );
  });

  test("layoutFromStrides inverts stridesFromLayout, except for sizes 0 and 1", () => {
    fc.assert(
      fc.property(
        smallSizes(5, 2).chain((sizes) => fc.tuple(fc.constant(sizes), orderOf(sizes.length))),
        ([sizes, order]) => {
          expect(layoutFromStrides(sizes, stridesFromLayout(sizes, order))).toEqual(order);
        },
      ),
    );
    fc.assert(
      fc.property(
        smallSizes(5).chain((sizes) => fc.tuple(fc.constant(sizes), orderOf(sizes.length))),
        ([sizes, order]) => {
          const found = layoutFromStrides(sizes, stridesFromLayout(sizes, order))!;
          const cells = (m2m: number[]): number[] => naiveCells(Shape.array("f32", sizes, { layout: new Layout(m2m) }));
          expect(cells(found)).toEqual(cells(order));
        },
      ),
    );
  });

  test("linear indices are exact up to 2^53 - 1 and refused beyond", () => {
    const big = ShapeUtil.makeShape("u8", [2 ** 26, 2 ** 26]);
    expect(IndexUtil.multidimensionalIndexToLinearIndex(big, [2 ** 26 - 1, 2 ** 26 - 1])).toBe(2 ** 52 - 1);
    expect(IndexUtil.linearIndexToMultidimensionalIndex(big, 2 ** 52 - 1)).toEqual([2 ** 26 - 1, 2 ** 26 - 1]);
    const tooBig = Shape.array("u8", [2 ** 27, 2 ** 27], { layout: new Layout([1, 0]) });
    expect(IndexUtil.multidimensionalIndexToLinearIndex(tooBig, [1, 5])).toBe(2 ** 27 + 5);
    expectStatus(() => IndexUtil.multidimensionalIndexToLinearIndex(tooBig, [2 ** 27 - 1, 2 ** 27 - 1]), "INVALID_ARGUMENT", "2^53");
    const rank4 = Shape.array("u8", [2 ** 20, 2 ** 20, 2 ** 20, 4], { layout: new Layout([3, 2, 1, 0]) });
    expectStatus(() => IndexUtil.multidimensionalIndexToLinearIndex(rank4, [2 ** 20 - 1, 0, 0, 0]), "INVALID_ARGUMENT", "2^53");
    const tiled = Shape.array("f32", [2 ** 40], { layout: new Layout([0], { tiles: [[1024]] }) });
    expect(tiledLinearIndex(tiled, [2 ** 39 + 3])).toBe(2 ** 39 + 3);
  });

  test("an index is in bounds only if each entry is, and there are as many as dimensions", () => {
    for (const [index, isIn] of [
      [[1, 2], true],
      [[2, 0], false],
      [[0, 3], false],
      [[0, -1], false],
      [[0, 0.5], false],
      [[0], false],
      [[0, 0, 0], false],
    ] as const)
      expect(IndexUtil.indexInBounds(rowMajorMatrix, index)).toBe(isIn);
  });

  test("the index of a cell is the element's, through tiles that combine dimensions", () => {
    for (const text of ["f32[3,5,7]{2,1,0:T(*,4)}", "f32[3,5,7]{2,1,0:T(*,*,8)}", "f32[3,5]{0,1:T(*,4)(2,1)}"]) {
      const shape = parseShape(text);
      for (const index of indicesOf(shape.dimensions)) expect(tiledLinearToIndex(shape, tiledLinearIndex(shape, index))).toEqual(index);
    }
  });

  test("LinearIndex reads the first of two tiles", () => {
    expect(LayoutUtil.linearIndex(parseShape("f32[4,8]{1,0:T(2,4)(2,1)}"), [1, 2])).toBe(6);
  });
});

describe("refuses", () => {
  const shape = ShapeUtil.makeShape("f32", [2, 3]);
  const rank4 = ShapeUtil.makeShape("f32", [2, 3, 4, 5]);
  const cases: readonly (readonly [string, () => unknown, readonly (string | number)[]])[] = [
    ["an index of another length", () => IndexUtil.multidimensionalIndexToLinearIndex(shape, [1]), ["{1}", "1 entries", "f32[2,3]"]],
    ["an index too large", () => IndexUtil.multidimensionalIndexToLinearIndex(shape, [1, 3]), ["index 3", "dimension 1", "[0, 3)"]],
    ["a negative index", () => IndexUtil.multidimensionalIndexToLinearIndex(shape, [-1, 0]), ["index -1", "dimension 0"]],
    ["a fraction", () => IndexUtil.multidimensionalIndexToLinearIndex(rank4, [0, 0.5, 0, 0]), ["index 0.5", "dimension 1"]],
    ["NaN", () => IndexUtil.multidimensionalIndexToLinearIndex(rank4, [0, 0, Number.NaN, 0]), ["index NaN", "dimension 2"]],
    [
      "an array without a layout",
      () => IndexUtil.multidimensionalIndexToLinearIndex(Shape.array("f32", [2]), [0]),
      ["f32[2] does not have a layout"],
    ],
    ["a token", () => IndexUtil.multidimensionalIndexToLinearIndex(Shape.token(), []), ["token[]"]],
    ["a repeated dimension", () => elementStrides(Shape.array("f32", [2, 3], { layout: new Layout([1, 1]) })), ["minor_to_major", "{1,1}"]],
    ["an order of another rank", () => elementStrides(Shape.array("f32", [2, 3], { layout: new Layout([0]) })), ["minor_to_major", "{0}"]],
    ["too few padded dimensions", () => elementStrides(padded([2, 3], [1, 0], [4])), ["1 padded dimensions", "{4}"]],
    ["a padded dimension below the size", () => elementStrides(padded([2, 3], [1, 0], [2, 2])), ["dimension 1", "(2)", "(3)"]],
    [
      "a cell in the padding",
      () => IndexUtil.linearIndexToMultidimensionalIndex(padded([2, 3], [1, 0], [3, 5]), 4),
      ["linear index 4", "padding"],
    ],
    ["a linear index too large", () => IndexUtil.linearIndexToMultidimensionalIndex(shape, 6), ["linear index 6", "[0, 6)"]],
    ["a cell too large", () => tiledLinearToIndex(parseShape("f32[3,5]{1,0:T(2,2)}"), 24), ["cell 24", "[0, 24)"]],
    ["an index outside a tiled array", () => tiledLinearIndex(parseShape("f32[3,5]{1,0:T(2,2)}"), [2, 5]), ["index 5", "dimension 1"]],
    ["a dimension that does not exist", () => IndexUtil.getDimensionStride(shape, 2), ["2"]],
    ["an unbounded dimension", () => tiledElementCount(Shape.array("f32", [kUnboundedSize], { layout: new Layout([0]) })), ["dimension 0"]],
    [
      "a tile with a zero",
      () => tiledElementCount(Shape.array("f32", [4], { layout: new Layout([0], { tiles: [[0]] }) })),
      ["invalid tiles", "{0}"],
    ],
    [
      "a tile that ends in a combined dimension",
      () => tiledElementCount(Shape.array("f32", [4], { layout: new Layout([0], { tiles: [[2, -1]] }) })),
      ["invalid tiles", "{2,-1}"],
    ],
    [
      "more cells than 2^53 - 1",
      () => tiledElementCount(Shape.array("f32", [4, 4], { layout: new Layout([1, 0], { tiles: [[2 ** 30, 2 ** 30]] }) })),
      ["2^53"],
    ],
    [
      "tiles that make more than 256 coordinates",
      () => tiledElementCount(Shape.array("f32", [4], { layout: new Layout([0], { tiles: Array.from({ length: 200 }, () => [2, 2]) }) })),
      ["256"],
    ],
    ["more strides than dimensions", () => layoutFromStrides([2], [1, 2]), ["{2}", "{1,2}"]],
    ["a stride that is not an integer", () => layoutFromStrides([2], [0.5]), ["0.5"]],
    ["comparing indices of different lengths", () => IndexUtil.compareIndices([1], [1, 2]), ["{1}", "{1,2}"]],
    ["bumping an index outside the shape", () => IndexUtil.bumpIndices(shape, [2, 0]), ["index 2", "dimension 0"]],
  ];

  test.each(cases)("%s", (_, act, contains) => expectStatus(act, "INVALID_ARGUMENT", ...contains));

  test("padded dimensions with tiles, and sparse layouts, are not supported", () => {
    expectStatus(
      () => tiledElementCount(Shape.array("f32", [4], { layout: new Layout([0], { tiles: [[2]], paddedDimensions: [6] }) })),
      "UNIMPLEMENTED",
      "f32[4]",
    );
    expectStatus(
      () => tiledElementCount(Shape.array("f32", [4], { layout: new Layout([0], { dimLevelTypes: [1] }) })),
      "UNIMPLEMENTED",
      "sparse",
    );
  });
});

test("an index is refused if any of its entries is outside its dimension, whatever the rank", () => {
  const sizes = [2, 3, 4, 2, 3];
  for (let rank = 1; rank <= 5; rank++) {
    const dims = sizes.slice(0, rank);
    const shape = ShapeUtil.makeShape("f32", dims);
    const last = dims.map((size) => size - 1);
    expect(IndexUtil.multidimensionalIndexToLinearIndex(shape, last)).toBe(dims.reduce((a, b) => a * b) - 1);
    for (let d = 0; d < rank; d++)
      for (const wrong of [-1, dims[d]!, dims[d]! + 1, 0.5, Number.NaN, undefined as never, "1" as never]) {
        expectStatus(() => IndexUtil.multidimensionalIndexToLinearIndex(shape, last.with(d, wrong)), "INVALID_ARGUMENT");
        const zeros = dims.map(() => 0);
        expectStatus(() => IndexUtil.multidimensionalIndexToLinearIndex(shape, zeros.with(d, wrong)), "INVALID_ARGUMENT");
      }
  }
});

test("a cell outside the buffer is refused", () => {
  const shape = ShapeUtil.makeShape("f32", [3, 5]);
  expect(tiledLinearToIndex(shape, 14)).toEqual([2, 4]);
  for (const cell of [-1, 15, 0.5, Number.NaN])
    expectStatus(() => tiledLinearToIndex(shape, cell), "INVALID_ARGUMENT", "tiledLinearToIndex", "[0, 15)");
});

test("a padded first dimension may not be smaller than its size", () => {
  const narrow = Shape.array("f32", [2, 3], { layout: new Layout([1, 0], { paddedDimensions: [1, 3] }) });
  expectStatus(() => tiledElementCount(narrow), "INVALID_ARGUMENT", "for dimension 0, dimension padding (1)");
});

test("a linear index before the first element, or between two, is refused", () => {
  for (const index of [-1, 6, 0.5])
    expectStatus(() => IndexUtil.linearIndexToMultidimensionalIndex(rowMajorMatrix, index), "INVALID_ARGUMENT");
  expect(IndexUtil.linearIndexToMultidimensionalIndex(rowMajorMatrix, 5)).toEqual([1, 2]);
});
