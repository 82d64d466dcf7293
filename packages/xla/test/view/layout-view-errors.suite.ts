// The arguments that LayoutView and relayout refuse.
import { describe, expect, test } from "@jest/globals";
import type { Complex } from "@onebuffer/base";
import { kUnboundedSize, Layout, layoutView, parseShape, relayout, Shape, ShapeUtil, SplitConfig } from "@onebuffer/xla";
import { expectStatus } from "@onebuffer/test-support";
import { plain, paddedLayout } from "./shapes-and-buffers.ts";
import { rowMajorMatrix } from "../model/matrix-shapes.ts";

/** The calls of some tests are wrong on purpose. */
type Any = ReturnType<typeof JSON.parse>;

describe("refuses", () => {
  const f32 = ShapeUtil.makeShape("f32", [2, 3]);
  const view = layoutView(f32, new Float32Array(6));
  const rank3 = layoutView(ShapeUtil.makeShape("f32", [2, 3, 4]), new Float32Array(24));
  const rank5 = layoutView(ShapeUtil.makeShape("f32", [1, 1, 1, 2, 3]), new Float32Array(6));
  const tiled = layoutView(parseShape("f32[2,3]{1,0:T(2,2)}"), new Float32Array(8));
  const pred = layoutView<boolean>(ShapeUtil.makeShape("pred", [2, 3]), new Uint8Array(6));

  const indices: readonly (readonly [string, () => unknown, number | string, number])[] = [
    ["an index too large", () => view.at(2, 0), 2, 0],
    ["a negative index", () => view.at(0, -1), -1, 1],
    ["a fraction", () => view.at(0.5, 0), 0.5, 0],
    ["NaN", () => view.at(0, Number.NaN), "NaN", 1],
    ["an index beyond 32 bits", () => view.at(2 ** 32, 0), 2 ** 32, 0],
    ["an index too large in set", () => view.set(0, 3, 1), 3, 1],
    ["an index too large in a tiled array", () => tiled.at(0, 3), 3, 1],
    ["an index too large in rank 3", () => rank3.at(0, 0, 4), 4, 2],
    ["an index too large in rank 5", () => rank5.at(0, 0, 0, 2, 0), 2, 3],
    ["an index too large in a view of booleans", () => pred.at(0, 3), 3, 1],
    ["any index in an array without elements", () => layoutView(ShapeUtil.makeShape("f32", [0, 3]), new Float32Array(0)).at(0, 0), 0, 0],
  ];
  test.each(indices)("OUT_OF_RANGE: %s", (_, act, index, dim) => expectStatus(act, "OUT_OF_RANGE", `index ${index}`, `dimension ${dim}`));

  const invalid: readonly (readonly [string, () => unknown, readonly (string | number)[]])[] = [
    ["too few indices", () => view.at(1), ["1 indices", "rank 2"]],
    ["too many indices", () => view.at(1, 1, 1), ["3 indices", "rank 2"]],
    ["five indices in rank 3", () => rank3.at(0, 0, 0, 0, 0), ["5 indices", "rank 3"]],
    ["set without indices", () => view.set(1), ["0 indices"]],
    ["a value of the wrong type", () => view.set(0, 0, 1n as never), ["f32", "1"]],
    ["a number as a boolean", () => pred.set(0, 0, 1 as never), ["pred", "1"]],
    [
      "a pair as a bigint",
      () => layoutView<bigint>(ShapeUtil.makeShape("s64", [1]), new BigInt64Array(1)).set(0, [1, 2] as never),
      ["s64"],
    ],
    [
      "half a complex number",
      () => layoutView<Complex>(ShapeUtil.makeShape("c64", [1]), new Float32Array(2)).set(0, [1] as never),
      ["c64"],
    ],
    ["an array of another class", () => layoutView(f32, new Float64Array(6)), ["f32", "Float32Array", "Float64Array"]],
    ["bytes instead of floats", () => layoutView(f32, new Uint8Array(24)), ["Uint8Array"]],
    ["a plain list as the array", () => layoutView(f32, [1, 2, 3] as never), ["f32"]],
    ["an array too short", () => layoutView(f32, new Float32Array(5)), ["6", "5"]],
    [
      "an array too short for its padding",
      () => layoutView(Shape.array("f32", [2, 3], { layout: paddedLayout([0, 1], [3, 5]) }), new Float32Array(14)),
      ["15", "14"],
    ],
    ["an array too short for its tiles", () => layoutView(parseShape("f32[3,5]{1,0:T(2,2)L(16)}"), new Float32Array(24)), ["32", "24"]],
    ["an array too short for packed elements", () => layoutView(parseShape("s4[5]{0:E(4)}"), new Uint8Array(2)), ["3", "2"]],
    ["a shape without a layout", () => layoutView(Shape.array("f32", [2]), new Float32Array(2)), ["f32[2] does not have a layout"]],
    ["a tuple", () => layoutView(ShapeUtil.makeNil(), new Float32Array(2)), ["()"]],
    [
      "an unbounded array",
      () => layoutView(Shape.array("f32", [kUnboundedSize], { layout: new Layout([0]) }), new Float32Array(2)),
      ["dimension 0"],
    ],
    ["too few values", () => view.copyFrom([1, 2]), ["2 values", "6 elements"]],
    ["a list with a value of the wrong type", () => view.copyFrom([1, 2, 3, 4, 5, "6" as never]), ["f32", "6"]],
    ["a padding value of the wrong type", () => view.fillPadding(1n as never), ["f32"]],
    ["a slice beyond the end", () => view.sliceValues([0, 0], [2, 4]), ["from 0 to 4", "dimension 1"]],
    ["a slice with too few bounds", () => view.sliceValues([0], [2]), ["{0}"]],
    ["a slice with a step of 0", () => view.sliceValues([0, 0], [1, 1], [1, 0]), ["stride 0", "dimension 1"]],
    [
      "relayout between different types",
      () => relayout({ shape: f32, data: view.data }, { shape: ShapeUtil.makeShape("s32", [2, 3]), data: new Int32Array(6) }),
      ["f32[2,3]", "s32[2,3]"],
    ],
    [
      "relayout between different dimensions",
      () => relayout({ shape: f32, data: view.data }, { shape: ShapeUtil.makeShape("f32", [6]), data: new Float32Array(6) }),
      ["f32[2,3]", "f32[6]"],
    ],
    [
      "relayout between different element sizes",
      () =>
        relayout(
          { shape: parseShape("s4[2]{0:E(4)}"), data: new Uint8Array(1) },
          { shape: parseShape("s4[2]{0}"), data: new Int8Array(2) },
        ),
      ["4", "8"],
    ],
    [
      "relayout in place",
      () => relayout({ shape: f32, data: view.data }, { shape: plain("f32", [2, 3], [0, 1]), data: view.data }),
      ["overlap"],
    ],
    [
      "a split that does not fit",
      () =>
        ShapeUtil.arraySize(
          Shape.array("f32", [4], { layout: new Layout([0], { tiles: [[2]], splitConfigs: [new SplitConfig(0, [9])] }) }),
        ),
      ["9"],
    ],
    ["a tuple without a pointer size", () => ShapeUtil.byteSizeOf(parseShape("(f32[])"), 0), ["pointer size 0"]],
  ];
  test.each(invalid)("INVALID_ARGUMENT: %s", (_, act, contains) => expectStatus(act, "INVALID_ARGUMENT", ...contains));

  test("UNIMPLEMENTED: split layouts, and element sizes that are neither natural nor packed", () => {
    expectStatus(() => layoutView(parseShape("f32[4]{0:SC(0:2)}"), new Float32Array(4)), "UNIMPLEMENTED", "split");
    expectStatus(() => layoutView(parseShape("s8[4]{0:E(16)}"), new Int8Array(8)), "UNIMPLEMENTED", "16 bits");
    expectStatus(() => layoutView(parseShape("s4[4]{0:E(2)}"), new Uint8Array(8)), "UNIMPLEMENTED", "2 bits");
  });

  test("FAILED_PRECONDITION if the memory is detached", () => {
    const lost = layoutView(f32, new Float32Array(6));
    const lostBits = layoutView(ShapeUtil.makeShape("bf16", [2]), new Uint16Array(2));
    const lostPred = layoutView<boolean>(ShapeUtil.makeShape("pred", [2]), new Uint8Array(2));
    structuredClone(0, {
      transfer: [lost.data.buffer as ArrayBuffer, lostBits.data.buffer as ArrayBuffer, lostPred.data.buffer as ArrayBuffer],
    });
    expectStatus(() => lost.at(0, 0), "FAILED_PRECONDITION", "f32[2,3]");
    expectStatus(() => lost.set(0, 0, 1), "FAILED_PRECONDITION", "f32[2,3]");
    expectStatus(() => lost.toArray(), "FAILED_PRECONDITION", "f32[2,3]");
    expectStatus(() => [...lost], "FAILED_PRECONDITION", "f32[2,3]");
    expectStatus(() => lostBits.at(0), "FAILED_PRECONDITION", "bf16[2]");
    expectStatus(() => lostPred.at(0), "FAILED_PRECONDITION", "pred[2]");
  });

  test("a view prints its shape and shares the array", () => {
    expect(String(tiled)).toBe("LayoutView f32[2,3]{1,0:T(2,2)}");
    expect(tiled.dimensions).toEqual([2, 3]);
    const data = new Float32Array(6);
    layoutView(f32, data).set(1, 1, 5);
    expect(data[4]).toBe(5);
  });
});

test.each([1, 2, 3, 4])("an index of %d entries with a fraction is refused, in each place and for numbers and others", (rank) => {
  for (const type of ["f32", "c64"] as const) {
    const view = layoutView(
      ShapeUtil.makeShape(
        type,
        Array.from({ length: rank }, () => 2),
      ),
      new Float32Array(2 ** rank * 2).subarray(0, type === "f32" ? 2 ** rank : undefined) as never,
    );
    const at = view.at.bind(view) as (...index: readonly number[]) => unknown;
    expect(() => at(...Array.from({ length: rank }, () => 1))).not.toThrow();
    for (let place = 0; place < rank; place++)
      expect(() => at(...Array.from({ length: rank }, (_, k) => (k === place ? 0.5 : 0)))).toThrow(/0\.5/);
  }
});

test("a slice from before the first element is refused", () => {
  const view = layoutView(rowMajorMatrix, new Float32Array(6));
  expectStatus(() => view.sliceValues([0, -1], [2, 3]), "INVALID_ARGUMENT", "The slice from -1 to 3 of dimension 1");
});

test("indices of views are numbers inside their dimensions, whatever the rank", () => {
  const flat = layoutView(rowMajorMatrix, new Float32Array(6));
  for (const index of [
    ["0", 0],
    [0, "0"],
    [0, null],
  ])
    expectStatus(() => (flat as Any).at(...index), "INVALID_ARGUMENT");
  const cube = layoutView(parseShape("f32[2,2,2]{2,1,0}"), Float32Array.of(0, 1, 2, 3, 4, 5, 6, 7)) as Any;
  expect([cube.at(0, 0, 0), cube.at(1, 0, 1), cube.at(0, 1, 1)]).toEqual([0, 5, 3]);
  for (const index of [
    [-1, 0, 0],
    [0, -1, 0],
    [0, 0, -1],
    [2, 0, 0],
  ])
    expectStatus(() => cube.at(...index), "OUT_OF_RANGE");
});
