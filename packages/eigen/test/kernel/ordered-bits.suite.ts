// The largest and smallest of float16 and bfloat16 are found among their bits. Every pattern is compared with the plain evaluator, beside
// zeros and NaN of both signs, infinities, subnormal numbers and neighbors in the order of the bits.
import { describe, expect, test } from "@jest/globals";
import { tensorMap } from "@onebuffer/eigen";
import { assignByReference } from "@onebuffer/eigen/internal";
import { explain } from "@onebuffer/compiler/internal";
import { isLong } from "@onebuffer/test-support";
import { arenaArray, arenaMap } from "./kernel-subjects.ts";

/** The trees here are built from tables of method names, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

/** All patterns are compared in `npm run long`, otherwise a quarter of them, spread over all. */
const kPatterns = 1 << (isLong ? 16 : 14);
const dtypes = [
  ["float16", 0x7c00],
  ["bfloat16", 0x7f80],
] as const;

/** Returns a map of patterns. */
function patterns(dtype: string, count: number, at: (i: number) => number): Any {
  const array = arenaArray(dtype as "float16", count) as Uint16Array;
  for (let i = 0; i < count; i++) array[i] = at(i);
  return (tensorMap as Any)(dtype, array, [count]);
}

/** Returns the bits of an expression's elements, by kernels and by the evaluator. Any NaN becomes one pattern. */
function both(expression: Any, infinity: number): readonly number[][] {
  return [(out: Any) => out.assign(expression), (out: Any) => assignByReference(out, expression)].map((assign) => {
    const out = arenaMap(expression.dtype, expression.dimensions) as Any;
    assign(out);
    return Array.from(out.data as Uint16Array, (bits) => ((bits & 0x7fff) > infinity ? 0x7fff : bits));
  });
}

describe.each(dtypes)("%s", (dtype, infinity) => {
  const others = [0, 0x8000, 1, 0x8001, infinity, infinity | 0x8000, infinity + 1, (infinity + 1) | 0x8000, 0xffff, 0x3c00, 0xbc01];

  test.each(["maximum", "minimum"])("%s of every pattern and a rare one", (op) => {
    const x = patterns(dtype, kPatterns, (i) => (i * 40_503) & 0xffff);
    const y = patterns(dtype, kPatterns, (i) => others[i % others.length]!);
    const [got, wanted] = both(x[op](y), infinity);
    expect(got!.findIndex((bits, i) => bits !== wanted![i])).toBe(-1);
  });

  test.each(["max", "min"])("%s of rows with a rare element", (op) => {
    const count = others.length ** 2;
    // Rows of several vectors and an edge: a pair of rare elements among ordinary ones.
    const rows = patterns(dtype, count * 37, (i) => {
      const [row, column] = [Math.floor(i / 37), i % 37];
      return column === 5 ? others[row % others.length]! : column === 36 ? others[Math.floor(row / others.length)]! : others[0]! + 0x3800;
    }).reshape([count, 37]);
    for (const expression of [rows[op]([1]), rows[op](), rows.reverse()[op]([1], { keepDims: true })]) {
      const [got, wanted] = both(expression, infinity);
      expect(got).toEqual(wanted);
    }
  });

  test("a chain of both over three maps, and a row's extreme against a map", () => {
    const [x, y, z] = [3, 5, 7].map((step) => patterns(dtype, 1000, (i) => (i * step * 2741) & 0xffff)) as [Any, Any, Any];
    for (const expression of [
      x.maximum(y).minimum(z),
      x
        .reshape([10, 100])
        .max([1], { keepDims: true })
        .minimum(y.reshape([10, 100])),
    ]) {
      const [got, wanted] = both(expression, infinity);
      expect(got).toEqual(wanted);
    }
  });

  test("without conversions to float32", () => {
    const x = patterns(dtype, 64, (i) => i);
    for (const expression of [x.maximum(x.reverse()), x.max(), x.maximum(x).minimum(x)]) {
      expect(explain(expression).toString({ listing: true })).toMatch(/i16x8\.m(ax|in)_s/);
      expect(explain(expression).toString({ listing: true })).not.toContain("f32x4.p");
    }
    // Among computed elements, which are float32, and together with them.
    for (const expression of [x.add(x).max(), x.maximum(x).add(x)])
      expect(explain(expression).toString({ listing: true })).toContain("f32x4.p");
  });
});
