// Addressing in plain, padded and tiled layouts against a naive implementation.
import { describe, expect, test } from "@jest/globals";
import { elementStrides, IndexUtil, LayoutUtil, tiledElementCount, tiledLinearIndex, tiledLinearToIndex } from "@onebuffer/xla";
import fc from "fast-check";
import { laidOut } from "./laid-out.ts";
import { indicesOf, naiveBuffer, naiveCells, rowMajor } from "./naive-layout.ts";

/** `npm run long` makes twenty times as many runs. */
const kFactor = process.env["ONEBUFFER_LONG"] === "1" ? 20 : 0.4;

describe("indices and cells", () => {
  test("tiledLinearIndex and tiledLinearToIndex agree with the naive buffer in every layout", () => {
    fc.assert(
      fc.property(laidOut(), (shape) => {
        const buffer = naiveBuffer(shape);
        expect(tiledElementCount(shape)).toBe(buffer.length);
        indicesOf(shape.dimensions).forEach((index, element) => {
          const cell = tiledLinearIndex(shape, index);
          expect(buffer[cell]).toBe(element);
          expect(tiledLinearToIndex(shape, cell)).toEqual(index);
        });
        buffer.forEach((element, cell) => {
          const index = tiledLinearToIndex(shape, cell);
          expect(index === null ? -1 : rowMajor(shape.dimensions, index)).toBe(element);
        });
      }),
      { numRuns: 120 * kFactor },
    );
  });

  test("IndexUtil converts both ways in plain and padded layouts and ignores tiles", () => {
    fc.assert(
      fc.property(laidOut(), (shape) => {
        const untiled = LayoutUtil.clearTiles(shape);
        const cells = naiveCells(untiled);
        const strides = elementStrides(shape);
        indicesOf(shape.dimensions).forEach((index, element) => {
          const linear = IndexUtil.multidimensionalIndexToLinearIndex(shape, index);
          expect(linear).toBe(cells[element]);
          expect(index.reduce((sum, i, d) => sum + i * strides[d]!, 0)).toBe(linear);
          expect(IndexUtil.linearIndexToMultidimensionalIndex(shape, linear)).toEqual(index);
        });
        expect(shape.dimensions.map((_, d) => IndexUtil.getDimensionStride(shape, d))).toEqual(strides);
      }),
      { numRuns: 100 * kFactor },
    );
  });

  test("XLA's LinearIndex is exact with one tile and rank 2 or more", () => {
    fc.assert(
      fc.property(laidOut(), (shape) => {
        const { tiles } = shape.layout!;
        fc.pre(shape.rank >= 2 && tiles.length < 2 && tiles.every((tile) => !tile.dimensions.includes(-1)));
        for (const index of indicesOf(shape.dimensions)) expect(LayoutUtil.linearIndex(shape, index)).toBe(tiledLinearIndex(shape, index));
      }),
      { numRuns: 100 * kFactor },
    );
  });
});
