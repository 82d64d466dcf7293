// Geometries at the edges: axes that are named twice or too often, repeated elements that overlap, strides of -0, texts with many new dimensions,
// indices of which there are too few.
import { expect, test } from "@jest/globals";
import { constStridedMap, stridedMap, stridedMapFromLayout, tensorMap } from "@onebuffer/eigen";
import { expectStatus } from "@onebuffer/test-support";

/** The calls of some tests are wrong on purpose. */
type Any = ReturnType<typeof JSON.parse>;

const line = (count: number): Float32Array<ArrayBuffer> => Float32Array.from({ length: count }, (_, n) => n);
const matrix = (): Any => tensorMap("float32", line(6), [2, 3]);

test("axes are named once, however long their list is", () => {
  expectStatus(() => matrix().reverse([0, 1, 0]), "INVALID_ARGUMENT", "axis 0 is named twice");
  expectStatus(() => matrix().reverse([0, 0]), "INVALID_ARGUMENT", "axis 0 is named twice");
  expectStatus(() => matrix().reverse([0, 1, 2]), "INVALID_ARGUMENT", "axis 2 is not in [-2, 2)");
  expectStatus(() => matrix().strided().expandDims(5), "INVALID_ARGUMENT", "expandDims of [2,3]");
});

test("reversing a view leaves the view as it was", () => {
  const view = matrix().strided();
  const turned = view.reverse([0]);
  expect([view.strides, turned.strides, view.at(0, 1), turned.at(0, 1)]).toEqual([[3, 1], [-3, 1], 1, 4]);
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

test("-0 is 0 as a size and as a stride", () => {
  expect(tensorMap("float32", new Float32Array(0), [2, 0]).strided().reshape([-0, 4]).dimensions).toEqual([0, 4]);
  expect(stridedMap("float32", line(1), [1], [-0]).strides).toEqual([0]);
});

test("an index of too few or too many numbers is refused, whatever the rank", () => {
  for (const dims of [
    [2, 3],
    [1, 2, 1, 3],
    [1, 1, 2, 1, 3],
    [1, 1, 1, 1, 2, 1, 3],
  ]) {
    const map = tensorMap("float32", line(6), dims).strided() as Any;
    for (const count of [1, dims.length - 1, dims.length + 1])
      expectStatus(() => map.at(...new Array<number>(count).fill(0)), "INVALID_ARGUMENT");
    expect(map.at(...dims.map((size) => size - 1))).toBe(5);
  }
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

test("an order of dimensions has as many entries as there are", () => {
  const packed = (order: unknown): unknown => stridedMapFromLayout(matrix(), [2, 3], order as Any);
  expectStatus(() => packed([0]), "INVALID_ARGUMENT", "minorToMajor [0] has 1 entries for 2 dimensions");
  expectStatus(() => packed(new Array(300).fill(0)), "INVALID_ARGUMENT", "minorToMajor has 300 entries for 2 dimensions");
});

test("a message about sizes has the name of the call", () => {
  expectStatus(() => matrix().strided().reshape([7, 1.5]), "INVALID_ARGUMENT", "reshape");
});
