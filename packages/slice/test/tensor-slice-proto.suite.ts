// Tests slices as messages: fromProto, build, asProto, and malformed messages.
import { describe, expect, test } from "@jest/globals";
import type { TensorSliceExtent, TensorSliceProto } from "@onebuffer/slice";
import { TensorSlice } from "@onebuffer/slice";
import fc from "fast-check";
import { anySlice } from "./arbitraries.ts";
import { expectStatus, isLong, statusErrorsOnly } from "@onebuffer/test-support";

const kMax = Number.MAX_SAFE_INTEGER;

describe("fromProto stores extents without validation", () => {
  const table: [extents: TensorSliceExtent[], debug: string][] = [
    [[], ""],
    [[{}, { start: 0, length: 10 }, { start: 14, length: 1 }, {}], "-:0,10:14,1:-"],
    [[{ start: 1 }], "1,-1"],
    [[{ start: -3, length: 0 }], "-3,0"],
    [[{ length: 0 }], "0,0"],
    [[{ start: null, length: undefined }], "-"],
    [[{ start: 5n, length: "7" }], "5,7"],
    [[{ start: "0", length: -1n }], "-"],
    [[{ start: BigInt(kMax) - 1n, length: 1 }], `${kMax - 1},1`],
  ];
  test.each(table)("extent %#", (extent, debug) => {
    expect(TensorSlice.fromProto({ extent }).debugString()).toBe(debug);
  });

  test("a message without extents is the slice of rank 0", () => {
    expect(TensorSlice.fromProto({}).dims).toBe(0);
    expect(TensorSlice.fromProto({ extent: null }).dims).toBe(0);
  });
});

describe("build validates", () => {
  const good: [extents: TensorSliceExtent[], debug: string][] = [
    [[], ""],
    [[{}, { start: 0, length: 10 }, { start: 14, length: 1 }], "-:0,10:14,1"],
    [[{ start: 0, length: -1 }], "-"],
    [[{ length: "-1" }], "-"],
    [[{ length: kMax }], `0,${kMax}`],
  ];
  test.each(good)("accepts extent %#", (extent, debug) => {
    expect(TensorSlice.build({ extent }).debugString()).toBe(debug);
  });

  const bad: [extent: TensorSliceExtent, contains: string][] = [
    [{ start: 14, length: -1 }, "start = 14, length = -1: extent = start: 14 length: -1"],
    [{ start: 14 }, "start = 14, length = -1: extent = start: 14"],
    [{ start: 0, length: 0 }, "start = 0, length = 0: extent = length: 0"],
    [{ start: -1, length: 2 }, "start = -1, length = 2: extent = start: -1 length: 2"],
    [{ start: -(2n ** 63n), length: 2 }, "start = -9223372036854775808, length = 2"],
    [{ length: -2 }, "start = 0, length = -2"],
    [
      { start: "9223372036854775807", length: 1 },
      "Extent end exceeds the maximum possible size: extent = start: 9223372036854775807 length: 1",
    ],
    [{ start: kMax, length: 1 }, `exceeds the maximum possible size: extent = start: ${kMax} length: 1`],
    [{ length: 2n ** 53n }, "extent = length: 9007199254740992"],
  ];
  test.each(bad)("refuses extent %#", (extent, contains) => {
    expectStatus(() => TensorSlice.build({ extent: [{}, extent] }), "INVALID_ARGUMENT", contains);
  });
});

describe("both refuse", () => {
  const values: [extent: TensorSliceExtent, contains: string][] = [
    [{ start: 0.5 }, "0.5"],
    [{ length: NaN }, "NaN"],
    [{ start: 2 ** 53 }, "9007199254740992"],
    [{ start: 2n ** 63n }, "exact int64 as start of an extent, got 9223372036854775808"],
    [{ start: -(2n ** 63n) - 1n }, "exact int64 as start of an extent, got -9223372036854775809"],
    [{ length: "1x" }, '"1x"'],
    [{ length: "" }, '""'],
    [{ start: {} as unknown as number }, "object"],
    [{ start: true as unknown as number }, "true"],
    [{ start: 2n ** 53n, length: 1 }, "9007199254740992"],
    [{ length: 2n ** 60n }, "Extent end exceeds the maximum possible size: extent = length: 1152921504606846976"],
    [{ start: kMax, length: kMax }, String(kMax)],
  ];
  test.each(values)("extent %#", (extent, contains) => {
    expectStatus(() => TensorSlice.fromProto({ extent: [extent] }), "INVALID_ARGUMENT", contains);
    expectStatus(() => TensorSlice.build({ extent: [extent] }), "INVALID_ARGUMENT", contains);
  });

  test.each([
    null,
    undefined,
    5,
    "x",
    { extent: 5 },
    { extent: [null] },
    { extent: Array(1) },
    { extent: ["1,2"] },
    { extent: { length: 3 } },
  ])("%j as a message", (proto) => {
    for (const read of [TensorSlice.fromProto, TensorSlice.build])
      expectStatus(() => read(proto as unknown as TensorSliceProto), "INVALID_ARGUMENT", "TensorSliceProto");
  });
});

test("hasExtentLength and getExtentLength", () => {
  const table: [TensorSliceExtent, boolean, number][] = [
    [{}, false, -1],
    [{ start: 4 }, false, -1],
    [{ length: null }, false, -1],
    [{ start: 0, length: 10 }, true, 10],
    [{ length: 0 }, true, 0],
    [{ length: "12" }, true, 12],
  ];
  for (const [extent, has, length] of table) {
    expect(TensorSlice.hasExtentLength(extent)).toBe(has);
    expect(TensorSlice.getExtentLength(extent)).toBe(length);
  }
  expectStatus(() => TensorSlice.getExtentLength({ length: 2n ** 60n }), "INVALID_ARGUMENT", "1152921504606846976");
  expectStatus(() => TensorSlice.hasExtentLength(null as unknown as TensorSliceExtent), "INVALID_ARGUMENT", "an extent");
});

test("asProto writes an empty extent for a full dimension, otherwise both fields", () => {
  expect(TensorSlice.parse("-:0,10:3,4").asProto()).toEqual({ extent: [{}, { start: 0, length: 10 }, { start: 3, length: 4 }] });
  expect(TensorSlice.fromExtents([[1, -1]]).asProto()).toEqual({ extent: [{ start: 1, length: -1 }] });
});

test("build, fromProto and JSON read what asProto writes", () => {
  fc.assert(
    fc.property(anySlice, (slice) => {
      const proto = slice.asProto();
      expect(TensorSlice.build(proto).equals(slice)).toBe(true);
      expect(TensorSlice.fromProto(proto).equals(slice)).toBe(true);
      expect(TensorSlice.build(JSON.parse(JSON.stringify(proto)) as TensorSliceProto).equals(slice)).toBe(true);
    }),
  );
});

test("hostile messages throw only StatusErrors", () => {
  fc.assert(
    fc.property(
      fc.anything(),
      fc.array(fc.record({ start: fc.anything(), length: fc.anything() }, { requiredKeys: [] })),
      (anything, extent) => {
        for (const proto of [anything, { extent: anything }, { extent }]) {
          statusErrorsOnly(() => TensorSlice.fromProto(proto as TensorSliceProto));
          statusErrorsOnly(() => TensorSlice.build(proto as TensorSliceProto));
        }
      },
    ),
    { numRuns: isLong ? 300 : 48 },
  );
});

test("the message about an extent without a length has only its start", () => {
  expect(() => TensorSlice.build({ extent: [{ start: -3 }] })).toThrow(/extent = start: -3$/);
  expect(() => TensorSlice.build({ extent: [{ start: -3, length: 2 }] })).toThrow(/extent = start: -3 length: 2$/);
});
