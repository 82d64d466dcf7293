// Orderings agree with the plain evaluator: sort, argsort, nthElements and topK, which are plain loops over typed arrays, and reversals.
import { expect, test } from "@jest/globals";
import { dtypeSize } from "@onebuffer/base";
import { assignByReference, unalignedTensorMap } from "@onebuffer/eigen/internal";
import { kUnowned } from "@onebuffer/storage/internal";
import { nthElements, tensorMap } from "@onebuffer/eigen";
import { isLong, sampled } from "@onebuffer/test-support";
import { arenaArray, arenaMap, Dice, elementsOf, subject } from "../kernel-subjects.ts";
import { reasons } from "./fallback-reasons.ts";
import { difference } from "./difference.ts";
import { byTurns, byHalves, byThirds } from "./turns.ts";
import { realDTypes, operand, somewhere } from "./operands.ts";

/** The trees here are built from tables of method names, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

test.each(sampled(realDTypes, 3))("sort and argsort of %s by plain loops agree bit for bit", (dtype) => {
  const dice = new Dice(dtype.length * 17);
  for (const dims of byThirds([[1], [33], [7, 19], [3, 2, 64], [2, 0], [1, 800], [2, 300], [2, 29]], realDTypes.indexOf(dtype))) {
    for (const descending of byTurns([false, true], realDTypes.indexOf(dtype) + dims.length + (dims.at(-1) as number))) {
      const few = dtype.includes("float") ? (d: Dice): number => d.pick([0, -0, 1, -1, NaN, Infinity, -Infinity, 2]) : undefined;
      for (const x of [operand(dtype, dims, dice), operand(dtype, dims, dice, few)]) {
        expect([dims, descending, difference(x.sort(-1, { descending }), somewhere(dtype, dims, dice), 0)]).toEqual([
          dims,
          descending,
          null,
        ]);
        expect([dims, descending, difference(x.argsort(-1, { descending }), somewhere("int32", dims, dice), 0)]).toEqual([
          dims,
          descending,
          null,
        ]);
      }
    }
  }
  expect(reasons).toEqual([]);
});

test.each(sampled(["uint8", "int16", "float32", "float64", "complex64"] as const, 3))(
  "large reversals of %s are copied backwards",
  (dtype) => {
    const axes = [undefined, [-1], [0], [0, 2]];
    const turn = dtype.length + dtype.charCodeAt(0);
    for (const dims of byThirds([[4100], [64, 70], [3, 20, 80], [2, 3, 5, 200], [70, 1, 80], [1100, 4]], turn)) {
      const x = arenaMap(dtype, dims) as Any;
      x.copyFrom(Array.from({ length: x.size }, (_, k) => (dtype === "complex64" ? [k, -k] : k % 120)));
      const fitting = axes.filter((each) => each === undefined || each.every((axis) => axis < dims.length));
      for (const list of byTurns(fitting, dims.length + (dims[0] as number) + dtype.length + dtype.charCodeAt(0))) {
        expect([dims, list, difference(x.reverse(list), arenaMap(dtype, dims), 0)]).toEqual([dims, list, null]);
        expect([dims, list, difference(x.reverse(list), (arenaMap(dtype, [...dims, 2]) as Any).chip(1, -1), 0)]).toEqual([
          dims,
          list,
          null,
        ]);
      }
      const wanted = arenaMap(dtype, dims) as Any;
      assignByReference(wanted, x.reverse());
      x.assign(x.reverse());
      const elements = elementsOf(wanted);
      expect(elementsOf(x).findIndex((value, k) => String(value) !== String(elements[k]))).toBe(-1);
    }
  },
);

test.each(sampled(["float32", "int32", "uint32", "float64", "int64", "uint64"] as const, 3))(
  "long rows of %s are sorted by digits",
  (dtype) => {
    const dice = new Dice(dtype.length);
    const big = dtype.endsWith("int64");
    // Elements that differ in all bits, and ones that differ in their last bits only, which insertion gives up on.
    const near = (d: Dice): number | bigint =>
      big ? 2n ** 50n + BigInt(d.below(4000)) * 65_537n : dtype === "float64" ? 1 + d.unit() * 1e-9 : d.below(4000);
    for (const x of [
      subject(dtype, isLong ? [2, 5_000] : [1, 3_000], "dense", dice),
      subject(dtype, isLong ? [2, 3_000] : [2, 1_500], "dense", dice, near as never),
    ] as Any[]) {
      for (const descending of byTurns([false, true], dtype.length + x.dimensions[0])) {
        expect(difference(x.sort(-1, { descending }), arenaMap(dtype, x.dimensions), 0)).toBeNull();
        expect(difference(x.argsort(-1, { descending }), arenaMap("int32", x.dimensions), 0)).toBeNull();
      }
    }
    expect(difference((subject(dtype, [9, 70], "dense", dice) as Any).sort(0), arenaMap(dtype, [9, 70]), 0)).toBeNull();
  },
);

test.each(["float32", "float64"] as const)("rows of %s around the widths at which digits become longer or more", (dtype) => {
  const dice = new Dice(dtype.length * 7);
  const few = (d: Dice): number => d.pick([0, -0, 1, -1, NaN, 2, d.unit()]);
  for (const width of [28, 29, 30, 31, 256, 257, 1024, 1025, 4096, 4097, 16384, 16385]) {
    for (const [turn, element] of [(d: Dice): number => d.unit() * 2 - 1, few].entries()) {
      // Long rows are met by one kind of elements per dtype, and both widths of a pair by different kinds.
      if (!isLong && width > 4000 && (turn + width + (dtype === "float64" ? 1 : 0)) % 2 > 0) continue;
      // The longest rows are on one side of their width for each dtype.
      if (!isLong && width > 16_000 && (width % 2 === 0) !== (dtype === "float64")) continue;
      const x = subject(dtype, [width], "dense", dice, element) as Any;
      for (const descending of byTurns([false, true], turn + width + dtype.length / 7)) {
        // Of long rows one or the other, by turns.
        const takes = (own: number): boolean => isLong || width < 4000 || ((width >> 12) + width) % 2 === own;
        if (takes(0)) expect([width, difference(x.sort(-1, { descending }), arenaMap(dtype, [width]), 0)]).toEqual([width, null]);
        if (takes(1)) expect([width, difference(x.argsort(-1, { descending }), arenaMap("int32", [width]), 0)]).toEqual([width, null]);
      }
    }
  }
});

test.each(sampled(realDTypes.toReversed(), 4))("nthElements of %s agrees bit for bit", (dtype) => {
  const dice = new Dice(dtype.length * 29);
  const few = dtype.includes("float") ? (d: Dice): number => d.pick([0, -0, 1, -1, NaN, Infinity, -Infinity, 2]) : undefined;
  for (const [dims, places] of [
    [[1], [0]],
    [
      [2, 33],
      [0, 5, 6, 32],
    ],
    [[3, 2, 64], [63]],
    // More short rows than are sorted in one call.
    [
      [300, 33],
      [0, 16],
    ],
    isLong ? [[5000], [0, 2499, 2500, 4999]] : [[1500], [0, 749, 750, 1499]],
    [[2, 3], []],
  ] as [number[], number[]][]) {
    for (const x of [operand(dtype, dims, dice), operand(dtype, dims, dice, few)]) {
      const expr = nthElements(x, places) as Any;
      expect([dims, places, difference(expr, somewhere(dtype, expr.dimensions, dice), 0)]).toEqual([dims, places, null]);
    }
  }
  expect(reasons).toEqual([]);
});

test.each(["float64", "int64", "float32", "int16"] as const)("nthElements of %s goes to any address", (dtype) => {
  const x = operand(dtype, [300, 33], new Dice(5));
  const bytes = arenaArray("uint8", 300 * 2 * 8 + 1) as Uint8Array<ArrayBuffer>;
  const out = unalignedTensorMap(dtype, bytes.buffer, bytes.byteOffset + 1, kUnowned, [300, 2]);
  expect(difference(nthElements(x, [0, 16]), out, 0)).toBeNull();
});

test.each(sampled(realDTypes, 4))("topK of %s agrees bit for bit", (dtype) => {
  const dice = new Dice(dtype.length * 19);
  const isFloating = dtype.includes("float");
  const asElement = (value: number): number | bigint => (dtype.endsWith("int64") ? BigInt(value) : value);
  // Random elements; few different ones; ascending ones, each better than all before it; almost only NaN.
  const kinds: ((d: Dice, k: number) => number | bigint)[] = [
    (d) => (isFloating ? d.unit() - 0.5 : asElement(d.below(120))),
    (d) => (isFloating ? d.pick([0, -0, 1, 1, NaN, -Infinity]) : asElement(d.below(3))),
    (_, k) => asElement(Math.min(k >> 5, 127)),
    (d) => (isFloating ? (d.below(700) === 0 ? 1 : NaN) : asElement(d.below(2))),
  ];
  for (const [dims, k] of [
    [[2, 3109], 7],
    [[4000], 1],
    [[3, 40], 5],
    [[2, 3], 0],
    [[2, 3], 3],
  ] as [number[], number][]) {
    // Long rows are met by one kind of elements per dtype.
    for (const kind of (dims.at(-1) as number) > 1000 ? byTurns(kinds, realDTypes.indexOf(dtype) + dims.length) : byHalves(kinds, k)) {
      let next = 0;
      const x = operand(dtype, dims, dice, (d) => kind(d, next++) as number);
      const { values, indices } = x.topK(k);
      expect([dims, k, difference(values, somewhere(dtype, values.dimensions, dice), 0)]).toEqual([dims, k, null]);
      expect([dims, k, difference(indices.add(0), somewhere("int32", values.dimensions, dice), 0)]).toEqual([dims, k, null]);
    }
  }
  expect(reasons).toEqual([]);
});

test.each(sampled(["float64", "int64", "int32", "float32", "int16"] as const, 3))(
  "topK of unaligned %s agrees, also into unaligned maps",
  (dtype) => {
    const dice = new Dice(dtype.length * 3);
    const size = dtypeSize(dtype);
    // One byte past an aligned address: no typed array of the dtype can show these elements.
    const unaligned = (dims: readonly number[]): Any => {
      const bytes = arenaArray("uint8", size * dims.reduce((a, b) => a * b) + 1);
      return unalignedTensorMap(dtype, bytes.buffer, bytes.byteOffset + 1, kUnowned, dims);
    };
    const x = unaligned([3, 700]);
    x.assign(operand(dtype, [3, 700], dice, (d) => (dtype === "int64" ? BigInt(d.below(5000)) : d.below(5000)) as number));
    const { values, indices } = x.topK(4);
    expect(difference(values, unaligned([3, 4]), 0)).toBe(null);
    expect(difference(values, arenaMap(dtype, [3, 4]), 0)).toBe(null);
    expect(difference(indices, arenaMap("int32", [3, 4]), 0)).toBe(null);
    expect(reasons).toEqual([]);
  },
);

test("plain loops may store over their own operand", () => {
  const x = arenaMap("float32", [2, 3]) as Any;
  x.copyFrom([3, 1, 2, 6, 5, 4]);
  x.assign(x.sort());
  expect(x.toArray()).toEqual([
    [1, 2, 3],
    [4, 5, 6],
  ]);
  x.assign(x.cumsum(0).gather(tensorMap("int32", Int32Array.of(1, 0), [2]), 0));
  expect(x.toArray()).toEqual([
    [5, 7, 9],
    [1, 2, 3],
  ]);
});
