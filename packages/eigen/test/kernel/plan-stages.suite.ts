// Kept plans of expressions that take several kernels: a plan is made once, and runs for other operands, addresses and targets.
import { expect, test } from "@jest/globals";
import { MemoryToken } from "@onebuffer/storage/internal";
import { tensorMapKind } from "@onebuffer/eigen/internal";
import { bincount, concatenate, constant, convolve, iota, linspace, maxPool, oneHot, select, tensorMap } from "@onebuffer/eigen";
import { unsortedSegmentMax, unsortedSegmentMean, unsortedSegmentSum } from "@onebuffer/eigen";
import { isLong } from "@onebuffer/test-support";
import { linearMemory } from "@onebuffer/wasm";
import { kernelCounts } from "@onebuffer/kernels/internal";
import { filler, reference } from "./filled-maps.ts";
import { arenaMap } from "./kernel-subjects.ts";

/** The expressions here are built by tables, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

/** Stores new elements; integers are positive. */
const fill = filler(7, 1, 7);

/** Returns maps with new elements, each "dtype" or "dtype outside" of the sizes, such as ["float32", 6, 20]. */
const filled = (...operands: readonly (readonly [string, ...number[]])[]): Any[] =>
  operands.map(([dtype, ...dims]) => {
    const size = dims.reduce((a, b) => a * b, 1);
    if (dtype === "outside") return fill(tensorMap("float32", new Float32Array(size), dims));
    return fill(arenaMap(dtype as "float32", dims));
  });

function expectNear(got: readonly number[], expected: readonly number[]): void {
  expect(got.length).toBe(expected.length);
  got.forEach((value, i) => expect(Math.abs(value - expected[i]!)).toBeLessThanOrEqual(1e-5 * (1 + Math.abs(expected[i]!))));
}

/** Returns how many expressions `work` plans. */
function plannedBy(work: () => void): number {
  const { planned } = kernelCounts();
  work();
  return kernelCounts().planned - planned;
}

const f = "float32";
const kAdds = { reduction: "add" };
/** Expressions with stages: what they compute, and their operands. */
const cases: readonly [string, (...maps: Any[]) => Any, ...(readonly [string, ...number[]])[]][] = [
  ["a sum over the first axis, divided", (x) => x.sum([0]).div(5), [f, 40, 20]],
  ["rows without their mean over the first axis", (x) => x.sub(x.mean([0])), [f, 40, 20]],
  ["a standard deviation over the first axis", (x) => x.std([0]), [f, 40, 20]],
  ["a standard deviation over the last axis", (x) => x.std([1]), [f, 40, 20]],
  ["a triangle", (x) => x.tril(), [f, 16, 16]],
  ["a triangle above a diagonal", (x) => x.triu(-2), [f, 16, 18]],
  ["a diagonal", (x) => x.diag(), [f, 16]],
  ["one-hot rows", (x) => oneHot(x, 8, f), ["int32", 9]],
  ["counts of labels", (x) => oneHot(x, 8, f).sum([0]).expandDims(1), ["int32", 90]],
  ["a product of matrices", (x, y) => x.matMul(y), [f, 24, 20], [f, 20, 30]],
  ["a product with a stored transpose", (x, y) => x.matMul(y), [f, 100, 100], [f, 100, 9]],
  ["a product of transposed matrices", (x, y) => x.matMul(y, { transposeA: true }), [f, 20, 24], [f, 20, 30]],
  ["a layer", (x, w, b) => x.matMul(w).add(b).maximum(0), [f, 24, 20], [f, 20, 30], [f, 30]],
  [
    "a network",
    (x, w, b, v, c) => x.matMul(w).add(b).relu().matMul(v).add(c).softmax(),
    ...([
      [f, 24, 20],
      [f, 20, 30],
      [f, 30],
      [f, 30, 10],
      [f, 10],
    ] as const),
  ],
  ["a gradient", (h, e, w) => select(h.greater(0), e.matMul(w.transpose()), 0), [f, 24, 20], [f, 24, 10], [f, 20, 10]],
  ["a matrix that is used twice", (x) => x.matMul(x).add(x.matMul(x).transpose()), [f, 20, 20]],
  [
    "an expression that is used twice, moved",
    (x) =>
      x
        .exp()
        .sin()
        .tanh()
        .add(x.exp().sin().tanh().reverse([0])),
    [f, 30, 20],
  ],
  ["operands outside the linear memory", (x, w) => x.matMul(w).sub(x.sum([0]).sum()), ["outside", 24, 20], ["outside", 20, 30]],
  ["small floats", (x) => x.sub(x.mean([0])).matMul(x.transpose()), ["float16", 24, 20]],
  ["integers", (x, y) => x.sum([0]).div(y), ["int32", 24, 20], ["int32", 20]],
  [
    "a row of numbers",
    (x) =>
      x
        .sum([0])
        .mul(linspace(f, 1, 2, 20))
        .add(iota(f, [20], 0)),
    [f, 24, 20],
  ],
  ["a padded convolution", (x, w) => convolve(x, w, { padding: "same" }), [f, 2, 7, 6, 3], [f, 3, 3, 3, 5]],
  [
    "a padded convolution of images outside the linear memory",
    (x, w) => convolve(x, w, { padding: [[2, 1]] }),
    ...([
      ["outside", 3, 9, 3],
      ["outside", 4, 3, 5],
    ] as const),
  ],
  ["windows of a padded image", (x) => maxPool(x, [2, 2], { padding: "same", strides: 1 }), [f, 1, 7, 6, 3]],
  [
    "a padded sum of rows",
    (x) =>
      x
        .sum([0])
        .pad([[2, 3]], { value: 7 })
        .add(x.sum([1]).pad([[1, 2]]))
        .exp(),
    [f, 6, 4],
  ],
  ["sums of rows by segments", (x, ids) => unsortedSegmentSum(x, ids, 9), [f, 12, 5], ["int32", 12]],
  ["means of rows by segments", (x, ids) => unsortedSegmentMean(x, ids, 9), [f, 12, 5], ["int32", 12]],
  [
    "extremes of rows by segments, of which some have none",
    (x, ids) => unsortedSegmentMax(x, ids, 9).maximum(-1),
    [f, 12, 5],
    ["int32", 12],
  ],
  ["counts by segments", (ids) => unsortedSegmentSum(constant(f, 1, [20]), ids, 9).div(20), ["int32", 20]],
  ["counts of numbers", (ids) => bincount(ids, 9), ["int32", 90]],
  [
    "counts of numbers, from others on",
    (x, ids) => x.neg().scatter(ids, constant("int32", 1, [20]), 0, kAdds),
    ["int32", 9],
    ["int32", 20],
  ],
  ["rows that replace others", (x, ids, y) => x.exp().scatter(ids, y), [f, 9, 5], ["int32", 12], [f, 12, 5]],
  ["rows that are added to others", (x, ids, y) => x.scatter(ids, y.exp(), 0, kAdds).neg(), [f, 9, 5], ["int32", 12], [f, 12, 5]],
  [
    "padded complex numbers",
    (x) =>
      x
        .cast("complex64")
        .pad(
          [
            [1, 2],
            [0, 1],
          ],
          { value: [3, 4] },
        )
        .abs(),
    [f, 4, 5],
  ], // prettier-ignore
  [
    "a mirrored border of small floats",
    (x) =>
      x.pad(
        [
          [1, 2],
          [2, 1],
        ],
        { mode: "reflect" },
      ),
    ["float16", 4, 5],
  ], // prettier-ignore
  ["two joined operands in a product", (x, y) => (concatenate([x, y.mul(2)], 1) as Any).matMul(x), [f, 20, 10], [f, 20, 10]],
  ["a reshape of strided elements", (x) => x.strided().transpose().exp().reshape([8, 60]).sum([0]).mul(2), [f, 24, 20]],
];

test.each(cases)("%s: planned once", (_, make, ...operands) => {
  for (let round = 0; round < (isLong ? 4 : 2); round++) {
    const expression = make(...filled(...operands));
    const expected = reference(expression);
    const out = arenaMap(expression.dtype, expression.dimensions) as Any;
    const planned = plannedBy(() => out.assign(expression));
    if (round > 0) expect(planned).toBe(0);
    expectNear([...out].map(Number), expected);
  }
});

test.each(cases)("%s: computed into a target that overlaps the operands", (_, make, ...operands) => {
  // All operands are parts of one array; the result goes where each of them is, and some elements before and behind.
  const sizes = operands.map(([, ...dims]) => dims.reduce((a, b) => a * b, 1));
  const dtype = operands[0]![0] === "outside" ? f : operands[0]![0];
  const total = sizes.reduce((a, b) => a + b, 0);
  const resultSize = make(...filled(...operands)).dimensions.reduce((a: number, b: number) => a * b, 1);
  for (const shift of isLong ? [-3, -2, -1, 0, 1, 2, 3] : [-3, 0, 1]) {
    const all = fill(arenaMap(dtype as typeof f, [total + resultSize + 6])) as Any;
    let at = 3;
    const maps = operands.map((operand, k) => {
      const [own, ...dims] = operand;
      // Operands of another dtype are elsewhere.
      if (own !== "outside" && own !== dtype) return filled(operand)[0];
      const from = at;
      at += sizes[k]!;
      return tensorMap(dtype as typeof f, all.data.subarray(from, at), dims) as Any;
    });
    const expression = make(...maps);
    if (expression.dtype !== dtype) return;
    const expected = reference(expression);
    const out = tensorMap(dtype as typeof f, all.data.subarray(3 + shift, 3 + shift + resultSize), expression.dimensions) as Any;
    out.assign(expression);
    expectNear([...out].map(Number), expected);
  }
});

test("an assignment to its own operand is planned once, too", () => {
  const [w] = filled([f, 20, 20]);
  for (let round = 0; round < 4; round++) {
    const [x] = filled([f, 20, 20]);
    const expression = x.matMul(w).sub(x.mean([0]));
    const expected = reference(expression);
    const planned = plannedBy(() => x.assign(expression));
    if (round > 0) expect(planned).toBe(0);
    expectNear([...x], expected);
  }
});

test("a kernel that computes the rest of a tile does not read what the tile has overwritten", () => {
  for (const [rows, columns] of [
    [9, 9],
    [22, 37],
  ] as const) {
    for (let shared = 1; shared < 8; shared++) {
      for (let round = 0; round < 2; round++) {
        const size = rows * columns;
        const [all] = filled([f, 2 * size]);
        const x = tensorMap(f, all.data.subarray(0, size), [rows, columns]) as Any;
        const out = tensorMap(f, all.data.subarray(size - shared, 2 * size - shared), [columns, rows]) as Any;
        const expected = reference(x.transpose().mul(2));
        out.assign(x.transpose().mul(2));
        expect([...out]).toEqual(expected);
      }
    }
  }
});

test("other sizes are planned again", () => {
  for (const rows of [11, 12, 13, 11, 12]) {
    const [x] = filled([f, rows, 21]);
    const out = arenaMap(f, [21]) as Any;
    out.assign(x.sum([0]).div(rows));
    expectNear([...out], reference(x.mean([0])));
  }
});

test("stages keep no memory, and their kernels run once each", () => {
  const [x, w, b] = filled([f, 24, 20], [f, 20, 30], [f, 30]);
  const out = arenaMap(f, [24, 30]) as Any;
  const step = (): void => out.assign(x.matMul(w).add(b).tanh());
  step();
  const { runs, compiled } = kernelCounts();
  step();
  const perStep = kernelCounts().runs - runs;
  const reserved = linearMemory().reservedBytes;
  for (let i = 0; i < 5; i++) step();
  expect(kernelCounts()).toMatchObject({ runs: runs + 6 * perStep, compiled });
  expect(linearMemory().reservedBytes).toBe(reserved);
});

test("an operand that has been disposed of is refused", () => {
  const owner = new MemoryToken({});
  const x = (tensorMapKind(f) as Any).general(arenaMap(f, [24, 20]).data, 0, owner, [24, 20]);
  const out = arenaMap(f, [20]) as Any;
  out.assign(x.sum([0]).div(3));
  out.assign(x.sum([0]).div(3));
  owner.free();
  expect(() => out.assign(x.sum([0]).div(3))).toThrow("was freed");
});

test("a division by zero in a stage throws", () => {
  const [x, y] = filled(["int32", 24, 20], ["int32", 24, 20]);
  const out = arenaMap("int32", [20]) as Any;
  const make = (): Any => x.div(y).sum([0]).mul(2);
  for (let round = 0; round < 3; round++) {
    y.data.fill(2);
    out.assign(make());
    expect([...out]).toEqual(reference(make()));
    y.set(3, 4, 0);
    expect(() => out.assign(make())).toThrow("division by zero");
  }
});

test("a division by zero in the result throws, and operands of stages keep their elements", () => {
  const [x, y] = filled(["int32", 24, 20], ["int32", 20]);
  const out = tensorMap("int32", x.data.subarray(0, 20), [20]) as Any;
  for (let round = 0; round < 3; round++) {
    fill(x);
    fill(y);
    const expected = reference(x.sum([0]).div(y));
    out.assign(x.sum([0]).div(y));
    expect([...out]).toEqual(expected);
    const before = [...x.data];
    y.data.fill(0);
    expect(() => out.assign(x.sum([0]).div(y))).toThrow("division by zero");
    expect([...x.data]).toEqual(before);
  }
});

test("a reduction of no elements is not taken for a constant of the same value", () => {
  const x = arenaMap(f, [3, 0]) as Any;
  const out = arenaMap(f, [3]) as Any;
  for (const factor of [1, 3, 1]) {
    out.assign(x.prod([1]).mul(factor));
    expect([...out]).toEqual([factor, factor, factor]);
  }
});

test("numbers of a linspace are not taken for constants of the same value", () => {
  const out = arenaMap(f, [5]) as Any;
  for (const [stop, added] of [
    [2, 2],
    [2, 7],
    [3, 3],
    [8, 2],
  ] as const) {
    out.assign(linspace(f, 0, stop, 5).mul(added));
    expectNear([...out], reference(linspace(f, 0, stop, 5).mul(added)));
  }
});

test("the plan of a scatter that counts adds other constants, too", () => {
  const ids = filled(["int32", 40])[0] as Any;
  ids.data.forEach((_: number, k: number) => (ids.data[k] = (k % 6) - 1));
  for (const dtype of ["int32", "uint32"] as const) {
    const [out, table] = filled([dtype, 5], [dtype, 5]);
    const inRange = ids.maximum(0).minimum(4);
    for (const added of [1, 3, 1, 2 ** 31 - 1]) {
      const ones = constant(dtype, added, [40]);
      for (const make of [() => unsortedSegmentSum(ones, ids, 5), () => table.scatter(inRange, ones, 0, { reduction: "add" })] as Any[]) {
        const expected = reference(make());
        out.assign(make());
        expect([added, ...out]).toEqual([added, ...expected]);
      }
    }
  }
});

test("expressions without a kept plan have the same results", () => {
  for (let round = 0; round < 3; round++) {
    const [x, w] = filled([f, 24, 20], [f, 20, 30]);
    const out = arenaMap(f, [24, 50]) as Any;
    const expression = concatenate([x.matMul(w), x.cumsum(0).sub(x.mean([0]))], 1) as Any;
    out.assign(expression);
    expectNear([...out], reference(expression));
  }
});

test("a plan that was made for a copy of an overlapping target is not used for other strides", () => {
  for (let round = 0; round < 3; round++) {
    const [x, w, other] = filled([f, 20, 20], [f, 20, 20], [f, 20, 20]);
    for (const target of [x, other]) {
      const expected = reference(x.sub(x.mean([0])).mul(w));
      target
        .strided()
        .transpose()
        .assign(x.sub(x.mean([0])).mul(w));
      expectNear([...target.strided().transpose()], expected);
    }
  }
});
