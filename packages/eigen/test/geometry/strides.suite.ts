// Strides of maps: of a view that is reversed, of elements that are repeated or overlap, and -0.
import { expect, test } from "@jest/globals";
import { constStridedMap, stridedMap, tensorMap } from "@onebuffer/eigen";
import { expectStatus } from "@onebuffer/test-support";
import { line, matrix } from "./counted-maps.ts";

/** The calls of some tests are wrong on purpose. */
type Any = ReturnType<typeof JSON.parse>;

test("reversing a view leaves the view as it was", () => {
  const view = matrix().strided();
  const turned = view.reverse([0]);
  expect([view.strides, turned.strides, view.at(0, 1), turned.at(0, 1)]).toEqual([[3, 1], [-3, 1], 1, 4]);
});

test("-0 is 0 as a size and as a stride", () => {
  expect(tensorMap("float32", new Float32Array(0), [2, 0]).strided().reshape([-0, 4]).dimensions).toEqual([0, 4]);
  expect(stridedMap("float32", line(1), [1], [-0]).strides).toEqual([0]);
});

test("elements that are repeated may overlap, and be more than 2^30", () => {
  const overlapping = constStridedMap("float32", line(10), [2, 4], [2, 2]);
  expect(overlapping.toArray()).toEqual([
    [0, 2, 4, 6],
    [2, 4, 6, 8],
  ]);
  const copy = new Float32Array(8);
  (tensorMap("float32", copy, [2, 4]) as Any).copyFrom(overlapping);
  expect([...copy]).toEqual([0, 2, 4, 6, 2, 4, 6, 8]);
  const long = constStridedMap("float32", line(1), [2 ** 31], [0]) as Any;
  expect([long.at(0), long.at(2 ** 31 - 1)]).toEqual([0, 0]);
  expectStatus(() => long.at(2 ** 31), "OUT_OF_RANGE");
});
