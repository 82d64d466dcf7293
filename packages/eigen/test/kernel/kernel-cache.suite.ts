// Compiled kernels are kept up to a limit of memory; kernels in use are kept before others.
import { expect, test } from "@jest/globals";
import { isLong, stopwatch } from "@onebuffer/test-support";
import { linearMemory } from "@onebuffer/wasm";
import { KernelCache, markUsed } from "@onebuffer/compiler/src/run/kernel-cache";
import type { Kernel } from "@onebuffer/compiler/src/run/kernel-cache";
import type { KernelSpec } from "@onebuffer/compiler/src/plan/kernel-spec";
import { planner } from "@onebuffer/compiler/src/run/planner";
import type { ProgramNode } from "@onebuffer/compiler/src/plan/program";
import { kernelCounts } from "@onebuffer/kernels/internal";
import { chainNumber } from "./kernel-chains.ts";
import { arenaMap } from "./kernel-subjects.ts";

/** The trees here are built from tables of method names, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

const kKernels = isLong ? 600 : 12;

function operands(): Any[] {
  return [1, 2, 3].map((value) => {
    const map = arenaMap("float32", [4, 6]) as Any;
    map.assign(value);
    return map;
  });
}

const kinds: [string, number, (chain: Any) => Any, number[]][] = [
  ["elementwise", kKernels, (chain) => chain, [4, 6]],
  ["reductions", kKernels, (chain) => chain.sum([1]), [4]],
  ["strided operands", kKernels, (chain) => chain.transpose().add(1), [6, 4]],
];

test.each(kinds)("%s: compiles none of %d kernels again when they run in turn", (_, count, build, dims) => {
  const maps = operands();
  const out = arenaMap("float32", dims) as Any;
  const round = (): { compiled: number; milliseconds: number } => {
    const { compiled } = kernelCounts();
    const milliseconds = stopwatch();
    for (let n = 0; n < count; n++) out.assign(build(chainNumber(n, maps)));
    return { compiled: kernelCounts().compiled - compiled, milliseconds: milliseconds() };
  };
  const first = round();
  expect(first.compiled).toBeGreaterThan(count * 0.95);
  const again = [round(), round(), round()];
  expect(again.map(({ compiled }) => compiled)).toEqual([0, 0, 0]);
  expect(Math.min(...again.map(({ milliseconds }) => milliseconds))).toBeLessThan(first.milliseconds / 2);
});

test(`keeps the plans of ${kKernels} expressions`, () => {
  const maps = operands();
  const out = arenaMap("float32", [4]) as Any;
  const sum = (n: number): Any => (chainNumber(n, maps) as Any).sum([1]);
  for (let n = 0; n < kKernels; n++) out.assign(sum(n));
  const recalled = Array.from({ length: kKernels }, (_, n) => planner.recall.plan([out.rawPlaces()], "float32", [sum(n)]));
  expect(recalled.filter((plan) => plan !== null && plan !== "crosses" && "programs" in plan).length).toBe(kKernels);
});

/** Returns the structure of a chain of operations on one operand. The base-4 digits of a number choose the operations. */
function spec(number: number, length: number): KernelSpec {
  const ops = ["neg", "abs", "square", "sqrt"] as const;
  const nodes: ProgramNode[] = [{ kind: "load", op: "map", dtype: "float32", inputs: [], index: 0, saturate: false, pass: 0 }];
  for (let k = 0; k < length; k++) {
    const op = ops[Math.floor(number / 4 ** k) % 4]!;
    nodes.push({ kind: "op", op, dtype: "float32", inputs: [k], index: 0, saturate: false, pass: 0 });
  }
  return {
    ...{ form: "map", nodes, result: length, also: [], targetDType: "float32", target: "contiguous", classes: ["contiguous"] },
    ...{ varies: [true], outerLoops: 0, rowLoops: 1, storesRows: false, parameters: [] },
  };
}

const kMiB = 1 << 20;
const room = isLong ? kMiB : kMiB / 4;
const newCache = (bytes: number = room): KernelCache => new KernelCache(linearMemory().memory, bytes);

/** Gets the kernel of a structure as code that is about to run it does. */
function take(cache: KernelCache, number: number, length: number = 6): Kernel {
  cache.makeRoom();
  return cache.get(spec(number, length))!;
}

test("the kept kernels take no more than the limit", () => {
  const cache = newCache();
  const seen = Array.from({ length: isLong ? 300 : 80 }, (_, n) => take(cache, n));
  cache.makeRoom();
  const kept = seen.filter(({ run }) => run !== null);
  expect(cache.bytes).toBeLessThanOrEqual(room);
  expect(cache.bytes).toBeGreaterThan(room * 0.9);
  expect(cache.size).toBe(kept.length);
  expect(kept.reduce((sum, { cost }) => sum + cost, 0)).toBe(cache.bytes);
});

test("a kernel of a thousand operations counts for more than a small one", () => {
  const cache = newCache();
  const small = take(cache, 0);
  const large = take(cache, 0, 1000);
  expect(large.cost).toBeGreaterThan(2 * small.cost);
  for (let n = 0; n < (isLong ? 24 : 2); n++) take(cache, n, 900 + n);
  cache.makeRoom();
  expect(cache.bytes).toBeLessThanOrEqual(room);
});

test("keeps kernels that run all the time while others are evicted", () => {
  const cache = newCache(2 * room);
  const hot = [1, 2].map((n) => take(cache, n, 7));
  for (let n = 0; n < (isLong ? 500 : 200); n++) {
    take(cache, n);
    hot.forEach(markUsed);
  }
  expect(hot.map(({ run }) => run !== null)).toEqual([true, true]);
});

test("finds kernels again when 20% more run in turn than fit", () => {
  const cache = newCache();
  let fits = 0;
  for (; cache.bytes <= room; fits++) take(cache, fits);
  const inTurn = Math.floor(fits * 1.2);
  for (let n = 0; n < 3 * inTurn; n++) take(cache, n % inTurn);
  const { compiled } = kernelCounts();
  const rounds = isLong ? 10 : 4;
  for (let n = 0; n < rounds * inTurn; n++) take(cache, n % inTurn);
  expect((kernelCounts().compiled - compiled) / (rounds * inTurn)).toBeLessThan(0.7);
});

test("a second set of kernels that fits replaces the first", () => {
  const cache = newCache();
  let fits = 0;
  for (; cache.bytes <= room; fits++) take(cache, fits);
  const turn = (from: number): number => {
    const { compiled } = kernelCounts();
    for (let n = 0; n < Math.floor(fits * 0.75); n++) take(cache, from + n);
    return kernelCounts().compiled - compiled;
  };
  turn(0);
  expect([turn(1000) > 0, turn(1000) > 0, turn(1000), turn(1000), turn(1000), turn(1000)].slice(4)).toEqual([0, 0]);
});

test("does not evict kernels while those of one plan are looked up", () => {
  const cache = newCache();
  for (let n = 0; n < 100; n++) take(cache, n);
  cache.makeRoom();
  const plan = Array.from({ length: 20 }, (_, n) => cache.get(spec(n, 8))!);
  expect(plan.every(({ run }) => run !== null)).toBe(true);
});
