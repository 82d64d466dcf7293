// iota in kernels: for every element size, along either axis, mapped, reduced along rows and columns, for groups of all sizes.
import { describe, expect, test } from "@jest/globals";
import { iota } from "@onebuffer/eigen";
import { kernelCounts, tensorMapKind } from "@onebuffer/eigen/internal";
import { linearMemory } from "@onebuffer/wasm";
import { typedArrayConstructor } from "@onebuffer/base";

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
  test.each([
    [16, 2],
    [40, 3],
    [300, 47],
    [1000, 8],
  ])("counts %d short rows of %d, each from 0", (rows, columns) => {
    const map = target(dtype, [rows, columns]);
    const wanted = Array.from({ length: rows * columns }, (_, i) => i % columns);
    map.assign(iota(dtype as "int32", [rows, columns], 1));
    expect(numbers(map.toArray())).toEqual(wanted);
    map.assign(iota(dtype as "int32", [columns]).add(iota(dtype as "int32", [rows, columns], 1)));
    expect(numbers(map.toArray())).toEqual(wanted.map((x) => 2 * x));
  });

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
    map.assign(iota(dtype as "int32", [kRows, kColumns], axis).sum(over, true));
    expect(numbers(map.toArray())).toEqual(sums.map((sum) => wrap(dtype, sum)));
  });
});
