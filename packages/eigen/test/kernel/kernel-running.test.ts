// Which kernels run, how many and with which memory, and what happens if the engine refuses.
import { afterEach, expect, test } from "@jest/globals";
import { assignByReference } from "@onebuffer/eigen/internal";
import { explain } from "@onebuffer/compiler/internal";
import { select, tensorMap } from "@onebuffer/eigen";

import { isLong } from "@onebuffer/test-support";
import { linearMemory } from "@onebuffer/wasm";
import { kernelCounts, setKernelHooks } from "@onebuffer/kernels/internal";
import { arenaMap, ownScratch, scratchFrom } from "./kernel-subjects.ts";

/** The trees here are built from tables of method names, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

const webAssembly = (globalThis as unknown as { WebAssembly: { Module: unknown } }).WebAssembly;

afterEach(() => {
  setKernelHooks({});
});

const matrix = (rows: number, columns: number): Any => {
  const map = arenaMap("float32", [rows, columns]) as Any;
  map.fill(0.5);
  return map;
};

/** Returns the largest difference between two maps, relative to the wanted values. */
const farthest = (got: Any, wanted: Any): number => {
  const list = [...got] as number[];
  return [...wanted].reduce((most, value, k) => Math.max(most, Math.abs(list[k]! - value) / Math.max(Math.abs(value), 1e-30)), 0);
};

const fused: [string, (x: Any, v: Any) => Any, string[]][] = [
  ["a chain", (x, v) => x.mul(v).add(1).exp().relu(), ["map"]],
  ["softmax", (x) => x.softmax(), ["rows"]],
  ["logSoftmax", (x) => x.logSoftmax(), ["rows"]],
  ["layerNorm", (x, v) => x.layerNorm({ scale: v, offset: v }), ["rows"]],
  ["logSumExp", (x) => x.logSumExp([1]), ["rows"]],
  ["variance", (x) => x.variance([1]), ["rows"]],
  ["l2Normalize", (x) => x.l2Normalize([1]), ["rows"]],
  ["a sum of a product", (x, v) => x.mul(v).sum([1]), ["rows"]],
  ["a sum of columns", (x) => x.square().sum([0]), ["columns"]],
  ["a transposition", (x) => x.transpose(), ["tile"]],
  ["a transposition in a chain", (x) => x.transpose().mul(2).exp(), ["tile"]],
];

// This is the first test of the file: no kernel has run yet, so the scratch block does not exist yet.
test("without room for scratch memory the evaluator computes the result and reports the reason", () => {
  const x = matrix(2, 6000);
  const [out, inPlace] = [matrix(2, 6000), matrix(2, 6000)];
  const reasons: string[] = [];
  setKernelHooks({ onFallback: (reason) => reasons.push(reason) });
  scratchFrom({ reserve: () => null, release: () => {} });
  const { runs } = kernelCounts();
  try {
    out.assign(x.softmax());
    inPlace.assign(inPlace.softmax());
    expect([out.at(1, 1), inPlace.at(0, 7)]).toEqual([Math.fround(1 / 6000), Math.fround(1 / 6000)]);
    out.assign(x.add(1)); // the fast path
    expect([out.at(0, 0), out.at(1, 5999)]).toEqual([1.5, 1.5]);
  } finally {
    scratchFrom(ownScratch);
  }
  expect([kernelCounts().runs, reasons]).toEqual([runs, ["the linear memory has no room for scratch memory"]]);
  out.assign(x.softmax());
  expect(out.at(1, 1)).toBeCloseTo(1 / 6000, 10);
  expect(kernelCounts().runs).toBe(runs + 1);
});

test.each(fused)("%s runs one kernel and reserves no memory", (_, build, forms) => {
  const x = matrix(64, 128);
  const v = arenaMap("float32", [128]) as Any;
  v.assign(2);
  const expr = build(x, v);
  expect(explain(expr).steps.map(({ by }) => by)).toEqual(forms);
  const out = arenaMap("float32", expr.dimensions) as Any;
  out.assign(expr);
  const { runs, compiled } = kernelCounts();
  const reserved = linearMemory().reservedBytes;
  out.assign(expr);
  expect(kernelCounts()).toMatchObject({ runs: runs + 1, compiled });
  expect(linearMemory().reservedBytes).toBe(reserved);
});

const renamedTargets: [string, (x: Any, v: Any) => Any, number[]][] = [
  ["a scalar into [1]", (x) => x.sum(), [1]],
  ["a scalar into [1, 1]", (x) => x.mean(), [1, 1]],
  ["rows into [1, n]", (x) => x.max([1]), [1, 64]],
  ["columns into [1, n]", (x) => x.sum([0]), [1, 128]],
  ["softmax into [1, r, c]", (x) => x.softmax(), [1, 64, 128]],
  ["softmax reshaped", (x) => x.softmax().reshape([-1]), [8192]],
  ["a reshaped sum in a chain", (x) => x.sum([1]).add(1).reshape([8, 8]), [8, 8]],
];

test.each(renamedTargets)("%s runs one kernel, which stores through reshaped strides", (_, build, dims) => {
  const x = matrix(64, 128);
  x.copyFrom(Array.from({ length: 64 * 128 }, (_, i) => (i * 37) % 101));
  const [out, wanted] = [arenaMap("float32", dims) as Any, arenaMap("float32", dims) as Any];
  const { runs } = kernelCounts();
  out.assign(build(x, null));
  expect(kernelCounts().runs).toBe(runs + 1);
  assignByReference(wanted, build(x, null));
  expect(farthest(out, wanted)).toBeLessThan(1e-6);
});

const repeated: [string, (x: Any) => Any, number[]][] = [
  ["a scalar into [n]", (x) => x.sum(), [70]],
  ["rows into [k, n]", (x) => x.max([1]), [3, 64]],
  ["rows into [n, k]", (x) => x.sum([1], { keepDims: true }), [64, 5]],
  ["argmax into [k, n]", (x) => x.argmax(1, { outputType: "int32" }).cast("float32"), [3, 64]],
  ["a transposed softmax", (x) => x.softmax().transpose(), [128, 64]],
  ["a slice of means", (x) => x.mean([1]).slice([3, 60, 2]), [29]],
];

test.each(repeated)("%s: one kernel reduces and another copies", (_, build, dims) => {
  const x = matrix(64, 128);
  x.copyFrom(Array.from({ length: 64 * 128 }, (_, i) => (i * 37) % 101));
  const [out, wanted] = [arenaMap("float32", dims) as Any, arenaMap("float32", dims) as Any];
  const reasons: string[] = [];
  setKernelHooks({ onFallback: (reason) => reasons.push(reason) });
  const { runs } = kernelCounts();
  out.assign(build(x));
  expect([kernelCounts().runs >= runs + 2, reasons]).toEqual([true, []]);
  assignByReference(wanted, build(x));
  expect(farthest(out, wanted)).toBeLessThan(1e-6);
});

test("stores a reduction of a matrix in rows of the same matrix", () => {
  const x = arenaMap("float32", [3, 4]) as Any;
  x.copyFrom([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  x.assign(x.sum([0]));
  expect(x.toArray()).toEqual([1, 2, 3].map(() => [15, 18, 21, 24]));
  x.strided()
    .slice([0, 2])
    .assign(x.strided().slice([1, 3]).max());
  expect(x.toArray()).toEqual([
    [24, 24, 24, 24],
    [24, 24, 24, 24],
    [15, 18, 21, 24],
  ]);
});

test("compiles one structure once for all sizes, addresses and constants", () => {
  const run = (n: number, c: number): void => {
    const [a, out] = [arenaMap("float32", [n]), arenaMap("float32", [n])] as Any[];
    a.assign(1);
    out.assign(a.mul(c).sub(a.atan()).cosh());
  };
  run(10, 2);
  const { compiled } = kernelCounts();
  for (const n of [1, 7, 100, 1000]) run(n, n + 0.5);
  expect(kernelCounts().compiled).toBe(compiled);
});

test("explain lists loops, accesses, bytes, operations and code", () => {
  const x = matrix(8, 100);
  const bias = arenaMap("float32", [100]) as Any;
  const explanation = explain(x.add(bias).mul(2));
  const [step] = explanation.steps;
  expect(step).toMatchObject({
    by: "map",
    loops: [8, 100],
    accesses: ["contiguous", "contiguous", "contiguous"],
    bytes: 6800,
    flops: 1600,
  });
  expect(step?.expression).toBe("mul(add(x0, x1), 2)  x0: float32[8,100]  x1: float32[100]");
  expect(step?.listing).toContain("f32x4.add");
  expect(String(explanation)).toContain("1 step, 6800 bytes moved, 1600 operations");
  expect(explain(x.cumsum(1).add(1)).steps.map(({ by }) => by)).toEqual(["loops", "map"]);
  expect(String(explain(x.cumsum(1)))).toContain("by plain loops");
  const quantized = arenaMap("qint8", [8, 100]) as Any;
  expect(explain(select(x.greater(0), quantized, quantized)).steps.map(({ by }) => by)).toEqual(["evaluator"]);
  expect(() => explain(3 as never)).toThrow(/explain/);
});

test("if the engine refuses a module, the evaluator computes and the reason is reported once", () => {
  const reasons: string[] = [];
  setKernelHooks({ onFallback: (reason) => reasons.push(reason) });
  const real = webAssembly.Module;
  class Refusal {
    constructor() {
      throw new TypeError("code generation from strings disallowed for this context");
    }
  }
  const x = matrix(4, 25);
  const out = matrix(4, 25);
  webAssembly.Module = Refusal;
  try {
    for (let i = 0; i < 3; i++) out.assign(x.mul(3).sub(0.25).tan().tan());
  } finally {
    webAssembly.Module = real;
  }
  const wanted = tensorMap("float32", new Float32Array(1), [1]) as Any;
  assignByReference(wanted, tensorMap("float32", Float32Array.of(1.25), [1]).tan().tan());
  expect(out.at(3, 24)).toBe(wanted.at(0));
  expect(reasons).toEqual(["the engine refused a kernel: TypeError: code generation from strings disallowed for this context"]);
});

test.each([100, 500, 520, ...(isLong ? [900] : [])])(
  "sums %d maps, whether or not the arguments of one kernel have room for them",
  (count) => {
    let level = Array.from({ length: count }, (_, k) => {
      const map = arenaMap("float32", [9]) as Any;
      map.copyFrom(Array.from({ length: 9 }, (_each, i) => i + k));
      return map;
    });
    while (level.length > 1) level = level.flatMap((map, k) => (k % 2 === 1 ? [] : [k + 1 < level.length ? map.add(level[k + 1]) : map]));
    const out = arenaMap("float32", [9]) as Any;
    out.assign(level[0]);
    expect([...out]).toEqual(Array.from({ length: 9 }, (_, i) => i * count + (count * (count - 1)) / 2));
  },
);

test("an operation without a kernel is reported once", () => {
  const reasons: string[] = [];
  setKernelHooks({ onFallback: (reason) => reasons.push(reason) });
  const x = arenaMap("float32", [300]) as Any;
  x.assign(5.5);
  const [quantized, out] = [arenaMap("qint8", [300]), arenaMap("qint8", [300])] as Any[];
  quantized.data.fill(6);
  for (let i = 0; i < 2; i++) out.assign(select(x.greater(0), quantized, quantized));
  expect([out.at(299), reasons]).toEqual([6, ["no kernel for select of qint8"]]);
});

const emptyRows: [string, string, (x: Any) => Any][] = [
  ...["sum", "prod", "mean", "max", "min"].map((op): [string, string, (x: Any) => Any] => ["float32", op, (x) => x[op]([0])]),
  ...["sum", "prod", "max", "min"].map((op): [string, string, (x: Any) => Any] => ["int64", op, (x) => x[op]([0])]),
  ...["any", "all"].map((op): [string, string, (x: Any) => Any] => ["bool", op, (x) => x[op]([0])]),
  ["float64", "mean in a chain", (x) => x.mean([0]).add(3)],
];

test.each(emptyRows)("%s %s of zero elements is a constant, computed by a kernel", (dtype, _, build) => {
  const expr = build(arenaMap(dtype as "float32", [0, 37]));
  const [out, wanted] = [arenaMap(dtype as "float32", [37]) as Any, arenaMap(dtype as "float32", [37]) as Any];
  const { runs } = kernelCounts();
  out.assign(expr);
  assignByReference(wanted, expr);
  expect([[...out], kernelCounts().runs]).toEqual([[...wanted], runs + 1]);
});

test("a reduction over no axes keeps every element, even the sign of zero, and fuses", () => {
  const x = arenaMap("float32", [3]) as Any;
  x.copyFrom([-0, 2, NaN]);
  const [out, plain] = [arenaMap("float32", [3]) as Any, arenaMap("float32", [3]) as Any];
  for (const op of ["sum", "prod", "mean", "max", "min"]) {
    const { runs } = kernelCounts();
    out.assign(x[op]([]).neg());
    expect(kernelCounts().runs).toBe(runs + 1);
    assignByReference(plain, x[op]([]).neg());
    expect([[...out], [...plain]]).toEqual([
      [0, -2, NaN],
      [0, -2, NaN],
    ]);
  }
});

test("kernels compute into a small target outside the linear memory, from large and small operands", () => {
  const x = matrix(100, 100);
  const sum = tensorMap("float32", new Float32Array(1), []) as Any;
  const { runs } = kernelCounts();
  sum.assign(x.sum());
  expect([sum.at(), kernelCounts().runs]).toEqual([5000, runs + 1]);
  sum.assign(tensorMap("float32", Float32Array.of(3), []).add(1));
  expect([sum.at(), kernelCounts().runs]).toEqual([4, runs + 2]);
});
