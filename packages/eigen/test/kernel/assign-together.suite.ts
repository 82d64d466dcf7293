// assignTogether gives the results of the same assignments one after the other, with one kernel where that is possible.
import { expect, test } from "@jest/globals";
import { isStatusError } from "@onebuffer/base";
import { assignByReference } from "@onebuffer/eigen/internal";
import { assignTogether, tensorMap } from "@onebuffer/eigen";
import { isLong } from "@onebuffer/test-support";
import { kernelCounts } from "@onebuffer/kernels/internal";
import { arenaMap, Dice } from "./kernel-subjects.ts";

/** The trees here are built from tables of method names, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

const dice = new Dice(77);

function filled(dims: readonly number[], dtype: string = "float32"): Any {
  const map = arenaMap(dtype as "float32", dims as number[]) as Any;
  const { data } = map;
  for (let i = 0; i < data.length; i++) data[i] = dtype === "int32" ? dice.below(20) - 9 : dice.unit() * 4 - 2;
  return map;
}

const targetsOf = (expressions: readonly Any[]): Any[] => expressions.map(({ dtype, dimensions }) => arenaMap(dtype, dimensions));

/** Expressions over a matrix and a vector, and the number of kernels that they take. */
const lists: [string, (x: Any, v: Any) => Any[], number][] = [
  ["mean and variance", (x) => [x.mean([1]), x.variance([1])], 1],
  ["mean and variance with kept dimensions", (x) => [x.mean([1], { keepDims: true }), x.variance([1], { keepDims: true })], 1],
  ["the same sum twice", (x) => [x.sum([1]), x.sum([1])], 1],
  [
    "three reductions, each part of the next",
    (x) => [
      x.max([1]),
      x
        .sub(x.max([1], { keepDims: true }))
        .exp()
        .sum([1]),
      x.logSumExp([1]),
    ],
    1,
  ],
  ["reductions of all elements", (x) => [x.min(), x.max(), x.mean()], 1],
  ["expressions of row results", (x, v) => [x.sum([1]).add(v), v.mul(2), x.sum([1]).mul(x.prod([1]))], 1],
  ["a last result without a reduction", (x, v) => [x.sum([1]), v], 1],
  ["reductions of columns", (x) => [x.mean([0]), x.max([0])], 2],
  ["different axes", (x) => [x.sum([1]), x.sum([0])], 2],
  ["different dtypes", (x) => [x.sum([1]), x.argmax(1, { outputType: "int32" })], 2],
  ["a reduction and an elementwise result", (x) => [x.sum([1]), x.mul(2)], 2],
  ["a scan that has to be computed first", (x) => [x.sum([1]), x.cumsum(1).sum([1])], 2],
];

for (const [rows, columns] of [
  [7, 100],
  [3, 1],
  [1, 2000],
] as const) {
  // All lists of several rows, and a third of the others by turns.
  test.each(lists.filter((_, k) => isLong || rows === 7 || (k + rows) % 3 === 0))(`%s of [${rows}, ${columns}]`, (_, make, kernels) => {
    const x = filled([rows, columns]);
    const expressions = make(x, filled([rows]));
    const expected = targetsOf(expressions);
    expected.forEach((target, i) => {
      assignByReference(target, expressions[i]);
    });
    const targets = targetsOf(expressions);
    // The second round uses the kept plan.
    for (let round = 0; round < 2; round++) {
      for (const target of targets) target.assign(0);
      const { runs } = kernelCounts();
      assignTogether(targets.map((target, i) => [target, expressions[i]]));
      if (rows === 7) expect(kernelCounts().runs - runs).toBe(kernels);
      targets.forEach((target, i) => {
        const wanted = expected[i].data;
        const isFar = (value: number, k: number): boolean => !(Math.abs(value - wanted[k]) < 1e-4 * (1 + Math.abs(value)));
        expect(target.data.findIndex(isFar)).toBe(-1);
      });
    }
  });
}

test("stores float64 results in strided targets", () => {
  const x = filled([6, 50], "float64");
  const both = filled([6, 2], "float64");
  const [mean, largest] = [both.strided(":, 0"), both.strided(":, 1")];
  assignTogether([
    [mean, x.mean([1])],
    [largest, x.max([1])],
  ]);
  for (let r = 0; r < 6; r++) {
    const row = [...x.data].slice(r * 50, r * 50 + 50);
    expect(both.at(r, 0)).toBeCloseTo(row.reduce((a, b) => a + b, 0) / 50, 12);
    expect(both.at(r, 1)).toBe(Math.max(...row));
  }
});

test("a result that overlaps an operand or another result is as if assigned one after the other", () => {
  const x = filled([40, 40]);
  const twin = filled([40, 40]);
  twin.assign(x);
  const run = (m: Any, together: boolean): number[] => {
    const sums = m.strided("39");
    const pairs = [
      [sums, m.sum([1])],
      [m.strided("38"), m.max([1])],
      [sums, m.min([1])],
    ] as Any;
    if (together) assignTogether(pairs);
    else for (const [target, expression] of pairs) target.assign(expression);
    return [...m.data];
  };
  expect(run(x, true)).toEqual(run(twin, false));
  const [sum, largest] = [filled([40]), filled([40])];
  assignTogether([
    [sum, x.sum([1])],
    [sum, x.max([1])],
  ]);
  largest.assign(x.max([1]));
  expect([...sum.data]).toEqual([...largest.data]);
});

test("a division by zero throws the evaluator's error", () => {
  const x = filled([4, 8], "int32");
  const [a, b] = [filled([4], "int32"), filled([4], "int32")];
  const zero = filled([8], "int32");
  zero.assign(0);
  expect(() =>
    assignTogether([
      [a, x.sum([1])],
      [b, x.div(zero).sum([1])],
    ]),
  ).toThrow("division by zero");
});

test("accepts maps outside the linear memory, empty lists, lists of one pair and empty maps", () => {
  const x = tensorMap("float32", Float32Array.of(1, 2, 3, 4), [2, 2]);
  const [low, high] = [tensorMap("float32", new Float32Array(2), [2]), filled([2])];
  assignTogether([
    [low, x.min([1])],
    [high, x.max([1])],
  ]);
  expect([low.toArray(), high.toArray()]).toEqual([
    [1, 3],
    [2, 4],
  ]);
  assignTogether([[low, x.max([0])]]);
  expect(low.toArray()).toEqual([3, 4]);
  assignTogether([]);
  const empty = filled([3, 0]);
  const [sum, product] = [filled([3]), filled([3])];
  assignTogether([
    [sum, empty.sum([1])],
    [product, empty.prod([1])],
  ]);
  expect([sum.toArray(), product.toArray()]).toEqual([
    [0, 0, 0],
    [1, 1, 1],
  ]);
});

test("writes nothing if one pair cannot be assigned", () => {
  const x = filled([3, 5]);
  const [sum, wrong] = [filled([3]), filled([4])];
  const before = [...sum.data];
  const refusal = (pairs: unknown): string => {
    try {
      assignTogether(pairs as never);
    } catch (error) {
      if (isStatusError(error)) return `${error.code}: ${error.message}`;
    }
    return "nothing was thrown";
  };
  const good = [sum, x.sum([1])];
  expect(refusal([good, [wrong, x.max([1])]])).toMatch(/^INVALID_ARGUMENT: assign\(float32 \[4\].*axis 0 of the target has size 4/);
  expect(refusal([good, [sum, x.argmax(1)]])).toMatch(/cannot assign int64 to float32/);
  expect(refusal([good, [x.neg(), x]])).toMatch(/is not a map/);
  expect(refusal([good, sum])).toMatch(/is not a pair/);
  expect(refusal(sum)).toMatch(/is not a list of pairs/);
  expect(refusal(Object.assign([], { length: 2 ** 32 - 1 }))).toMatch(/undefined is not a pair/);
  expect([...sum.data]).toEqual(before);
});
