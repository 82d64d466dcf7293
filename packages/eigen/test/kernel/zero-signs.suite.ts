// The larger of +0 and -0 is +0 and the smaller is -0; with NaN the result is NaN. This holds for every operation, layout and
// position of an element, with kernels and with the evaluator.
import { describe, expect, test } from "@jest/globals";
import { assignByReference } from "@onebuffer/eigen/internal";
import { constant, tensorMap } from "@onebuffer/eigen";
import { isLong } from "@onebuffer/test-support";
import { arenaMap, Dice, elementsOf, layouts, subject } from "./kernel-subjects.ts";

/** The trees here are built from tables of method names, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

const rounds = isLong ? 600 : 1;
const dtypes = ["float32", "float64", "float16", "bfloat16"] as const;
const extremes = [
  ["max", "maximum", Math.max],
  ["min", "minimum", Math.min],
] as const;
/** Elements to pick from: zeros of one sign or both, alone or among other numbers, with and without NaN. */
const pools: readonly (readonly number[])[] = [
  [0],
  [-0],
  [-0, -0, -0, -0, -0, -0, -0, -0, 0],
  [0, 0, 0, 0, 0, 0, 0, 0, -0],
  [-0, 0, -1, -Infinity],
  [-0, 0, 2, Infinity],
  [-0, 0, 1.5, -1.5],
  [...Array<number>(60).fill(-0), 0, Number.NaN],
];

/** Returns a number by which the dtypes and operations take turns. */
const turnOf = (dtype: (typeof dtypes)[number], op: string): number => dtypes.indexOf(dtype) + Number(op === "max");

/** Returns a map of an expression's elements. */
function evaluated(expr: Any): Any {
  const out = arenaMap(expr.dtype, expr.dimensions) as Any;
  out.assign(expr);
  return out;
}

/** Returns the elements of an expression by kernels and by the evaluator. */
function both(expr: Any): number[][] {
  const wanted = arenaMap(expr.dtype, expr.dimensions) as Any;
  assignByReference(wanted, expr);
  return [elementsOf(evaluated(expr)), elementsOf(wanted)];
}

/** Returns the extremes of a map along some axes, one after the other. */
function reduced(map: Any, axes: readonly number[], pick: (...values: number[]) => number): number[] {
  const lines = new Map<string, number[]>();
  const { dimensions } = map;
  const values = [...map] as number[];
  values.forEach((value, flat) => {
    let index = flat;
    const at = (dimensions as number[]).toReversed().map((size) => {
      const along = index % size;
      index = Math.floor(index / size);
      return along;
    });
    const key = at
      .toReversed()
      .filter((_, d) => !axes.includes(d))
      .join();
    lines.set(key, [...(lines.get(key) ?? []), value]);
  });
  return [...lines.values()].map((line) => pick(...line));
}

describe.each(dtypes)("%s", (dtype) => {
  test.each(extremes)("%s over any axes of any layout has the right sign of zero", (op, _, pick) => {
    for (let round = 0; round < rounds; round++) {
      const dice = new Dice((round * 8 + dtypes.indexOf(dtype) * 2 + Number(op === "max")) * 104729 + 7);
      const pool = dice.pick(pools);
      const sizes = [1, 2, 3, 5, 8, 17, 33, 70];
      const dims = Array.from({ length: 1 + dice.below(3) }, (__, d) => (d === 0 ? dice.pick(sizes) : dice.pick(sizes.slice(0, 6))));
      const x = subject(dtype, dims, dice.pick(layouts), dice, () => dice.pick(pool)) as Any;
      const some = dims.map((__, d) => d).filter(() => dice.below(2) === 0);
      const axes = some.length === 0 ? [dice.below(dims.length)] : some;
      const wanted = reduced(x, axes, pick);
      // As a map, and computed, so that another kind of kernel reads the elements.
      const operands = [x, x.neg().neg(), x.reverse()];
      for (const operand of isLong ? operands : [x, operands[1 + ((round + turnOf(dtype, op)) % 2)]]) {
        const expected = operand === x || operand.op === "neg" ? wanted : reduced(evaluated(operand), axes, pick);
        expect([round, dims, axes, both(operand[op](axes))]).toEqual([round, dims, axes, [expected, expected]]);
      }
    }
  });

  test.each(extremes.map(([op]) => op))("%s finds one zero of the other sign at any position", (op) => {
    const [many, one] = op === "max" ? [-0, 0] : [0, -0];
    for (const size of isLong ? [1, 2, 3, 4, 7, 8, 9, 16, 31, 64, 65] : [1, 4, 9, 65]) {
      const places = size < 10 ? Array.from({ length: size }, (_, k) => k) : [0, 1, 3, 4, size >> 1, size - 2, size - 1];
      for (const [k, at] of places.entries()) {
        // Every third place, by turns of the dtypes and operations.
        if (!isLong && (k + turnOf(dtype, op)) % 3 !== 0) continue;
        const row = subject(dtype, [size], "dense", new Dice(1), () => many) as Any;
        const column = subject(dtype, [size, 3], "dense", new Dice(1), () => many) as Any;
        row.set(at, one);
        for (const c of [0, 1, 2]) column.set(at, c, one);
        expect([size, at, both(row[op]()), both(column[op](0)), both(column[op]())]).toEqual([
          ...[size, at, [[one], [one]]],
          ...[
            [
              [one, one, one],
              [one, one, one],
            ],
            [[one], [one]],
          ],
        ]);
      }
    }
  });

  test.each(extremes)("%s elementwise has the right sign of zero, with maps and constants on either side", (op, name, pick) => {
    const values = [0, -0, 1, -1, Infinity, -Infinity, Number.NaN];
    const pairs = values.flatMap((a) => values.map((b) => [a, b] as const));
    // One layout by turns of the dtypes and operations.
    const own = (["dense", "reversed", "strided"] as const).filter((__, k) => isLong || k === turnOf(dtype, op) % 3);
    for (const layout of own) {
      const make = (side: 0 | 1): Any => {
        let k = 0;
        return subject(dtype, [pairs.length], layout, new Dice(1), () => pairs[k++ % pairs.length]![side]) as Any;
      };
      const [x, y] = [make(0), make(1)];
      const [left, right] = [[...x], [...y]] as number[][];
      const expected = left!.map((value, k) => pick(value, right![k]!));
      expect([layout, both(x[name](y))]).toEqual([layout, [expected, expected]]);
      // Every second constant.
      for (const value of values.filter((__, k) => isLong || (k + turnOf(dtype, op)) % 2 === 0)) {
        const scalar = constant(dtype, value, []) as Any;
        const bounded = left!.map((each) => pick(each, value));
        // On one side, by turns, and on both in `npm run long`.
        const sides = [x[name](scalar), scalar[name](x)];
        for (const each of isLong ? sides : [sides[(values.indexOf(value) >> 1) & 1]])
          expect([layout, value, both(each)]).toEqual([layout, value, [bounded, bounded]]);
      }
      const clipped =
        op === "max"
          ? [x.relu(), left!.map((each) => Math.max(each, 0))]
          : [x.clip(0, 1), left!.map((each) => Math.max(Math.min(each, 1), 0))];
      expect([layout, both(clipped[0])]).toEqual([layout, [clipped[1], clipped[1]]]);
    }
  });

  test("argmax finds the lowest finite element above -Infinity, where TensorFlow does not", () => {
    const lowest = { float32: -3.4028234663852886e38, float64: -Number.MAX_VALUE, float16: -65504, bfloat16: -3.3895313892515355e38 }[
      dtype
    ];
    const pair = subject(dtype, [2], "dense", new Dice(1), () => 0) as Any;
    pair.copyFrom([-Infinity, lowest]);
    for (const expr of [pair.argmax(), pair.neg().argmin()]) expect(both(expr.cast("float32"))).toEqual([[1], [1]]);
  });

  test.each(extremes.map(([op]) => op))("scatter with %s combines zeros of both signs", (op) => {
    const [many, one] = op === "max" ? [-0, 0] : [0, -0];
    const zeros = subject(dtype, [4], "dense", new Dice(1), () => many) as Any;
    const index = tensorMap("int32", Int32Array.of(2, 0, 2), [3]) as Any;
    const updates = arenaMap(dtype, [3]) as Any;
    updates.copyFrom([one, many, many]);
    const expected = [many, many, one, many];
    expect(both(zeros.scatter(index, updates, 0, { reduction: op }))).toEqual([expected, expected]);
  });
});
