// Operations that need their operands as a whole agree with the plain evaluator: products of matrices, which are kernels, and
// scans, orderings, gather and scatter, which are plain loops over typed arrays.
import { expect, test } from "@jest/globals";
import { arraySlots, dtypeSize } from "@onebuffer/base";
import type { RawDType } from "@onebuffer/base";
import { assignByReference, unalignedTensorMap } from "@onebuffer/eigen/internal";
import { explain } from "@onebuffer/compiler/internal";
import { markedCumsum, scaledCumsum } from "@onebuffer/expression/internal";
import { kUnowned } from "@onebuffer/storage/internal";
import {
  bincount,
  nthElements,
  opTable,
  statelessNormal,
  statelessUniform,
  tensorMap,
  unsortedSegmentMax,
  unsortedSegmentMin,
  unsortedSegmentProd,
  unsortedSegmentSum,
} from "@onebuffer/eigen";
import { isLong, sampled } from "@onebuffer/test-support";
import { kernelCounts, setKernelHooks } from "@onebuffer/kernels/internal";
import { arenaArray, arenaMap, Dice, elementsOf, layouts, subject } from "./kernel-subjects.ts";
import { wrapping } from "../wrapping.ts";

/** The trees here are built from tables of method names, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

const reasons: string[] = [];
setKernelHooks({ onFallback: (reason) => reasons.push(reason) });

/** Computes an expression both ways. Returns the first difference, or null if there is none. */
function difference(expr: Any, out: Any, tolerance: number): string | null {
  const wanted = arenaMap(expr.dtype, expr.dimensions) as Any;
  assignByReference(wanted, expr);
  out.assign(expr);
  const [a, b] = [elementsOf(out), elementsOf(wanted)];
  const near = (x: unknown, y: unknown): boolean =>
    Object.is(x, y) ||
    (Array.isArray(x) && Object.is(x[0], (y as number[])[0]) && Object.is(x[1], (y as number[])[1])) ||
    (tolerance > 0 && typeof x === "number" && Math.abs(x - (y as number)) <= tolerance * Math.abs(y as number));
  const at = a.findIndex((value, k) => !near(value, b[k]));
  return at < 0 ? null : `element ${at} is ${a[at]}, not ${b[at]}`;
}

const realDTypes = opTable.minimum.dtypes as readonly RawDType[];
const tolerances: Record<string, number> = { float32: 1e-6, float64: 1e-14, float16: 1e-3, bfloat16: 1e-2 };

/** Returns a generator of floats of one sign, for which a relative error is meaningful. */
const moderate = (dtype: string): ((dice: Dice) => number) | undefined =>
  dtype.includes("float") ? (dice) => Math.fround(0.5 + dice.unit()) : undefined;

/** Returns one entry of a list, the one whose turn it is; the whole list in `npm run long`. */
const byTurns = <T>(list: readonly T[], turn: number): readonly T[] => (isLong ? list : [list[turn % list.length] as T]);

/** Returns every second entry of a list, by turns the even or the odd ones; the whole list in `npm run long`. */
const byHalves = <T>(list: readonly T[], turn: number): readonly T[] => list.filter((_, k) => isLong || (k + turn) % 2 === 0);

/** Returns every third entry of a list, by turns others; the whole list in `npm run long`. */
const byThirds = <T>(list: readonly T[], turn: number): readonly T[] => list.filter((_, k) => isLong || (k + turn) % 3 === 0);

/** Sizes of several tiles of a kernel and an edge. They are small because the plain evaluator is slow, most of all for bigints. */
const tiled = (dtype: string): number[] => (isLong ? [33, 64, 70] : dtype.endsWith("int64") ? [9, 20, 35] : [9, 64, 70]);

test.each(sampled(realDTypes.toReversed(), 3))("matMul of %s agrees, transposed or not, in any layout", (dtype) => {
  const dice = new Dice(dtype.length * 31 + 7);
  const sizes = [
    [[], [], 7, 9, 5],
    [[], [], ...tiled(dtype)],
    [[], [], 1, 40, 19],
    [[], [], 21, 17, 1],
    [[3], [], 5, 18, 20],
    [[2, 1], [3], 4, 5, 6],
    [[], [], 4, 0, 3],
    [[0], [], 4, 2, 3],
  ] as [number[], number[], number, number, number][];
  for (const [turn, [batchA, batchB, m, k, n]] of byThirds([...sizes.entries()], realDTypes.indexOf(dtype))) {
    const transpositions = [
      [false, false],
      [true, false],
      [false, true],
      [true, true],
    ];
    for (const [transposeA, transposeB] of byTurns(transpositions, turn + realDTypes.indexOf(dtype))) {
      const a = subject(dtype, [...batchA, ...(transposeA ? [k, m] : [m, k])], dice.pick(layouts), dice, moderate(dtype)) as Any;
      const b = subject(dtype, [...batchB, ...(transposeB ? [n, k] : [k, n])], dice.pick(layouts), dice, moderate(dtype)) as Any;
      const expr = a.matMul(b, { transposeA, transposeB });
      const out = subject(dtype, expr.dimensions, dice.pick(["dense", "strided", "transposed"]), dice) as Any;
      const { runs } = kernelCounts();
      expect([m, k, n, transposeA, transposeB, difference(expr, out, tolerances[dtype] ?? 0)]).toEqual([
        ...[m, k, n, transposeA, transposeB],
        null,
      ]);
      expect(kernelCounts().runs > runs).toBe(expr.size > 0);
    }
  }
  expect(reasons).toEqual([]);
});

test("a product is computed in blocks, a thin one by columns or by rows", () => {
  const [a, b] = [arenaMap("float32", [40, 60]), arenaMap("float32", [60, 50])] as Any[];
  const by = (expr: Any): string[] => explain(expr).steps.map((step) => step.by);
  expect(by(a.matMul(b))).toEqual(["contraction"]);
  expect(by(a.matMul(arenaMap("float32", [50, 60]), { transposeB: true }))).toEqual(["contraction"]);
  // A transposed map is read where it is, a computed operand is stored first.
  expect(by(a.matMul(arenaMap("float32", [50, 60]).transpose()))).toEqual(["contraction"]);
  expect(by(a.exp().matMul(b).relu())).toEqual(["map", "contraction", "map"]);
  const [sum] = explain(a.matMul(b)).steps;
  expect([sum?.loops, sum?.flops, sum?.bytes]).toEqual([[40, 50, 60], 240_000, 4 * (2400 + 3000 + 2000)]);
  // Two rows, then two columns: b is transposed first for many rows.
  expect(by(arenaMap("float32", [2, 64]).matMul(arenaMap("float32", [64, 48]) as Any))).toEqual(["columns"]);
  expect(by(arenaMap("float32", [40, 64]).matMul(arenaMap("float32", [64, 2]) as Any))).toEqual(["map", "rows"]);
});

test("stores a product in its own operand", () => {
  const x = arenaMap("float32", [2, 2]) as Any;
  x.copyFrom([1, 2, 3, 4]);
  x.assign(x.matMul(x));
  expect(x.toArray()).toEqual([
    [7, 10],
    [15, 22],
  ]);
});

/** Returns a map of these sizes inside the linear memory or outside, in any layout. */
function operand(dtype: RawDType, dims: readonly number[], dice: Dice, element?: (dice: Dice) => number | bigint | boolean): Any {
  const map = subject(dtype, dims, dice.pick(layouts), dice, element) as Any;
  if (dice.below(3) > 0) return map;
  const outside = (tensorMap as Any)(dtype, new map.array.constructor(map.size * arraySlots(dtype)), dims);
  outside.copyFrom(map);
  return outside;
}

/** Returns a target in the linear memory, of any layout. */
const somewhere = (dtype: RawDType, dims: readonly number[], dice: Dice): Any =>
  dice.below(2) === 0 ? arenaMap(dtype, dims) : subject(dtype, dims, dice.pick(["strided", "transposed", "reversed"]), dice);

const scans = (["cumsum", "cumprod", "cummax", "cummin"] as const).flatMap((op) => realDTypes.map((dtype) => [op, dtype] as const));

test.each(sampled(scans, 6).map((each, turn) => [...each, turn] as const))("%s of %s agrees bit for bit", (op, dtype, turn) => {
  const dice = new Dice(op.length * 131 + dtype.length);
  // The last sizes are those of several vectors and an edge, and, of 32 and 64 bits, of rows that are divided.
  const wide = dtype === "float32" || dtype === "int64" ? [[2, 1047]] : [];
  for (const dims of byThirds([[41], [7, 19], [3, 5, 11], [2, 1, 6], [4, 0, 3], [2, 2, 71], ...wide], turn)) {
    // The last axis is the one that is divided.
    const axes = dims.at(-1) === 1047 ? [1] : byTurns([...dims.keys()], realDTypes.indexOf(dtype) + op.length);
    for (const axis of axes) {
      const options = { exclusive: dice.below(2) === 0, reverse: dice.below(2) === 0, ...wrapping(op) };
      const expr = operand(dtype, dims, dice)[op](axis, options);
      expect([dims, axis, options, difference(expr, somewhere(dtype, dims, dice), 0)]).toEqual([dims, axis, options, null]);
      // As a stage of a computed operand; float16 is stored as float32.
      const fused = operand(dtype, dims, dice)
        .neg()
        [op](axis, options)
        .add(operand(dtype, dims, dice));
      expect([dims, axis, difference(fused, somewhere(dtype, dims, dice), 0)]).toEqual([dims, axis, null]);
    }
  }
  expect(reasons).toEqual([]);
});

/** Scans of three operands, by dtype. */
const threefold = (["float32", "float64", "float16", "bfloat16", "complex64", "complex128"] as const).flatMap((dtype) =>
  dtype.startsWith("complex") ? [[dtype, scaledCumsum] as const] : [scaledCumsum, markedCumsum].map((scan) => [dtype, scan] as const),
);

test.each(sampled(threefold, 5))("a scan of three operands of %s agrees bit for bit: %p", (dtype, scan) => {
  const dice = new Dice(dtype.length * 31);
  const few = (d: Dice): number => d.pick([0, -0, 1, -1, NaN, Infinity, 0.5, 2]);
  const element = dtype.startsWith("complex") ? undefined : few;
  for (const dims of byHalves(
    [[41], [7, 19], [3, 5, 11], [4, 0, 3], [2, 2, 71], [2, 1047]],
    dtype.length + (scan === scaledCumsum ? 0 : 1),
  )) {
    const axis = dice.below(dims.length);
    const options = { exclusive: dice.below(2) === 0, reverse: dice.below(2) === 0 };
    const of = (x: Any, second: Any, third: Any): Any => scan(x, second, third, axis, options);
    const expr = of(operand(dtype, dims, dice), operand(dtype, dims, dice, element), operand(dtype, dims, dice, element));
    expect([dims, axis, options, difference(expr, somewhere(dtype, dims, dice), 0)]).toEqual([dims, axis, options, null]);
    // Stages of computed operands, one of them at the places of the result, and one node twice.
    const computed = operand(dtype, dims, dice, element).neg();
    const fused = of(computed, operand(dtype, dims, dice, element).neg(), computed).add(of(computed, computed, operand(dtype, dims, dice)));
    expect([dims, axis, difference(fused, somewhere(dtype, dims, dice), 0)]).toEqual([dims, axis, null]);
  }
  expect(reasons).toEqual([]);
});

test.each(["float16", "bfloat16", "float32"] as const)(
  "scaledCumsum of one computed operand of %s agrees from a kept plan, too",
  (dtype) => {
    const dims = [300];
    const dice = new Dice(31);
    const [x, factors] = [arenaMap(dtype, dims), arenaMap(dtype, dims)] as Any[];
    for (const map of [x, factors]) map.copyFrom(Array.from({ length: 300 }, () => dice.pick([0.5, 1, -1, 2, 0.25])));
    for (const expr of [
      scaledCumsum(x.mod(4), factors, x, 0, {}),
      scaledCumsum(x, factors.mod(4), x, 0, {}),
      markedCumsum(x, x, factors.mod(4), 0, {}),
    ] as Any[]) {
      const [wanted, out] = [arenaMap(dtype, [2, ...dims]), arenaMap(dtype, [2, ...dims])] as Any[];
      assignByReference(wanted, expr);
      for (let time = 0; time < 3; time++) {
        out.assign(7);
        out.assign(expr);
        expect([time, ...out]).toEqual([time, ...wanted]);
      }
    }
  },
);

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

test.each(["int32", "int64"] as const)("rows of segments and counts agree, with %s indices that are dropped", (dtype) => {
  const dice = new Dice(dtype.length * 31);
  const big = dtype === "int64";
  const ids = (count: number, low: number, high: number): Any =>
    operand(dtype, [count], dice, (d) => (big ? BigInt(low + d.below(high - low)) : low + d.below(high - low)));
  const makers = [unsortedSegmentSum, unsortedSegmentProd, unsortedSegmentMax, unsortedSegmentMin] as Any[];
  for (const [turn, held] of (["float32", "int8", "int64", "float64", "uint16"] as const).entries()) {
    if (!isLong && (turn + (big ? 1 : 0)) % 3 > 0) continue;
    for (const [k, make] of makers.entries()) {
      for (const dims of byTurns([[40], [9, 3], [12, 19], [7, 2, 8]], turn + k + (big ? 2 : 0))) {
        const expr = make(operand(held, dims, dice), ids(dims[0] as number, -3, 5), 5);
        expect([make.name, held, dims, difference(expr, somewhere(held, expr.dimensions, dice), 0)]).toEqual([make.name, held, dims, null]);
      }
    }
  }
  const far = operand(dtype, [6], dice, (d) => (big ? d.pick([2n ** 32n, 2n ** 40n + 1n, 1n]) : d.pick([2 ** 31 - 1, 70, 1])));
  for (const [x, length] of [
    [ids(1000, 0, 40), 30],
    [ids(3, 0, 40), 50],
    [ids(999, 0, 3), 0],
    [ids(1003, 0, 20_000), 20_000],
    [far, 2],
  ] as [Any, number][]) {
    expect([length, difference(bincount(x, length), somewhere("int32", [length], dice), 0)]).toEqual([length, null]);
  }
  expect(reasons).toEqual([]);
  const out = arenaMap("int32", [4]) as Any;
  expect(() => out.assign(bincount(ids(9, -1, 0), 4))).toThrow("indices[0] = -1 is not in [0, 4)");
  expect(() => arenaMap("float32", [2]).assign(unsortedSegmentSum(arenaMap("float32", [3]), ids(3, 2, 3), 2) as Any)).toThrow(
    "indices[0] = 2 is not in [0, 2)",
  );
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

const moved = opTable.gather.dtypes.filter((dtype) => !dtype.startsWith("q")) as readonly RawDType[];

test.each(sampled(moved, 5))("gather and scatter of %s agree bit for bit", (dtype) => {
  const dice = new Dice(dtype.length * 23 + 1);
  const narrow = /^u?int[24]$|float[48]|complex/.test(dtype);
  const map = (dims: readonly number[]): Any => {
    if (!narrow) return operand(dtype, dims, dice);
    const result = arenaMap(dtype, dims) as Any;
    result.copyFrom(Array.from({ length: result.size }, () => (dtype.startsWith("complex") ? [dice.below(9), 2] : dice.below(2))));
    return result;
  };
  const indexType = (): "int32" | "int64" => dice.pick(["int32", "int64"]);
  const subjects = [
    [[6], 0],
    [[5, 7], 0],
    [[5, 7], 1],
    [[3, 4, 70], 1],
    [[2, 3, 4], 2],
    [[5, 64], 0],
  ] as [number[], number][];
  for (const [turn, [dims, axis]] of byThirds([...subjects.entries()], moved.indexOf(dtype))) {
    const size = dims[axis] as number;
    const picks = (index: "int32" | "int64", at: readonly number[]): Any =>
      operand(index, at, dice, (d) => (index === "int64" ? BigInt(d.below(size)) : d.below(size)));
    for (const at of byTurns([[9], [], [2, 3]], turn + moved.indexOf(dtype))) {
      const expr = map(dims).gather(picks(indexType(), at), axis);
      const out = narrow ? arenaMap(dtype, expr.dimensions) : somewhere(dtype, expr.dimensions, dice);
      expect([dims, axis, at, difference(expr, out, 0)]).toEqual([dims, axis, at, null]);
    }
    const reductions = opTable.minimum.dtypes.includes(dtype)
      ? ["update", "add", "mul", "min", "max"]
      : dtype.startsWith("complex")
        ? ["update", "add"]
        : ["update"];
    for (const reduction of byTurns(reductions, turn + moved.indexOf(dtype))) {
      const expr = map(dims).scatter(picks(indexType(), [4]), map(dims.with(axis, 4)), axis, { reduction });
      const out = narrow ? arenaMap(dtype, dims) : somewhere(dtype, dims, dice);
      expect([dims, axis, reduction, difference(expr, out, 0)]).toEqual([dims, axis, reduction, null]);
    }
  }
  expect(reasons).toEqual([]);
});

test.each(["float16", "bfloat16"] as const)("computed rows of %s are rounded only when they are stored", (dtype) => {
  const dice = new Dice(8);
  const x = operand(dtype, [6, 5], dice, moderate(dtype));
  const at = tensorMap("int32", Int32Array.of(3, 0, 3), [3]) as Any;
  const third = x.mul(1 / 3);
  for (const expr of [third.gather(at, 0), third.scatter(at, x.gather(at, 0).mul(0.7), 0), third.sort(), third.cumsum(1)])
    expect(difference(expr.mul(3).sub(x.gather(at, 0).sum()), arenaMap(dtype, expr.dimensions), 0)).toBe(null);
});

test("a scan of NaN, infinities and zeros of both signs agrees", () => {
  const dice = new Dice(5);
  for (const dtype of ["float32", "float64"] as const) {
    for (const op of ["cumsum", "cumprod"] as const) {
      for (const axis of [0, 1]) {
        const x = operand(dtype, [9, 21], dice, (d) => d.pick([-0, 0, -0, 1e30, 1e-30, d.below(40) === 0 ? NaN : -0, Infinity]));
        expect([dtype, op, axis, difference(x[op](axis), somewhere(dtype, [9, 21], dice), 0)]).toEqual([dtype, op, axis, null]);
      }
    }
  }
});

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

test("an index outside the axis throws the evaluator's error", () => {
  const table = arenaMap("float32", [4, 100]) as Any;
  const out = arenaMap("float32", [2, 100]) as Any;
  const at = tensorMap("int64", BigInt64Array.of(1n, 4n), [2]) as Any;
  expect(() => out.assign(table.gather(at, 0))).toThrow("gather: indices[1] = 4 is not in [0, 4)");
  expect(() => table.assign(table.scatter(at, out, 0))).toThrow("scatter: indices[1] = 4 is not in [0, 4)");
  out.fill(7);
  for (const [index, row] of [
    [at, 4],
    [tensorMap("int32", Int32Array.of(1, -1), [2]), -1],
    [tensorMap("int32", Int32Array.of(3, 4), [2]), 4],
  ] as Any) {
    expect(() => out.assign(table.gather(index, 0))).toThrow(`gather: indices[1] = ${row} is not in [0, 4)`);
    // Of a scatter, not even the first update is stored.
    const other = arenaMap("float32", [4, 100]) as Any;
    other.fill(0);
    expect(() => other.assign(table.add(1).scatter(index, out, 0))).toThrow(`scatter: indices[1] = ${row} is not in [0, 4)`);
    expect([...other].every((value) => value === 0)).toBe(true);
  }
  expect([...out].every((value) => value === 7)).toBe(true);
});

test("few rows of a large table outside the linear memory are read where they are", () => {
  const dice = new Dice(12);
  for (const dtype of ["float32", "float64", "int16", "uint8"] as const) {
    for (const [dims, axis] of [
      [[600, 61], 0],
      [[9, 700, 3], 1],
      [[60_000], 0],
    ] as [number[], number][]) {
      // Each dtype meets one of the tables, and all of them in `npm run long`.
      if (!isLong && dims.length !== { float32: 2, float64: 3, int16: 1, uint8: 2 }[dtype]) continue;
      const dense = subject(dtype, dims, "dense", dice) as Any;
      const table = (tensorMap as Any)(dtype, new dense.array.constructor(dense.size), dims);
      table.copyFrom(dense);
      const at = tensorMap("int64", BigInt64Array.of(5n, 599n, 5n), [3]);
      const expr = table.gather(at, axis);
      expect([dtype, dims, difference(expr, arenaMap(dtype, expr.dimensions), 0)]).toEqual([dtype, dims, null]);
    }
  }
});

const seeds: [bigint, bigint][] = [[1n, 2n], [-1n, 2n ** 40n], ...(isLong ? [[77n, -5n] as [bigint, bigint]] : [])];

test.each(sampled(["float32", "float64", "float16", "bfloat16"] as const, 2))(
  "random %s by kernels agree: uniform bit for bit, normal within 4 ulp",
  (dtype) => {
    const dice = new Dice(3);
    for (const [turn, seed] of byTurns([...seeds.entries()], dtype.length + (dtype.endsWith("32") ? 1 : 0))) {
      for (const dims of byThirds([[1], [2], [7], [5, 33], [3, 0], [1031]], turn + dtype.length + dtype.charCodeAt(0))) {
        const { runs } = kernelCounts();
        const expr = statelessUniform(dtype, dims, seed) as Any;
        expect([dims, difference(expr, somewhere(dtype, dims, dice), 0)]).toEqual([dims, null]);
        expect([dims, difference(expr.mul(3).sub(1), somewhere(dtype, dims, dice), 0)]).toEqual([dims, null]);
        expect(kernelCounts().runs > runs).toBe(!dims.includes(0));
        const epsilon = { float32: 2 ** -23, float64: 2 ** -52, float16: 2 ** -10, bfloat16: 2 ** -7 }[dtype];
        const normal = statelessNormal(dtype, dims, seed) as Any;
        expect([dims, difference(normal, somewhere(dtype, dims, dice), 4 * epsilon)]).toEqual([dims, null]);
        // Inside an expression, float16 and bfloat16 are float32.
        expect([dims, difference(normal.mul(1000).exp().isFinite(), arenaMap("bool", dims), 0)]).toEqual([dims, null]);
        expect([dims, difference(normal.mul(64), somewhere(dtype, dims, dice), 4 * epsilon)]).toEqual([dims, null]);
      }
    }
    expect(reasons).toEqual([]);
  },
);

test.each(sampled(["int32", "uint32", "int64", "uint64"] as const, 2))("random %s by kernels, bit for bit", (dtype) => {
  const dice = new Dice(4);
  const big = dtype.endsWith("64");
  const bounds: [number, number][] = dtype.startsWith("u")
    ? [
        [0, 10],
        [5, 4000000],
      ]
    : [
        [-5, 10],
        [-1000, 2 ** 30],
      ];
  for (const [turn, seed] of seeds.entries()) {
    for (const dims of byHalves([[1], [6], [5, 33], [1031]], turn + dtype.length)) {
      const all = statelessUniform(dtype, dims, seed) as Any;
      expect([dims, difference(all, somewhere(dtype, dims, dice), 0)]).toEqual([dims, null]);
      for (const [low, high] of bounds) {
        const [from, to] = big ? [BigInt(low), BigInt(high)] : [low, high];
        const expr = statelessUniform(dtype, dims, seed, { minval: from as never, maxval: to as never }) as Any;
        expect([dims, low, difference(expr, somewhere(dtype, dims, dice), 0)]).toEqual([dims, low, null]);
      }
    }
  }
  expect(reasons).toEqual([]);
});

test("several pieces are one stream, even if the counter wraps around", () => {
  const n = 300_001;
  const expr = statelessUniform("float32", [n], [1n, 2n]) as Any;
  const whole = arenaMap("float32", [n]) as Any;
  whole.assign(expr);
  const part = arenaMap("float32", [100]) as Any;
  assignByReference(part, expr.slice([200_000, 200_100]));
  expect([...part]).toEqual([...whole].slice(200_000, 200_100));
  const { attributes } = expr;
  for (const third of [5, 2 ** 32 - 1]) {
    const changed = { value: { ...attributes, counter: [2 ** 32 - 3, 2 ** 32 - 1, third, 6] } };
    // Kernels and the evaluator read the attributes as they are stored.
    const late = Object.create(expr, { attributes: changed, rawAttributes: changed }) as Any;
    const [out, wanted] = [arenaMap("float32", [400]) as Any, arenaMap("float32", [40]) as Any];
    out.assign(late.slice([0, 400]));
    assignByReference(wanted, late.slice([0, 40]));
    expect([...out].slice(0, 40)).toEqual([...wanted]);
  }
  expect(explain(expr).steps.map(({ by }) => by)).toEqual(["philox"]);
  expect(explain(expr).toString({ listing: true })).toContain("i64x2.extmul_low_i32x4_u");
});

test("rows along any axis of a computed operand are gathered by loops if the result is not much smaller", () => {
  const x = subject("float32", [40, 30, 20], "dense", new Dice(3)) as Any;
  const indices = tensorMap(
    "int32",
    Int32Array.from({ length: 25 }, (_, k) => k),
    [25],
  );
  const by = (expr: Any): string[] => explain(expr).steps.map((step) => step.by);
  expect([by(x.neg().gather(indices, 1)), by(x.neg().gather(indices.slice([0, 2]), 1))]).toEqual([["map", "loops"], ["evaluator"]]);
});
