// A subexpression with several uses is lowered and computed a bounded number of times, so that the cost of an assignment is
// linear in the number of its different nodes.
import { expect, test } from "@jest/globals";
import { assignByReference } from "@onebuffer/eigen/internal";
import { explain } from "@onebuffer/compiler/internal";
import { assignTogether, evaluate, tensorMap } from "@onebuffer/eigen";
import { isLong, sampled, stopwatch } from "@onebuffer/test-support";
import { linearMemory } from "@onebuffer/wasm";
import { treeOrder } from "@onebuffer/expression/src/tree/tree-order";
import { scratchMark } from "@onebuffer/kernels/src/calls/scratch";
import { Sharing } from "@onebuffer/compiler/src/plan/sharing";
import { stageMemory } from "@onebuffer/compiler/src/run/stage-memory";
import { imaginedPlaces, StagePlan } from "@onebuffer/compiler/src/run/stage-plan";
import { kernelCounts } from "@onebuffer/kernels/internal";
import { arenaMap, elementsOf } from "./kernel-subjects.ts";
import { chainOf, chains, small } from "./sharing-subjects.ts";

/** The trees here are built from tables of method names, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

/** Returns the size of a plan: its steps, the values of their programs, and the nodes left to other assignments. */
function planned(tree: Any): { nodes: number; steps: number; values: number; bytes: number; loads: number } {
  const plan = new StagePlan(new Sharing([tree], () => false));
  const order = plan.order([plan.step(tree, tree.dtype, imaginedPlaces(tree.dimensions, tree.dtype))]);
  const parts = order.flatMap((step) => [step, ...step.parts.filter((part) => part !== null)]);
  const values = parts.reduce((sum, { way, tree: own, lowered }) => {
    return sum + (way === "alone" ? treeOrder([own]).length : (lowered?.program.nodes.length ?? 1));
  }, 0);
  const loads = parts.reduce((most, { lowered }) => Math.max(most, lowered?.program.operands.length ?? 0), 0);
  return { nodes: treeOrder([tree]).length, steps: order.length, values, bytes: stageMemory(order).numBytes, loads };
}

/** Returns the largest difference from the evaluator, relative for values above 1. */
function difference(tree: Any): number {
  const [out, wanted] = [arenaMap(tree.dtype, tree.dimensions) as Any, arenaMap(tree.dtype, tree.dimensions) as Any];
  out.assign(tree);
  assignByReference(wanted, tree);
  const [got, expected] = [out, wanted].map((map) => elementsOf(map).flat()) as [number[], number[]];
  const off = (value: number, i: number): number =>
    Object.is(value, expected[i]) ? 0 : Math.abs(value - expected[i]!) / Math.max(1, Math.abs(expected[i]!));
  return got.reduce((most, value, i) => Math.max(most, off(value, i)), 0);
}

const kTolerances: Readonly<Record<string, number>> = { int32: 0, float32: 1e-5, float16: 2e-3, complex64: 1e-6 };

/** Levels of the chains that are compared, a tenth and all of them. */
const kLevels = isLong ? 1000 : 40;

test.each(sampled(chains, 4).map((chain) => [chain.name, chain] as const))(`${kLevels} levels of %s have a linear cost`, (name, chain) => {
  const milliseconds = stopwatch();
  const [tenth, whole] = [planned(chainOf(chain, kLevels / 10)), planned(chainOf(chain, kLevels))];
  // The evaluator, scans and orderings have a step for every stored operand.
  expect([name, whole.steps <= whole.nodes, whole.values <= 8 * whole.nodes + 200]).toEqual([name, true, true]);
  expect(whole.values).toBeLessThan(11 * tenth.values + 200);
  // Only a few stages are alive at a time, and each takes at least 256 bytes.
  expect(whole.bytes).toBeLessThan(64 * 256);
  expect(milliseconds()).toBeLessThan(10_000);
});

test.each(sampled(chains.toReversed(), 4).map((chain) => [chain.name, chain] as const))(
  "levels of %s have the evaluator's results",
  (_, chain) => {
    for (const levels of isLong ? [1, 2, 3, 5, 8, 13, 30, 200, 1000] : [2, 9]) {
      expect([levels, difference(chainOf(chain, levels)) <= kTolerances[chain.dtype]!]).toEqual([levels, true]);
    }
  },
);

test("many levels are computed with few kernels and can be explained", () => {
  const levels = isLong ? 1000 : 30;
  for (const chain of chains.filter(({ name }) => ["reverse", "softmax over columns"].includes(name))) {
    const tree = chainOf(chain, levels);
    const { runs, compiled } = kernelCounts();
    expect(difference(tree)).toBeLessThanOrEqual(kTolerances[chain.dtype]!);
    expect(kernelCounts().compiled - compiled).toBeLessThan(20);
    expect(kernelCounts().runs - runs).toBeLessThan(4 * levels);
    if (chain.dtype !== "int32") continue;
    const { steps } = explain(tree);
    expect(steps.length).toBeLessThan(4 * levels);
    expect(steps.reduce((sum, { expression }) => sum + expression.length, 0)).toBeLessThan(500 * steps.length);
  }
});

test("the memory of all stages is released at the end", () => {
  const out = arenaMap("int32", [4, 4]) as Any;
  const tree = chainOf(chains.find(({ name }) => name === "cumsum")!, isLong ? 300 : 100);
  out.assign(tree);
  const reserved = linearMemory().reservedBytes;
  for (let i = 0; i < 3; i++) out.assign(tree);
  expect(linearMemory().reservedBytes).toBe(reserved);
});

test.each(sampled(["reverse", "cumsum", "sums over alternating axes", "roll", "sort", "matMul", "softmax over columns"], 2))(
  "levels of %s over arrays outside the linear memory run as many kernels as inside and leave nothing reserved",
  (name) => {
    const chain = chains.find((each) => each.name === name)!;
    const { dtype, level } = chain;
    const outside = (map: Any): Any => (tensorMap as Any)(dtype, map.data.slice(), map.dimensions);
    // Expressions of 8 levels are small enough to keep a plan if they had no stages; those of many levels have too many nodes.
    const runsOf = (isLong ? [8, 50, 150] : [8, 16, 40]).map((levels) => {
      const maps = [small(dtype, [17, 17], 2), small(dtype, [17, 17], 1)];
      const [inside, around] = [maps, maps.map(outside)].map(([x, y]) => {
        let e = y;
        for (let k = 0; k < levels; k++) e = level(e, x, k);
        return e;
      });
      const [a, b] = [maps[0], maps[0]].map((map) => arenaMap(map.dtype, map.dimensions) as Any);
      const target = outside(a);
      const runs = [
        [a, inside],
        [b, around],
        [target, around],
      ].map(([to, tree]) => {
        to.assign(tree);
        const before = kernelCounts().runs;
        const taken = [scratchMark(), linearMemory().reservedBytes];
        to.assign(tree);
        expect([scratchMark(), linearMemory().reservedBytes]).toEqual(taken);
        return kernelCounts().runs - before;
      });
      expect([[...b], [...target]]).toEqual([[...a], [...a]]);
      expect(Math.max(...runs)).toBeLessThanOrEqual(runs[0]! + 2);
      return runs[1]!;
    });
    expect(runsOf[1]).toBeGreaterThan(0);
    expect(runsOf[2]).toBeLessThan(3.3 * runsOf[1]! + 20);
  },
);

test("thousands of nested operations do not overflow the stack in kernels, the evaluator or explain", () => {
  const x = small("int32", [4, 4], 3);
  let tree = x;
  for (let k = 0; k < (isLong ? 10_000 : 200); k++) tree = tree.add(x).reverse([1]);
  expect(difference(tree)).toBe(0);
  expect(explain(tree).steps.length).toBeLessThan(4000);
  let outside: Any = tensorMap("int32", new Int32Array(3), [3]);
  const deep = isLong ? 20_000 : 5000;
  for (let k = 0; k < deep; k++) outside = outside.add(1);
  expect(evaluate(outside).toArray()).toEqual([deep, deep, deep]);
});

test("a kernel has no more operands than its arguments have room for", () => {
  const permuted = (map: Any, k: number): Any => map.shuffle(map.dimensions.map((_: number, d: number) => (d + k) % map.rank));
  for (const dims of [[6], [2, 2, 2, 2, 2, 2]]) {
    const maps = Array.from({ length: isLong ? 600 : dims.length === 1 ? 100 : 40 }, (_, k) =>
      permuted(small("int32", dims, k + 1), k).reverse([0]),
    );
    // A chain and a balanced tree: no kernel may read more operands than its arguments have room for.
    const chain = maps.reduce((sum, map) => sum.add(map));
    let list: Any[] = maps;
    while (list.length > 1) list = list.flatMap((map, k) => (k % 2 === 1 ? [] : k + 1 < list.length ? [map.add(list[k + 1])] : [map]));
    expect([difference(chain), difference(list[0])]).toEqual([0, 0]);
    expect(planned(list[0]).loads * 4 * (dims.length + 1)).toBeLessThan(4096);
  }
});

test("a slow operation on few elements that are repeated for each row is stored first, where that saves more than it costs", () => {
  const map = (...dims: number[]): Any => {
    const made = arenaMap("float32", dims) as Any;
    const { data } = made;
    for (let i = 0; i < data.length; i++) data[i] = 0.5 + (i % 7) / 4;
    return made;
  };
  const [x, r, c] = [map(64, 128), map(128), map(64, 1)];
  const row = x.mean([1], { keepDims: true });
  const scale = r.rsqrt();
  const cases: readonly (readonly [string, Any, number])[] = [
    ["an elementary function", x.mul(r.exp()), 2],
    ["a root", x.sub(1).mul(r.sqrt()), 2],
    ["nothing slow", x.mul(r.add(1)), 1],
    ["the same along a row: computed once for it", x.mul(c.exp()), 1],
    ["the same along a row of a sum across the memory", x.mul(c.exp()).sum(0), 2],
    ["of a reduction of the same row", x.mul(row.abs().rsqrt()), 1],
    ["of a reduction of rows, in a sum across the memory", x.mul(row.abs().rsqrt()).sum(0), 2],
    ["read twice, as the scale of a normalization", x.sub(row).mul(scale).add(scale), 2],
    ["three rows", map(3, 4096).mul(map(4096).exp()), 1],
    ["four rows", map(4, 4096).mul(map(4096).exp()), 2],
    ["few elements", map(64, 64).mul(map(64).exp()), 1],
    ["enough elements", map(65, 64).mul(map(64).exp()), 2],
  ];
  expect(cases.map(([name, tree]) => [name, explain(tree).steps.length])).toEqual(cases.map(([name, , steps]) => [name, steps]));
  for (const [, tree] of cases) expect(difference(tree)).toBeLessThan(2e-5);
});

test("a value that a product reads under movements is in memory, and its other users read it there", () => {
  const map = (...dims: number[]): Any => {
    const made = arenaMap("float32", dims) as Any;
    made.data.forEach((_: number, i: number) => (made.data[i] = ((i * 7) % 11) - 5));
    return made;
  };
  const [x, y, w] = [map(16, 16, 16), map(16, 16, 16), map(16, 16)];
  const e = x.sub(y.mul(3));
  const rows = e.reshape([256, 16]).matMul(w).sum();
  const turned = e.shuffle([1, 0, 2]).reshape([256, 16]).matMul(w).sum();
  // A part of it is stored instead of all: then a sum over all of it computes it again.
  const part = e.slice([0, 8]).reshape([128, 16]).matMul(w).sum();
  const computing = [rows, turned, part].map((each) => {
    const tree = each.add(e.sum());
    const plan = new StagePlan(new Sharing([tree], () => false), true);
    const steps = plan.order([plan.step(tree, tree.dtype, imaginedPlaces(tree.dimensions, tree.dtype))]);
    return steps.filter(({ lowered }) => lowered?.program.nodes.some(({ op }) => op === "sub")).length;
  });
  expect(computing).toEqual([1, 1, 2]);
  for (const each of [rows, turned, part]) expect(difference(each.add(e.sum()))).toBe(0);
});

test("a matrix that several products need transposed is transposed once", () => {
  const w = small("float32", [64, 64], 4);
  let e = small("float32", [8, 64], 1).add(0);
  for (let k = 0; k < 30; k++) e = e.add(e.matMul(w));
  expect(planned(e).steps).toBeLessThan(2 * 30 + 5);
});

test("the common parts of several results are computed once", () => {
  const x = small("int32", [4, 4], 5);
  const trees: Any[] = [];
  const count = isLong ? 200 : 80;
  for (let k = 0, e = x; k < count; k++) trees.push((e = e.add(e.cumsum(k % 2))));
  const outs = trees.map(() => arenaMap("int32", [4, 4]) as Any);
  const { runs } = kernelCounts();
  assignTogether(trees.map((tree, k) => [outs[k], tree]));
  expect(kernelCounts().runs - runs).toBeLessThan(5 * trees.length);
  const wanted = arenaMap("int32", [4, 4]) as Any;
  for (const k of [0, 1, count / 2 - 1, count - 1]) {
    assignByReference(wanted, trees[k]);
    expect([...outs[k]]).toEqual([...wanted]);
  }
});

test("the kernel of one result reads another result that no kernel computes", () => {
  const sums = small("int32", [5, 7], 9).sum([1]);
  const scanned = sums.cumsum(0);
  const outs = [0, 1, 2].map(() => arenaMap("int32", [5]) as Any);
  assignTogether([sums, scanned, scanned.add(sums)].map((tree, k) => [outs[k], tree]));
  expect(outs.map((out) => [...out])).toEqual([sums, scanned, scanned.add(sums)].map((tree) => evaluate(tree as Any).toArray()));
});

test("a result that overlaps an operand of another is as if they were assigned one after the other", () => {
  const [x, again, y] = [small("int32", [4, 4], 6), small("int32", [4, 4], 6), small("int32", [4, 4], 7)];
  const [a, b] = [arenaMap("int32", [4, 4]) as Any, arenaMap("int32", [4, 4]) as Any];
  const pairs = (map: Any, out: Any): Any => {
    const shared = map.cumsum(0).add(y);
    return [
      [map, shared.add(shared.reverse([0]))],
      [out, shared.mul(2)],
    ];
  };
  assignTogether(pairs(x, a));
  for (const [target, tree] of pairs(again, b)) target.assign(tree);
  expect([[...x], [...a]]).toEqual([[...again], [...b]]);
});

test("an error in a stage is thrown as by the evaluator", () => {
  const [x, zeros] = [small("int32", [4, 4], 8), arenaMap("int32", [4, 4]) as Any];
  zeros.assign(0);
  const divided = x.cumsum(1).div(zeros);
  const out = arenaMap("int32", [4, 4]) as Any;
  expect(() => out.assign(divided.add(divided.reverse([0])).cumsum(0))).toThrow("division by zero");
});
