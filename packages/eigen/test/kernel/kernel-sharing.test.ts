// A subexpression that is used several times is lowered and computed a bounded number of times, however it is used: what an assignment
// costs is linear in its different nodes.
import { expect, test } from "@jest/globals";
import { assignByReference, assignTogether, evaluate, explain, kernelCounts, tensorMap } from "@onebuffer/eigen";
import { linearMemory } from "@onebuffer/wasm";
import { treeOrder } from "../../src/expression/tree/tree-order.ts";
import { scratchMark } from "../../src/kernel/plan/scratch.ts";
import { Sharing } from "../../src/kernel/plan/sharing.ts";
import { stageMemory } from "../../src/kernel/run/stage-memory.ts";
import { imaginedPlaces, StagePlan } from "../../src/kernel/run/stage-plan.ts";
import { arenaMap } from "./kernel-subjects.ts";
import { chainOf, chains, small } from "./sharing-subjects.ts";

/** Trees are put together from tables here, which no type follows. */
type Any = ReturnType<typeof JSON.parse>;

const isLong = process.env["ONEBUFFER_LONG"] !== undefined;

/** How much an assignment is: steps, values of their programs, and nodes of what is left to others. */
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

/** The greatest difference to the evaluator, relative to values above 1. */
function difference(tree: Any): number {
  const [out, wanted] = [arenaMap(tree.dtype, tree.dimensions) as Any, arenaMap(tree.dtype, tree.dimensions) as Any];
  out.assign(tree);
  assignByReference(wanted, tree);
  const [got, expected] = [[...out].flat(), [...wanted].flat()] as [number[], number[]];
  const off = (value: number, i: number): number =>
    Object.is(value, expected[i]) ? 0 : Math.abs(value - expected[i]!) / Math.max(1, Math.abs(expected[i]!));
  return got.reduce((most, value, i) => Math.max(most, off(value, i)), 0);
}

const kTolerances: Readonly<Record<string, number>> = { int32: 0, float32: 1e-5, float16: 2e-3, complex64: 1e-6 };

test.each(chains.map((chain) => [chain.name, chain] as const))("1,000 levels of %s: the cost is linear", (name, chain) => {
  const before = performance.now();
  const [tenth, whole] = [planned(chainOf(chain, 100)), planned(chainOf(chain, 1000))];
  // Evaluators, scans and orderings have a step for every stored operand.
  expect([name, whole.steps <= whole.nodes, whole.values <= 8 * whole.nodes + 200]).toEqual([name, true, true]);
  expect(whole.values).toBeLessThan(11 * tenth.values + 200);
  // A few stages are alive at a time: 256 bytes are the least for each.
  expect(whole.bytes).toBeLessThan(64 * 256);
  expect(performance.now() - before).toBeLessThan(10_000);
});

test.each(chains.map((chain) => [chain.name, chain] as const))("levels of %s: the evaluator's results", (_, chain) => {
  for (const levels of [1, 2, 5, 30, ...(isLong ? [3, 8, 13, 200, 1000] : [])]) {
    expect([levels, difference(chainOf(chain, levels)) <= kTolerances[chain.dtype]!]).toEqual([levels, true]);
  }
});

test("1,000 levels are computed, explained, and their kernels are few", () => {
  for (const chain of chains.filter(({ name }) => ["reverse", "softmax over columns"].includes(name))) {
    const tree = chainOf(chain, 1000);
    const { runs, compiled } = kernelCounts();
    expect(difference(tree)).toBeLessThanOrEqual(kTolerances[chain.dtype]!);
    expect(kernelCounts().compiled - compiled).toBeLessThan(20);
    expect(kernelCounts().runs - runs).toBeLessThan(4000);
    if (chain.dtype !== "int32") continue;
    const { steps } = explain(tree);
    expect(steps.length).toBeLessThan(4000);
    expect(steps.reduce((sum, { expression }) => sum + expression.length, 0)).toBeLessThan(500 * steps.length);
  }
});

test("stages give their memory back after the last step that reads them, and all of it at the end", () => {
  const out = arenaMap("int32", [4, 4]) as Any;
  const tree = chainOf(chains.find(({ name }) => name === "cumsum")!, 300);
  out.assign(tree);
  const reserved = linearMemory().reservedBytes;
  for (let i = 0; i < 3; i++) out.assign(tree);
  expect(linearMemory().reservedBytes).toBe(reserved);
});

test.each(["reverse", "cumsum", "sums over alternating axes", "roll", "sort", "matMul", "softmax over columns"])(
  "levels of %s over arrays outside of the linear memory: as many kernels as inside, and nothing stays reserved",
  (name) => {
    const chain = chains.find((each) => each.name === name)!;
    const { dtype, level } = chain;
    const outside = (map: Any): Any => (tensorMap as Any)(dtype, map.data.slice(), map.dimensions);
    // 8 levels have plans that could be kept if they had no stages; 50 and 150 have too many nodes for that.
    const runsOf = [8, 50, 150].map((levels) => {
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

test("depth takes no stack: 20,000 operations on top of each other, by kernels, by the evaluator, explained", () => {
  const x = small("int32", [4, 4], 3);
  let tree = x;
  for (let k = 0; k < 10_000; k++) tree = tree.add(x).reverse([1]);
  expect(difference(tree)).toBe(0);
  expect(explain(tree).steps.length).toBeLessThan(4000);
  let outside: Any = tensorMap("int32", new Int32Array(3), [3]);
  for (let k = 0; k < 20_000; k++) outside = outside.add(1);
  expect(evaluate(outside).toArray()).toEqual([20_000, 20_000, 20_000]);
});

test("a kernel has as many operands as its arguments have room for", () => {
  const permuted = (map: Any, k: number): Any => map.shuffle(map.dimensions.map((_: number, d: number) => (d + k) % map.rank));
  for (const dims of [[6], [2, 2, 2, 2, 2, 2]]) {
    const maps = Array.from({ length: 600 }, (_, k) => permuted(small("int32", dims, k + 1), k).reverse([0]));
    // One after the other, and two by two: no kernel may read more than fits.
    const chain = maps.reduce((sum, map) => sum.add(map));
    let list: Any[] = maps;
    while (list.length > 1) list = list.flatMap((map, k) => (k % 2 === 1 ? [] : k + 1 < list.length ? [map.add(list[k + 1])] : [map]));
    expect([difference(chain), difference(list[0])]).toEqual([0, 0]);
    expect(planned(list[0]).loads * 4 * (dims.length + 1)).toBeLessThan(4096);
  }
});

test("a matrix that is turned round for several products is turned round once", () => {
  const w = small("float32", [64, 64], 4);
  let e = small("float32", [8, 64], 1).add(0);
  for (let k = 0; k < 30; k++) e = e.add(e.matMul(w));
  expect(planned(e).steps).toBeLessThan(2 * 30 + 5);
});

test("several results of one chain: what they have in common is computed once", () => {
  const x = small("int32", [4, 4], 5);
  const trees: Any[] = [];
  for (let k = 0, e = x; k < 200; k++) trees.push((e = e.add(e.cumsum(k % 2))));
  const outs = trees.map(() => arenaMap("int32", [4, 4]) as Any);
  const { runs } = kernelCounts();
  assignTogether(trees.map((tree, k) => [outs[k], tree]));
  expect(kernelCounts().runs - runs).toBeLessThan(5 * trees.length);
  const wanted = arenaMap("int32", [4, 4]) as Any;
  for (const k of [0, 1, 99, 199]) {
    assignByReference(wanted, trees[k]);
    expect([...outs[k]]).toEqual([...wanted]);
  }
});

test("a result that no kernel computes is an operand of another result's kernel", () => {
  const sums = small("int32", [5, 7], 9).sum([1]);
  const scanned = sums.cumsum(0);
  const outs = [0, 1, 2].map(() => arenaMap("int32", [5]) as Any);
  assignTogether([sums, scanned, scanned.add(sums)].map((tree, k) => [outs[k], tree]));
  expect(outs.map((out) => [...out])).toEqual([sums, scanned, scanned.add(sums)].map((tree) => evaluate(tree as Any).toArray()));
});

test("several results, one of which lies over an operand of another: as if one after the other", () => {
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

test("an error in the middle is the evaluator's, whoever reads it", () => {
  const [x, zeros] = [small("int32", [4, 4], 8), arenaMap("int32", [4, 4]) as Any];
  zeros.assign(0);
  const divided = x.cumsum(1).div(zeros);
  const out = arenaMap("int32", [4, 4]) as Any;
  expect(() => out.assign(divided.add(divided.reverse([0])).cumsum(0))).toThrow("division by zero");
});
