// Rows that indices choose agree with the plain evaluator: gather, scatter, segments and counts, which are plain loops over typed arrays.
import { expect, test } from "@jest/globals";
import type { RawDType } from "@onebuffer/base";
import { explain } from "@onebuffer/compiler/internal";
import {
  bincount,
  constant,
  opTable,
  tensorMap,
  unsortedSegmentMax,
  unsortedSegmentMin,
  unsortedSegmentProd,
  unsortedSegmentSum,
} from "@onebuffer/eigen";
import { isLong, sampled } from "@onebuffer/test-support";
import { unalignedTensorMap } from "@onebuffer/eigen/internal";
import { kUnowned } from "@onebuffer/storage/internal";
import { arenaArray, arenaMap, Dice, subject } from "../kernel-subjects.ts";
import { reasons } from "./fallback-reasons.ts";
import { difference } from "./difference.ts";
import { byTurns, byThirds } from "./turns.ts";
import { moderate, operand, somewhere } from "./operands.ts";

/** The trees here are built from tables of method names, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

test.each(["int32", "int64"] as const)("rows of segments and counts agree, with %s indices that are dropped", (dtype) => {
  const dice = new Dice(dtype.length * 31);
  const big = dtype === "int64";
  const ids = (count: number, low: number, high: number): Any =>
    operand(dtype, [count], dice, (d) => (big ? BigInt(low + d.below(high - low)) : low + d.below(high - low)));
  const makers = [unsortedSegmentSum, unsortedSegmentProd, unsortedSegmentMax, unsortedSegmentMin] as Any[];
  for (const [turn, held] of (["float32", "int8", "int64", "float64", "uint16"] as const).entries()) {
    if (!isLong && (turn + (big ? 1 : 0)) % 3 > 0) continue;
    for (const [k, make] of makers.entries()) {
      for (const dims of byTurns([[40], [9, 3], [12, 19], [7, 2, 8]], turn + k + (big ? 2 : 0))) {
        const expr = make(operand(held, dims, dice), ids(dims[0] as number, -3, 5), 5);
        const targets = [arenaMap(held, expr.dimensions), arenaMap(held, expr.dimensions), somewhere(held, expr.dimensions, dice)];
        expect([make.name, held, dims, ...targets.map((out) => difference(expr, out, 0))]).toEqual([
          make.name,
          held,
          dims,
          null,
          null,
          null,
        ]);
      }
    }
  }
  const far = operand(dtype, [6], dice, (d) => (big ? d.pick([2n ** 32n, 2n ** 40n + 1n, 1n]) : d.pick([2 ** 31 - 1, 70, 1])));
  for (const [x, length] of [
    [ids(1000, 0, 40), 30],
    [ids(3, 0, 40), 50],
    [ids(999, 0, 3), 0],
    [ids(1003, 0, 20_000), 20_000],
    [far, 2],
  ] as [Any, number][]) {
    expect([length, difference(bincount(x, length), somewhere("int32", [length], dice), 0)]).toEqual([length, null]);
  }
  expect(reasons).toEqual([]);
  const out = arenaMap("int32", [4]) as Any;
  expect(() => out.assign(bincount(ids(9, -1, 0), 4))).toThrow("indices[0] = -1 is not in [0, 4)");
  expect(() => arenaMap("float32", [2]).assign(unsortedSegmentSum(arenaMap("float32", [3]), ids(3, 2, 3), 2) as Any)).toThrow(
    "indices[0] = 2 is not in [0, 2)",
  );
});

const moved = opTable.gather.dtypes.filter((dtype) => !dtype.startsWith("q")) as readonly RawDType[];

test.each(sampled(moved, 5))("gather and scatter of %s agree bit for bit", (dtype) => {
  const dice = new Dice(dtype.length * 23 + 1);
  const narrow = /^u?int[24]$|float[48]|complex/.test(dtype);
  const map = (dims: readonly number[]): Any => {
    if (!narrow) return operand(dtype, dims, dice);
    const result = arenaMap(dtype, dims) as Any;
    result.copyFrom(Array.from({ length: result.size }, () => (dtype.startsWith("complex") ? [dice.below(9), 2] : dice.below(2))));
    return result;
  };
  const indexType = (): "int32" | "int64" => dice.pick(["int32", "int64"]);
  const subjects = [
    [[6], 0],
    [[5, 7], 0],
    [[5, 7], 1],
    [[3, 4, 70], 1],
    [[2, 3, 4], 2],
    [[5, 64], 0],
  ] as [number[], number][];
  for (const [turn, [dims, axis]] of byThirds([...subjects.entries()], moved.indexOf(dtype))) {
    const size = dims[axis] as number;
    const picks = (index: "int32" | "int64", at: readonly number[]): Any =>
      operand(index, at, dice, (d) => (index === "int64" ? BigInt(d.below(size)) : d.below(size)));
    for (const at of byTurns([[9], [], [2, 3]], turn + moved.indexOf(dtype))) {
      const expr = map(dims).gather(picks(indexType(), at), axis);
      const out = narrow ? arenaMap(dtype, expr.dimensions) : somewhere(dtype, expr.dimensions, dice);
      expect([dims, axis, at, difference(expr, out, 0)]).toEqual([dims, axis, at, null]);
    }
    const reductions = opTable.minimum.dtypes.includes(dtype)
      ? ["update", "add", "mul", "min", "max"]
      : dtype.startsWith("complex")
        ? ["update", "add"]
        : ["update"];
    for (const reduction of byTurns(reductions, turn + moved.indexOf(dtype))) {
      const expr = map(dims).scatter(picks(indexType(), [4]), map(dims.with(axis, 4)), axis, { reduction });
      // The second target has the plan that is kept for the first, if there is one.
      for (const out of [arenaMap(dtype, dims), arenaMap(dtype, dims), ...(narrow ? [] : [somewhere(dtype, dims, dice)])])
        expect([dims, axis, reduction, difference(expr, out, 0)]).toEqual([dims, axis, reduction, null]);
    }
  }
  expect(reasons).toEqual([]);
});

test.each(["float16", "bfloat16"] as const)("computed rows of %s are rounded only when they are stored", (dtype) => {
  const dice = new Dice(8);
  const x = operand(dtype, [6, 5], dice, moderate(dtype));
  const at = tensorMap("int32", Int32Array.of(3, 0, 3), [3]) as Any;
  const third = x.mul(1 / 3);
  for (const expr of [third.gather(at, 0), third.scatter(at, x.gather(at, 0).mul(0.7), 0), third.sort(), third.cumsum(1)])
    expect(difference(expr.mul(3).sub(x.gather(at, 0).sum()), arenaMap(dtype, expr.dimensions), 0)).toBe(null);
});

test("an index outside the axis throws the evaluator's error", () => {
  const table = arenaMap("float32", [4, 100]) as Any;
  const out = arenaMap("float32", [2, 100]) as Any;
  const at = tensorMap("int64", BigInt64Array.of(1n, 4n), [2]) as Any;
  expect(() => out.assign(table.gather(at, 0))).toThrow("gather: indices[1] = 4 is not in [0, 4)");
  expect(() => table.assign(table.scatter(at, out, 0))).toThrow("scatter: indices[1] = 4 is not in [0, 4)");
  out.fill(7);
  for (const [index, row] of [
    [at, 4],
    [tensorMap("int32", Int32Array.of(1, -1), [2]), -1],
    [tensorMap("int32", Int32Array.of(3, 4), [2]), 4],
  ] as Any) {
    expect(() => out.assign(table.gather(index, 0))).toThrow(`gather: indices[1] = ${row} is not in [0, 4)`);
    // Of a scatter, not even the first update is stored.
    const other = arenaMap("float32", [4, 100]) as Any;
    other.fill(0);
    expect(() => other.assign(table.add(1).scatter(index, out, 0))).toThrow(`scatter: indices[1] = ${row} is not in [0, 4)`);
    expect([...other].every((value) => value === 0)).toBe(true);
  }
  expect([...out].every((value) => value === 7)).toBe(true);
});

test("few rows of a large table outside the linear memory are read where they are", () => {
  const dice = new Dice(12);
  for (const dtype of ["float32", "float64", "int16", "uint8"] as const) {
    for (const [dims, axis] of [
      [[600, 61], 0],
      [[9, 700, 3], 1],
      [[60_000], 0],
    ] as [number[], number][]) {
      // Each dtype meets one of the tables, and all of them in `npm run long`.
      if (!isLong && dims.length !== { float32: 2, float64: 3, int16: 1, uint8: 2 }[dtype]) continue;
      const dense = subject(dtype, dims, "dense", dice) as Any;
      const table = (tensorMap as Any)(dtype, new dense.array.constructor(dense.size), dims);
      table.copyFrom(dense);
      const at = tensorMap("int64", BigInt64Array.of(5n, 599n, 5n), [3]);
      const expr = table.gather(at, axis);
      expect([dtype, dims, difference(expr, arenaMap(dtype, expr.dimensions), 0)]).toEqual([dtype, dims, null]);
    }
  }
});

/** Returns a map at a byte of the linear memory that is a multiple of no element's size. */
function oddMap(dtype: RawDType, dims: readonly number[], values: readonly unknown[] = []): Any {
  const bytes = arenaArray("uint8", 8 * 64 + 1) as Uint8Array<ArrayBuffer>;
  const map: Any = unalignedTensorMap(dtype, bytes.buffer, bytes.byteOffset + 1, kUnowned, dims);
  if (values.length > 0) map.copyFrom(values);
  return map;
}

test("few rows of a large table outside the linear memory go to any address", () => {
  const at = tensorMap("int32", Int32Array.of(3, 19_999, 7), [3]);
  for (const dtype of ["float32", "int16", "float64"] as const) {
    const dense = subject(dtype, [20_000], "dense", new Dice(8)) as Any;
    const table = (tensorMap as Any)(dtype, new dense.array.constructor(dense.size), [20_000]);
    table.copyFrom(dense);
    expect([dtype, difference(table.gather(at, 0), oddMap(dtype, [3]), 0)]).toEqual([dtype, null]);
  }
});

test.each(["int32", "uint32"] as const)("a plan that counts indices adds another number to %s, and at any address", (dtype) => {
  const added = (value: number): Any => constant(dtype, value, [4]);
  const [table, ids, out] = [oddMap(dtype, [5], [0, 10, 0, 2, 0]), oddMap("int32", [4], [0, 1, 1, 4]), oddMap(dtype, [5])];
  // The plan is kept from the third assignment on.
  for (const value of [1, 1, 1, 3, 1, 7]) {
    expect([value, difference(table.scatter(ids, added(value), 0, { reduction: "add" }), out, 0)]).toEqual([value, null]);
    expect(out.toArray()).toEqual([value, 10 + 2 * value, 0, 2, value]);
  }
});

test("rows along any axis of a computed operand are gathered by loops if the result is not much smaller", () => {
  const x = subject("float32", [40, 30, 20], "dense", new Dice(3)) as Any;
  const indices = tensorMap(
    "int32",
    Int32Array.from({ length: 25 }, (_, k) => k),
    [25],
  );
  const by = (expr: Any): string[] => explain(expr).steps.map((step) => step.by);
  const [few, fewer] = [indices.slice([0, 2]), indices.slice([0, 1])];
  const ways = [["map", "loops"], ["map", "map", "loops"], ["evaluator"]]; // the places of a part are copied, too
  expect([indices, few, fewer].map((at) => by(x.neg().gather(at, 1)))).toEqual(ways);
  // The evaluator would compute a reduction, scan or product completely, too.
  const whole = [x.softmax(), x.cumsum(1).neg(), x.matMul(x, { transposeB: true }).relu().reshape([40, -1]).transpose()];
  expect(whole.map((table) => by(table.gather(fewer, 0)).at(-1))).toEqual(["loops", "loops", "loops"]);
});
