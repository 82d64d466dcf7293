// Reductions across rows (form/kernel-columns.ts) whose operands have elements that all columns of a row have in common, as a product of one row
// with a matrix: one such operand, which is loaded before the columns, several, which are not, and several reduced axes.
import { expect, test } from "@jest/globals";
import type { RawDType } from "@onebuffer/base";
import { explain } from "@onebuffer/compiler/internal";
import { isLong, sampled } from "@onebuffer/test-support";
import { listDifference } from "./difference.ts";
import { computed, reference } from "./filled-maps.ts";
import { arenaMap, Dice } from "./kernel-subjects.ts";
import { wrapping } from "../wrapping.ts";

/** The trees here are built from tables, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

type Maps = (...dims: number[]) => Any;

/** What is reduced over the axes before the last: of sizes [2, rows, columns]. */
const kForms: readonly (readonly [name: string, build: (map: Maps, rows: number, columns: number) => Any])[] = [
  ["one operand", (map, rows, columns) => map(2, rows, columns).mul(map(2, rows, 1))],
  ["one that differs along one reduced axis", (map, rows, columns) => map(2, rows, columns).mul(map(rows, 1))],
  ["one that is used twice", (map, rows, columns) => ((w) => map(2, rows, columns).mul(w).add(w))(map(2, rows, 1))],
  [
    "two",
    (map, rows, columns) =>
      map(2, rows, columns)
        .mul(map(2, rows, 1))
        .add(map(rows, 1)),
  ],
  ["one, moved", (map, rows, columns) => map(2, rows, columns).mul(map(rows, 2).transpose().reshape([2, rows, 1]))],
  ["nothing but one", (map, rows, columns) => map(2, rows, 1).broadcast([2, rows, columns]).add(map(columns))],
];

/** Returns maps with small integers, whose sums are exact in any order. */
const mapsOf = (dtype: RawDType, dice: Dice): Maps => {
  const isBig = dtype.endsWith("int64");
  return (...dims) => {
    const map = arenaMap(dtype, dims) as Any;
    map.copyFrom(Array.from({ length: map.size }, () => (isBig ? BigInt(dice.below(3)) : dice.below(3))));
    return map;
  };
};

const kDTypes = ["float32", "float64", "float16", "bfloat16", "int32", "int16", "uint8", "int64", "uint32"] as const;

test.each(sampled(kDTypes, 4))("reductions of %s across rows with elements for all columns agree with the evaluator", (dtype) => {
  const dice = new Dice(dtype.length * 31 + 7);
  const map = mapsOf(dtype, dice);
  for (const rows of isLong ? [1, 2, 7, 8, 9, 15, 16, 17, 40] : [3, 8, 21])
    for (const columns of isLong ? [16, 17, 31, 64, 100, 2047, 2048, 2049, 5000] : [19, 64, ...(rows === 8 ? [2051] : [])])
      for (const [name, build] of kForms.filter((_, k) => isLong || (k + rows + columns) % 2 === 0)) {
        const op = dice.pick(["sum", "max", "min", "prod"]);
        const axes = dice.pick([[0, 1], [1]]);
        const expression = build(map, rows, columns)[op](axes, wrapping(op));
        const found = listDifference(computed(expression), reference(expression));
        expect([name, op, axes, rows, columns, found]).toEqual([name, op, axes, rows, columns, null]);
      }
});

test("an element for all columns is loaded once for eight rows if it alone is, and with each group of columns if there are two", () => {
  const map = mapsOf("float32", new Dice(3));
  const [one, two] = [map(40, 300).mul(map(40, 1)), map(40, 300).mul(map(40, 1)).add(map(40, 1))];
  // The loop over groups of columns begins after the loads.
  const loadsInLoop = (expression: Any): number => {
    const { listing } = explain(expression.sum([0])).steps[0]!;
    const loops = listing.split("f64x2.promote_low_f32x4")[0]!.split("loop");
    return loops.at(-1)!.split("v128.load32_splat").length - 1;
  };
  expect([loadsInLoop(one), loadsInLoop(two)]).toEqual([0, 16]);
});
