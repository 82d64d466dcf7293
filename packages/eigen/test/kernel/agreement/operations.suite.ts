// Kernels agree with the plain evaluator: every operation on every dtype that has kernels, on operands of every layout, of random
// sizes. Exact results agree bit for bit, elementary functions within the ulp that their pages state.
import { describe, expect, test } from "@jest/globals";
import type { DType, RawDType } from "@onebuffer/base";
import { kernelFallbacks } from "@onebuffer/compiler/internal";
import { constant, linspace, opNames, opTable, stack, tensorMap } from "@onebuffer/eigen";
import type { OpName } from "@onebuffer/eigen";
import { isLong, sampled } from "@onebuffer/test-support";
import { setKernelHooks } from "@onebuffer/kernels/internal";
import { readFileSync } from "node:fs";
import { anyElement, arenaArray, arenaMap, complexUlps, Dice, functionBound, layouts, subject, isWithin } from "../kernel-subjects.ts";
import type { Element, Layout } from "../kernel-subjects.ts";
import { divisions as integerDivisions } from "../../operation-records.ts";
import { wrapping } from "../../wrapping.ts";
import { difference } from "./difference.ts";

/** The trees here are built from tables of method names, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;
const fallbacks = new Map(
  kernelFallbacks().map((line) => {
    const [op, dtypes] = line.split(": ") as [OpName, string];
    return [op, new Set(dtypes.split(" "))];
  }),
);
const has = (op: OpName, dtype: DType): boolean => !fallbacks.get(op)?.has(dtype);

const compiled: string[] = [];
const reasons: string[] = [];
setKernelHooks({ onKernelCompiled: (key) => compiled.push(key), onFallback: (reason) => reasons.push(reason) });

const sizes = [1, 1, 2, 3, 5, 8, 16, 17, 19];
const someDims = (dice: Dice, rank: number): number[] => Array.from({ length: rank }, () => (dice.below(20) === 0 ? 0 : dice.pick(sizes)));

/** Returns a target of these sizes, sometimes a strided one. */
function target(dtype: RawDType, dims: readonly number[], dice: Dice): Any {
  const layout: Layout = dims.length === 0 || dice.below(3) > 0 ? "dense" : dice.pick(["strided", "transposed", "reversed"]);
  return subject(dtype, dims, layout, dice);
}

const nonZero =
  (dtype: DType) =>
  (dice: Dice): Element => {
    for (;;) {
      const value = anyElement(dtype, dice, true);
      if (value !== 0 && value !== 0n) return value;
    }
  };
const notNegative =
  (dtype: DType) =>
  (dice: Dice): Element => {
    for (;;) {
      const value = anyElement(dtype, dice, true);
      if ((value as number) >= 0) return value;
    }
  };

/** Returns the numbers of the first `count` rounds in turn, one for each case; those of all rounds in `npm run long`. */
const roundsOf = (turn: number, count: number, all: number): number[] => (isLong ? [...Array(all).keys()] : [turn % count]);

/** Returns operations with about an eighth of their dtypes, each with others; all of them in `npm run long`. */
const pairsOf = (ops: readonly OpName[]): (readonly [OpName, DType])[] =>
  ops.flatMap((op, turn) => {
    const all = opTable[op].dtypes.filter((dtype) => has(op, dtype));
    return all.filter((_, k) => isLong || (k + turn) % Math.min(8, all.length) === 0).map((dtype) => [op, dtype] as const);
  });

const elementwise = [...opNames("unary"), ...opNames("binary"), ...opNames("ternary")].filter((op) => op !== "cast");
const cases = pairsOf(elementwise);

test.each(cases.map((each, turn) => [...each, turn] as const))("%s of %s", (op, dtype, turn) => {
  const isComplex = dtype.startsWith("complex");
  const ofModulus = opTable[op].result === "real" ? complexUlps(op, dtype) : 0;
  const bound = isComplex ? { ulps: ofModulus, least: 0 } : functionBound(op, dtype);
  const isInteger = dtype.includes("int");
  const divides = integerDivisions.includes(op);
  // The power of a complex number with a large exponent has few digits.
  const first = isComplex && op === "pow" ? (dice: Dice): Element => anyElement(dtype, dice, false) : undefined;
  const exponent = (dice: Dice): Element => [dice.unit() * 4 - 2, dice.unit() - 0.5];
  const second =
    first !== undefined ? exponent : isInteger && divides ? nonZero(dtype) : isInteger && op === "pow" ? notNegative(dtype) : undefined;
  const before = compiled.length;
  // Every second case runs on a dense row, the others on matrices of any layout.
  for (const round of roundsOf(turn, 2, 30)) {
    const dice = new Dice(round * 7919 + op.length * 31 + dtype.length);
    const dims = round === 0 ? [103] : round === 1 ? [17, 19] : someDims(dice, dice.below(4));
    const lay = (): Layout => (round === 0 ? "dense" : dice.pick(layouts));
    const raw = dtype as RawDType;
    const x = subject(op === "select" ? "bool" : raw, dims, lay(), dice, first) as Any;
    const expr =
      op === "select"
        ? x.select(subject(raw, dims, lay(), dice), subject(raw, dims, lay(), dice))
        : opTable[op].class === "unary"
          ? x[op]()
          : x[op](subject(raw, dims, lay(), dice, second));
    const out = target(expr.dtype, expr.dimensions, dice);
    const near = (a: number, b: number): boolean => isWithin(bound, a, b, expr.dtype);
    expect([round, difference(expr, out, near, complexUlps(op, dtype))]).toEqual([round, null]);
  }
  // Complex operations are written as others on the parts.
  const known = isComplex || compiled.slice(before).some((key) => key.includes(`${op}:`));
  expect([known, reasons]).toEqual([true, []]);
});

const castable = opTable.cast.dtypes.filter((dtype) => has("cast", dtype));
test.each(castable)("cast of %s to every dtype, wrapping and saturating", (dtype) => {
  for (const [turn, to] of castable.entries()) {
    if (!isLong && (turn + castable.indexOf(dtype)) % 6 > 0) continue;
    for (const saturate of isLong ? [false, true] : [(turn + (castable.indexOf(dtype) >> 1)) % 2 === 0]) {
      const dice = new Dice(dtype.length * 131 + to.length);
      for (const dims of [[9, 17]]) {
        const x = subject(dtype as RawDType, dims, dice.pick(layouts), dice) as Any;
        const expr = saturate ? x.saturateCast(to) : x.cast(to);
        const out = target(to as RawDType, dims, dice);
        expect([to, saturate, dims, difference(expr, out, () => false)]).toEqual([to, saturate, dims, null]);
      }
    }
  }
});

/** Sums may differ by the rounding of their terms; all other reductions must be equal. */
const reductions = pairsOf(opNames("reduction"));
test.each(reductions.map((each, turn) => [...each, turn] as const))("%s of %s over any axes", (op, dtype, turn) => {
  const isComplex = dtype.startsWith("complex");
  const inexact = (isComplex || dtype.includes("float")) && (op === "sum" || op === "mean" || op === "prod");
  // Values of one sign and moderate size, for which a relative error is meaningful.
  const number = (dice: Dice): number => Math.fround(op === "prod" ? 0.9 + 0.2 * dice.unit() : 0.5 + dice.unit());
  const moderate = (dice: Dice): Element => (isComplex ? [number(dice), -number(dice)] : number(dice));
  for (const round of roundsOf(turn, 4, 60)) {
    const dice = new Dice(round * 104729 + op.length * 31 + dtype.length);
    const dims = round === 0 ? [200] : round === 1 ? [40, 70] : round === 2 ? [3, 300, 5] : someDims(dice, 1 + dice.below(3));
    const x = subject(dtype as RawDType, dims, dice.pick(layouts), dice, inexact ? moderate : undefined) as Any;
    const axes = dims.map((_, d) => d).filter(() => dice.below(2) === 0);
    const axis = dice.below(dims.length);
    if (dims.includes(0)) continue;
    const expr = op.startsWith("arg")
      ? x[op](axis, { outputType: dice.pick(["int32", "int64"]) })
      : x[op](axes.length === 0 ? [axis] : axes, { keepDims: dice.below(2) === 0, ...wrapping(op) });
    const out = target(expr.dtype, expr.dimensions, dice);
    const near = (a: number, b: number): boolean =>
      inexact && Math.abs(a - b) <= Math.abs(b) * (dtype === "float64" ? 1e-13 : dtype === "float32" ? 3e-7 : 2e-2);
    expect([round, dims, difference(expr, out, near, dtype === "complex64" ? 3 : 500)]).toEqual([round, dims, null]);
  }
});

describe("compositions", () => {
  const near = (a: number, b: number): boolean => Math.abs(a - b) <= 4e-6 * Math.max(1, Math.abs(b)) || a === b;
  const plain = (dice: Dice): number => Math.fround((dice.unit() - 0.5) * 6);
  const make: [name: string, (x: Any, v: Any) => Any][] = [
    ["softmax", (x) => x.softmax()],
    ["softmax across", (x) => x.softmax(0)],
    ["logSoftmax", (x) => x.logSoftmax()],
    ["layerNorm", (x, v) => x.layerNorm({ scale: v, offset: v })],
    ["logSumExp", (x) => x.logSumExp([1])],
    ["logSumExp across", (x) => x.logSumExp([0], { keepDims: true })],
    ["variance", (x) => x.variance([1])],
    ["variance of all", (x) => x.variance()],
    ["variance across", (x) => x.variance([0])],
    ["l2Normalize", (x) => x.l2Normalize([1])],
    ["norm", (x) => x.norm([1])],
    ["std", (x) => x.std(1)],
    ["std across", (x) => x.std(0)],
    ["triangles", (x) => x.tril(1).add(x.triu(-1))],
    ["a diagonal", (_, v) => v.mul(2).diag(-1).add(1)],
    [
      "the diagonals of a matrix",
      (x) =>
        x
          .mul(2)
          .diagPart()
          .add(x.diagPart(1 - x.dimensions[0]).sum()),
    ],
    ["an outer product", (x, v) => x.chip(0).outer(v.add(1))],
    ["a stack of rows", (x) => stack(x.neg().unstack().slice(0, 3), 1)],
    ["standardized", (x) => x.sub(x.mean()).div(x.variance().sqrt().add(1))],
    ["gelu", (x) => x.gelu()],
    ["silu", (x) => x.silu()],
    [
      "pad",
      (x) =>
        x.pad(
          [
            [1, 1],
            [2, 0],
          ],
          { mode: "reflect" },
        ),
    ],
    ["roll", (x) => x.roll(2, 1)],
    ["tile", (x) => x.tile([2, 3])],
    ["transposed in a chain", (x, v) => x.transpose().mul(2).transpose().add(v).exp()],
    ["a scan in the middle", (x, v) => x.mul(2).cumsum(1).add(v)],
    ["matMul in the middle", (x) => x.mul(0.125).matMul(x.mul(0.125), { transposeB: true }).add(1).relu()],
    ["an index", (x) => x.mul(2).add(1).reshape([-1]).slice([null, null, 3])],
  ];
  test.each(make.map((each, turn) => [...each, turn] as const))("%s", (_, build, turn) => {
    for (const [n, dims] of [
      [3, 4],
      [7, 100],
      [21, 131],
      [300, 3],
    ].entries()) {
      // One of the sizes by turns, dense or transposed.
      if (!isLong && (n + turn) % 4 > 0) continue;
      for (const layout of isLong ? (["dense", "transposed"] as const) : ([n < 2 === turn % 4 < 2 ? "dense" : "transposed"] as const)) {
        const dice = new Dice((dims[0] as number) * 31 + layout.length);
        const x = subject("float32", dims, layout, dice, plain) as Any;
        const v = subject("float32", [dims[1] as number], "dense", dice, plain) as Any;
        const expr = build(x, v);
        expect([dims, layout, difference(expr, arenaMap("float32", expr.dimensions), near)]).toEqual([dims, layout, null]);
      }
    }
  });
});

test.each(["float32", "float64", "float16"] as const)("softmax and similar functions of %s handle NaN and infinities", (dtype) => {
  const rows = [
    [1, Number.NaN, 3],
    [Number.POSITIVE_INFINITY, 1, 2],
    [Number.NEGATIVE_INFINITY, 1, 2],
    [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY],
    [Number.NaN, Number.NaN, Number.NaN],
    [Number.NaN, Number.POSITIVE_INFINITY, 0],
    [0, -0, 0],
  ];
  for (const columns of [3, 40]) {
    const x = arenaMap(dtype, [rows.length, columns]) as Any;
    rows.forEach((row, r) => {
      for (let c = 0; c < columns; c++) x.set(r, c, c >= columns - 3 ? row[c - columns + 3] : row[2]);
    });
    const asksForNaN = x
      .softmax()
      .isNan()
      .select(x.max([1], { keepDims: true }).isNan().select(x, 2), 3);
    for (const expr of [x.softmax(), x.logSoftmax(), x.logSumExp([1]), asksForNaN, x.max([1])]) {
      const near = (a: number, b: number): boolean => Object.is(a, b) || Math.abs(a - b) <= 1e-3;
      expect(difference(expr, arenaMap(dtype, expr.dimensions), near)).toBe(null);
    }
  }
});

test.each(sampled(["int8", "uint16", "int32", "float32", "float16", "int64", "float64", "bool"] as const, 4))(
  "a select between two bool constants with a condition over %s agrees, whatever the result is cast to",
  (dtype) => {
    const dice = new Dice(dtype.length);
    for (const to of ["int8", "int16", "int32", "float32", "float64"] as const) {
      const x = subject(dtype, [5, 21], "dense", dice) as Any;
      const other = subject(to, [5, 21], "dense", dice) as Any;
      const chosen = x.equal(subject(dtype, [5, 21], "strided", dice)).select(constant("bool", true), false);
      expect(difference(chosen, arenaMap("bool", [5, 21]), () => false)).toBe(null);
      const truth = x.notEqual(x.reverse()).select(constant("bool", false), true).cast(to);
      expect([to, difference(truth.maximum(other), arenaMap(to, [5, 21]), () => false)]).toEqual([to, null]);
    }
  },
);

test.each(["float32", "float64", "float16", "bfloat16"] as const)("linspace of %s agrees, in order and reversed", (dtype) => {
  for (const count of [1, 2, 3, 7, 100, ...(isLong ? [1001] : [])]) {
    const expr = linspace(dtype, -1.3, 2.7, count) as Any;
    expect([count, difference(expr, arenaMap(dtype, [count]), () => false)]).toEqual([count, null]);
    expect([count, difference(expr.reverse().add(expr), arenaMap(dtype, [count]), () => false)]).toEqual([count, null]);
  }
});

test("a sum of millions of times 0.1 has a relative error below 4e-7", () => {
  const count = 1 << (isLong ? 24 : 22);
  const big = tensorMap("float32", arenaArrayOnce(count), [count]) as Any;
  big.fill(0.1);
  const exact = Math.fround(0.1) * count;
  const all = arenaMap("float32", []) as Any;
  all.assign(big.sum());
  expect(Math.abs(all.at() / exact - 1)).toBeLessThan(4e-7);
  const columns = arenaMap("float32", [4]) as Any;
  columns.assign(big.reshape([count / 4, 4]).sum([0]));
  expect(Math.abs(columns.at(3) / (exact / 4) - 1)).toBeLessThan(4e-7);
});

/** Returns an array with memory of its own in the linear memory, for one test. */
function arenaArrayOnce(count: number): Float32Array {
  return arenaArray("float32", count, count * 4) as Float32Array;
}

test("the list of fallbacks equals the committed one", () => {
  const file = new URL("../../../../test/data/kernel-fallbacks.txt", import.meta.url);
  const committed = readFileSync(file, "utf8").trim().split("\n");
  expect(kernelFallbacks()).toEqual(committed);
});
