// Kernels agree with the plain evaluator wherever operands and results are: results that overlap operands, operands outside the linear memory.
import { describe, expect, test } from "@jest/globals";
import { assignByReference } from "@onebuffer/eigen/internal";
import { tensorMap } from "@onebuffer/eigen";
import { kernelCounts } from "@onebuffer/kernels/internal";
import { arenaMap } from "../kernel-subjects.ts";
import { divisions as integerDivisions } from "../../operation-records.ts";

/** The trees here are built from tables of method names, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

describe("a target that overlaps the operand", () => {
  const values = (n: number): number[] => Array.from({ length: n }, (_, i) => i + 1);
  const run = (n: number, assign: (map: Any) => void): number[] => {
    const map = arenaMap("float32", [n]) as Any;
    map.copyFrom(values(n));
    assign(map);
    return [...map] as number[];
  };
  const n = 103;

  test("in place", () => expect(run(n, (m) => m.assign(m.mul(m).add(1)))).toEqual(values(n).map((x) => x * x + 1)));
  test("backwards", () =>
    expect(run(n, (m) => m.assign(m.strided().reverse().add(1)))).toEqual(
      values(n)
        .reverse()
        .map((x) => x + 1),
    ));
  test("shifted up and down", () => {
    const shifted = (from: readonly [number, number], to: readonly [number, number]) => (m: Any) =>
      m.strided().slice(to).assign(m.strided().slice(from).mul(2));
    expect(run(n, shifted([0, 100], [3, 103]))).toEqual([1, 2, 3, ...values(100).map((x) => 2 * x)]);
    expect(run(n, shifted([3, 103], [0, 100]))).toEqual([...values(100).map((x) => 2 * (x + 3)), 101, 102, 103]);
  });
  test("a matrix reduced into its own first row", () => {
    const map = arenaMap("float32", [4, 5]) as Any;
    map.copyFrom(values(20));
    map.chip(0).assign(map.sum([0]));
    expect(map.toArray()).toEqual([[34, 38, 42, 46, 50], ...[6, 11, 16].map((first) => [0, 1, 2, 3, 4].map((k) => first + k))]);
  });
  test("a square matrix transposed in place", () => {
    const map = arenaMap("float32", [37, 37]) as Any;
    map.copyFrom(values(37 * 37));
    const wanted = map.strided().transpose().toArray();
    map.assign(map.transpose());
    expect(map.toArray()).toEqual(wanted);
  });
});

describe("a result that overlaps operands of stages", () => {
  const stages: readonly [string, (x: Any) => Any][] = [
    ["sort", (x) => x.sort()],
    ["cumsum", (x) => x.cumsum()],
    ["gather", (x) => x.gather(x.argsort().cast("int32"))],
    ["roll of a sum", (x) => x.add(1).roll(3)],
  ];
  test.each(stages)("%s, divided by -1, with the least integer among others", (_, stage) => {
    const x = arenaMap("int32", [70]) as Any;
    x.copyFrom(Array.from({ length: 70 }, (_, i) => (i === 60 ? -(2 ** 31) : (i * 7) % 70)));
    for (const op of integerDivisions.filter((name) => name in x)) {
      const y = arenaMap("int32", [70]) as Any;
      y.assign(-1);
      const expr = stage(x)[op](y);
      const wanted = tensorMap("int32", new Int32Array(70), [70]) as Any;
      assignByReference(wanted, expr);
      const before = [...x];
      x.assign(expr);
      const found = [...x];
      x.copyFrom(before);
      expect([op, found]).toEqual([op, [...wanted]]);
    }
  });
  test.each(stages)("%s, a remainder with one huge quotient among others", (_, stage) => {
    for (const dtype of ["float32", "float64"] as const) {
      const x = arenaMap(dtype, [70]) as Any;
      x.copyFrom(Array.from({ length: 70 }, (_, i) => (i === 60 ? 2 ** 62 : (i * 7) % 70)));
      const y = arenaMap(dtype, [70]) as Any;
      y.assign(3);
      for (const op of ["mod", "truncateMod"]) {
        const expr = stage(x)[op](y);
        const wanted = tensorMap(dtype, new x.array.constructor(70), [70]) as Any;
        assignByReference(wanted, expr);
        const before = [...x];
        x.assign(expr);
        const found = [...x];
        x.copyFrom(before);
        expect([dtype, op, found]).toEqual([dtype, op, [...wanted]]);
      }
    }
  });
});

describe("operands outside the linear memory", () => {
  test.each([10, 5000])("of %d elements", (n) => {
    const outside = tensorMap(
      "float32",
      Float32Array.from({ length: n }, (_, i) => i),
      [n],
    ) as Any;
    const inside = arenaMap("float32", [n]) as Any;
    inside.assign(outside.mul(2));
    expect([...inside].every((x, i) => x === 2 * i)).toBe(true);
    const target = tensorMap("float32", new Float32Array(n), [n]) as Any;
    const { runs } = kernelCounts();
    target.assign(inside.add(outside));
    expect([...target].every((x, i) => x === 3 * i)).toBe(true);
    expect(kernelCounts().runs).toBe(runs + 1);
    target.assign(target.strided().reverse());
    expect(target.at(0)).toBe(3 * (n - 1));
  });

  test("float16 maps are copied in without conversion", () => {
    const halves = tensorMap(
      "float16",
      Uint16Array.from({ length: 5000 }, (_, i) => i),
      [5000],
    ) as Any;
    const out = arenaMap("float16", [5000]) as Any;
    out.assign(halves.strided().reverse());
    expect([...out.data].every((bits, i) => bits === 4999 - i)).toBe(true);
  });
});
