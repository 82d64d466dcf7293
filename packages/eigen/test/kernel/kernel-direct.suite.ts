// The fast path to elementwise kernels: expressions that were computed before, and everything that must not take the fast path.
import { expect, test } from "@jest/globals";
import { assignFresh, tensorMapKind } from "@onebuffer/eigen/internal";
import { mayGoDirectly } from "@onebuffer/expression/internal";
import { MemoryToken } from "@onebuffer/storage/internal";
import { tensorMap } from "@onebuffer/eigen";
import { linearMemory } from "@onebuffer/wasm";
import { kernelCounts } from "@onebuffer/kernels/internal";
import { arenaMap } from "./kernel-subjects.ts";

/** The trees here are built from tables of method names, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

const filled = (n: number, f: (i: number) => number): Any => {
  const map = arenaMap("float32", [n]) as Any;
  for (let i = 0; i < n; i++) map.set(i, f(i));
  return map;
};
const values = (map: Any): number[] => Array.from(map as Iterable<number>);

test("expressions of one structure with changing operands and constants share one kernel, with one run each", () => {
  const out = filled(100, () => 0);
  const compute = (n: number): void => {
    const [a, b] = [filled(100, (i) => i + n), filled(100, (i) => i * n)];
    out.assign(a.mul(b).add(n));
    expect(values(out)).toEqual(Array.from({ length: 100 }, (_, i) => (i + n) * (i * n) + n));
  };
  compute(1);
  compute(2);
  const { runs, compiled } = kernelCounts();
  for (let n = 3; n < 10; n++) compute(n);
  expect(kernelCounts()).toMatchObject({ runs: runs + 7, compiled });
});

test("tells apart expressions of the same depth and root with other operands, sizes, dtypes or constants", () => {
  const [a, b, c] = [filled(10, (i) => i), filled(10, (i) => 2 * i), filled(10, (i) => 3 * i)];
  const whole = arenaMap("int32", [10]) as Any;
  whole.assign(5);
  const cases: [() => Any, (i: number) => number][] = [
    [() => a.mul(b).add(c), (i) => 2 * i * i + 3 * i],
    [() => a.mul(a).add(a), (i) => i * i + i],
    [() => a.mul(b).add(a), (i) => 2 * i * i + i],
    [() => a.mul(a).add(b), (i) => i * i + 2 * i],
    [() => a.add(b).add(c), (i) => 6 * i],
    [() => a.mul(2).add(c), (i) => 5 * i],
    [() => a.mul(0).add(c), (i) => 3 * i],
    [() => a.mul(2).add(2), (i) => 2 * i + 2],
    [() => whole.cast("float32").add(c), (i) => 5 + 3 * i],
    [() => c.add(whole.cast("float32")), (i) => 5 + 3 * i],
    [() => a.greater(4).select(b, c), (i) => (i > 4 ? 2 * i : 3 * i)],
  ];
  const out = filled(10, () => 0);
  for (let round = 0; round < 3; round++) {
    for (const [build, expected] of cases) {
      out.assign(build());
      expect(values(out)).toEqual(Array.from({ length: 10 }, (_, i) => expected(i)));
    }
  }
  for (const n of [1, 3, 4, 5, 16, 99, 100, 101, 1000]) {
    const x = filled(n, (i) => i);
    const to = filled(n, () => 0);
    to.assign(x.add(x));
    expect(values(to)).toEqual(Array.from({ length: n }, (_, i) => 2 * i));
  }
});

test("a value that is used twice gives the right result from one kernel, for any constants", () => {
  const x = filled(10, (i) => i);
  const y = filled(10, () => 0);
  for (const [n, m] of [
    [2, 3],
    [4, 5],
    [6, 7],
  ] as const) {
    const shared = x.mul(n);
    y.assign(shared.add(shared.mul(m)));
    expect(values(y)).toEqual(Array.from({ length: 10 }, (_, i) => i * n + i * n * m));
  }
  const a = filled(100, (i) => i / 100);
  const out = filled(100, () => 0);
  for (let round = 0; round < 3; round++) {
    const e = a.exp();
    out.assign(e.div(e.add(1)));
    const { runs } = kernelCounts();
    out.assign(a.exp().div(a.exp().add(1)));
    expect(kernelCounts().runs).toBe(runs + 1);
  }
  values(out).forEach((value, i) => expect(value).toBeCloseTo(1 / (1 + Math.exp(-i / 100)), 6));
});

test("a target that partly overlaps operands gets the result as if it were computed elsewhere", () => {
  const memory = arenaMap("float32", [64]) as Any;
  const part = (start: number, n: number): Any =>
    tensorMap("float32", memory.array.subarray(memory.base + start, memory.base + start + n), [n]);
  const out = filled(40, () => 0);
  out.assign(part(0, 40).add(part(10, 40)));
  for (let i = 0; i < 64; i++) memory.set(i, i);
  part(5, 40).assign(part(0, 40).add(part(10, 40)));
  expect(values(memory).slice(5, 45)).toEqual(Array.from({ length: 40 }, (_, i) => 2 * i + 10));
  // In place is allowed: each element is read before it is stored.
  for (let i = 0; i < 64; i++) memory.set(i, i);
  part(0, 40).assign(part(0, 40).add(part(10, 40)));
  expect(values(memory).slice(0, 40)).toEqual(Array.from({ length: 40 }, (_, i) => 2 * i + 10));
});

test("throws for freed memory even if the expression was computed before", () => {
  const space = arenaMap("float32", [16]) as Any;
  const token = new MemoryToken({});
  const map = tensorMapKind("float32").vec(space.array, space.base, token, 16) as Any;
  const out = filled(16, () => 0);
  const expression = map.add(1);
  for (let round = 0; round < 3; round++) out.assign(expression);
  token.free();
  expect(() => out.assign(expression)).toThrow(/freed/);
  expect(() => map.assign(out.add(1))).toThrow(/freed/);
  expect(() => out.assign(map.add(1))).toThrow(/freed/);
});

test("computes nodes of another copy of this package, which have no code", () => {
  const [a, b, out] = [filled(8, (i) => i), filled(8, () => 3), filled(8, () => 0)];
  const own = a.mul(b);
  const { op, inputs, attributes, dtype, dimensions, depth, rank, size } = own;
  const foreign = { op, inputs, attributes, dtype, dimensions, depth, rank, size, [Symbol.for("onebuffer.expression")]: true };
  expect([own, foreign, { ...foreign }].map(mayGoDirectly)).toEqual([true, false, false]);
  out.assign(foreign);
  expect(values(out)).toEqual([0, 3, 6, 9, 12, 15, 18, 21]);
  out.assign(a.add(foreign));
  expect(values(out)).toEqual([0, 4, 8, 12, 16, 20, 24, 28]);
});

test("assignFresh computes only into the linear memory, and only as many elements as the operands have", () => {
  const [a, out] = [filled(20, (i) => i), filled(20, () => 0)];
  const at = out.array.byteOffset + out.base * 4;
  out.assign(a.add(0.5)); // creates the argument block
  const { buffer } = linearMemory();
  expect(assignFresh(a.add(a), buffer, at, 20)).toBe(true);
  expect(values(out)).toEqual(Array.from({ length: 20 }, (_, i) => 2 * i));
  expect(assignFresh(a.add(a), buffer, at, 19)).toBe(false);
  expect(assignFresh(a.add(a), buffer, at, 0)).toBe(false);
  // Fresh memory may overlap an operand whose memory was freed. Then it is refused, except for the same elements in place.
  expect(assignFresh(out.add(a), buffer, at + 4, 20)).toBe(false);
  expect(assignFresh(a.add(a), new ArrayBuffer(80), 0, 20)).toBe(false);
  expect(assignFresh(a.sum(), buffer, at, 1)).toBe(false);
  expect(assignFresh(a, buffer, at, 20)).toBe(false);
  expect(values(out)).toEqual(Array.from({ length: 20 }, (_, i) => 2 * i));
});
