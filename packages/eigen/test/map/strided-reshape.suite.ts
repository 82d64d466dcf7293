// Exhaustive test of reshape without a copy on small geometries: reshape returns a map exactly if strides exist that give the elements.
import { expect, test } from "@jest/globals";
import { constStridedMap, tensorMap } from "@onebuffer/eigen";
import { expectStatus, isLong } from "@onebuffer/test-support";
import type { Twin } from "./strided-twin.ts";
import { everyIndex } from "../row-major.ts";
import { stridesOf, twin } from "./strided-twin.ts";

const kFrom: readonly (readonly number[])[] = [[6], [2, 3], [3, 2], [2, 1, 3], [4, 3], [2, 2, 3], [2, 3, 2], [1, 4, 1, 3]];
const kTo: readonly (readonly number[])[] = [
  [6],
  [2, 3],
  [3, 2],
  [1, 6, 1],
  [3, 1, 2],
  [12],
  [4, 3],
  [3, 4],
  [2, 6],
  [6, 2],
  [2, 2, 3],
  [2, 3, 2],
  [3, 2, 2],
  [1, 12],
  [2, 1, 6],
  [12, 1, 1],
];

/** The strides to try for each dimension. All elements are inside a memory of 256 elements around the offset 100. */
const kStrides = [-6, -3, -2, -1, 0, 1, 2, 3, 4, 6, 12];

test("a list of more sizes than are searched for one that is left open is refused", () => {
  const map = constStridedMap("int8", new Int8Array(6), [2, 3], [3, 1], 0);
  const sizes = [-1, ...new Array<number>(2 ** 16).fill(1)];
  expectStatus(() => map.reshape(sizes), "INVALID_ARGUMENT");
});

test("reshape of every small geometry to every small shape agrees with the reference", () => {
  const memory = Int8Array.from({ length: 256 }, (_, i) => i - 128);
  const wrong: unknown[] = [];
  let reshapedCount = 0;
  let tried = 0;
  for (const dims of kFrom) {
    const size = dims.reduce((a, b) => a * b, 1);
    const shapes = kTo.filter((sizes) => sizes.reduce((a, b) => a * b, 1) === size);
    const indices = everyIndex(dims);
    // Of the geometries with two strides and sizes of 1 every fourth one is tried, of those with three every 59th; all in `npm run long`.
    const every = everyIndex(dims.map((n) => (n === 1 ? 2 : kStrides.length)));
    const some = isLong || every.length < 200 ? every : every.filter((_, n) => n % (every.length < 1000 ? 4 : 59) === 0);
    for (const picks of some) {
      const strides = picks.map((n) => kStrides[n] as number);
      const map = constStridedMap("int8", memory, dims, strides, 100);
      const model: Twin = {
        dims,
        cells: indices.map((index) => index.reduce((sum, i, d) => sum + i * (strides[d] as number), 100)),
      };
      for (const sizes of shapes) {
        const reshaped = map.reshapeView(sizes);
        const expected = stridesOf(twin.reshape(model, sizes));
        tried++;
        if (reshaped !== null) reshapedCount++;
        const got = reshaped?.strides.map((stride, d) => ((sizes[d] as number) < 2 ? 0 : stride)) ?? null;
        if (String(got) !== String(expected) || (map.whyNotReshape(sizes) === null) !== (expected !== null))
          wrong.push({ dims, strides, sizes, got, expected });
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(tried).toBeGreaterThan(isLong ? 10_000 : 2_000);
  expect(reshapedCount).toBeGreaterThan(isLong ? 1000 : 500);
});

test("a map has at most 254 dimensions", () => {
  const ones = (count: number): readonly number[] => new Array<number>(count).fill(1);
  const most = tensorMap("float32", Float32Array.of(5), ones(254));
  expect(most.toString()).toContain("5");
  const strided = most.strided();
  expect(strided.reshape(ones(254)).rank).toBe(254);
  expect(() => tensorMap("float32", Float32Array.of(5), ones(255))).toThrow("has 255 dimensions, more than 254");
  expect(() => constStridedMap("float32", Float32Array.of(5), ones(255), ones(255))).toThrow("has 255 dimensions");
  for (const make of [() => strided.reshape(ones(3000)), () => strided.expandDims(0), () => strided.broadcast(ones(255))]) {
    expect(make).toThrow(/has (255|3000) dimensions, more than 254/);
  }
});
