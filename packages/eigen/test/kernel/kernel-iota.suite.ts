// iota in kernels: for every element size, along either axis, mapped, reduced along rows and columns, for groups of all sizes.
import { describe, expect, test } from "@jest/globals";
import { iota } from "@onebuffer/eigen";
import { explain } from "@onebuffer/compiler/internal";
import { tensorMapKind } from "@onebuffer/eigen/internal";
import { isLong } from "@onebuffer/test-support";
import { linearMemory } from "@onebuffer/wasm";
import { typedArrayConstructor } from "@onebuffer/base";
import { kernelCounts } from "@onebuffer/kernels/internal";
import { elementsOf } from "./kernel-subjects.ts";

const kRows = 5;
const kColumns = 70;
const memory = linearMemory();
const kBytes = 1 << 17;
const offset = memory.reserve(kBytes)!;

const dtypes = ["float32", "int32", "uint8", "int16", "float64", "int64", "uint64"] as const;
type Dtype = (typeof dtypes)[number];

/** Returns a map of `dims` over the linear memory, so that a kernel runs. */
function target(dtype: Dtype, dims: readonly number[]): { assign(source: unknown): void; toArray(): unknown } {
  const count = dims.reduce((a, b) => a * b, 1);
  const array = new (typedArrayConstructor(dtype))(memory.buffer, offset, count);
  return tensorMapKind(dtype).general(array as never, 0, { refs: 1 }, dims) as never;
}

const numbers = (value: unknown): number[] => [value].flat(3).map(Number);
const wrap = (dtype: Dtype, x: number): number => (dtype === "uint8" ? x & 255 : x);

describe.each(dtypes)("%s", (dtype) => {
  test.each([1, 2, 3, 7, 16, 33, 130])("counts %d elements", (count) => {
    const map = target(dtype, [count]);
    const { runs } = kernelCounts();
    map.assign(iota(dtype as "int32", [count]).add(1));
    expect(numbers(map.toArray())).toEqual(Array.from({ length: count }, (_, i) => i + 1));
    expect(kernelCounts().runs).toBe(runs + 1);
  });

  // Short rows are merged if an operand starts again with each row and has memory that can be repeated. A ramp has no memory.
  // Half of the sizes for each dtype, by turns.
  const rowSizes = [
    [16, 2],
    [40, 3],
    [300, 47],
    [1000, 8],
  ] as const;
  test.each(rowSizes.filter((_, k) => isLong || (k + dtypes.indexOf(dtype)) % 2 === 0))(
    "counts %d short rows of %d, each from 0",
    (rows, columns) => {
      const map = target(dtype, [rows, columns]);
      const wanted = Array.from({ length: rows * columns }, (_, i) => i % columns);
      map.assign(iota(dtype as "int32", [rows, columns], 1));
      expect(elementsOf(map).map(Number)).toEqual(wanted);
      map.assign(iota(dtype as "int32", [columns]).add(iota(dtype as "int32", [rows, columns], 1)));
      expect(elementsOf(map).map(Number)).toEqual(wanted.map((x) => 2 * x));
    },
  );

  test.each([
    [0, [0]],
    [0, [1]],
    [0, [0, 1]],
    [1, [0]],
    [1, [1]],
    [1, [0, 1]],
  ])("counts along axis %d and sums over %j", (axis, over) => {
    const at = (i: number, j: number): number => (axis === 0 ? i : j);
    const rows = over.includes(0) ? 1 : kRows;
    const columns = over.includes(1) ? 1 : kColumns;
    const sums = new Array<number>(rows * columns).fill(0);
    for (let i = 0; i < kRows; i++) for (let j = 0; j < kColumns; j++) sums[(i % rows) * columns + (j % columns)]! += at(i, j);
    const map = target(dtype, [rows, columns]);
    map.assign(iota(dtype as "int32", [kRows, kColumns], axis).sum(over, { keepDims: true, wraps: true }));
    expect(numbers(map.toArray())).toEqual(sums.map((sum) => wrap(dtype, sum)));
  });
});

// Consecutive integers are made four at a time in the unrolled loop. Other steps are made one by one.
test.each(dtypes)("triangles of %s of all sizes; their columns are ramps", (dtype) => {
  for (const columns of isLong ? [1, 3, 15, 16, 17, 31, 64, 70] : [3, 15, 16, 17, 70]) {
    const map = target(dtype, [kRows, columns]);
    const row = iota(dtype as "int32", [kRows, columns], 1).add(1);
    map.assign(row.triu(1));
    const wanted = (isKept: (r: number, c: number) => boolean): number[] =>
      Array.from({ length: kRows * columns }, (_, k) => (isKept(Math.floor(k / columns), k % columns) ? (k % columns) + 1 : 0));
    expect(numbers(map.toArray())).toEqual(wanted((r, c) => c >= r + 1));
    map.assign(row.tril(-1));
    expect(numbers(map.toArray())).toEqual(wanted((r, c) => c <= r - 1));
    map.assign(
      iota("int32", [kRows, 2 * columns], 1)
        .slice(null, [0, 2 * columns, 2])
        .cast(dtype as "int32"),
    );
    expect(numbers(map.toArray())).toEqual(Array.from({ length: kRows * columns }, (_, k) => wrap(dtype, 2 * (k % columns))));
  }
  const { steps } = explain(iota("int32", [9, 64], 1).add(iota("int32", [9, 64], 0)));
  expect(steps.map(({ accesses }) => accesses)).toEqual([["contiguous", "ramp", "broadcast"]]);
});
