// Concatenations of maps and of parts of maps, which are copied in runs of bytes, agree with the plain evaluator.
import { expect, test } from "@jest/globals";
import type { RawDType } from "@onebuffer/base";
import { assignByReference } from "@onebuffer/eigen/internal";
import { concatenate, tensorMap } from "@onebuffer/eigen";
import { isLong } from "@onebuffer/test-support";
import { kernelCounts } from "@onebuffer/kernels/internal";
import { arenaMap, Dice, subject } from "./kernel-subjects.ts";

/** The trees here are built from tables of method names, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

/** Returns true if an expression, stored in a target of any layout, equals the evaluator's result. */
function agrees(expr: Any, dice: Dice): boolean {
  const wanted = arenaMap(expr.dtype, expr.dimensions) as Any;
  assignByReference(wanted, expr);
  const out = subject(expr.dtype, expr.dimensions, dice.pick(["dense", "strided", "transposed", "reversed"]), dice) as Any;
  out.assign(expr);
  const [a, b] = [[...out], [...wanted]];
  return a.every((value, k) => Object.is(value, b[k]));
}

test.each(["uint8", "int16", "float32", "float64", "bool", "float16"] as const)("pieces of %s of any width", (dtype: RawDType) => {
  const dice = new Dice(dtype.length * 7 + 3);
  for (let width = 1; width < 40; width += 1 + dice.below(isLong ? 3 : 30)) {
    const dims = [2 + dice.below(2), 1 + dice.below(3), width];
    const inside = subject(dtype, dims, dice.pick(["dense", "strided", "transposed", "reversed"]), dice) as Any;
    const outside = (tensorMap as Any)(dtype, new inside.array.constructor(inside.size), dims);
    outside.copyFrom(inside);
    for (const x of [inside, outside]) {
      const axis = dice.below(3);
      const other = subject(dtype, dims.with(axis, dice.below(4)), "dense", dice);
      const part = x.slice(...dims.map((size, d) => (d === axis ? [dice.below(size + 1), null, 1 + dice.below(2)] : [])));
      expect([dims, axis, agrees(concatenate([x, other, part, x.reverse([axis])] as Any, axis), dice)]).toEqual([dims, axis, true]);
      const shifts = [1, dice.below(5) - 2, dice.below(50)];
      expect([dims, shifts, agrees(x.roll(shifts, [0, 1, 2]), dice)]).toEqual([dims, shifts, true]);
    }
  }
});

test("nothing is planned, unless an operand is computed", () => {
  const [x, y] = [arenaMap("float32", [8, 9]), arenaMap("float32", [3, 9])] as Any[];
  const planned = (expr: Any): number => {
    const out = arenaMap("float32", expr.dimensions) as Any;
    const { planned: before } = kernelCounts();
    out.assign(expr);
    return kernelCounts().planned - before;
  };
  expect(planned(concatenate([x, y.slice([1, 3]), y] as Any, 0))).toBe(0);
  expect(planned(x.roll([3, 4], [0, 1]))).toBe(0);
  expect(planned(concatenate([x, y.neg()] as Any, 0))).toBeGreaterThan(0);
});

test("a roll of many axes agrees, and one that overlaps its operand", () => {
  const dice = new Dice(4);
  const x = subject("int32", [2, 3, 2, 2, 3], "dense", dice) as Any;
  expect(agrees(x.roll([1, 2, 1, -1, 4], [0, 1, 2, 3, 4]), dice)).toBe(true);
  // Twice along the same axis: the shifts add up.
  expect(agrees(x.roll([1, 4], [1, 1]).sub(x.roll(2, 1)).abs().sum(), dice)).toBe(true);
  const line = arenaMap("int32", [5]) as Any;
  line.copyFrom([1, 2, 3, 4, 5]);
  line.assign(line.roll(2));
  expect(line.toArray()).toEqual([4, 5, 1, 2, 3]);
  line.assign(line.roll([1, 4], [0, 0]));
  expect(line.toArray()).toEqual([4, 5, 1, 2, 3]);
});
