// nonzero, where, booleanMask and unique against plain loops: sizes around the pieces of their loops, and every kind of elements.
import { expect, test } from "@jest/globals";
import type { DType, RawDType } from "@onebuffer/base";
import { isLong, sampled } from "@onebuffer/test-support";
import { linearMemory } from "@onebuffer/wasm";
import { booleanMask, evaluate, nonzero, opTable, tensorMap, unique, where } from "@onebuffer/eigen";
import { arenaMap, Dice, layouts, ownScratch, scratchFrom, subject } from "./kernel-subjects.ts";

/** The operands here are of dtypes and ranks from tables, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

/** Returns the indices of each element that is not 0, in row-major order. */
function indicesOf(map: Any): bigint[][] {
  const dims = map.dimensions as number[];
  return [...map].flatMap((value, place) => {
    if (Array.isArray(value) ? value.every((part) => part === 0) : !value) return value === value ? [] : [split(place, dims)];
    return [split(place, dims)];
  });
}

function split(place: number, dims: readonly number[]): bigint[] {
  const indices: bigint[] = [];
  for (const size of [...dims].reverse()) {
    indices.unshift(BigInt(place % size));
    place = Math.floor(place / size);
  }
  return indices;
}

/** Compares the three functions with plain loops over the operand's elements. */
function checkSelections(x: Any): void {
  const wanted = indicesOf(x);
  const rank = x.dimensions.length as number;
  expect(where(x).toArray()).toEqual(wanted);
  for (const [d, list] of nonzero(x).entries()) expect(list.toArray()).toEqual(wanted.map((each) => each[d]));
  for (const [d, list] of nonzero(x, { outputType: "int32" }).entries())
    expect(list.toArray()).toEqual(wanted.map((each) => Number(each[d])));
  const places = evaluate(
    (
      tensorMap(
        "int32",
        Int32Array.from({ length: x.size }, (_, k) => k),
        [x.size],
      ) as Any
    ).reshape(x.dimensions),
  );
  const mask = evaluate(x.cast("bool")) as Any;
  const sizes = x.dimensions as number[];
  expect((booleanMask(places as Any, mask) as Any).toArray()).toEqual(
    wanted.map((each) => each.reduce((place, index, d) => place * (sizes[d] as number) + Number(index), 0)),
  );
  expect(rank).toBeGreaterThan(0);
}

const castable = opTable.cast.dtypes.filter((dtype) => dtype !== "bool" && opTable.add.dtypes.includes(dtype)) as readonly RawDType[];

test("the places of nonzero flags of every density, around the sizes of the kernel's pieces and in every layout", () => {
  const dice = new Dice(5);
  for (const [c, count] of [1, 255, 256, 257, 271, 272, 273, 700].entries()) {
    for (const [d, density] of [0, 1, 8, 15, 16].entries()) {
      // Every second density of each size, by turns.
      if (isLong || (c + d) % 2 === 0) checkSelections(subject("bool", [count], "dense", dice, (d) => d.below(16) < density));
    }
  }
  for (const [k, layout] of layouts.entries())
    for (const [d, dims] of [
      [3, 100],
      [5, 7, 9],
      [300, 1],
      [1, 2],
    ].entries())
      if (isLong || (k + d) % 2 === 0) checkSelections(subject("bool", dims, layout, dice));
  // Only the last or the first flag of a piece; bytes other than 1; an array outside the linear memory.
  for (const bytes of [[256], [271], [15, 16], [0, 299]]) {
    const flags = new Uint8Array(300);
    for (const at of bytes) flags[at] = 1;
    checkSelections(tensorMap("bool", flags, [300]));
  }
  checkSelections(
    tensorMap(
      "bool",
      Uint8Array.from({ length: 300 }, (_, k) => (k % 3) * 100),
      [300],
    ),
  );
  expect(where(arenaMap("bool", [0, 300])).dimensions).toEqual([0, 2]);
  const flag = arenaMap("bool", []) as Any;
  flag.fill(false);
  expect(where(flag).dimensions).toEqual([0, 0]);
});

test.each(castable)("the places of %s that are not 0; NaN is not 0", (dtype) => {
  const dice = new Dice(dtype.length);
  for (const dims of isLong ? [[40], [4, 75]] : [castable.indexOf(dtype) % 2 === 0 ? [40] : [4, 75]])
    checkSelections(subject(dtype, dims, "dense", dice));
});

test("without room for scratch memory the places are the same", () => {
  const x = subject("bool", [900], "dense", new Dice(9)) as Any;
  const wanted = nonzero(x)[0]!.toArray();
  expect(linearMemory().isConstructed).toBe(true);
  try {
    scratchFrom({ ...ownScratch, reserve: () => null });
    expect(nonzero(evaluate(x.logicalNot().logicalNot()) as Any)[0]!.toArray()).toEqual(wanted);
  } finally {
    scratchFrom(ownScratch);
  }
});

/** Returns a text that equal columns share. Columns with a NaN get one of their own. */
function keyOf(column: readonly unknown[], k: number): string {
  const numbers = column.flat() as (number | bigint | boolean)[];
  return numbers.some((each) => each !== each) ? `column ${k}` : numbers.map((each) => String(each === 0 ? 0 : each)).join();
}

/** Compares `unique` with a Map of texts. */
function checkUnique(x: Any): void {
  const dims = x.dimensions as number[];
  const width = dims.at(-1) as number;
  const elements = [...x];
  const height = width === 0 ? 0 : elements.length / width;
  const columnOf = (k: number): unknown[] => Array.from({ length: height }, (_, row) => elements[row * width + k]);
  const columns = Array.from({ length: width }, (_, k) => columnOf(k));
  const numbers = new Map<string, number>();
  const indices = columns.map((column, k) => {
    const key = keyOf(column, k);
    if (!numbers.has(key)) numbers.set(key, numbers.size);
    return numbers.get(key) as number;
  });
  const found = unique(x) as Any;
  expect(found.indices.toArray()).toEqual(indices);
  const counts = new Array<number>(numbers.size).fill(0);
  const firsts: unknown[][] = [];
  indices.forEach((n, k) => {
    if (counts[n]! === 0) firsts.push(columns[k]!);
    counts[n]!++;
  });
  expect(found.counts.toArray()).toEqual(counts);
  expect([...found.values]).toEqual(firsts.length === 0 ? [] : firsts[0]!.flatMap((_, row) => firsts.map((column) => column[row])));
}

const equatable = opTable.equal.dtypes as readonly RawDType[];

test.each(sampled(equatable, 6))("unique of %s: elements and columns, in any layout", (dtype) => {
  const dice = new Dice(dtype.length * 3);
  const few = (d: Dice): Any => {
    const small = d.below(3);
    if (dtype === "bool") return small > 0;
    if (dtype.endsWith("int64")) return BigInt(small) << 32n;
    const value = d.pick([0, -0, small, dtype.includes("float") || dtype.startsWith("complex") ? NaN : 1]);
    return dtype.startsWith("complex") ? [value, d.below(2)] : value;
  };
  // One layout for elements and one for columns, by turns of the dtypes.
  const turn = equatable.indexOf(dtype);
  for (const [k, layout] of layouts.entries()) {
    if (isLong || k === turn % layouts.length) checkUnique(subject(dtype, [60], layout, dice));
    if (isLong || k === (turn + 2) % layouts.length) checkUnique(subject(dtype, [3, 50], layout, dice, few));
  }
  checkUnique(subject(dtype, [200], "dense", dice, few));
  checkUnique(subject(dtype, [1, 30], "dense", dice, few));
  for (const dims of [[0], [0, 4], [4, 0]]) checkUnique(arenaMap(dtype, dims));
});

// A table of all words is used for ranges of at most 4 times the width, a hash table for others; it begins with 4,096 slots for 1,024 words.
// The range is guessed by the first 512 words, with their span again on both sides.
test.each(["int32", "uint32", "int16", "float32", "float64", "int64"] as const)("unique of %s on both sides of its thresholds", (dtype) => {
  const dice = new Dice(dtype.length);
  const as = (value: number): Any => (dtype === "int64" ? BigInt(value) : dtype.startsWith("float") && value === 77 ? NaN : value);
  const width = 1500;
  const most = dtype === "int16" ? 2 ** 15 - 1 : 2 ** 31 - 1;
  const kinds: ((d: Dice, k: number) => number)[] = [
    (d) => d.below(100),
    (d, k) => (k === 0 ? 0 : k === 1 ? 4 * width - 1 : d.below(4 * width)),
    (d, k) => (k === 0 ? 0 : k === 1 ? 4 * width : d.below(4 * width)),
    (d) => most - d.below(200),
    (d) => (dtype.startsWith("u") ? 0 : -(2 ** 15)) + d.below(2 ** 16),
    (_, k) => (k * 4096) % most,
    (_, k) => (k < 1023 ? k * 7 : k < 1030 ? k * 7 + 1 : 3) % most,
    () => 5,
    ...[100, 199, 200].map((last) => (d: Dice, k: number) => (k === 1499 ? last : k < 2 ? 99 * k : d.below(100))),
    ...[-100, -101, 2 ** 30].map((last) => (_: Dice, k: number) => (dtype.startsWith("u") ? 0 : k === 512 ? last : k % 100) % most),
    (_, k) => (dtype.startsWith("u") || dtype === "int16" || k === 511 ? most : k === 512 ? -(2 ** 31) : most - (k % 50)),
    (_, k) => (dtype === "int32" ? (k === 513 ? most : (k % 50) - 2 ** 31) : k % 9),
  ];
  for (const [n, kind] of kinds.entries()) {
    // All kinds of int32, of which there are the most; half of those of the others, by turns.
    if (!isLong && dtype !== "int32" && (n + dtype.length) % 2 !== 0) continue;
    const values = Array.from({ length: width }, (_, k) => as(kind(dice, k)));
    const x = arenaMap(dtype as DType as RawDType, [width]) as Any;
    x.copyFrom(dtype === "int16" ? values.map((each) => Math.max(-(2 ** 15), Math.min(2 ** 15 - 1, each))) : values);
    const numbers = new Map<unknown, number>();
    const wanted = [...x].map((each, k) => {
      const key = each !== each ? `NaN ${k}` : each;
      if (!numbers.has(key)) numbers.set(key, numbers.size);
      return numbers.get(key);
    });
    const found = unique(x) as Any;
    expect([n, found.indices.toArray()]).toEqual([n, wanted]);
    expect([n, found.counts.toArray().reduce((a: number, b: number) => a + b, 0)]).toEqual([n, width]);
    expect([n, found.values.toArray().length]).toEqual([n, numbers.size]);
  }
});
