// Tests the geometry of TensorSlice against a model with sets of indices: intersect, sliceTensorShape, computeRelative, updateToCover.
import { describe, expect, test } from "@jest/globals";
import { TensorShape } from "@onebuffer/shape";
import { TensorSlice } from "@onebuffer/slice";
import fc from "fast-check";
import { indicesOf, sliceOf, slicesOfOne, smallDims } from "./arbitraries.ts";
import { expectStatus } from "@onebuffer/test-support";

const parse = TensorSlice.parse;
const intersection = (a: ReadonlySet<string>, b: ReadonlySet<string>): Set<string> => new Set([...a].filter((index) => b.has(index)));
const sorted = (set: ReadonlySet<string>): string[] => [...set].sort();

describe("intersect and overlaps", () => {
  const table: [a: string, b: string, result: string | null][] = [
    ["1,2:3,4", "-:-", "1,2:3,4"],
    ["1,5:2,6:3,7:5,10", "1,2:3,4:9,10:12,1", "1,2:3,4:9,1:12,1"],
    ["1,2:3,1:5,6", "1,3:4,5:1,6", null],
    ["1,2:3,1:-", "-:-", null],
    ["0,5", "5,5", null],
    ["0,5", "4,5", "4,1"],
    ["2,3:-", "-:2,3", "2,3:2,3"],
    ["", "", ""],
    ["-", "-", "-"],
    ["-", "", null],
  ];
  test.each(table)("%j and %j give %j", (a, b, result) => {
    for (const [x, y] of [
      [a, b],
      [b, a],
    ] as const) {
      expect(parse(x).intersect(parse(y))?.debugString() ?? null).toBe(result);
      expect(parse(x).overlaps(parse(y))).toBe(result !== null);
    }
  });

  test("an unvalidated empty extent intersects a full dimension, but not an explicit one", () => {
    const empty = TensorSlice.fromExtents([[2, 0]]);
    expect(empty.intersect(TensorSlice.full(1))?.debugString()).toBe("2,0");
    expect(empty.overlaps(TensorSlice.full(1))).toBe(true);
    expect(empty.intersect(parse("0,9"))).toBe(null);
  });

  test("returns a new slice and does not change the operands", () => {
    const [a, b] = [parse("0,5:-"), TensorSlice.full(2)];
    a.intersect(b)!.setLength(0, 1);
    expect([a.debugString(), b.debugString()]).toEqual(["0,5:-", "-:-"]);
  });

  test("hold the indices that both hold", () => {
    fc.assert(
      fc.property(slicesOfOne(2), ({ dims, slices }) => {
        const [a, b] = slices as [TensorSlice, TensorSlice];
        const both = intersection(indicesOf(a, dims), indicesOf(b, dims));
        const result = a.intersect(b);
        expect(a.overlaps(b)).toBe(both.size > 0);
        expect(result === null ? [] : sorted(indicesOf(result, dims))).toEqual(sorted(both));
      }),
      { numRuns: 400 },
    );
  });

  test("agree on extents of any sign", () => {
    const extents = fc.array(fc.tuple(fc.integer({ min: -4, max: 4 }), fc.integer({ min: -3, max: 4 })), { minLength: 0, maxLength: 3 });
    fc.assert(
      fc.property(extents, extents, (a, b) => {
        const [x, y] = [TensorSlice.fromExtents(a), TensorSlice.fromExtents(b)];
        expect(x.overlaps(y)).toBe(x.intersect(y) !== null);
      }),
    );
  });
});

describe("sliceTensorShape", () => {
  const table: [slice: string, shape: number[], result: number[]][] = [
    ["1,1:-:4,1:2,6", [2, 4, 5, 8], [1, 4, 1, 6]],
    ["-", [0], [0]],
    ["0,3", [3], [3]],
    ["", [], []],
    ["1,2:-:0,2", [3, 4, 5], [2, 4, 2]],
    ["-:-:2,1", [0, 70000, 5], [0, 70000, 1]],
    ["-:1,4000000000", [1, 5000000000], [1, 4000000000]],
  ];
  test.each(table)("%j of %j is %j", (slice, shape, result) => {
    expect(parse(slice).sliceTensorShape(new TensorShape(shape)).dimSizes).toEqual(result);
  });

  test("refuses a different rank and extents that end beyond the dimension", () => {
    expectStatus(() => parse("-:-").sliceTensorShape(new TensorShape([7])), "INTERNAL", "Mismatching ranks: shape = [7], slice = -:-");
    expectStatus(
      () => parse("-:3,3").sliceTensorShape(new TensorShape([9, 5])),
      "INTERNAL",
      "Extent in dimension 1 out of bounds: shape = [9,5], slice = -:3,3",
    );
    expectStatus(() => parse("0,1").sliceTensorShape(new TensorShape([0])), "INTERNAL", "out of bounds: shape = [0], slice = 0,1");
  });

  test.each([[[-1, 2]], [[1, -1]], [[2, -2]]] as [number, number][][])("refuses the unvalidated extent %j", (extent) => {
    expectStatus(() => TensorSlice.fromExtents([extent]).sliceTensorShape(new TensorShape([9])), "INTERNAL", extent.join(","), "[9]");
  });

  test("the shape has as many elements as the slice has indices", () => {
    fc.assert(
      fc.property(
        smallDims(4, 0).chain((dims) => fc.tuple(fc.constant(dims), sliceOf(dims))),
        ([dims, slice]) => {
          expect(slice.sliceTensorShape(new TensorShape(dims)).numElements).toBe(indicesOf(slice, dims).size);
        },
      ),
    );
  });
});

describe("computeRelative", () => {
  const table: [base: string, sub: string, relative: string][] = [
    ["-:-:-:-", "-:1,2:-:3,4", "-:1,2:-:3,4"],
    ["1,2:3,4:-:5,1", "1,1:4,2:3,3:5,1", "0,1:1,2:3,3:0,1"],
    ["0,2:-:1,2", "1,1:2,2:1,2", "1,1:2,2:0,2"],
    ["2,4", "-", "-2,-1"],
    ["", "", ""],
  ];
  test.each(table)("inside %j, %j is %j", (base, sub, relative) => {
    expect(parse(base).computeRelative(parse(sub)).debugString()).toBe(relative);
  });

  test("refuses a different rank, and starts outside the safe range", () => {
    expectStatus(() => parse("1,2").computeRelative(parse("-:-")), "INVALID_ARGUMENT", "1,2", "-:-");
    expectStatus(() => TensorSlice.fromExtents([[-8, 1]]).computeRelative(parse("9007199254740990,1")), "INVALID_ARGUMENT", 2 ** 53 + 6);
  });

  test("moved back, the result holds the indices of sub", () => {
    fc.assert(
      fc.property(slicesOfOne(2), ({ dims, slices }) => {
        const [base, other] = slices as [TensorSlice, TensorSlice];
        const sub = base.intersect(other);
        if (sub === null) return;
        const relative = base.computeRelative(sub);
        const baseDims = base.sliceTensorShape(new TensorShape(dims)).dimSizes;
        const shift = [...base].map(([start]) => start);
        const back = [...indicesOf(relative, baseDims)].map((index) =>
          index
            .split(",")
            .slice(0, -1)
            .map((i, d) => `${Number(i) + shift[d]!},`)
            .join(""),
        );
        expect(back.sort()).toEqual(sorted(indicesOf(sub, dims)));
      }),
    );
  });
});

describe("updateToCover", () => {
  const table: [slice: string, other: string, cover: string][] = [
    ["2,2:-:3,7", "-:1,3:2,2", "-:-:2,8"],
    ["0,2", "5,3", "0,8"],
    ["5,3", "0,2", "0,8"],
    ["-:0,1", "3,4:2,1", "-:0,3"],
    ["2,5", "1,5", "1,6"],
    ["0,9", "2,3", "0,9"],
    ["", "", ""],
  ];
  test.each(table)("%j over %j is %j", (slice, other, cover) => {
    const result = parse(slice);
    result.updateToCover(parse(other));
    expect(result.debugString()).toBe(cover);
  });

  test("covers itself", () => {
    const slice = parse("1,2:-");
    slice.updateToCover(slice);
    expect(slice.debugString()).toBe("1,2:-");
  });

  test("is the smallest box around the indices of both", () => {
    fc.assert(
      fc.property(slicesOfOne(2), ({ dims, slices }) => {
        const [a, b] = slices as [TensorSlice, TensorSlice];
        const both = [...indicesOf(a, dims), ...indicesOf(b, dims)].map((index) => index.split(",").slice(0, -1).map(Number));
        const box = TensorSlice.fromExtents(
          dims.map((_, d) => {
            const along = both.map((index) => index[d]!);
            return [Math.min(...along), Math.max(...along) - Math.min(...along) + 1];
          }),
        );
        const cover = a.clone();
        cover.updateToCover(b);
        expect(sorted(indicesOf(cover, dims))).toEqual(sorted(indicesOf(box, dims)));
      }),
    );
  });
});

describe("fillIndicesAndSizes", () => {
  test("fills and pads", () => {
    const slice = parse("1,2:-");
    const shape = new TensorShape([3, 4]);
    expect(slice.fillIndicesAndSizes(shape, 2)).toEqual({ indices: [1, 0], sizes: [2, 4] });
    expect(slice.fillIndicesAndSizes(shape, 5)).toEqual({ indices: [1, 0, 0, 0, 0], sizes: [2, 4, 1, 1, 1] });
    expect(slice.fillIndicesAndSizes(shape)).toEqual(slice.fillIndicesAndSizes(shape, 2));
    expect(TensorSlice.full(0).fillIndicesAndSizes(new TensorShape(), 1)).toEqual({ indices: [0], sizes: [1] });
  });

  test("refuses a different rank and a count that is too small or too large", () => {
    expectStatus(
      () => parse("-").fillIndicesAndSizes(new TensorShape([3, 4]), 2),
      "INVALID_ARGUMENT",
      "Incompatible dimensions",
      "[3,4] vs -",
    );
    expectStatus(
      () => parse("-:-").fillIndicesAndSizes(new TensorShape([3, 4]), 1),
      "INVALID_ARGUMENT",
      "Asking for a 1-dim slice from a slice of dimension 2",
    );
    expectStatus(() => parse("-").fillIndicesAndSizes(new TensorShape([3]), 2 ** 40), "INVALID_ARGUMENT", 2 ** 40);
    expectStatus(() => parse("-").fillIndicesAndSizes(new TensorShape([3]), 1.5), "INVALID_ARGUMENT", 1.5);
  });
});
