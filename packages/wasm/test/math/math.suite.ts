// Tests of the math functions: their errors on a sample (docs/contributing/accuracy.md has the errors on far more arguments), their
// special values, and that the result of a lane does not depend on other lanes.
import { describe, expect, test } from "@jest/globals";
import type { BinaryMathName, UnaryMathName } from "../../src/math/math-table.ts";
import { binaryMath, unaryMath } from "../../src/math/math-table.ts";
import type { Vector } from "../../src/vector/vector.ts";
import { exactBinary, exactUnary, ulps } from "./exact-functions.ts";
import { atan2Specials, bounds, Draw, drawF64, drawPair, nearQuarterTurns, powSpecials, specials } from "./math-subjects.ts";
import { hasRelaxedSimd, kernelOf, slot } from "@onebuffer/test-support";

const unaryNames = Object.keys(unaryMath) as UnaryMathName[];
const binaryNames = Object.keys(binaryMath) as BinaryMathName[];
const ways = hasRelaxedSimd() ? [false, true] : [false];
/** A prime: `npm test` has a third of the floats of `npm run long`. */
const kEvery = process.env["ONEBUFFER_LONG"] === undefined ? 278_017 : 92_821;
type Kind = "f32x4" | "f64x2";

/** Returns f of each argument, computed two vectors at a time. */
function results(
  kind: Kind,
  f: (...args: readonly Vector[]) => Vector,
  args: readonly (readonly number[])[],
  relaxed: boolean = false,
): number[] {
  const count = args[0]!.length;
  const padded = Math.ceil(count / 8) * 8;
  args.forEach((values, i) => {
    const into = slot(kind, i + 1);
    into.fill(1, 0, padded);
    into.set(values);
  });
  kernelOf(
    args.map(() => kind),
    f,
    2,
    relaxed,
  )(padded * (kind === "f32x4" ? 4 : 8));
  return [...slot(kind, 0).slice(0, count)];
}

const unary =
  (name: UnaryMathName) =>
  (...args: readonly Vector[]): Vector =>
    unaryMath[name](args[0]!);
const binary =
  (name: BinaryMathName) =>
  (...args: readonly Vector[]): Vector =>
    binaryMath[name](args[0]!, args[1]!);

/** Rounds a number to a float of this kind. */
const as = (kind: Kind, value: number): number => (kind === "f32x4" ? Math.fround(value) : value);

/** Returns the largest error and its argument. */
function worst(
  kind: Kind,
  args: readonly (readonly number[])[],
  got: readonly number[],
  exact: (...args: number[]) => bigint,
): readonly [number, readonly number[]] {
  let found: readonly [number, readonly number[]] = [0, []];
  got.forEach((value, i) => {
    const at = args.map((values) => values[i]!);
    const error = Number.isFinite(value) ? ulps(value, exact(...at), kind) : Number.POSITIVE_INFINITY;
    if (!(error <= found[0])) found = [error, at];
  });
  return found;
}

describe("the exact reference functions agree with the engine's functions", () => {
  test.each(unaryNames.filter((name) => name in Math))("%s", (name) => {
    const draw = new Draw(7);
    const args = Array.from({ length: 12 }, () => drawF64[name](draw)).filter((x) => Math.abs(x) < 1e9);
    const engine = (Math as unknown as Record<string, (x: number) => number>)[name]!;
    expect(worst("f64x2", [args], args.map(engine), exactUnary[name]!)[0]).toBeLessThan(2);
  });

  test("erf, which the engine does not have, agrees with two published values", () => {
    expect(ulps(0.8427007929497149, exactUnary["erf"]!(1), "f64x2")).toBeLessThan(1);
    expect(ulps(0.9953222650189527, exactUnary["erf"]!(2), "f64x2")).toBeLessThan(1);
  });
});

describe.each(ways)("errors are within the bounds, relaxed instructions: %p", (relaxed) => {
  test.each(unaryNames)("%s of f64", (name) => {
    const draw = new Draw(1);
    const args = Array.from({ length: 40 }, () => drawF64[name](draw));
    const [error, at] = worst("f64x2", [args], results("f64x2", unary(name), [args], relaxed), exactUnary[name]!);
    expect([error, at]).toEqual([Math.min(error, bounds[name][1]), at]);
  });

  test.each(binaryNames)("%s of f64", (name) => {
    const draw = new Draw(2);
    const pairs = Array.from({ length: 60 }, () => drawPair(name, draw, 1000));
    const args = [pairs.map(([x]) => x), pairs.map(([, y]) => y)];
    const [error, at] = worst("f64x2", args, results("f64x2", binary(name), args, relaxed), exactBinary[name]!);
    expect([error, at]).toEqual([Math.min(error, bounds[name][1]), at]);
  });

  test.each(binaryNames)("%s of f32", (name) => {
    const draw = new Draw(3);
    const pairs = Array.from({ length: 60 }, () => drawPair(name, draw, 120));
    const args = [pairs.map(([x]) => Math.fround(x)), pairs.map(([, y]) => Math.fround(y))];
    const [error, at] = worst("f32x4", args, results("f32x4", binary(name), args, relaxed), exactBinary[name]!);
    expect([error, at]).toEqual([Math.min(error, bounds[name][0]), at]);
  });

  test.each(["sin", "cos", "tan"] as const)("%s next to multiples of pi/2", (name) => {
    for (const kind of ["f32x4", "f64x2"] as const) {
      const args = nearQuarterTurns[kind].flatMap(([m, e]) => [m * 2 ** e, -m * 2 ** e]);
      const [error, at] = worst(kind, [args], results(kind, unary(name), [args], relaxed), exactUnary[name]!);
      expect([kind, error, at]).toEqual([kind, Math.min(error, bounds[name][kind === "f32x4" ? 0 : 1]), at]);
    }
  });

  // The engine's functions of doubles are accurate far beyond the last place of a float.
  test.each(unaryNames.filter((name) => name in Math || name === "exp2" || name === "sigmoid" || name === "rsqrt"))(
    `%s of f32, every ${kEvery}th float`,
    (name) => {
      const reference: Record<string, (x: number) => number> = {
        exp2: (x) => 2 ** x,
        sigmoid: (x) => (x < 0 ? Math.exp(x) / (1 + Math.exp(x)) : 1 / (1 + Math.exp(-x))),
        rsqrt: (x) => 1 / Math.sqrt(x),
      };
      const f = reference[name] ?? (Math as unknown as Record<string, (x: number) => number>)[name]!;
      const words = Uint32Array.from({ length: Math.floor(2 ** 32 / kEvery) + 1 }, (_, i) => i * kEvery);
      const args = [...new Float32Array(words.buffer)];
      for (let i = 0; i < args.length / 11 - 1; i++) args[i * 11] = Math.fround(drawF64[name](new Draw(i * 7919)));
      const got = results("f32x4", unary(name), [args], relaxed);
      let error = 0;
      const wrong = args.filter((x, i) => {
        const exact = f(x);
        const value = got[i]!;
        const rounded = Math.fround(exact);
        if (Object.is(value, rounded)) return false;
        // A result may be infinite where the exact one is not, or the reverse, only next to the largest float.
        if (!Number.isFinite(rounded) || !Number.isFinite(value)) return Math.abs(exact) < 3.4028233e38 || Math.abs(value) < 3.4028233e38;
        const ulp = 2 ** Math.max(-149, Math.floor(Math.log2(Math.abs(exact))) - 23);
        error = Math.max(error, Math.abs(value - exact) / ulp);
        return error > bounds[name][0];
      });
      expect(wrong).toEqual([]);
    },
  );

  test("erf of f32", () => {
    const draw = new Draw(4);
    const args = Array.from({ length: 200 }, () => Math.fround(draw.scaled(-6, 2)));
    const [error, at] = worst("f32x4", [args], results("f32x4", unary("erf"), [args], relaxed), exactUnary["erf"]!);
    expect([error, at]).toEqual([Math.min(error, bounds.erf[0]), at]);
  });
});

describe.each<Kind>(["f32x4", "f64x2"])("special values of %s", (kind) => {
  test.each(unaryNames)("%s", (name) => {
    const table = [...specials[name], [Number.NaN, Number.NaN] as const];
    const got = results(kind, unary(name), [table.map(([x]) => x)]);
    expect(table.map(([x], i) => [x, got[i]])).toEqual(table.map(([x, y]) => [x, as(kind, y)]));
  });

  test("a NaN with any payload gives NaN", () => {
    const words = slot("u32x4", 1);
    for (const name of unaryNames) {
      words.fill(0x7fc00000, 0, 8);
      words.set([0x7f800001, 0xffffffff, 0xff800001, 0x7fffffff, 0x7ff00001, 0xfff80001, 0x7fc12345, 0xfffc0001]);
      kernelOf([kind], unary(name))(32);
      expect([name, [...slot(kind, 0).slice(0, kind === "f32x4" ? 8 : 4)].every(Number.isNaN)]).toEqual([name, true]);
    }
  });

  test.each([
    ["pow", powSpecials],
    ["atan2", atan2Specials],
  ] as const)("%s", (name, table) => {
    const args = [table.map(([x]) => x), table.map(([, y]) => y)];
    const got = results(kind, binary(name), args);
    expect(table.map(([x, y], i) => [x, y, got[i]])).toEqual(table.map(([x, y, z]) => [x, y, as(kind, z)]));
  });
});

test.each(unaryNames)("%s of a lane does not depend on the other lanes", (name) => {
  for (const kind of ["f32x4", "f64x2"] as const) {
    const draw = new Draw(5);
    const values = Array.from({ length: 32 }, () => as(kind, drawF64[name](draw)));
    const unusual = [Number.NaN, Number.POSITIVE_INFINITY, 0, -0, -1, 2 ** -140, 1e30, Number.NEGATIVE_INFINITY];
    const alone = results(kind, unary(name), [values.flatMap((x) => [x, x, x, x])]).filter((_, i) => i % 4 === 0);
    for (let lane = 0; lane < 4; lane++) {
      const mixed = values.flatMap((x, i) => [0, 1, 2, 3].map((at) => (at === lane ? x : unusual[(i + at) % unusual.length]!)));
      expect(results(kind, unary(name), [mixed]).filter((_, i) => i % 4 === lane)).toEqual(alone);
    }
  }
});
