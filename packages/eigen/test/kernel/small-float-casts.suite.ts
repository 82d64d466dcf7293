// float16 and bfloat16 are float32 inside an expression and are rounded when they are stored or cast. With either evaluator, the
// cast of an operation therefore equals the cast of its result after that is stored in its own dtype.
import { describe, expect, test } from "@jest/globals";
import type { RawDType } from "@onebuffer/base";
import { assignByReference } from "@onebuffer/eigen/internal";
import { concatenate, constant, iota, opTable } from "@onebuffer/eigen";
import { isLong } from "@onebuffer/test-support";
import { arenaMap, Dice, layouts, subject } from "./kernel-subjects.ts";
import { opCases } from "../expression/op-cases.ts";

/** The trees here are built from tables of method names, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;
type Assign = (target: Any, expr: Any) => void;

const evaluators: readonly (readonly [string, Assign])[] = [
  ["by kernels", (target, expr) => target.assign(expr)],
  ["by the evaluator", assignByReference as Assign],
];
const targets = opTable.cast.dtypes as readonly RawDType[];
const smallFloats = ["float16", "bfloat16"] as const;

/** Returns a map with the stored elements of an expression. */
function stored(assign: Assign, expr: Any): Any {
  const out = arenaMap(expr.dtype, expr.dimensions) as Any;
  assign(out, expr);
  return out;
}

/** Returns the casts of an expression that differ from those of its stored elements. */
function wrongCasts(assign: Assign, expr: Any, dtypes: readonly RawDType[]): string[] {
  const operand = stored(assign, expr);
  return dtypes.flatMap((to) =>
    ["cast", "saturateCast"].filter((cast) => {
      const [got, wanted] = [stored(assign, expr[cast](to)), stored(assign, operand[cast](to))].map((map) => [...map].flat());
      return !got!.every((value, k) => Object.is(value, wanted![k]));
    }),
  );
}

/** Steps that keep dtype and sizes. Some have results with more digits than a small float; some only move or choose elements. */
const steps: readonly ((x: Any, y: Any) => Any)[] = [
  (x) => x.mul(x),
  (x, y) => x.add(y),
  (x, y) => x.div(y),
  (x) => x.mul(0.1),
  (x) => x.neg(),
  (x) => x.abs().sqrt(),
  (x) => x.relu(),
  (x, y) => x.greater(y).select(x, y),
  (x, y) => x.minimum(y),
  (x) => x.sub(x.max([1], { keepDims: true })),
  (x) => x.sum([0], { keepDims: true }).broadcast(x.dimensions),
  (x) => x.roll(1, 1),
  (x) => x.reverse([0]),
  (x) => x.cumsum(1),
  (x) => x.sort(),
  (x, y) => concatenate([x, y], 0).slice([1, 1 + x.dimensions[0]]),
  (x) => x.cast("float32").cast(x.dtype),
  (x) => x.softmax(),
];

describe.each(smallFloats)("casts of %s", (dtype) => {
  const cases = opCases.filter((each) => each.dtype === dtype);
  test.each(evaluators)("of every operation to every dtype, %s", (_, assign) => {
    for (const [n, { op, build }] of cases.entries()) {
      const dice = new Dice(op.length * 31 + dtype.length);
      const expr = build((of, dims) => subject(of, dims, dice.pick(layouts), dice) as Any, [3, 5]) as Any;
      // Each pair compiles a kernel. So every operation is cast to some dtypes, and every dtype from many operations.
      const turns = isLong ? 1 : assign === assignByReference ? 80 : 300;
      const some = targets.filter((_, t) => (t + n) % turns === 0);
      if (expr.dtype === dtype && some.length > 0) expect([op, wrongCasts(assign, expr, some)]).toEqual([op, []]);
    }
  });

  test.each(evaluators)("of chains, %s", (_, assign) => {
    for (let round = 0; round < (isLong ? 1500 : 2); round++) {
      const dice = new Dice(round * 7919 + dtype.length);
      const dims = [1 + dice.below(4), dice.pick([1, 3, 8, 33])];
      const y = subject(dtype, dims, dice.pick(layouts), dice) as Any;
      let expr = subject(dtype, dims, dice.pick(layouts), dice) as Any;
      const chosen = Array.from({ length: 1 + dice.below(4) }, () => dice.below(steps.length));
      for (const step of chosen) expr = steps[step]!(expr, y);
      const to = dice.pick(targets);
      expect([round, chosen, to, wrongCasts(assign, expr, [to, "float32"])]).toEqual([round, chosen, to, []]);
    }
  });

  test("a cast of a product first rounds the product to its dtype", () => {
    const third = subject(dtype, [40], "dense", new Dice(5), () => 1 / 3) as Any;
    const rounded = stored(assignByReference as Assign, third.mul(third)).at(0);
    for (const [, assign] of evaluators) {
      expect(stored(assign, third.mul(third).cast("float32")).at(7)).toBe(rounded);
      // An element that is only moved or chosen is not rounded a second time.
      expect(stored(assign, third.neg().cast("float64")).at(7)).toBe(-third.at(0));
    }
  });

  test("a value that is the same for a group of elements is kept whole between two passes", () => {
    // 1/8 everywhere: the rows' sums are loaded once for each group of eight elements, and the quotients are kept in a row buffer.
    const eighth = constant(dtype, 2, [5, 8]).softmax(-1) as Any;
    for (const [, assign] of evaluators) expect([...stored(assign, eighth.sub(eighth.max()))]).toEqual(Array(40).fill(0));
  });

  test("a ramp counts in float32 beyond the integers that the dtype has", () => {
    const ramp = iota(dtype, [5000]).slice([4096, 4100]).sub(4096) as Any;
    for (const [, assign] of evaluators) expect([...stored(assign, ramp)]).toEqual([0, 1, 2, 3]);
  });

  test("a computed value of other sizes that is used twice is rounded to both its places", () => {
    const x = subject(dtype, [4, 6, 5], "dense", new Dice(17), (dice) => dice.below(7) - 3) as Any;
    const once = x.exp().log().exp().reshape([24, 5]);
    const [got, wanted] = evaluators.map(([, assign]) => [...stored(assign, concatenate([once, once] as Any, 0))] as number[]);
    expect(got!.findIndex((value, k) => Math.abs(value - wanted![k]!) > 0.02 * wanted![k]!)).toBe(-1);
  });
});
