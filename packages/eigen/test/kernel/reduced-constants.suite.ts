// Reductions of constants whose results are wider than the constants (plan/kernel-spec.ts, groupElements): a group has as many elements as fill
// a vector of the constant, so that its accumulators are whole vectors, and no store goes beyond the target.
import { expect, test } from "@jest/globals";
import type { RawDType } from "@onebuffer/base";
import { constant } from "@onebuffer/eigen";
import { arenaMap, elementsOf } from "./kernel-subjects.ts";
import { reference } from "./filled-maps.ts";

/** The trees here are built from tables of names, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

/** Elements behind the target, which nothing may write. */
const kGuards = 64;

/** Returns the elements that kernels compute, and those behind them. */
function withGuards(expression: Any): readonly [elements: number[], guards: number[]] {
  const { dtype, size } = expression;
  const whole = arenaMap(dtype as RawDType, [size + kGuards]) as Any;
  whole.data.fill(dtype.endsWith("int64") ? 77n : 77);
  const target = whole.strided(`:${size}`);
  target.assign(expression);
  const elements = elementsOf(whole).map(Number);
  return [elements.slice(0, size), elements.slice(size)];
}

const kDTypes = ["uint8", "int16", "int32", "float16", "float32", "float64"] as const;

/** Whole groups of every width, groups that are not whole, and columns of two chunks. */
const kSizes = [
  [3, 64],
  [3, 67],
  [2, 4096],
  [64, 1],
  [64, 40],
] as const;

test.each(kDTypes)("reductions of constants of %s to wider elements write their target and nothing else", (dtype) => {
  for (const sizes of kSizes) {
    const axis = sizes[1] > sizes[0] ? 0 : 1;
    const value = constant(dtype, 1, sizes) as Any;
    const expressions = {
      argmax: value.argmax(axis, { outputType: "int64" }),
      argmin: value.argmin(axis, { outputType: "int64" }),
      "rounded argmax": value.argmax(axis, { outputType: "int64" }).round(),
      sum: value.sum([axis], { wraps: true }).cast("float64"),
      "number of ones": value.equal(1).cast("int64").sum([axis]),
    };
    for (const [name, expression] of Object.entries(expressions)) {
      const [elements, guards] = withGuards(expression);
      expect([sizes, name, elements]).toEqual([sizes, name, reference(expression)]);
      expect([sizes, name, guards.filter((guard) => guard !== 77)]).toEqual([sizes, name, []]);
    }
  }
});
