// Random numbers by kernels agree with the plain evaluator, and pieces of one operation are one stream.
import { expect, test } from "@jest/globals";
import { assignByReference } from "@onebuffer/eigen/internal";
import { explain } from "@onebuffer/compiler/internal";
import { evaluate, statelessNormal, statelessUniform, tensorMap } from "@onebuffer/eigen";
import { isLong, sampled } from "@onebuffer/test-support";
import { kernelCounts } from "@onebuffer/kernels/internal";
import { arenaMap, Dice } from "../kernel-subjects.ts";
import { reasons } from "./fallback-reasons.ts";
import { difference } from "./difference.ts";
import { byTurns, byHalves, byThirds } from "./turns.ts";
import { somewhere } from "./operands.ts";

/** The trees here are built from tables of method names, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

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

// TensorFlow computes the range in the dtype: the product is rounded, and the sum again.
test.each([
  ["float16", -1, 2.7],
  ["bfloat16", -1, 2.7],
  ["bfloat16", 0.1, 0.3],
  ["float16", 5, 1000],
] as const)("uniform %s in [%p, %p) is rounded after the product and after the sum", (dtype, minval, maxval) => {
  const of = (expression: Any): number[] => [...(evaluate(expression) as Any)];
  const sizes = [4096];
  const [low, high] = of(tensorMap("float32", Float32Array.of(minval, maxval), [2]).cast(dtype));
  const rounded = (list: readonly number[]): Any => tensorMap("float64", Float64Array.from(list), sizes).cast(dtype);
  const span = of(tensorMap("float64", Float64Array.of(high! - low!), [1]).cast(dtype))[0]!;
  const products = of(rounded(of(statelessUniform(dtype, sizes, [7, -9])).map((each) => each * span)));
  const wanted = of(rounded(products.map((each) => each + low!)));
  expect(of(statelessUniform(dtype, sizes, [7, -9], { minval, maxval }))).toEqual(wanted);
});
