// Reductions along rows of a few elements, many rows at once (form/kernel-columns.ts): rows that are adjacent in memory are loaded in square
// blocks and transposed. Lengths on both sides of a block, numbers of rows that are no whole groups, several operands, rows between NaN.
import { expect, test } from "@jest/globals";
import type { RawDType } from "@onebuffer/base";
import { explain } from "@onebuffer/compiler/internal";
import { isLong, sampled } from "@onebuffer/test-support";
import { computed, reference } from "./filled-maps.ts";
import { arenaMap, Dice } from "./kernel-subjects.ts";
import { wrapping } from "../wrapping.ts";

/** The trees here are built from tables of names, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

/** The forms of the reduced value, of which some read a second operand that runs along the rows, across them or along nothing. */
const kForms: readonly (readonly [
  name: string,
  build: (x: Any, other: (dims: readonly number[]) => Any, count: number, length: number) => Any,
])[] = [
  ["of an operand", (x) => x],
  ["of a product with a row", (x, other, count, length) => x.mul(other([1, length]).broadcast([count, length]))],
  ["of a product with a column", (x, other, count, length) => x.mul(other([count, 1]).broadcast([count, length]))],
  ["of a sum with another operand", (x, other, count, length) => x.add(other([count, length]))],
  ["of a sum with columns", (x, other, count, length) => x.add(other([length, count]).shuffle([1, 0]))],
  ["of a sum with a part of wider rows", (x, other, count, length) => x.add(other([count, length + 3]).strided(`:, 2:${length + 2}`))],
];

/** Fills a map with small integers, whose sums are exact in any order. */
function filled(dtype: RawDType, dims: readonly number[], dice: Dice): Any {
  const map = arenaMap(dtype, dims) as Any;
  const { data } = map;
  const isBig = dtype.endsWith("int64");
  for (let i = 0; i < data.length; i++) data[i] = isBig ? BigInt(dice.below(4)) : dice.below(4);
  return map;
}

const kDTypes = ["float32", "float64", "float16", "bfloat16", "int32", "int16", "uint8", "int64"] as const;

const kSampledDTypes = sampled(kDTypes, 3);

test.each(kSampledDTypes)("reductions of %s along short rows agree with the evaluator", (dtype) => {
  const dice = new Dice(dtype.length * 17 + 5);
  for (const length of isLong ? [3, 4, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17] : [7, 13])
    for (const count of isLong ? [64, 65, 66, 67, 100, 2047, 2049, 5000] : [length === 13 ? 2049 : 67])
      for (const [k, [name, build]] of kForms.entries()) {
        // A third of the forms of few rows and one of many, by turns of the dtypes.
        if (!isLong && (k + kSampledDTypes.indexOf(dtype)) % (count > 100 ? 6 : 3) !== 0) continue;
        const values = (dims: readonly number[]): Any => filled(dtype, dims, dice);
        const op = dice.pick(["sum", "max", "min"]);
        const expression = build(values([count, length]), values, count, length)[op]([1], wrapping(op));
        expect([name, op, length, count, computed(expression)]).toEqual([name, op, length, count, reference(expression)]);
      }
});

test("operands that are adjacent along short rows are transposed in blocks", () => {
  const x = arenaMap("float32", [100, 8]) as Any;
  const rows = arenaMap("float32", [100, 16]) as Any;
  const columns = arenaMap("float32", [8, 100]) as Any;
  const accesses = (expression: Any): readonly string[] => explain(expression).steps.flatMap((step) => step.accesses);
  expect(accesses(x.sum([1]))).toEqual(["contiguous", "transposed"]);
  expect(accesses(x.add(columns.shuffle([1, 0])).sum([1]))).toEqual(["contiguous", "transposed", "contiguous"]);
  expect(accesses(rows.strided(":, 0:16:2").sum([1]))).toEqual(["contiguous", "strided"]);
});

test.each([1, 2, 7, 8, 9])("reductions of rows of %d are stored in a target with strides", (length) => {
  const dice = new Dice(length);
  const x = filled("float32", [128, length], dice);
  for (const op of ["sum", "max", "argmin"]) {
    const expression = op === "argmin" ? x.argmin(1) : x[op]([1]);
    const around = arenaMap(expression.dtype, [259]) as Any;
    new Uint8Array(around.data.buffer, around.data.byteOffset, around.data.byteLength).fill(0);
    const target = around.strided("2:257:2");
    target.assign(expression);
    expect([op, [...target].map(Number)]).toEqual([op, reference(expression)]);
    expect([...around].filter((value, i) => (i % 2 === 1 || i < 2) && Number(value) !== 0)).toEqual([]);
  }
});

test("blocks do not reach beyond the last row", () => {
  const around = arenaMap("float32", [103, 11]) as Any;
  around.data.fill(Number.NaN);
  const x = around.strided("2:99, 1:10");
  for (let i = 0; i < 97; i++) for (let j = 0; j < 9; j++) x.set(i, j, i + j);
  expect(computed(x.sum([1]))).toEqual(Array.from({ length: 97 }, (_, i) => 9 * i + 36));
  expect(computed(x.max([1]))).toEqual(Array.from({ length: 97 }, (_, i) => i + 8));
});
