// Kernels agree with the plain evaluator: every operation on every dtype that has kernels, on operands of every layout, of random
// sizes. Exact results agree bit for bit, elementary functions within the ulp that their pages state.
import { describe, expect, test } from "@jest/globals";
import { arraySlots } from "@onebuffer/base";
import type { DType, RawDType } from "@onebuffer/base";
import { assignByReference } from "@onebuffer/eigen/internal";
import { kernelFallbacks } from "@onebuffer/compiler/internal";
import { constant, linspace, opNames, opTable, stack, tensorMap } from "@onebuffer/eigen";
import type { OpName } from "@onebuffer/eigen";
import { isLong, sampled } from "@onebuffer/test-support";
import { kernelCounts, setKernelHooks } from "@onebuffer/kernels/internal";
import { readFileSync } from "node:fs";
import {
  anyElement,
  arenaArray,
  arenaMap,
  complexDistance,
  complexUlps,
  Dice,
  elementsOf,
  functionBound,
  layouts,
  subject,
  isWithin,
} from "./kernel-subjects.ts";
import type { Element, Layout } from "./kernel-subjects.ts";
import { divisions as integerDivisions } from "../operation-records.ts";
import { wrapping } from "../wrapping.ts";

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

/** Computes an expression both ways. Returns the first difference, or null if there is none. Complex numbers may differ by `ulp`. */
function difference(expr: Any, out: Any, allowed: (got: number, wanted: number) => boolean, ulp: number = 0): string | null {
  const wanted = tensorMap(expr.dtype, new out.array.constructor(expr.size * arraySlots(expr.dtype)), expr.dimensions) as Any;
  const { runs } = kernelCounts();
  assignByReference(wanted, expr);
  out.assign(expr);
  if (expr.size > 0 && kernelCounts().runs === runs) return "no kernel ran";
  const [a, b] = [elementsOf(out), elementsOf(wanted)];
  const isNear = (value: Any, other: Any): boolean => {
    if (!Array.isArray(value)) return Object.is(value, other) || (typeof value === "number" && allowed(value, other));
    return complexDistance(value as never, other, expr.dtype) <= ulp;
  };
  const at = a.findIndex((value, i) => !isNear(value, b[i]));
  return at < 0 ? null : `element ${at} is ${a[at]}, not ${b[at]}`;
}

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

describe("a target that overlaps the operand", () => {
  const values = (n: number): number[] => Array.from({ length: n }, (_, i) => i + 1);
  const run = (n: number, assign: (map: Any) => void): number[] => {
    const map = arenaMap("float32", [n]) as Any;
    map.copyFrom(values(n));
    assign(map);
    return [...map] as number[];
  };
  const n = 103;

  test("in place", () => expect(run(n, (m) => m.assign(m.mul(m).add(1)))).toEqual(values(n).map((x) => x * x + 1)));
  test("backwards", () =>
    expect(run(n, (m) => m.assign(m.strided().reverse().add(1)))).toEqual(
      values(n)
        .reverse()
        .map((x) => x + 1),
    ));
  test("shifted up and down", () => {
    const shifted = (from: readonly [number, number], to: readonly [number, number]) => (m: Any) =>
      m.strided().slice(to).assign(m.strided().slice(from).mul(2));
    expect(run(n, shifted([0, 100], [3, 103]))).toEqual([1, 2, 3, ...values(100).map((x) => 2 * x)]);
    expect(run(n, shifted([3, 103], [0, 100]))).toEqual([...values(100).map((x) => 2 * (x + 3)), 101, 102, 103]);
  });
  test("a matrix reduced into its own first row", () => {
    const map = arenaMap("float32", [4, 5]) as Any;
    map.copyFrom(values(20));
    map.chip(0).assign(map.sum([0]));
    expect(map.toArray()).toEqual([[34, 38, 42, 46, 50], ...[6, 11, 16].map((first) => [0, 1, 2, 3, 4].map((k) => first + k))]);
  });
  test("a square matrix transposed in place", () => {
    const map = arenaMap("float32", [37, 37]) as Any;
    map.copyFrom(values(37 * 37));
    const wanted = map.strided().transpose().toArray();
    map.assign(map.transpose());
    expect(map.toArray()).toEqual(wanted);
  });
});

describe("a result that overlaps operands of stages", () => {
  const stages: readonly [string, (x: Any) => Any][] = [
    ["sort", (x) => x.sort()],
    ["cumsum", (x) => x.cumsum()],
    ["gather", (x) => x.gather(x.argsort().cast("int32"))],
    ["roll of a sum", (x) => x.add(1).roll(3)],
  ];
  test.each(stages)("%s, divided by -1, with the least integer among others", (_, stage) => {
    const x = arenaMap("int32", [70]) as Any;
    x.copyFrom(Array.from({ length: 70 }, (_, i) => (i === 60 ? -(2 ** 31) : (i * 7) % 70)));
    for (const op of integerDivisions.filter((name) => name in x)) {
      const y = arenaMap("int32", [70]) as Any;
      y.assign(-1);
      const expr = stage(x)[op](y);
      const wanted = tensorMap("int32", new Int32Array(70), [70]) as Any;
      assignByReference(wanted, expr);
      const before = [...x];
      x.assign(expr);
      const found = [...x];
      x.copyFrom(before);
      expect([op, found]).toEqual([op, [...wanted]]);
    }
  });
  test.each(stages)("%s, a remainder with one huge quotient among others", (_, stage) => {
    for (const dtype of ["float32", "float64"] as const) {
      const x = arenaMap(dtype, [70]) as Any;
      x.copyFrom(Array.from({ length: 70 }, (_, i) => (i === 60 ? 2 ** 62 : (i * 7) % 70)));
      const y = arenaMap(dtype, [70]) as Any;
      y.assign(3);
      for (const op of ["mod", "truncateMod"]) {
        const expr = stage(x)[op](y);
        const wanted = tensorMap(dtype, new x.array.constructor(70), [70]) as Any;
        assignByReference(wanted, expr);
        const before = [...x];
        x.assign(expr);
        const found = [...x];
        x.copyFrom(before);
        expect([dtype, op, found]).toEqual([dtype, op, [...wanted]]);
      }
    }
  });
});

test("a division by zero in a stage does not throw if no result needs the element", () => {
  const [x, y] = [arenaMap("int32", [40]) as Any, arenaMap("int32", [40]) as Any];
  x.assign(7);
  y.copyFrom(Array.from({ length: 40 }, (_, i) => (i < 3 ? 0 : 2)));
  const stages: readonly [string, Any][] = [
    ["cast to a dtype without kernels", x.div(y).cast("float8_e5m2").slice([3, 40]).cast("float32")],
    [
      "gather",
      x
        .div(y)
        .gather(tensorMap("int32", Int32Array.of(5, 9), [2]))
        .cast("float32"),
    ],
    ["reshape of a part", x.div(y).reshape([4, 10]).transpose().slice([3, 10], [1, 3]).reshape([-1]).cast("float32")],
  ];
  for (const [name, expr] of stages) {
    const out = arenaMap("float32", expr.dimensions) as Any;
    out.assign(expr);
    expect([name, [...out]]).toEqual([name, new Array<number>(expr.size).fill(3)]);
  }
  const out = arenaMap("float32", [38]) as Any;
  expect(() => out.assign(x.div(y).cast("float8_e5m2").slice([2, 40]).cast("float32"))).toThrow("division by zero");
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

describe("operands outside the linear memory", () => {
  test.each([10, 5000])("of %d elements", (n) => {
    const outside = tensorMap(
      "float32",
      Float32Array.from({ length: n }, (_, i) => i),
      [n],
    ) as Any;
    const inside = arenaMap("float32", [n]) as Any;
    inside.assign(outside.mul(2));
    expect([...inside].every((x, i) => x === 2 * i)).toBe(true);
    const target = tensorMap("float32", new Float32Array(n), [n]) as Any;
    const { runs } = kernelCounts();
    target.assign(inside.add(outside));
    expect([...target].every((x, i) => x === 3 * i)).toBe(true);
    expect(kernelCounts().runs).toBe(runs + 1);
    target.assign(target.strided().reverse());
    expect(target.at(0)).toBe(3 * (n - 1));
  });

  test("float16 maps are copied in without conversion", () => {
    const halves = tensorMap(
      "float16",
      Uint16Array.from({ length: 5000 }, (_, i) => i),
      [5000],
    ) as Any;
    const out = arenaMap("float16", [5000]) as Any;
    out.assign(halves.strided().reverse());
    expect([...out.data].every((bits, i) => bits === 4999 - i)).toBe(true);
  });
});

test("an integer divided by zero throws INVALID_ARGUMENT, but not for a zero beyond the end of the operand", () => {
  const x = arenaMap("int32", [5]) as Any;
  const y = arenaMap("int32", [5]) as Any;
  x.copyFrom([7, -7, 8, 9, 10]);
  y.copyFrom([2, 2, -3, 1, 4]);
  const out = arenaMap("int32", [5]) as Any;
  out.assign(x.div(y));
  expect([...out]).toEqual([3, -3, -2, 9, 2]);
  y.set(4, 0);
  expect(() => out.assign(x.div(y))).toThrow(/division by zero/);
  expect(() => out.assign(x.pow(y.sub(3)))).toThrow(/negative integer powers/);
});

test("divides 64-bit integers by -1, even the least one", () => {
  const [x, y, out] = [arenaMap("int64", [5]), arenaMap("int64", [5]), arenaMap("int64", [5])] as Any[];
  const least = -(2n ** 63n);
  x.copyFrom([least, least, 7n, -7n, 2n ** 63n - 1n]);
  y.copyFrom([-1n, 3n, -1n, 2n, least]);
  for (const [op, wanted] of [
    ["div", [least, -3074457345618258602n, -7n, -3n, 0n]],
    ["floorDiv", [least, -3074457345618258603n, -7n, -4n, -1n]],
    ["mod", [0n, 1n, 0n, 1n, -1n]],
    ["truncateMod", [0n, -2n, 0n, -1n, 2n ** 63n - 1n]],
  ] as const) {
    out.assign(x[op](y));
    expect([op, [...out]]).toEqual([op, wanted]);
  }
  y.set(2, 0n);
  expect(() => x.assign(x.mod(y))).toThrow(/division by zero/);
});

/** Pairs with awkward quotients. */
const divisions: [number, number][] = [
  ...[5.5, -5.5, 6, -6, 0, -0, 1e6 + 0.25, 2 ** 20, -0.1, 1e-38, 3e38].flatMap((x) =>
    [2, -2, 3, -3, 0.7, 1e-3, -1e5, Infinity, -Infinity, NaN, 0, -0].map((y): [number, number] => [x, y]),
  ),
  ...[Infinity, -Infinity, NaN].flatMap((x) => [2, -2, 0, Infinity].map((y): [number, number] => [x, y])),
  [0.3, 0.1],
  [1, 1 / 3],
  [-1e-45, 3e-45],
  [1e-310, 3e-320],
];

test.each(["float32", "float64"] as const)("remainders of %s are exact, with the right sign of zero", (dtype) => {
  const dice = new Dice(11);
  const random = Array.from({ length: 4000 }, (): [number, number] => {
    const y = (dice.unit() - 0.5) * 2 ** (dice.below(60) - 30);
    return [y * (dice.unit() - 0.5) * 2 ** dice.below(25), y];
  });
  // Multiples and their neighbors, for which the rounded quotient may be one too large.
  const near = random.slice(0, 1000).map(([, y], k): [number, number] => [y * (k + 1) * (k % 2 === 0 ? 1 : 1 - 2 ** -52), y]);
  // Long quotients, and dividends so large that the product of a quotient one too large is infinite.
  const wide = random.slice(0, 1000).map(([x, y], k): [number, number] => [x * 2 ** (k % 100), y]);
  const most = dtype === "float32" ? 3.4028234663852886e38 : Number.MAX_VALUE;
  const top = random.slice(0, 2000).map((_, k): [number, number] => {
    const x = most * (1 - (k % 64) * (dtype === "float32" ? 2 ** -24 : 2 ** -53));
    return [x, x / (1 + (k >> 6))];
  });
  for (const pairs of [divisions, random, near, wide, top]) {
    const [x, y] = [arenaMap(dtype, [pairs.length]), arenaMap(dtype, [pairs.length])] as Any[];
    x.copyFrom(pairs.map(([a]) => a));
    y.copyFrom(pairs.map(([, b]) => b));
    for (const op of ["mod", "truncateMod"]) {
      expect([op, difference(x[op](y), arenaMap(dtype, [pairs.length]), () => false)]).toEqual([op, null]);
      const wanted = tensorMap(dtype, new x.array.constructor(pairs.length) as never, [pairs.length]) as Any;
      const inPlace = arenaMap(dtype, [pairs.length]) as Any;
      inPlace.assign(x);
      assignByReference(wanted, x[op](y));
      inPlace.assign(inPlace[op](y));
      expect([...inPlace]).toEqual([...wanted]);
    }
  }
});

test.each(["float32", "float64", "float16", "bfloat16"] as const)("linspace of %s agrees, in order and reversed", (dtype) => {
  for (const count of [1, 2, 3, 7, 100, ...(isLong ? [1001] : [])]) {
    const expr = linspace(dtype, -1.3, 2.7, count) as Any;
    expect([count, difference(expr, arenaMap(dtype, [count]), () => false)]).toEqual([count, null]);
    expect([count, difference(expr.reverse().add(expr), arenaMap(dtype, [count]), () => false)]).toEqual([count, null]);
  }
});

test.each([5, 300])("%d integers divided in place are divided once, even with a zero beyond the end of the divisor", (n) => {
  const bytes = arenaArray("int32", 3 * n) as Int32Array;
  bytes.fill(0);
  const map = (from: number): Any => (tensorMap as Any)("int32", bytes.subarray(from, from + n), [n]);
  const [x, y] = [map(0), map(n)];
  const [first, second] = [Array.from({ length: n }, (_, k) => 1000 * k), Array.from({ length: n }, (_, k) => (k % 7) + 1)];
  for (const [assign, wanted] of [
    [() => x.assign(x.div(y)), (a: number, b: number) => Math.trunc(a / b)],
    [() => x.strided().assign(x.strided().floorDiv(y)), (a: number, b: number) => Math.floor(a / b)],
    [() => y.assign(x.mod(y)), null],
  ] as const) {
    x.copyFrom(first);
    y.copyFrom(second);
    assign();
    expect([...(wanted === null ? y : x)]).toEqual(first.map((a, k) => (wanted ?? ((p, q) => p % q))(a, second[k] as number)));
  }
  y.set(n - 1, 0);
  x.copyFrom(first);
  expect(() => x.assign(x.div(y))).toThrow(/division by zero/);
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
  const file = new URL("../../../test/data/kernel-fallbacks.txt", import.meta.url);
  const committed = readFileSync(file, "utf8").trim().split("\n");
  expect(kernelFallbacks()).toEqual(committed);
});
