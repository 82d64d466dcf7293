// Scans agree with the plain evaluator: of one operand, of three, and of special floats.
import { expect, test } from "@jest/globals";
import { assignByReference } from "@onebuffer/eigen/internal";
import { markedCumsum, scaledCumsum } from "@onebuffer/expression/internal";
import { sampled } from "@onebuffer/test-support";
import { arenaMap, Dice } from "../kernel-subjects.ts";
import { wrapping } from "../../wrapping.ts";
import { reasons } from "./fallback-reasons.ts";
import { difference } from "./difference.ts";
import { byTurns, byHalves, byThirds } from "./turns.ts";
import { realDTypes, operand, somewhere } from "./operands.ts";

/** The trees here are built from tables of method names, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

const scans = (["cumsum", "cumprod", "cummax", "cummin"] as const).flatMap((op) => realDTypes.map((dtype) => [op, dtype] as const));

test.each(sampled(scans, 6).map((each, turn) => [...each, turn] as const))("%s of %s agrees bit for bit", (op, dtype, turn) => {
  const dice = new Dice(op.length * 131 + dtype.length);
  // The last sizes are those of several vectors and an edge, and, of 32 and 64 bits, of rows that are divided.
  const wide = dtype === "float32" || dtype === "int64" ? [[2, 1047]] : [];
  for (const dims of byThirds([[41], [7, 19], [3, 5, 11], [2, 1, 6], [4, 0, 3], [2, 2, 71], ...wide], turn)) {
    // The last axis is the one that is divided.
    const axes = dims.at(-1) === 1047 ? [1] : byTurns([...dims.keys()], realDTypes.indexOf(dtype) + op.length);
    for (const axis of axes) {
      const options = { exclusive: dice.below(2) === 0, reverse: dice.below(2) === 0, ...wrapping(op) };
      const expr = operand(dtype, dims, dice)[op](axis, options);
      expect([dims, axis, options, difference(expr, somewhere(dtype, dims, dice), 0)]).toEqual([dims, axis, options, null]);
      // As a stage of a computed operand; float16 is stored as float32.
      const fused = operand(dtype, dims, dice)
        .neg()
        [op](axis, options)
        .add(operand(dtype, dims, dice));
      expect([dims, axis, difference(fused, somewhere(dtype, dims, dice), 0)]).toEqual([dims, axis, null]);
    }
  }
  expect(reasons).toEqual([]);
});

/** Scans of three operands, by dtype. */
const threefold = (["float32", "float64", "float16", "bfloat16", "complex64", "complex128"] as const).flatMap((dtype) =>
  dtype.startsWith("complex") ? [[dtype, scaledCumsum] as const] : [scaledCumsum, markedCumsum].map((scan) => [dtype, scan] as const),
);

test.each(sampled(threefold, 5))("a scan of three operands of %s agrees bit for bit: %p", (dtype, scan) => {
  const dice = new Dice(dtype.length * 31);
  const few = (d: Dice): number => d.pick([0, -0, 1, -1, NaN, Infinity, 0.5, 2]);
  const element = dtype.startsWith("complex") ? undefined : few;
  for (const dims of byHalves(
    [[41], [7, 19], [3, 5, 11], [4, 0, 3], [2, 2, 71], [2, 1047]],
    dtype.length + (scan === scaledCumsum ? 0 : 1),
  )) {
    const axis = dice.below(dims.length);
    const options = { exclusive: dice.below(2) === 0, reverse: dice.below(2) === 0 };
    const of = (x: Any, second: Any, third: Any): Any => scan(x, second, third, axis, options);
    const expr = of(operand(dtype, dims, dice), operand(dtype, dims, dice, element), operand(dtype, dims, dice, element));
    expect([dims, axis, options, difference(expr, somewhere(dtype, dims, dice), 0)]).toEqual([dims, axis, options, null]);
    // Stages of computed operands, one of them at the places of the result, and one node twice.
    const computed = operand(dtype, dims, dice, element).neg();
    const fused = of(computed, operand(dtype, dims, dice, element).neg(), computed).add(of(computed, computed, operand(dtype, dims, dice)));
    expect([dims, axis, difference(fused, somewhere(dtype, dims, dice), 0)]).toEqual([dims, axis, null]);
  }
  expect(reasons).toEqual([]);
});

test.each(["float16", "bfloat16", "float32"] as const)(
  "scaledCumsum of one computed operand of %s agrees from a kept plan, too",
  (dtype) => {
    const dims = [300];
    const dice = new Dice(31);
    const [x, factors] = [arenaMap(dtype, dims), arenaMap(dtype, dims)] as Any[];
    for (const map of [x, factors]) map.copyFrom(Array.from({ length: 300 }, () => dice.pick([0.5, 1, -1, 2, 0.25])));
    for (const expr of [
      scaledCumsum(x.mod(4), factors, x, 0, {}),
      scaledCumsum(x, factors.mod(4), x, 0, {}),
      markedCumsum(x, x, factors.mod(4), 0, {}),
    ] as Any[]) {
      const [wanted, out] = [arenaMap(dtype, [2, ...dims]), arenaMap(dtype, [2, ...dims])] as Any[];
      assignByReference(wanted, expr);
      for (let time = 0; time < 3; time++) {
        out.assign(7);
        out.assign(expr);
        expect([time, ...out]).toEqual([time, ...wanted]);
      }
    }
  },
);

test("a scan of NaN, infinities and zeros of both signs agrees", () => {
  const dice = new Dice(5);
  for (const dtype of ["float32", "float64"] as const) {
    for (const op of ["cumsum", "cumprod"] as const) {
      for (const axis of [0, 1]) {
        const x = operand(dtype, [9, 21], dice, (d) => d.pick([-0, 0, -0, 1e30, 1e-30, d.below(40) === 0 ? NaN : -0, Infinity]));
        expect([dtype, op, axis, difference(x[op](axis), somewhere(dtype, [9, 21], dice), 0)]).toEqual([dtype, op, axis, null]);
      }
    }
  }
});
