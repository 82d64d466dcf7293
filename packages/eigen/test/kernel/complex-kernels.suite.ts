// Complex numbers in kernels: whole expressions over operands of every layout, inside the linear memory and outside, beside the evaluator.
import { describe, expect, test } from "@jest/globals";
import type { Complex } from "@onebuffer/base";
import { assignByReference } from "@onebuffer/eigen/internal";
import { assignTogether, constant, tensorMap } from "@onebuffer/eigen";
import { isLong, sampled } from "@onebuffer/test-support";
import { linearMemory } from "@onebuffer/wasm";
import { setKernelHooks } from "@onebuffer/kernels/internal";
import { arenaMap, complexDistance, Dice, layouts, subject } from "./kernel-subjects.ts";
import type { Element } from "./kernel-subjects.ts";

/** The trees here are built from tables of method names, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

const dtypes = ["complex64", "complex128"] as const;
const reasons: string[] = [];
const moderate = (dice: Dice): Element => [Math.fround(dice.unit() * 4 - 2), Math.fround(dice.unit() * 4 - 2)];

/** Returns a map in an array of its own. */
function outside(dtype: (typeof dtypes)[number] | "float32" | "float64" | "bool", dims: readonly number[]): Any {
  const count = dims.reduce((a, b) => a * b, 1) * (dtype.startsWith("complex") ? 2 : 1);
  const array =
    dtype === "bool"
      ? new Uint8Array(count)
      : dtype.endsWith("128") || dtype === "float64"
        ? new Float64Array(count)
        : new Float32Array(count);
  return (tensorMap as Any)(dtype, array, dims);
}

/** Returns the elements that the evaluator computes. */
function reference(expr: Any): Any[] {
  const wanted = arenaMap(expr.dtype, expr.dimensions) as Any;
  assignByReference(wanted, expr);
  return [...wanted];
}

/** Computes into `out`. Returns the first element that is farther from the wanted one than `ulp` of numbers around 16, or null. */
function difference(expr: Any, out: Any, b: readonly Any[], ulp: number): string | null {
  out.assign(expr);
  const a = [...out];
  const slack = ulp * (expr.dtype === "complex64" ? 2 ** -19 : 2 ** -48);
  const isNear = (x: Any, y: Any): boolean =>
    Array.isArray(x)
      ? [0, 1].every((k) => Object.is(x[k], y[k]) || Math.abs(x[k] - y[k]) <= slack + ulp * 2 ** -52 * Math.abs(y[k]))
      : Object.is(x, y);
  const at = a.findIndex((x, k) => !isNear(x, b[k]));
  return at < 0 ? null : `element ${at} is ${a[at]}, not ${b[at]}`;
}

const trees: readonly (readonly [name: string, build: (x: Any, y: Any) => Any, ulp: readonly [number, number]])[] = [
  ["a chain of arithmetic", (x, y) => x.mul(y).add([1, -2]).sub(y.conj().div(x)).neg(), [0, 0]],
  ["parts", (x, y) => x.real().add(y.imag()).mul(2), [0, 0]],
  ["a choice by a comparison of parts", (x, y) => x.real().less(y.imag()).select(x, y.square()), [0, 0]],
  [
    "a choice by an equality",
    (x, y) =>
      x
        .equal(y)
        .logicalOr(x.reverse([0]).notEqual(x))
        .select(x, [0, 1]),
    [0, 0],
  ],
  ["functions", (x, y) => x.mul(0.25).exp().mul(y).sqrt(), [2, 64]],
  ["casts of both ways", (x, y) => x.real().cast(x.dtype).mul(y).imag().cast("int32").cast(x.dtype).add(x), [0, 0]],
  [
    "movements",
    (x, y) =>
      x
        .transpose()
        .reverse([0])
        .transpose()
        .add(y.reverse([1])),
    [0, 0],
  ],
  ["a copy of a transpose", (x) => x.transpose(), [0, 0]],
  ["sums along rows", (x) => x.sum([1]), [4, 64]],
  ["means along columns", (x, y) => x.mul(y).mean([0], { keepDims: true }), [8, 64]],
  ["rows less their mean", (x, y) => x.sub(x.mean([1], { keepDims: true })).mul(y), [8, 64]],
  ["columns less their mean", (x, y) => x.sub(x.mean([0], { keepDims: true })).add(y.sum([0], { keepDims: true })), [20, 640]],
  ["products of all", (x) => x.mul(0.5).prod(), [0, 0]],
  ["products along columns", (x) => x.prod([0]), [0, 0]],
  ["running sums", (x) => x.cumsum(1).add(x.cumsum(0, { reverse: true, exclusive: true })), [0, 0]],
  ["running products", (x) => x.mul(0.5).cumprod(0, { exclusive: true }), [0, 0]],
  ["a product of matrices", (x, y) => x.matMul(y, { transposeB: true }).add([1, 1]), [8, 64]],
  ["an outer product", (x, y) => x.chip(0).outer(y.chip(1)), [0, 0]],
  ["concatenated rows", (x, y) => x.gather(tensorMap("int32", Int32Array.of(1, 0, 1), [3])).add(y.chip(0)), [0, 0]],
  ["squared differences", (x, y) => x.squaredDifference(y).add(x.abs().cast(x.dtype).mul(0)), [0, 0]],
];

describe.each(dtypes)("%s", (dtype) => {
  // Every second expression of each dtype, by turns.
  const own = trees.filter((_, k) => isLong || (k + dtypes.indexOf(dtype)) % 2 === 0);
  test.each(own.map(([name, build, ulp], turn) => [name, build, ulp, turn] as const))("%s", (_, build, ulp, turn) => {
    setKernelHooks({ onFallback: (reason) => reasons.push(reason) });
    const dice = new Dice(dtype.length);
    for (const dims of isLong
      ? [
          [5, 7],
          [19, 33],
          [300, 3],
        ]
      : [[38, 7]]) {
      const [x, y] = [0, 1].map(() => subject(dtype, dims, dice.pick(layouts), dice, moderate)) as Any[];
      const [farX, farY] = [outside(dtype, dims), outside(dtype, dims)];
      farX.copyFrom([...x]);
      farY.copyFrom([...y]);
      // The elements of both expressions are the same, and computed for each of them in `npm run long`.
      const shared = reference(build(x, y));
      for (const [k, expr] of [build(x, y), build(farX, isLong ? y : farY)].entries()) {
        const wanted = isLong ? reference(expr) : shared;
        const bound = ulp[dtype === "complex64" ? 0 : 1];
        // A target of each kind by turns, and both in `npm run long`.
        const isInside = expr.size < 256 || (k + turn) % 2 === 0;
        const out = subject(expr.dtype, expr.dimensions, dice.pick(["dense", "strided", "transposed", "reversed"]), dice) as Any;
        if (isLong || isInside) expect([dims, difference(expr, out, wanted, bound)]).toEqual([dims, null]);
        const far = outside(expr.dtype, expr.dimensions);
        if (isLong ? expr.size >= 256 : !isInside)
          expect([dims, "outside", difference(expr, far, wanted, bound)]).toEqual([dims, "outside", null]);
      }
    }
    expect(reasons).toEqual([]);
  });

  test("results outside the linear memory leave its first page alone", () => {
    const page = new Uint8Array(linearMemory().buffer, 0, 65536);
    const before = page.slice();
    const x = outside(dtype, [24, 24]);
    x.copyFrom(Array.from({ length: 576 }, (_, k) => [k % 5, 1]));
    for (const expr of [x.cumsum(0), x.cumsum(1), x.mul(0.1).cumprod(1), x.prod([0]), x.sum([0]), x.exp(), x.matMul(x), x.transpose()]) {
      const out = outside(dtype, expr.dimensions);
      out.assign(expr);
      const wanted = outside(dtype, expr.dimensions);
      assignByReference(wanted, expr);
      const [a, b] = [[...out], [...wanted]] as Complex[][];
      expect(a!.every((value, k) => complexDistance(value, b![k]!, dtype) <= 64)).toBe(true);
      // Nothing else runs here that could change words of the page.
      expect(Buffer.compare(page, before)).toBe(0);
    }
  });

  test("an element depends on no other element of its group, whatever their values", () => {
    const rare: Complex[] = [
      [NaN, 1],
      [Infinity, -0],
      [-Infinity, NaN],
      [0, -0],
      [1e30, -1e-30],
      [-0, 0],
    ];
    const ops = ["add", "mul", "div", "exp", "sqrt", "log", "abs", "tanh"] as const;
    const x = arenaMap(dtype, [23]) as Any;
    for (const op of ops) {
      const build = (): Any => (["add", "mul", "div"].includes(op) ? x[op](x) : x[op]());
      for (const [turn, value] of rare.entries()) {
        x.fill(value);
        const alone = arenaMap(build().dtype, [23]) as Any;
        alone.assign(build());
        const wanted = [...alone][0];
        for (let place = isLong ? 0 : turn; place < 23; place += isLong ? 1 : 11) {
          x.copyFrom(Array.from({ length: 23 }, (_, k) => (k === place ? value : [k / 8 - 1, 0.5])));
          const out = arenaMap(build().dtype, [23]) as Any;
          out.assign(build());
          expect([op, value, place, [...out][place]]).toEqual([op, value, place, wanted]);
        }
      }
    }
  });

  test("quotients of all kinds of parts have the bits of the evaluator", () => {
    const parts = [0, -0, 1, -2.5, 3e38, 1e-45, Infinity, -Infinity, NaN];
    const numbers = parts.flatMap((re) => parts.map((im): Complex => [re, im]));
    const pairs = sampled(
      numbers.flatMap((a) => numbers.map((b) => [a, b] as const)),
      1500,
    );
    const [x, y, out, wanted] = [0, 1, 2, 3].map(() => arenaMap(dtype, [pairs.length])) as Any[];
    x.copyFrom(pairs.map(([a]) => a));
    y.copyFrom(pairs.map(([, b]) => b));
    out.assign(x.div(y));
    assignByReference(wanted, x.div(y));
    expect([...out]).toEqual([...wanted]);
  });

  test("constants of a kept plan are exchanged part by part", () => {
    const [x, out] = [arenaMap(dtype, [9]), arenaMap(dtype, [9])] as Any[];
    x.fill([1, 2]);
    for (const value of [
      [2, 3],
      [3, 3],
      [0, 1],
      [1, 0],
      [2, 2],
    ] as Complex[]) {
      out.assign(x.mul(value).add(constant(dtype, [value[1], value[0]])));
      expect(out.at(8)).toEqual([value[0] - 2 * value[1] + value[1], value[1] + 2 * value[0] + value[0]]);
    }
  });

  test("several results of the same rows are computed together", () => {
    const x = subject(dtype, [6, 40], "dense", new Dice(3), moderate) as Any;
    const [sum, mean] = [arenaMap(dtype, [6]), arenaMap(dtype, [6])] as Any[];
    assignTogether([
      [sum, x.sum(1)],
      [mean, x.mean(1)],
    ]);
    const wanted = arenaMap(dtype, [6]) as Any;
    assignByReference(wanted, x.sum(1));
    [...wanted].forEach((value: Complex, k) => {
      expect(complexDistance([...sum][k] as Complex, value, dtype)).toBeLessThan(64);
      expect(complexDistance([...mean][k] as Complex, [value[0] / 40, value[1] / 40], dtype)).toBeLessThan(64);
    });
  });
});
