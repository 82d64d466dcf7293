// Tests TensorSlice: factories, getters, mutators, and arguments of wrong types.
import { inspect } from "node:util";
import { describe, expect, test } from "@jest/globals";
import { TensorShape } from "@onebuffer/shape";
import { TensorSlice, TensorSliceSet, encodeTensorNameSlice, parseShapeAndSlice } from "@onebuffer/slice";
import { expectStatus } from "@onebuffer/test-support";

const kMax = Number.MAX_SAFE_INTEGER;

describe("making a slice", () => {
  const ways: [string, () => TensorSlice, string, [number, number][]][] = [
    ["empty", () => new TensorSlice(), "", []],
    ["full of rank 0", () => TensorSlice.full(0), "", []],
    [
      "full of rank 3",
      () => TensorSlice.full(3),
      "-:-:-",
      [
        [0, -1],
        [0, -1],
        [0, -1],
      ],
    ],
    ["full of rank 254", () => TensorSlice.full(254), Array(254).fill("-").join(":"), Array(254).fill([0, -1])],
    [
      "extent pairs",
      () =>
        TensorSlice.fromExtents([
          [0, -1],
          [0, 10],
          [14, 1],
        ]),
      "-:0,10:14,1",
      [
        [0, -1],
        [0, 10],
        [14, 1],
      ],
    ],
    ["the constructor", () => new TensorSlice([[2, 3]]), "2,3", [[2, 3]]],
    [
      "unvalidated pairs",
      () =>
        TensorSlice.fromExtents([
          [1, -1],
          [-3, 0],
          [0, -7],
        ]),
      "1,-1:-3,0:0,-7",
      [
        [1, -1],
        [-3, 0],
        [0, -7],
      ],
    ],
    [
      "text",
      () => TensorSlice.parse("-:4,5"),
      "-:4,5",
      [
        [0, -1],
        [4, 5],
      ],
    ],
    [
      "proto",
      () => TensorSlice.fromProto({ extent: [{}, { start: 1 }] }),
      "-:1,-1",
      [
        [0, -1],
        [1, -1],
      ],
    ],
    [
      "the largest end",
      () =>
        TensorSlice.fromExtents([
          [kMax - 1, 1],
          [0, kMax],
        ]),
      `${kMax - 1},1:0,${kMax}`,
      [
        [kMax - 1, 1],
        [0, kMax],
      ],
    ],
    [
      "a generator of pairs",
      () => TensorSlice.fromExtents(TensorSlice.parse("1,2:-")),
      "1,2:-",
      [
        [1, 2],
        [0, -1],
      ],
    ],
  ];
  test.each(ways)("%s", (_, make, text, extents) => {
    const slice = make();
    expect(slice.debugString()).toBe(text);
    expect([...slice]).toEqual(extents);
    expect(slice.dims).toBe(extents.length);
  });

  test("-0 becomes 0", () => {
    expect(Object.is(TensorSlice.fromExtents([[2, -0]]).length(0), 0)).toBe(true);
    const slice = TensorSlice.fromExtents([[-0, -1]]);
    slice.setStart(0, -0);
    expect(Object.is(slice.start(0), 0)).toBe(true);
  });

  test.each([
    [0.5, 1],
    [0, NaN],
    [Infinity, 1],
    [2 ** 53, 1],
    [0, 2 ** 53],
    [kMax, 1],
    [-kMax, -1],
  ])("refuses the extent %p,%p", (start, length) => {
    expectStatus(
      () =>
        TensorSlice.fromExtents([
          [0, -1],
          [start, length],
        ]),
      "INVALID_ARGUMENT",
      start,
      length,
    );
  });

  test.each([-1, 1.5, NaN, 255, 2 ** 31, Infinity])("refuses a full slice of rank %p", (rank) => {
    expectStatus(() => TensorSlice.full(rank), "INVALID_ARGUMENT", rank, 254);
  });
});

describe("getters", () => {
  const slice = TensorSlice.parse("3,4:-:0,1");

  test("start, length, end, isFullAt", () => {
    expect([0, 1, 2].map((d) => slice.start(d))).toEqual([3, 0, 0]);
    expect([0, 1, 2].map((d) => slice.length(d))).toEqual([4, -1, 1]);
    expect([0, 1, 2].map((d) => slice.end(d))).toEqual([7, -1, 1]);
    expect([0, 1, 2].map((d) => slice.isFullAt(d))).toEqual([false, true, false]);
  });

  test.each([-1, 3, 0.5, NaN])("dimension %p is out of range", (d) => {
    for (const read of ["start", "length", "end", "isFullAt"] as const)
      expectStatus(() => slice[read](d), "OUT_OF_RANGE", d, "[0, 3)", "3,4:-:0,1");
    expectStatus(() => slice.setStart(d, 1), "OUT_OF_RANGE", d);
    expectStatus(() => slice.setLength(d, 1), "OUT_OF_RANGE", d);
  });

  test.each([
    ["", true],
    ["-", true],
    ["-:-", true],
    ["-:0,1", false],
    ["0,5", false],
  ])("isFull of '%s' is %p", (text, full) => {
    expect(TensorSlice.parse(text).isFull()).toBe(full);
  });

  test("start 1 with length -1 is not full", () => {
    expect(TensorSlice.fromExtents([[1, -1]]).isFull()).toBe(false);
  });

  test("toString, template text and Node's inspect", () => {
    expect(`${slice}`).toBe("3,4:-:0,1");
    expect(slice.toString()).toBe("3,4:-:0,1");
    expect(inspect(slice)).toBe("TensorSlice(3,4:-:0,1)");
    expect(inspect({ slice })).toBe("{ slice: TensorSlice(3,4:-:0,1) }");
  });

  test("kFullExtent is -1", () => {
    expect(TensorSlice.kFullExtent).toBe(-1);
  });
});

describe("equals", () => {
  const equal: [string | number, string | number, boolean][] = [
    [3, 2, false],
    [3, 3, true],
    [0, "", true],
    ["-:-:-", 3, true],
    [3, "-:0,1:-", false],
    ["1,2", "1,3", false],
    ["1,2", "2,2", false],
    ["0,5", "-", false],
  ];
  const make = (from: string | number): TensorSlice => (typeof from === "number" ? TensorSlice.full(from) : TensorSlice.parse(from));
  test.each(equal)("%p and %p: %p", (a, b, expected) => {
    expect(make(a).equals(make(b))).toBe(expected);
    expect(make(b).equals(make(a))).toBe(expected);
  });
});

describe("mutators", () => {
  test("setStart and setLength", () => {
    const slice = TensorSlice.full(2);
    slice.setStart(1, 3);
    expect(slice.debugString()).toBe("-:3,-1");
    slice.setLength(1, 4);
    slice.setLength(0, 0);
    expect(slice.debugString()).toBe("0,0:3,4");
  });

  test("setFullSlice, extend, clear", () => {
    const slice = TensorSlice.parse("1,2");
    slice.extend(3);
    expect(slice.debugString()).toBe("1,2:-:-");
    slice.extend(3);
    expect(slice.dims).toBe(3);
    slice.setFullSlice(4);
    expect(slice.debugString()).toBe("-:-:-:-");
    slice.setFullSlice(1);
    expect(slice.debugString()).toBe("-");
    slice.clear();
    expect(slice.dims).toBe(0);
  });

  test("changing the original does not change a clone", () => {
    const slice = TensorSlice.parse("1,2");
    const copy = slice.clone();
    slice.setLength(0, 9);
    expect(copy.debugString()).toBe("1,2");
  });

  test("a call that throws does not change the slice", () => {
    const slice = TensorSlice.parse(`1,2:5,${kMax - 5}`);
    expectStatus(() => slice.setStart(0, -1), "INVALID_ARGUMENT", -1, "dimension 0");
    expectStatus(() => slice.setStart(1, 6), "INVALID_ARGUMENT", 6, kMax - 5);
    expectStatus(() => slice.setStart(0, 1.5), "INVALID_ARGUMENT", 1.5);
    expectStatus(() => slice.setLength(1, kMax), "INVALID_ARGUMENT", kMax);
    expectStatus(() => slice.setLength(0, NaN), "INVALID_ARGUMENT", NaN);
    expectStatus(() => slice.setFullSlice(255), "INVALID_ARGUMENT", 255);
    expectStatus(() => slice.extend(1), "INVALID_ARGUMENT", 1, 2);
    expectStatus(() => slice.extend(1e9), "INVALID_ARGUMENT", 1e9);
    expectStatus(() => slice.updateToCover(TensorSlice.full(1)), "INVALID_ARGUMENT", "other slice = -");
    expect(slice.debugString()).toBe(`1,2:5,${kMax - 5}`);
  });

  test("updateToCover refuses a box outside the safe range and changes nothing", () => {
    const slice = TensorSlice.fromExtents([
      [5, 1],
      [-10, 1],
    ]);
    expectStatus(
      () =>
        slice.updateToCover(
          TensorSlice.fromExtents([
            [1, 1],
            [kMax - 1, 1],
          ]),
        ),
      "INVALID_ARGUMENT",
      kMax,
    );
    expect(slice.debugString()).toBe("5,1:-10,1");
  });
});

describe("arguments of wrong types are refused", () => {
  const odd: readonly [unknown, string][] = [
    [null, "null"],
    [undefined, "undefined"],
    [5, "5"],
    [1n, "1n"],
    [{}, "an object"],
    [Object.create(null), "an object"],
    [Symbol("s"), "Symbol(s)"],
    [() => 1, "a function"],
  ];

  test("extents that are not pairs", () => {
    for (const [wrong, text] of odd) {
      if (wrong !== undefined) expectStatus(() => TensorSlice.fromExtents(wrong as never), "INVALID_ARGUMENT", text);
      expectStatus(() => new TensorSlice([[0, 1], wrong as never]), "INVALID_ARGUMENT", text);
      if (wrong !== 5) expectStatus(() => new TensorSlice([[wrong as never, 1]]), "INVALID_ARGUMENT", text);
    }
  });

  test("values that are not text", () => {
    for (const [wrong, text] of odd) {
      expectStatus(() => TensorSlice.parse(wrong as never), "INVALID_ARGUMENT", text);
      expectStatus(() => parseShapeAndSlice(wrong as never), "INVALID_ARGUMENT", text);
    }
  });

  test("dimensions and sizes that are not numbers", () => {
    for (const [wrong, text] of odd) {
      if (wrong === 5) continue;
      const slice = TensorSlice.parse("1,2:-");
      expectStatus(() => slice.start(wrong as never), "OUT_OF_RANGE", text);
      expectStatus(() => slice.length(wrong as never), "OUT_OF_RANGE", text);
      expectStatus(() => slice.setStart(wrong as never, 1), "OUT_OF_RANGE", text);
      expectStatus(() => slice.setStart(0, wrong as never), "INVALID_ARGUMENT", text);
      expectStatus(() => slice.setLength(0, wrong as never), "INVALID_ARGUMENT", text);
      expectStatus(() => slice.extend(wrong as never), "INVALID_ARGUMENT", text);
      expectStatus(() => TensorSlice.full(wrong as never), "INVALID_ARGUMENT", text);
      expect(slice.debugString()).toBe("1,2:-");
    }
  });

  test("values that are not slices or shapes", () => {
    const slice = TensorSlice.parse("1,2:-");
    const set = new TensorSliceSet(new TensorShape([4, 5]), "int32");
    for (const [wrong, text] of odd) {
      for (const call of [
        () => slice.intersect(wrong as never),
        () => slice.overlaps(wrong as never),
        () => slice.computeRelative(wrong as never),
        () => slice.updateToCover(wrong as never),
        () => set.register(wrong as never, "tag"),
        () => set.query(wrong as never),
        () => set.queryMeta(wrong as never),
        () => encodeTensorNameSlice("w", wrong as never),
      ])
        expectStatus(call, "INVALID_ARGUMENT", `Expected a TensorSlice, got ${text}`);
      for (const call of [() => slice.sliceTensorShape(wrong as never), () => slice.fillIndicesAndSizes(wrong as never)])
        expectStatus(call, "INVALID_ARGUMENT", `Expected a TensorShape, got ${text}`);
    }
    expect([slice.debugString(), set.slices.size]).toEqual(["1,2:-", 0]);
  });
});

test("extents are a list of pairs, and messages name what is wrong", () => {
  const from = (extents: unknown): TensorSlice => TensorSlice.fromExtents(extents as [number, number][]);
  expectStatus(() => from(new Int32Array(0)), "INVALID_ARGUMENT", "Expected [start, length] pairs");
  expectStatus(() => from([[1, 2, 3]]), "INVALID_ARGUMENT", "Expected a [start, length] pair");
  expectStatus(() => from([[1]]), "INVALID_ARGUMENT", "Expected a [start, length] pair");
  expectStatus(() => TensorSlice.parse(7 as never), "INVALID_ARGUMENT", "Expected a slice as text, got 7");
  expectStatus(() => parseShapeAndSlice(7 as never), "INVALID_ARGUMENT", "Expected a shape and slice as text, got 7");
  const slice = TensorSlice.full(1);
  expectStatus(() => slice.fillIndicesAndSizes(new TensorShape([2]), "2" as never), "INVALID_ARGUMENT", "a number of dimensions");
});

test("a start of -0 is 0", () => {
  const [zero, minus] = [0, -0].map((start) => TensorSlice.fromExtents([[start, 2]])) as [TensorSlice, TensorSlice];
  expect([Object.is(minus.start(0), 0), minus.equals(zero)]).toEqual([true, true]);
  expectStatus(() => TensorSlice.build({ extent: [{ start: 0, length: "x" as never }] }), "INVALID_ARGUMENT", "length of an extent");
});
