// Expressions of any number of nodes are planned once: an equal one that is written anew runs the kept plan, on its own operands and
// constants, and the time for each node does not grow with their number.
import { expect, test } from "@jest/globals";
import { assignByReference } from "@onebuffer/eigen/internal";
import { assignTogether, concatenate } from "@onebuffer/eigen";
import { stopwatch } from "@onebuffer/test-support";
import { kernelCounts } from "@onebuffer/kernels/internal";
import { arenaMap, Dice } from "./kernel-subjects.ts";

/** The expressions here are built by tables, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

const isLong = process.env["ONEBUFFER_LONG"] !== undefined;
const dice = new Dice(241);

/** Returns a map with new small integers as elements. */
function filled(dtype: string, ...dims: number[]): Any {
  const map = arenaMap(dtype as "float32", dims) as Any;
  const { data } = map;
  for (let i = 0; i < data.length; i++) data[i] = dice.below(9) - 4;
  return map;
}

const vectors = Array.from({ length: 120 }, () => filled("float32", 20));
const [a, b, c] = vectors as [Any, Any, Any];
const [x, y] = [filled("float32", 4, 4), filled("float32", 4, 4)];

/** Returns the chain of n operations of which `step` writes the one with this number. */
const chain = (first: Any, n: number, step: (e: Any, k: number) => Any): Any => {
  let e = first;
  for (let k = 0; k < n; k++) e = step(e, k);
  return e;
};

/** Chains by their kind; each is written anew by every call. */
const kinds: readonly (readonly [string, (n: number) => Any])[] = [
  ["few leaves", (n) => chain(a, n, (e, k) => (k % 2 ? e.mul(b) : e.add(c)))],
  ["many leaves", (n) => chain(a, n, (e, k) => (k % 2 ? e.mul(vectors[k % 120]) : e.add(vectors[k % 120])))],
  ["few constants", (n) => chain(a, n, (e, k) => (k % 2 ? e.mul(0.5) : e.add(1 + (k % 9))))],
  ["many constants", (n) => chain(a, n, (e, k) => e.add(k + 0.5))],
  ["reductions", (n) => chain(a, n / 2, (e, k) => (k % 5 === 4 ? e.sub(e.mean([0], { keepDims: true })) : e.add(b).mul(c)))],
  ["movements", (n) => chain(x, n, (e, k) => (k % 8 === 7 ? e.shuffle([1, 0]) : k % 2 ? e.mul(y) : e.add(y)))],
  ["products", (n) => chain(x, n, (e, k) => (k % 4 === 3 ? e.matMul(y) : e.add(y)))],
  [
    "concatenations",
    (n) => chain(a, n / 4, (e, k) => concatenate([e.slice([10]), e.slice([0, 10]).add(k % 3 ? b.slice([10]) : 1)] as Any, 0)),
  ],
  [
    "shared nodes",
    (n) => {
      let [e, before] = [a.add(b), a];
      for (let k = 1; k < n; k++) [e, before] = [k % 2 ? e.add(before) : e.mul(before), e];
      return e;
    },
  ],
];

/** Returns how many expressions `work` plans. */
function planned(work: () => void): number {
  const before = kernelCounts().planned;
  work();
  return kernelCounts().planned - before;
}

const targetOf = ({ dtype, dimensions }: Any): Any => arenaMap(dtype, dimensions);

test.each(kinds)("a chain with %s is planned once, however long it is", (_, make) => {
  for (const n of isLong ? [30, 60, 64, 68, 100, 128, 132, 192, 200, 520, 3000] : [60, 132]) {
    const out = targetOf(make(n));
    out.assign(make(n));
    const first = [...out.data];
    expect([n, planned(() => out.assign(make(n)))]).toEqual([n, 0]);
    expect([...out.data]).toEqual(first);
  }
});

test("thousands of operations deep, and as many operands wide", () => {
  const [deep, wide] = [
    (): Any => kinds[0]![1](isLong ? 10_000 : 2500),
    (): Any =>
      concatenate(
        Array.from({ length: isLong ? 2000 : 400 }, (_, k) => vectors[k % 120]),
        0,
      ),
  ];
  for (const make of [deep, wide]) {
    const first = make();
    const out = targetOf(first);
    out.assign(first);
    expect(planned(() => out.assign(make()))).toBe(0);
  }
});

/** Returns the least processor time of many runs, in microseconds a node. */
function timePerNode(make: (n: number) => Any, n: number): number {
  const out = targetOf(make(n));
  const runs = Math.ceil((isLong ? 1500 : 300) / n);
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < (isLong ? 12 : 3); round++) {
    const milliseconds = stopwatch();
    for (let run = 0; run < runs; run++) out.assign(make(n));
    least = Math.min(least, milliseconds());
  }
  return (1000 * least) / (runs * n);
}

/** Two chains of which some list grows with their number of nodes; all chains in `npm run long`. */
const growing = kinds.filter(([name]) => isLong || ["many leaves", "concatenations"].includes(name));

test.each(growing)("a chain with %s that is written anew takes about as long for each node, however many there are", (_, make) => {
  const [small, ...larger] = (isLong ? [30, 300, 10_000] : [30, 600]).map((n) => timePerNode(make, n)) as [number, ...number[]];
  for (const time of larger) expect(time).toBeLessThan(10 * small);
});

/** Writes a chain of about n operations over other maps and constants with each call; `shape` draws the operations. */
function randomChain(shape: Dice, n: number, maps: readonly Any[], constants: Dice): Any {
  const nodes = [maps[0]];
  for (let k = 0; k < n; k++) {
    const last = nodes.at(-1);
    const other = shape.below(4) === 0 ? nodes[shape.below(nodes.length)] : maps[shape.below(maps.length)];
    switch (shape.below(12)) {
      case 0:
        nodes.push(last.reverse([shape.below(2)]));
        break;
      case 1:
        nodes.push(last.shuffle([1, 0]));
        break;
      case 2:
        nodes.push(last.sub(last.max([shape.below(2)], { keepDims: true })));
        break;
      case 3:
      case 4:
        nodes.push(last.add(constants.below(5)));
        break;
      case 5:
        nodes.push(last.mul(constants.below(3) + 1));
        break;
      case 6:
        nodes.push(last.maximum(other));
        break;
      case 7:
        nodes.push(other.sub(last));
        break;
      default:
        nodes.push(last.add(other));
    }
  }
  return nodes.at(-1);
}

/** The sizes around which kernels are divided or lists give way to Maps. */
const kSizes = isLong ? [20, 44, 60, 64, 70, 124, 130, 188, 196, 260, 500, 1000, 3000] : [60, 196];

test.each(kSizes)("random chains of about %i operations on other operands and constants, and into an operand", (size) => {
  for (let round = 0; round < (isLong ? 20 : 1); round++) {
    const [n, seed] = [size + dice.below(8), dice.next()];
    for (let run = 0; run < 3; run++) {
      const maps = Array.from({ length: 1 + (seed % 9) }, () => filled("int32", 3, 3));
      const drawn = dice.next();
      const write = (): Any => randomChain(new Dice(seed), n, maps, new Dice(drawn));
      const wanted = targetOf(maps[0]);
      assignByReference(wanted, write());
      // The last run has a target that is an operand, or the second row of one and more.
      const out = run < 2 ? targetOf(maps[0]) : maps.at(-1);
      out.assign(write());
      expect([n, seed, run, [...out.data]]).toEqual([n, seed, run, [...wanted.data]]);
    }
  }
});

/** Several results with parts in common: by one kernel, by stages, of other dtypes; and some without. */
const lists: readonly (readonly [string, (n: number) => Any[]])[] = [
  ["one after the other of a chain", (n) => [n, n + 2, n + 4].map((k) => kinds[0]![1](k))],
  [
    "a stage of the others",
    (n) => {
      const e = kinds[0]![1](n);
      return [e, e.add(b), e.reverse([0]).mul(c)];
    },
  ],
  [
    "row results",
    (n) => {
      const e = chain(x, n, (each) => each.add(y));
      return [e.sum([1]), e.max([1])];
    },
  ],
  [
    "other dtypes and sizes",
    (n) => {
      const e = chain(x, n, (each) => each.add(y));
      return [e.sum([1]), e.cast("int32"), e.less(y), concatenate([e, y] as Any, 0)];
    },
  ],
  ["no parts in common", (n) => [kinds[0]![1](n), kinds[1]![1](n), x.matMul(y)]],
  ["sums over other axes", () => [x.sum([0]), x.sum([1]), y.max([0])]],
];

test.each(lists)("several results, %s, are planned once together", (_, make) => {
  for (const n of isLong ? [3, 30, 62, 66, 130, 300] : [3, 66]) {
    const outs = make(n).map(targetOf);
    const pairs = (): Any => make(n).map((tree, k) => [outs[k], tree]);
    const wanted = make(n).map((tree) => {
      const out = targetOf(tree);
      out.assign(tree);
      return [...out.data].map(Number);
    });
    // Assigned one after the other, each has a plan of its own, which is kept at its second assignment, too.
    assignTogether(pairs());
    assignTogether(pairs());
    for (const out of outs) out.assign(out.dtype === "bool" ? false : 0);
    expect([n, planned(() => assignTogether(pairs()))]).toEqual([n, 0]);
    expect(outs.map((out) => [...out.data].map(Number))).toEqual(wanted);
  }
});

test("a kept plan of several results has their operands, constants and targets from the current expressions", () => {
  for (let round = 0; round < (isLong ? 100 : 1); round++) {
    const [n, seed] = [4 + dice.below(80), dice.next()];
    for (let run = 0; run < 4; run++) {
      const maps = Array.from({ length: 3 }, () => filled("int32", 3, 3));
      const drawn = dice.next();
      const write = (own: readonly Any[]): Any[] => {
        const e = randomChain(new Dice(seed), n, own, new Dice(drawn));
        return [e.add(own[1]), e.reverse([0]), e.max([1])];
      };
      const twins = maps.map((map) => targetOf(map));
      twins.forEach((twin, k) => twin.assign(maps[k]));
      // In the third run one target is an operand; in the fourth two targets are the same memory.
      const outs = write(maps).map(targetOf);
      const others = write(maps).map(targetOf);
      if (run === 2) [outs[1], others[1]] = [maps[2], twins[2]];
      if (run === 3) [outs[1], others[1]] = [outs[0], others[0]];
      assignTogether(write(maps).map((tree, k) => [outs[k], tree]) as Any);
      const trees = write(twins);
      trees.forEach((tree, k) => assignByReference(others[k], tree));
      expect([n, seed, run, outs.map((out) => [...out.data])]).toEqual([n, seed, run, others.map((out) => [...out.data])]);
    }
  }
});

test("a division by zero in a kept plan of several results throws, and the next run is right", () => {
  const [m, d] = [filled("int32", 3, 3), filled("int32", 3, 3)];
  const outs = [0, 1].map(() => arenaMap("int32", [3, 3]) as Any);
  const run = (): void => {
    const e = m.add(1).reverse([0]).div(d);
    assignTogether([
      [outs[0], e.add(e.reverse([1]))],
      [outs[1], e.mul(2)],
    ] as Any);
  };
  for (let round = 0; round < 3; round++) {
    d.assign(0);
    expect(run).toThrow("division by zero");
    d.assign(1);
    run();
    const wanted = targetOf(m);
    assignByReference(wanted, m.add(1).reverse([0]).mul(2));
    expect([...outs[1].data]).toEqual([...wanted.data]);
  }
});
