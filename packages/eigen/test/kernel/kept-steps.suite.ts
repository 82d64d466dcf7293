// Kept plans of expressions with concatenations, loops over dense elements and random elements: planned once, right for other operands.
import { expect, test } from "@jest/globals";
import { concatenate, evaluate, nthElements, stack, statelessUniform, tensorMap } from "@onebuffer/eigen";
import { isLong } from "@onebuffer/test-support";
import { computeKept } from "@onebuffer/compiler/src/run/assign-kept";
import { kernelCounts } from "@onebuffer/kernels/internal";
import { computed, filler, reference } from "./filled-maps.ts";
import { listDifference } from "./difference.ts";
import { arenaMap } from "./kernel-subjects.ts";

/** The expressions here are built by tables, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

const fill = filler(11, 0, 7);

/** Returns a map with new elements. */
const filled = (dtype: string, ...dims: number[]): Any => fill(arenaMap(dtype as "float32", dims));

/** Returns how many kernels `work` runs and how many expressions it plans. */
function countsOf(work: () => void): { runs: number; planned: number } {
  const { runs, planned } = kernelCounts();
  work();
  return { runs: kernelCounts().runs - runs, planned: kernelCounts().planned - planned };
}

const f = "float32";
const kept: readonly [string, (...maps: Any[]) => Any, ...(readonly [string, ...number[]])[]][] = [
  ["concatenate of computed operands", (x, y) => concatenate([x.mul(2), y.sub(1)], 1), [f, 5, 7], [f, 5, 3]],
  ["concatenate of many", (x, y) => concatenate([x, y.neg(), x.add(y), y, x.exp()] as Any, 0), [f, 5, 7], [f, 5, 7]],
  [
    "concatenate of a sum over columns, twice",
    (x) => {
      const e = x.sum([0]);
      return concatenate([e, e] as Any);
    },
    [f, 30, 20],
  ],
  [
    "concatenate of what another operation reads, too",
    (x) => {
      const e = x.mul(x).exp().sub(x.tanh());
      return (concatenate([e, e.reverse([0])] as Any, 0) as Any).add(1);
    },
    [f, 9, 8],
  ],
  ["stack", (x, y) => stack([x, y, x.abs()], 2), [f, 6, 5], [f, 6, 5]],
  [
    "pad by a constant",
    (x) =>
      x.add(1).pad(
        [
          [1, 2],
          [3, 0],
        ],
        { mode: "constant", value: 4 },
      ),
    [f, 6, 5],
  ], // prettier-ignore
  [
    "pad of bytes",
    (x) =>
      x.pad(
        [
          [1, 2],
          [3, 0],
        ],
        { mode: "constant", value: 4 },
      ),
    ["uint8", 6, 5],
  ], // prettier-ignore
  [
    "pad of half precision",
    (x) =>
      x.neg().pad(
        [
          [0, 1],
          [1, 2],
        ],
        { mode: "constant", value: 0.5 },
      ),
    ["float16", 6, 5],
  ], // prettier-ignore
  [
    "reflection",
    (x) =>
      x.mul(2).pad(
        [
          [2, 1],
          [0, 2],
        ],
        { mode: "reflect" },
      ),
    [f, 6, 5],
  ], // prettier-ignore
  ["halves that change places", (x) => concatenate([x.slice([3, 6]).mul(2), x.slice([0, 3]).add(1)] as Any, 0), [f, 6, 5]],
  ["roll of a difference", (x, y) => x.sub(y).roll([2, 3], [0, 1]), [f, 6, 5], [f, 6, 5]],
  ["cumsum of a product, scaled", (x, y) => x.mul(y).cumsum(1).div(3), [f, 6, 50], [f, 6, 50]],
  ["cumsum of a map", (x) => x.cumsum(), [f, 10]],
  ["cumsum of columns", (x) => x.cumsum(0), [f, 30, 37]],
  [
    "cumprod backwards along the middle axis, without the element itself",
    (x) => x.cumprod(1, { exclusive: true, reverse: true }),
    ["float64", 3, 5, 9],
  ],
  ["cummax of integers", (x) => x.cummax(1), ["int32", 6, 50]],
  ["cumsum of half floats", (x) => x.cast("float16").cumsum(1).cast("float32"), [f, 6, 50]],
  ["sort of a square, halved", (x) => x.square().sort().mul(0.5), [f, 6, 50]],
  ["sort of a map", (x) => x.sort(), [f, 6, 50]],
  ["argsort of a map", (x) => x.argsort(), [f, 6, 50]],
  ["elements of a sorted map", (x) => nthElements(x, [3, 20]), [f, 6, 50]],
  ["argsort", (x) => x.neg().argsort(), [f, 6, 50]],
  ["the largest, less their mean", (x) => x.neg().topK(3).values.sub(1), [f, 6, 50]],
  ["gather of rows", (x, i) => x.gather(i, 0), [f, 7, 5], ["int32", 9]],
  ["gather of columns", (x, i) => x.gather(i, 1), [f, 6, 7], ["int32", 9]],
  ["gather of columns, stored in the table", (x, i) => x.gather(i, 1), [f, 6, 7], ["int32", 7]],
  ["gather of a computed table", (x, i) => x.add(1).gather(i, 0).mul(2), [f, 7, 5], ["int32", 9]],
  [
    "scatter to a computed operand",
    (x, i, u) => x.mul(2).scatter(i, u, 0, { reduction: "add" }).add(1),
    [f, 7, 5],
    ["int32", 9],
    [f, 9, 5],
  ],
];

test.each(kept)("%s is planned once", (_name, expression, ...operands) => {
  const maps = (): Any[] => operands.map(([dtype, ...dims]) => filled(dtype, ...dims));
  computed(expression(...maps()));
  for (let round = 0; round < (isLong ? 3 : 1); round++) {
    const own = maps();
    let got: number[] = [];
    const { planned } = countsOf(() => void (got = computed(expression(...own))));
    const wanted = reference(expression(...own));
    expect([planned, got.length]).toEqual([0, wanted.length]);
    got.forEach((value, k) => expect(Math.abs(value - wanted[k]!)).toBeLessThanOrEqual(1e-5 * (1 + Math.abs(wanted[k]!))));
    // Into an operand: the plan does not suit, and the elements are the same.
    const [first] = own;
    if (first.dimensions.join() !== expression(...own).dimensions.join() || first.dtype !== expression(...own).dtype) continue;
    const again = expression(...own);
    first.assign(again);
    expect([...first].map(Number)).toEqual(got);
  }
});

const alike: readonly [string, ...((a: Any, b: Any, row: Any, column: Any) => Any)[]][] = [
  ["transposition", (a, b) => a.matMul(b), (a, b) => a.matMul(b, { transposeA: true }), (a, b) => a.matMul(b, { transposeB: true })],
  ["axes", (a, b) => a.mul(b).sum([0]), (a, b) => a.mul(b).sum([1])],
  ["constants", (a) => a.mul(2).add(2).sum(), (a) => a.mul(2).add(3).sum(), (a) => a.mul(4).add(4).sum(), (a) => a.mul(0).add(0).sum()],
  ["operands", (a) => a.mul(a).sum(), (a, b) => a.mul(b).sum(), (_, b) => b.mul(b).sum(), (a, b) => b.mul(a).sum()],
  ["uses", (a, b) => a.exp().add(b.exp()).sum(), (a) => a.exp().add(a.exp()).sum()],
  [
    "scans",
    (a) => a.cumsum(0),
    (a) => a.cumsum(1),
    (a) => a.cumsum(0, { exclusive: true }),
    (a) => a.cumsum(0, { reverse: true }),
    (a) => a.cumprod(0),
    (a) => a.cummin(0),
  ],
  ["orders", (a) => a.sort(), (a) => a.sort(1, { descending: true }), (a) => a.sort(0), (a) => a.topK(2).values, (a) => a.topK(3).values],
  ["sizes", (a, _, row) => a.add(row).sum(), (a, _, __, column) => a.add(column).sum(), (a, b) => a.add(b).sum()],
];

test.each(alike)("expressions that differ only in their %s have plans of their own", (_name, ...expressions) => {
  for (let round = 0; round < (isLong ? 3 : 2); round++) {
    for (const expression of [...expressions, ...expressions.toReversed()]) {
      const maps = [filled(f, 4, 4), filled(f, 4, 4), filled(f, 4), filled(f, 4, 1)] as const;
      const [got, wanted] = [computed(expression(...maps)), reference(expression(...maps))];
      expect(got).toHaveLength(wanted.length);
      got.forEach((value, k) => expect(Math.abs(value - wanted[k]!)).toBeLessThan(1e-4));
    }
  }
});

test("another constant pads with a kept plan, too", () => {
  const padded = (value: number): number[] =>
    computed(
      filled(f, 2)
        .mul(0)
        .abs()
        .pad([[1, 1]], { value: value }),
    );
  expect([padded(3), padded(5), padded(3)]).toEqual([
    [3, 0, 0, 3],
    [5, 0, 0, 5],
    [3, 0, 0, 3],
  ]);
});

test("random elements advance with a kept plan", () => {
  let draws = 0;
  const next = (): Any => (statelessUniform(f, [300], [7, ++draws]) as Any).mul(2).add(1);
  const drawn = Array.from({ length: 4 }, () => {
    const expression = next();
    const got = computed(expression);
    expect(got).toEqual(reference(expression));
    return got;
  });
  expect(new Set(drawn.map(String)).size).toBe(4);
  expect(countsOf(() => computed(next())).planned).toBe(0);
});

test("an index outside its axis throws with a kept plan", () => {
  const [x, i] = [filled(f, 7, 5), filled("int32", 9)];
  const gathered = (): Any => x.add(1).gather(i, 0).mul(2);
  computed(gathered());
  i.data[4] = 7;
  expect(() => computed(gathered())).toThrow(/7/u);
  i.data[4] = 0;
  expect(computed(gathered())).toEqual(reference(gathered()));
});

test("an index outside its axis throws with a kept scatter, which then has written nothing", () => {
  const [x, i, y] = [filled(f, 7, 5), filled("int32", 9), filled(f, 9, 5)];
  const out = filled(f, 7, 5);
  for (let turn = 0; turn < 2; turn++) out.assign(x.scatter(i, y, 0, { reduction: "add" }));
  const before = [...out];
  i.data[4] = 7;
  x.data.fill(1);
  expect(() => out.assign(x.scatter(i, y, 0, { reduction: "add" }))).toThrow("indices[4] = 7 is not in [0, 7)");
  expect([...out]).toEqual(before);
});

test.each([0, 1, 4, 8, 20, 44])("a kept gather into a target that begins %i elements into its table or its indices", (shift) => {
  const [x, i] = [filled(f, 6, 8), filled("int32", 6)];
  i.data.set([5, 4, 3, 2, 1, 0]);
  computed(x.gather(i, 0));
  const memory = arenaMap(f as "float32", [200]) as Any;
  const places = (at: number, type: typeof Float32Array | typeof Int32Array, dtype: string, ...dims: number[]): Any => {
    const { buffer, byteOffset } = memory.data;
    const count = dims.reduce((a, b) => a * b);
    return tensorMap(dtype as "float32", new type(buffer, byteOffset + 4 * at, count) as Float32Array, dims);
  };
  for (const overlapped of ["table", "indices"]) {
    const table = overlapped === "table" ? places(50, Float32Array, f, 6, 8) : filled(f, 6, 8);
    const indices = overlapped === "table" ? i : places(50, Int32Array, "int32", 6);
    if (overlapped === "table") table.copyFrom([...x]);
    else indices.copyFrom([...i]);
    const wanted = reference(table.gather(indices, 0));
    const out = places(50 + shift, Float32Array, f, 6, 8);
    out.assign(table.gather(indices, 0));
    expect([overlapped, [...out]]).toEqual([overlapped, wanted]);
  }
});

test("pieces are copied by one call, however many there are", () => {
  const parts = Array.from({ length: 20 }, (_, k) => filled(f, 3, 8 + k));
  const joined = concatenate(parts as Any, 1) as Any;
  computed(joined);
  expect(countsOf(() => computed(joined)).runs).toBe(1);
  expect(computed(joined)).toEqual(reference(joined));
});

test.each([3, 4, 7, 10, 15, 16, 40])("softmax over %i columns is one kernel, of a transposed operand two", (columns) => {
  const [x, across] = [filled(f, 88, columns), filled(f, columns, 88)];
  const transposed = across.strided().transpose();
  for (const operand of [x, transposed]) {
    const wanted = reference(operand.softmax());
    const got = computed(operand.softmax());
    got.forEach((value, k) => expect(Math.abs(value - wanted[k]!)).toBeLessThan(1e-6));
  }
  expect(countsOf(() => computed(x.softmax())).runs).toBe(1);
  if (columns >= 16) expect(countsOf(() => computed(transposed.softmax())).runs).toBeLessThanOrEqual(2);
});

test("a product that was added to its target in place is not added to another", () => {
  const [a, b, t, other] = [filled(f, 8, 8), filled(f, 8, 8), filled(f, 8, 8), filled(f, 8, 8)];
  const sum = t.add(a.matMul(b));
  for (const target of [t, t, t, other, t, other]) {
    const wanted = reference(sum);
    target.assign(sum);
    [...target].forEach((value, k) => expect(Math.abs(value - wanted[k]!)).toBeLessThan(1e-4));
  }
});

const renamed: readonly [string, (x: Any, y: Any) => Any][] = [
  ["a product", (x, y) => x.matMul(y).reshape([4, 2, 5])],
  ["a contraction", (x, y) => x.reshape([2, 4, 6]).contract(y, [[2, 0]])],
  ["a reduction", (x) => x.softmax().reshape([6, 8])],
  ["a scalar's broadcast", (x) => x.sum().broadcast([1, 1])],
];

test.each(renamed)("%s with a last movement that changes only sizes is recalled as one of dense elements", (_name, expression) => {
  const operands = (): [Any, Any] => [filled(f, 8, 6), filled(f, 6, 5)];
  const out = arenaMap(f, expression(...operands()).dimensions) as Any;
  for (let round = 0; round < 2; round++) out.assign(expression(...operands()));
  const maps = operands();
  out.data.fill(7);
  expect(computeKept(expression(...maps), out.data.byteOffset)).toBe(true);
  const wanted = reference(expression(...maps));
  expect([...out].every((value, k) => Math.abs(value - wanted[k]!) <= 1e-5 * (1 + Math.abs(wanted[k]!)))).toBe(true);
});

// Of results above 2 MiB the plan is not kept: they are stored where they go, without a copy.
test.each([
  ["sort", 700, (x: Any): Any => x.sort()],
  ["argsort", 700, (x: Any): Any => x.argsort()],
  ["cumsum", 700, (x: Any): Any => x.cumsum(0)],
  ["topK", 700, (x: Any): Any => x.topK(3).indices],
  ["cumsum", 525_000, (x: Any): Any => x.cumsum()],
] as const)("%s of %i computed elements, outside the linear memory", (_, size, operation) => {
  const x = filled("float32", size);
  const wanted = reference(operation(x.add(1)));
  for (const isPlanned of size > 524_288 ? [true, true] : [true, false, false]) {
    let got: Any = null;
    const { planned } = countsOf(() => (got = evaluate(operation(x.add(1)))));
    expect(planned > 0).toBe(isPlanned);
    expect(listDifference(Array.from(got.data, Number), wanted)).toBeNull();
  }
});
