// The order of the steps of several results: how much scratch memory it takes, what is computed in place, and what is copied.
import { expect, test } from "@jest/globals";
import { planner } from "@onebuffer/compiler/src/run/planner";
import { assignTogether, select, tensorMap, updateTogether } from "@onebuffer/eigen";
import { isLong, stopwatch } from "@onebuffer/test-support";
import { kernelCounts } from "@onebuffer/kernels/internal";
import { arenaMap } from "./kernel-subjects.ts";

/** The expressions here are built in loops, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;
type Pairs = [Any, Any][];

const kRows = 16;
const kUnits = 32;

function filled(dims: readonly number[], dtype: string = "float32"): Any {
  const map = arenaMap(dtype as "float32", dims as number[]) as Any;
  const { data } = map;
  for (let i = 0; i < data.length; i++) data[i] = ((i * 7919) % 13) - 6;
  return map;
}

/** The gradients of a network of layers with relu, or the updates of its weights. */
function network(layers: number, isUpdate: boolean): Pairs {
  const weights = Array.from({ length: layers }, () => filled([kUnits, kUnits]));
  const values = [filled([kRows, kUnits])];
  for (const w of weights) values.push(values.at(-1)!.matMul(w).relu());
  const pairs: Pairs = [[filled([]), values.at(-1)!.square().mean()]];
  let delta = select(values.at(-1)!.greater(0), values.at(-1)!.mul(2 / (kRows * kUnits)), 0) as Any;
  for (let k = layers - 1; k >= 0; k--) {
    const gradient = values[k]!.transpose().matMul(delta);
    pairs.splice(1, 0, isUpdate ? [weights[k], weights[k].sub(gradient.mul(0.1))] : [filled([kUnits, kUnits]), gradient]);
    if (k > 0) delta = select(values[k]!.greater(0), delta.matMul(weights[k].transpose()), 0);
  }
  return pairs;
}

/** Returns the scratch memory of the kept plan of pairs, in activations. */
function scratchOf(pairs: Pairs, isUpdate: boolean): number {
  (isUpdate ? updateTogether : assignTogether)(pairs);
  const places = pairs.map(([target]) => target.rawPlaces());
  const plan = planner.recall.plan(
    places,
    "float32",
    pairs.map(([, tree]) => tree),
    isUpdate,
  );
  return (plan as Any).scratchBytes / (kRows * kUnits * 4);
}

test.each(isLong ? [1, 2, 3, 8, 32, 400] : [1, 2, 3, 12])("a network of %i layers takes a stage for each and two more", (layers) => {
  expect(scratchOf(network(layers, false), false)).toBeLessThanOrEqual(layers + 2);
  // A weight's gradient, of two activations here, waits for one product that reads the weights.
  expect(scratchOf(network(layers, true), true)).toBeLessThanOrEqual(layers + 4);
});

/** Returns the number of kernels that run for pairs once their plan is kept. */
function runsOf(pairs: Pairs, call: (pairs: Pairs) => void): number {
  for (let k = 0; k < 2; k++) call(pairs);
  const before = kernelCounts();
  call(pairs);
  const after = kernelCounts();
  expect(after.planned).toBe(before.planned);
  return after.runs - before.runs;
}

test("a result that others read is computed in its target", () => {
  const [a, b] = [filled([kRows, kUnits]), filled([kUnits, kUnits])];
  const product = a.matMul(b);
  const targets = [filled([kRows, kUnits]), filled([kRows, kUnits]), filled([kUnits])];
  const pairs: Pairs = [
    [targets[0], product],
    [targets[1], product.exp()],
    [targets[2], product.sum([0])],
  ];
  const alone = pairs.map(([, tree]) => [filled(tree.dimensions), tree] as [Any, Any]);
  for (const [target, tree] of alone) target.assign(tree);
  // A product, of which the operands are packed without a kernel's run, and a kernel for each of the others.
  expect(runsOf(pairs, assignTogether)).toBe(runsOf([[targets[0], product]], ([[to, tree]]: Any) => to.assign(tree)) + 2);
  expect(targets.map((target) => target.toArray())).toEqual(alone.map(([target]) => target.toArray()));
});

test.each(["float32", "float16", "int32"])("updates of %s are in place where they can be, and a swap takes one copy", (dtype) => {
  const [a, b, c] = [1, 2, 3].map(() => filled([kUnits, 3], dtype)) as [Any, Any, Any];
  expect(
    runsOf(
      [a, b, c].map((map) => [map, map.add(map)]),
      updateTogether,
    ),
  ).toBe(3);
  // b is read by the update of a, and c by that of b.
  const chain: Pairs = [
    [c, c.add(1)],
    [b, b.add(c)],
    [a, a.add(b)],
  ];
  expect(runsOf(chain, updateTogether)).toBe(3);
  const swap: Pairs = [
    [a, b.sub(1)],
    [b, a.add(1)],
  ];
  const [before, other] = [a.toArray(), b.toArray()];
  expect(runsOf(swap, updateTogether)).toBe(3);
  // Three swaps.
  expect(a.toArray()).toEqual(other.map((row: number[]) => row.map((value) => value - 1)));
  expect(b.toArray()).toEqual(before.map((row: number[]) => row.map((value) => value + 1)));
});

test("an element that is refused leaves all operands as they were", () => {
  const [a, b, d] = [filled([50], "int32"), filled([50], "int32"), filled([50], "int32")];
  const pairs: Pairs = [
    [a, a.add(1)],
    [b, b.div(d).add(a)],
    [d, d.add(0)],
  ];
  d.data.fill(3);
  for (let k = 0; k < 3; k++) updateTogether(pairs);
  d.data[20] = 0;
  const before = [a.toArray(), b.toArray(), d.toArray()];
  for (let k = 0; k < 2; k++) {
    expect(() => updateTogether(pairs)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
    expect([a.toArray(), b.toArray(), d.toArray()]).toEqual(before);
  }
});

test("the time of a group grows with the number of its results", () => {
  const whole = filled([isLong ? 4000 : 200, 4]);
  const step = (count: number): Pairs =>
    Array.from({ length: count }, (_, k) => {
      const row = tensorMap("float32", whole.data.subarray(4 * k, 4 * k + 4), [4]) as Any;
      return [row, row.mul(0.5)] as [Any, Any];
    });
  const timeOf = (pairs: Pairs): number => {
    const milliseconds = stopwatch();
    updateTogether(pairs);
    return milliseconds();
  };
  timeOf(step(20));
  const [tenth, all] = [step(whole.dimensions[0] / 10), step(whole.dimensions[0])].map(timeOf) as [number, number];
  expect(all).toBeLessThan(40 * tenth + 200);
});
