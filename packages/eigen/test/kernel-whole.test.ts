// Operations that take their operands as a whole agree with the plain evaluator: products of matrices, which are kernels.
import { expect, test } from "@jest/globals";
import type { RawDType } from "@onebuffer/base";
import { assignByReference, explain, kernelCounts, opTable, setKernelHooks } from "@onebuffer/eigen";
import { arenaMap, Dice, layouts, subject } from "./kernel-subjects.ts";

/** Trees are put together from tables here, which no type follows. */
type Any = ReturnType<typeof JSON.parse>;

const reasons: string[] = [];
setKernelHooks({ onFallback: (reason) => reasons.push(reason) });

/** Assigns both ways and answers what differs, null if nothing does. */
function difference(expr: Any, out: Any, tolerance: number): string | null {
  const wanted = arenaMap(expr.dtype, expr.dimensions) as Any;
  assignByReference(wanted, expr);
  out.assign(expr);
  const [a, b] = [[...out], [...wanted]];
  const near = (x: unknown, y: unknown): boolean =>
    Object.is(x, y) || (typeof x === "number" && Math.abs(x - (y as number)) <= tolerance * Math.abs(y as number));
  const at = a.findIndex((value, k) => !near(value, b[k]));
  return at < 0 ? null : `element ${at} is ${a[at]}, not ${b[at]}`;
}

const realDTypes = opTable.minimum.dtypes as readonly RawDType[];
const tolerances: Record<string, number> = { float32: 1e-6, float64: 1e-14, float16: 1e-3, bfloat16: 1e-2 };

/** Floats of one sign, of which a relative error means something. */
const moderate = (dtype: string): ((dice: Dice) => number) | undefined =>
  dtype.includes("float") ? (dice) => Math.fround(0.5 + dice.unit()) : undefined;

test.each(realDTypes)("matMul of %s, transposed or not, of any layout", (dtype) => {
  const dice = new Dice(dtype.length * 31 + 7);
  for (const [batchA, batchB, m, k, n] of [
    [[], [], 7, 9, 5],
    [[], [], 33, 64, 70],
    [[], [], 1, 40, 19],
    [[], [], 21, 17, 1],
    [[3], [], 5, 18, 20],
    [[2, 1], [3], 4, 5, 6],
    [[], [], 4, 0, 3],
    [[0], [], 4, 2, 3],
  ] as [number[], number[], number, number, number][]) {
    for (const [transposeA, transposeB] of [
      [false, false],
      [true, false],
      [false, true],
      [true, true],
    ]) {
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

test("a product is rows of b added up, or rows of both multiplied; computed operands come first", () => {
  const [a, b] = [arenaMap("float32", [40, 60]), arenaMap("float32", [60, 50])] as Any[];
  const by = (expr: Any): string[] => explain(expr).steps.map((step) => step.by);
  expect(by(a.matMul(b))).toEqual(["columns"]);
  expect(by(a.matMul(arenaMap("float32", [50, 60]), { transposeB: true }))).toEqual(["rows"]);
  expect(by(b.matMul(arenaMap("float32", [50, 60]), { transposeA: true, transposeB: true }))).toEqual(["tile", "rows"]);
  expect(by(a.exp().matMul(b).relu())).toEqual(["map", "columns", "map"]);
});

test("a matrix multiplied into itself", () => {
  const x = arenaMap("float32", [2, 2]) as Any;
  x.copyFrom([1, 2, 3, 4]);
  x.assign(x.matMul(x));
  expect(x.toArray()).toEqual([
    [7, 10],
    [15, 22],
  ]);
});
