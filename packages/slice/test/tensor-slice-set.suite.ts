// Tests TensorSliceSet: registering, overlaps, covering a query, and speed with thousands of slices.
import { describe, expect, test } from "@jest/globals";
import { TensorShape } from "@onebuffer/shape";
import { TensorSlice, TensorSliceSet } from "@onebuffer/slice";
import fc from "fast-check";
import { indicesOf, sliceOf, slicesOfOne } from "./arbitraries.ts";
import { expectStatus, isLong, stopwatch } from "@onebuffer/test-support";

const parse = TensorSlice.parse;
type Tagged = readonly [slice: string, tag: string];

function setOf(shape: readonly number[], registered: readonly Tagged[]): TensorSliceSet {
  const set = new TensorSliceSet(new TensorShape(shape), "int32");
  for (const [slice, tag] of registered) set.register(parse(slice), tag);
  return set;
}

const three: Tagged[] = [
  ["0,2:-", "slice_1"],
  ["2,2:0,3", "slice_2"],
  ["3,1:3,2", "slice_3"],
];

describe("queryMeta", () => {
  const table: [shape: number[], registered: readonly Tagged[], query: string, result: Tagged[] | null][] = [
    [[4, 5], three, "0,2:-", [["0,2:-", "slice_1"]]],
    [[4, 5], three, "1,1:-", [["0,2:-", "slice_1"]]],
    [
      [4, 5],
      three,
      "1,2:0,3",
      [
        ["0,2:-", "slice_1"],
        ["2,2:0,3", "slice_2"],
      ],
    ],
    [[4, 5], three, "-:-", null],
    [[4, 5], three, "2,2:0,1", [["2,2:0,3", "slice_2"]]],
    [[4, 5], three, "0,5:-", null],
    [[4, 5], three, "-", null],
    [[4, 5], [], "-:-", null],
    [[0, 5], [], "-:-", []],
    [
      [3],
      [
        ["2,1", "c"],
        ["0,1", "a"],
        ["1,1", "b"],
      ],
      "-",
      [
        ["2,1", "c"],
        ["0,1", "a"],
        ["1,1", "b"],
      ],
    ],
    [[4, 5], [["0,4:-", "all"]], "-:-", [["0,4:-", "all"]]],
    [[], [["", "scalar"]], "", [["", "scalar"]]],
  ];
  test.each(table)("of %j with %j for %j", (shape, registered, query, result) => {
    const set = setOf(shape, registered);
    expect(set.queryMeta(parse(query))?.map(([slice, tag]) => [slice.debugString(), tag]) ?? null).toEqual(result);
    expect(set.query(parse(query))).toBe(result !== null);
  });

  test.each([[[-1, 2]], [[1, -2]], [[1, -1]]] as [number, number][][])("the unvalidated extent %j does not fit any shape", (extent) => {
    expect(setOf([3], [["-", "all"]]).queryMeta(TensorSlice.fromExtents([extent]))).toBe(null);
  });
});

describe("register", () => {
  test("refuses a slice that overlaps", () => {
    const set = setOf([4, 5], [["0,2:-", "slice_1"]]);
    expectStatus(() => set.register(parse("1,2:-"), "x"), "INTERNAL", "Overlapping slices: existing slice = 0,2:-, new slice = 1,2:-");
    expectStatus(() => set.register(parse("0,2:-"), "x"), "INTERNAL", "existing slice = 0,2:-, new slice = 0,2:-");
    expect([...set.slices.keys()]).toEqual(["0,2:-"]);
  });

  test("refuses a slice that does not fit", () => {
    const set = setOf([4, 5], []);
    expectStatus(() => set.register(parse("-"), "x"), "INTERNAL", "Mismatching ranks: shape = [4,5], slice = -");
    expectStatus(() => set.register(parse("3,2:-"), "x"), "INTERNAL", "Extent in dimension 0 out of bounds: shape = [4,5], slice = 3,2:-");
    expect(set.slices.size).toBe(0);
  });

  test("takes a slice that is inside the bounding box of the others but overlaps none", () => {
    expect(
      setOf(
        [4, 5],
        [
          ["0,2:0,2", "a"],
          ["2,2:2,2", "b"],
          ["0,1:2,1", "c"],
        ],
      ).slices.size,
    ).toBe(3);
  });

  test("refuses a full slice without elements if it is registered twice", () => {
    const set = setOf([0, 5], [["-:-", "a"]]);
    expectStatus(() => set.register(parse("-:-"), "b"), "INTERNAL", "-:-");
    expect(set.queryMeta(parse("-:-"))?.map(([, tag]) => tag)).toEqual(["a"]);
  });

  test("an unvalidated empty slice registered again changes nothing", () => {
    const set = setOf([4], []);
    set.register(TensorSlice.fromExtents([[2, 0]]), "a");
    set.register(TensorSlice.fromExtents([[2, 0]]), "b");
    expect([...set.slices].map(([key, { tag }]) => [key, tag])).toEqual([["2,0", "a"]]);
    expect(set.queryMeta(TensorSlice.fromExtents([[2, 0]]))?.map(([, tag]) => tag)).toEqual(["a"]);
  });

  test("refuses a second slice of rank 0", () => {
    const set = setOf([], [["", "a"]]);
    expectStatus(() => set.register(new TensorSlice(), "b"), "INTERNAL", "Overlapping slices");
  });
});

describe("the set copies its arguments and results", () => {
  test("shape and dtype", () => {
    const shape = new TensorShape([4, 5]);
    const set = new TensorSliceSet(shape, "float32");
    shape.addDim(6);
    expect(set.shape.dimSizes).toEqual([4, 5]);
    expect(set.dtype).toBe("float32");
    expectStatus(() => set.shape.addDim(3), "FAILED_PRECONDITION");
  });

  test("slices and query results are copies", () => {
    const slice = parse("0,2:-");
    const set = setOf([4, 5], []);
    set.register(slice, "a");
    slice.clear();
    const info = set.slices.get("0,2:-")!;
    expect([info.slice.debugString(), info.tag, info.numFloats]).toEqual(["0,2:-", "a", 10]);
    info.slice.clear();
    set.queryMeta(parse("1,1:-"))![0]![0].clear();
    (set.slices as Map<string, unknown>).clear();
    expect(set.slices.get("0,2:-")!.slice.debugString()).toBe("0,2:-");
  });

  test("an unknown dtype is refused", () => {
    expectStatus(() => new TensorSliceSet(new TensorShape([1]), "float33" as "float32"), "INVALID_ARGUMENT", "float33");
  });
});

test("covers and refuses the same slices as a model with sets of indices", () => {
  fc.assert(
    fc.property(slicesOfOne(14, 3), ({ dims, slices }) => {
      const set = new TensorSliceSet(new TensorShape(dims), "float32");
      const known: [TensorSlice, Set<string>][] = [];
      for (const [i, slice] of slices.slice(0, 10).entries()) {
        const indices = indicesOf(slice, dims);
        if (known.some(([, other]) => [...indices].some((index) => other.has(index))))
          expectStatus(() => set.register(slice, String(i)), "INTERNAL", "Overlapping");
        else {
          set.register(slice, String(i));
          known.push([slice, indices]);
        }
      }
      for (const query of [...slices.slice(8), TensorSlice.full(dims.length)]) {
        const wanted = [...indicesOf(query, dims)];
        const covered = wanted.every((index) => known.some(([, indices]) => indices.has(index)));
        expect(set.query(query)).toBe(covered);
        const exact = known.find(([slice]) => slice.equals(query));
        const meeting = known.filter(([, indices]) => wanted.some((index) => indices.has(index)));
        const expected = !covered ? undefined : (exact ? [exact] : meeting).map(([slice]) => slice.debugString());
        expect(set.queryMeta(query)?.map(([slice]) => slice.debugString())).toEqual(expected);
      }
    }),
    { numRuns: isLong ? 300 : 54 },
  );
});

test("a grid of slices, registered in any order, covers the tensor only after the last slice", () => {
  const cuts = fc.uniqueArray(fc.integer({ min: 1, max: 39 }), { maxLength: 8 }).map((inner) => [0, ...inner.sort((a, b) => a - b), 40]);
  const pieces = fc.tuple(cuts, cuts, fc.constantFrom<[number, number]>([0, -1], [0, 3])).chain(([rows, columns, depth]) => {
    const extents = (at: number[]): [number, number][] => at.slice(1).map((end, i) => [at[i]!, end - at[i]!]);
    const all = extents(rows).flatMap((row) => extents(columns).map((column) => TensorSlice.fromExtents([row, depth, column])));
    return fc.shuffledSubarray(all, { minLength: all.length });
  });
  fc.assert(
    fc.property(pieces, sliceOf([40, 3, 40]), (all, query) => {
      const set = new TensorSliceSet(new TensorShape([40, 3, 40]), "float32");
      const whole = TensorSlice.full(3);
      for (const piece of all) {
        expect(set.query(whole)).toBe(false);
        set.register(piece, "p");
      }
      expect(set.query(whole)).toBe(true);
      expect(set.queryMeta(whole)?.length).toBe(all.length);
      expect(set.query(query)).toBe(true);
    }),
    { numRuns: isLong ? 60 : 7 },
  );
});

test("thousands of slices are registered fast, also in the worst order", () => {
  const milliseconds = stopwatch();
  const side = isLong ? 80 : 24;
  const set = new TensorSliceSet(new TensorShape([side, side]), "float32");
  // Corners first: the bounding box then overlaps every later slice.
  for (let i = 0; i < side * side; i++) {
    const at = i % 2 === 0 ? i / 2 : side * side - (i + 1) / 2;
    set.register(
      TensorSlice.fromExtents([
        [at % side, 1],
        [Math.floor(at / side), 1],
      ]),
      "p",
    );
  }
  expect(set.query(TensorSlice.full(2))).toBe(true);
  for (let i = 0; i < side; i++)
    expect(
      set.queryMeta(
        TensorSlice.fromExtents([
          [i, 1],
          [0, -1],
        ]),
      )?.length,
    ).toBe(side);
  expect(milliseconds()).toBeLessThan(5000);
});
