// sort, argsort and topK agree with the plain evaluator on both sides of every choice between ways: by width, by the number of wanted
// elements, and by what the elements need.
import { expect, test } from "@jest/globals";
import { sampled } from "@onebuffer/test-support";
import { nthElements, opTable } from "@onebuffer/eigen";
import type { RawDType } from "@onebuffer/base";
import { difference } from "./difference.ts";
import { arenaMap, Dice, elementsOf } from "./kernel-subjects.ts";

/** The dtypes here come from tables, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

const isLong = process.env["ONEBUFFER_LONG"] !== undefined;
const realDTypes = opTable.minimum.dtypes as readonly RawDType[];

/** The bytes of an array. */
const bytesOf = ({ buffer, byteOffset, byteLength }: Int8Array): Uint8Array => new Uint8Array(buffer, byteOffset, byteLength);

/** Returns the smallest and the largest integer of a dtype that are used here; floats take those of int32. */
function rangeOf(dtype: string): readonly [low: number, high: number] {
  const bits = dtype.includes("float") || dtype.endsWith("64") ? 32 : Number(dtype.replace(/\D/g, ""));
  return dtype.startsWith("u") ? [0, 2 ** bits - 1] : [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1];
}

/** A kind of elements: a function from the place and the number of elements to an element. */
type Kind = (k: number, width: number) => number;

/** Returns kinds of elements: random, ordered both ways, constant, few, near the ends of the range, NaN and zeros of both signs. */
function kindsOf(dtype: string, dice: Dice): Readonly<Record<string, Kind>> {
  const [low, high] = rangeOf(dtype);
  const isFloating = dtype.includes("float");
  return {
    random: () => (isFloating ? dice.unit() - 0.5 : low + (dice.next() % (high - low + 1))),
    rising: (k) => Math.min(high, low + k),
    falling: (k) => Math.max(low, high - k),
    constant: () => 7,
    few: () => dice.pick([low, 3, 3, high, 0]),
    small: () => dice.below(100),
    "mostly the last": (k) => (isFloating ? (k % 40 < 38 ? NaN : dice.pick([-0, 0, -Infinity, Infinity])) : dice.pick([low, high])),
    "nearly sorted": (k, width) => Math.min(high, dice.below(20) === 0 ? dice.below(width) : k),
    zeros: () => (isFloating ? dice.pick([0, -0, NaN, 1e-40, -1e-40]) : 0),
    "on both sides of the middle": () => Math.round((low + high) / 2) + dice.below(100) - 50,
    "zeros of both signs": () => (isFloating ? dice.pick([0, -0, 1, -1]) : 0),
  };
}

/** Returns a map of random or other elements; each row is of the kind `kind`, but for the second one of three, which is random. */
function rowsOf(dtype: RawDType, dims: readonly number[], kind: Kind, random: Kind): Any {
  const width = dims.at(-1) as number;
  const as = (value: number): Any => (dtype.endsWith("int64") ? BigInt(Math.trunc(value)) * 0x10001n : value);
  const map = arenaMap(dtype, dims) as Any;
  const clip = (value: Any): Any => (dtype === "uint64" && value < 0n ? -value : value);
  map.copyFrom(Array.from({ length: map.size }, (_, k) => clip(as((Math.floor(k / width) === 1 ? random : kind)(k % width, width)))));
  return map;
}

// Selecting is expected to be faster than sorting for up to 61 of 1,000 elements; rows of elements that are better and better are sorted.
test.each(sampled(realDTypes, 4))("topK of %s on both sides of its choices", (dtype) => {
  const dice = new Dice(dtype.length * 41);
  const kinds = Object.entries(kindsOf(dtype, dice));
  const cases = [
    [1000, 1],
    [1000, 4],
    [999, 50],
    [1000, 61],
    [1000, 62],
    [17, 2],
    [16, 5],
    [15, 1],
    [64, 2],
    [65, 3],
    [1025, 1024],
  ] as const;
  for (const [n, [width, k]] of cases.entries()) {
    for (const [turn, [name, kind]] of kinds.entries()) {
      // Every third width with one kind, others for each dtype.
      const d = realDTypes.indexOf(dtype);
      if (!isLong && ((turn + 3 * n + d) % 11 !== 0 || (n + d) % 3 !== 0)) continue;
      const { values, indices } = rowsOf(dtype, [3, width], kind, kinds[0]![1]).topK(k);
      expect([name, width, k, difference(values)]).toEqual([name, width, k, null]);
      expect([name, width, k, difference(indices)]).toEqual([name, width, k, null]);
    }
  }
});

// Rows of 512 elements of 8 bits are sorted by counting, those of 511 by digits; of 16 bits, rows of 32,768 and 32,767.
test.each(["int8", "uint8", "int16", "uint16"] as const)("rows of %s on both sides of the width from which they are counted", (dtype) => {
  const dice = new Dice(dtype.length * 43 + 1);
  const kinds = Object.entries(kindsOf(dtype, dice));
  const least = dtype.endsWith("8") ? 512 : 1 << 15;
  for (const [turn, [name, kind]] of kinds.entries()) {
    for (const [n, width] of [least - 1, least, least + 1, least + 2, least + 3].entries()) {
      // One long row of int16 just below the width, and one of uint16 above. Of short rows a fifth.
      if (!isLong && (least > 1000 ? n !== Number(dtype === "uint16") || turn !== 4 * n : (turn + n + Number(dtype === "int8")) % 5 !== 0))
        continue;
      const x = rowsOf(dtype, [least > 1000 ? 1 : 3, width], kind, kinds[0]![1]);
      for (const descending of isLong ? [false, true] : [(turn + n) % 2 === 0]) {
        // The evaluator takes long for long rows, which have an array's own order.
        if (least < 1000)
          expect([name, width, descending, difference(x.sort(-1, { descending }))]).toEqual([name, width, descending, null]);
        else {
          const [out, wanted] = [arenaMap(dtype, x.dimensions) as Any, x.data.slice().sort()];
          out.assign(x.sort(-1, { descending }));
          if (descending) wanted.reverse();
          expect([name, width, descending, Buffer.compare(bytesOf(out.data), bytesOf(wanted))]).toEqual([name, width, descending, 0]);
        }
      }
      // More elements than selecting is good for; the sort stores the first of them.
      if (least < 1000 || isLong) expect([name, width, difference(x.topK(width - 1).values)]).toEqual([name, width, null]);
      const sorted = arenaMap(dtype, x.dimensions) as Any;
      sorted.assign(x.sort());
      x.assign(x.sort());
      expect([name, width, Buffer.compare(bytesOf(x.data), bytesOf(sorted.data))]).toEqual([name, width, 0]);
    }
  }
});

/** Rows of a map: those from the row `special` on, every one of `every`, have elements of other kinds, of one kind each. */
function mixedRows(dtype: RawDType, dims: readonly [number, number], dice: Dice, special: number, every: number): Any {
  const [random, ...others] = Object.values(kindsOf(dtype, dice)) as [Kind, ...Kind[]];
  const width = dims[1];
  const x = rowsOf(dtype, dims, random, random);
  for (let row = special; row < dims[0]; row += every) {
    const kind = others[row % others.length]!;
    x.chip(row).copyFrom(Array.from(rowsOf(dtype, [1, width], kind, random).data));
  }
  return x;
}

/**
 * Numbers of rows, the first with other elements, and the distance to the next one. Row k is of kind k modulo 10: 9 has zeros of both signs,
 * 7 NaN, too.
 */
const kMixtures = [
  [259, 0, 1],
  [263, 9, 40],
  [257, 7, 40],
  [255, 0, 3],
  [256, 255, 1],
  [300, 300, 1],
] as const;

// 256 rows of up to 64 elements, for places 28, are sorted by networks, which stop at zeros with a sign and NaN.
test.each(realDTypes)("rows of %s on both sides of the sizes that networks sort", (dtype) => {
  const dice = new Dice(dtype.length * 47 + 3);
  const turn = realDTypes.indexOf(dtype);
  const widths = isLong
    ? Array.from({ length: 65 }, (_, k) => k + 1)
    : [turn % 2 === 0 ? 2 + turn / 2 : 9 + turn, ...(turn % 3 === 0 ? [[28, 64, 29, 65][turn % 4] as number] : [])];
  for (const [n, width] of widths.entries()) {
    // Only floats have elements at which networks stop.
    const [rows, special, every] = kMixtures[(n + turn) % (dtype.includes("float") ? 3 : kMixtures.length)]!;
    const x = mixedRows(dtype, [rows, width], dice, special, every);
    const places = [...new Set([0, width >> 2, width >> 1, width - 1])];
    expect([width, rows, special, difference(nthElements(x, places))]).toEqual([width, rows, special, null]);
    const { values, indices } = x.topK(1 + ((7 * n + turn) % width));
    expect([width, rows, special, difference(values)]).toEqual([width, rows, special, null]);
    expect([width, rows, special, difference(indices)]).toEqual([width, rows, special, null]);
    for (const descending of isLong ? [false, true] : [(n + turn) % 2 === 0]) {
      const about = [width, rows, special, descending];
      const there = arenaMap(dtype, x.dimensions) as Any;
      const found = arenaMap("int32", x.dimensions) as Any;
      found.data.fill(-1);
      expect([...about, difference(x.argsort(-1, { descending }), found)]).toEqual([...about, null]);
      expect([...about, difference(x.sort(-1, { descending }), there)]).toEqual([...about, null]);
      const sorted = elementsOf(there);
      there.assign(x);
      there.assign(there.sort(-1, { descending }));
      expect([...about, elementsOf(there).findIndex((value, k) => !Object.is(value, sorted[k]))]).toEqual([...about, -1]);
    }
  }
});

// Distances of 512 numbers have 9 bits, the numbers all 32 or 64.
test.each(["int32", "uint32", "int64", "uint64"] as const)("rows of %s on both sides of a power of two", (dtype) => {
  const dice = new Dice(dtype.length * 53);
  for (const width of [28, 29, 200, 1001]) {
    const x = arenaMap(dtype, [2, width]) as Any;
    const middle = dtype.startsWith("u") ? 1n << 31n : 0n;
    const as = (k: number): Any => (dtype.endsWith("64") ? (middle << 32n) + BigInt(k) : Number(middle) + k);
    x.copyFrom(Array.from({ length: 2 * width }, (_, k) => as(dice.below(k < width ? 512 : 2) - (k < width ? 256 : 1))));
    for (const descending of [false, true]) {
      expect([width, descending, difference(x.sort(-1, { descending }))]).toEqual([width, descending, null]);
      expect([width, descending, difference(x.argsort(-1, { descending }))]).toEqual([width, descending, null]);
    }
  }
});
