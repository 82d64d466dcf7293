// Products of matrices by kernels agree with the plain evaluator, of any dtype, layout and batch.
import { expect, test } from "@jest/globals";
import { explain } from "@onebuffer/compiler/internal";
import { isLong, sampled } from "@onebuffer/test-support";
import { kernelCounts } from "@onebuffer/kernels/internal";
import { arenaMap, Dice, layouts, subject } from "../kernel-subjects.ts";
import { reasons } from "./fallback-reasons.ts";
import { difference } from "./difference.ts";
import { byTurns, byThirds } from "./turns.ts";
import { realDTypes, moderate } from "./operands.ts";

/** The trees here are built from tables of method names, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

const tolerances: Record<string, number> = { float32: 1e-6, float64: 1e-14, float16: 1e-3, bfloat16: 1e-2 };

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
