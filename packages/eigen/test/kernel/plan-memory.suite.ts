// Kept plans: an expression must not run with the plan of a different one.
import { expect, test } from "@jest/globals";
import { isLong } from "@onebuffer/test-support";
import { linearMemory } from "@onebuffer/wasm";
import { kernelCounts } from "@onebuffer/kernels/internal";
import fc from "fast-check";
import { computed, filler, reference } from "./filled-maps.ts";
import { arenaMap } from "./kernel-subjects.ts";

/** The trees here are built from tables of method names, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

const fill = filler(1, -7, 15);

/** Returns a map with new elements. */
const filled = (dims: readonly number[], dtype: string = "float32"): Any => fill(arenaMap(dtype as "float32", dims));

const farthest = (a: number[], b: number[]): number => a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i]!)), 0);

function expectSame(expression: Any): void {
  const [got, expected] = [computed(expression), reference(expression)];
  expect(farthest(got, expected)).toBeLessThan(1e-4);
}

/** Pairs that differ in one respect. The second expression must not run with the plan of the first. */
const pairs: [string, () => [Any, Any]][] = [
  ["addresses", () => [filled([6, 20]).sum([1]), filled([6, 20]).sum([1])]],
  ["constants", () => [filled([6, 20]).mul(2).sum([1]), filled([6, 20]).mul(3).sum([1])]],
  ["constants that are no longer equal", () => [filled([6, 20]).mul(2).add(2).sum([1]), filled([6, 20]).mul(2).add(5).sum([1])]],
  ["constants that become equal", () => [filled([6, 20]).mul(4).add(5).sum([1]), filled([6, 20]).mul(4).add(4).sum([1])]],
  ["a constant of zero", () => [filled([6, 20]).maximum(1).sum([1]), filled([6, 20]).maximum(0).sum([1])]],
  ["the operation", () => [filled([6, 20]).square().max([1]), filled([6, 20]).square().min([1])]],
  ["axes", () => [filled([20, 20]).sum([0]), filled([20, 20]).sum([1])]],
  [
    "keepDims",
    () => {
      const x = filled([20, 20]);
      return [x.sub(x.max([1], { keepDims: true })).exp(), x.sub(x.max([1])).exp()];
    },
  ],
  ["sizes", () => [filled([6, 20]).sum([1]), filled([20, 6]).sum([1])]],
  ["strides", () => [filled([8, 8]).strided().sum([1]), filled([8, 8]).strided().transpose().sum([1])]],
  ["a permutation", () => [filled([8, 8, 8]).shuffle([2, 1, 0]).sum([1]), filled([8, 8, 8]).shuffle([1, 2, 0]).sum([1])]],
  ["reversed axes", () => [filled([8, 8]).neg().reverse([0]).sum([1]), filled([8, 8]).neg().reverse([1]).sum([1])]],
  ["where a slice begins", () => [filled([8, 8]).neg().slice([0, 4]).sum([1]), filled([8, 8]).neg().slice([3, 7]).sum([1])]],
  ["a slice's steps", () => [filled([8, 8]).neg().slice([0, 4, 1]).sum([1]), filled([8, 8]).neg().slice([0, 8, 2]).sum([1])]],
  ["a chip's offset", () => [filled([8, 8, 8]).neg().chip(1).sum([1]), filled([8, 8, 8]).neg().chip(5).sum([1])]],
  ["a chip's axis", () => [filled([8, 8, 8]).neg().chip(1, 0).sum([1]), filled([8, 8, 8]).neg().chip(1, 2).sum([1])]],
  ["dtypes", () => [filled([6, 20], "int32").sum([1]), filled([6, 20], "uint8").sum([1], { wraps: true })]],
  ["saturation", () => [filled([4, 9], "int32").cast("uint8").max([1]), filled([4, 9], "int32").saturateCast("uint8").max([1])]],
  [
    "the order of operands",
    () => {
      const [a, b] = [filled([6, 20]), filled([6, 20])];
      return [a.sub(b).mul(a).sum([1]), a.sub(b).mul(b).sum([1])];
    },
  ],
  [
    "the identity of two operands",
    () => {
      const a = filled([6, 20]);
      return [
        a.mul(a).sum([1]),
        filled([6, 20])
          .mul(filled([6, 20]))
          .sum([1]),
      ];
    },
  ],
];

test.each(pairs)("does not confuse expressions that differ in %s", (_, make) => {
  const [first, second] = make();
  for (const expression of [first, second, first, second]) expectSame(expression);
});

test("a kept plan runs once per assignment and reserves no memory", () => {
  const x = filled([32, 100]);
  const out = arenaMap("float32", [32]) as Any;
  out.assign(x.variance([1]));
  const { runs, compiled } = kernelCounts();
  const reserved = linearMemory().reservedBytes;
  for (let i = 0; i < 5; i++) out.assign(x.variance([1]));
  expect(kernelCounts()).toMatchObject({ runs: runs + 5, compiled });
  expect(linearMemory().reservedBytes).toBe(reserved);
});

test("a kept plan is not used for a target that overlaps the operand", () => {
  const [shared, apart, other] = [filled([40, 40]), filled([40, 40]), filled([40, 40])];
  for (const [x, out] of [
    [apart, other.strided("39")],
    [shared, shared.strided("39")],
    [apart, other.strided("39")],
  ] as Any[]) {
    for (const sum of [x.sum([1]), x.sum([0]), x.mean([1]).sub(x.max([1]))]) {
      const expected = reference(sum);
      out.assign(sum);
      expect(farthest([...out].map(Number), expected)).toBeLessThan(1e-4);
    }
  }
});

test("a division by zero throws with a kept plan, too", () => {
  const [x, ones, zeros] = [filled([3, 8], "int32"), filled([8], "int32"), filled([8], "int32")];
  ones.assign(1);
  zeros.assign(0);
  const out = arenaMap("int32", [3]) as Any;
  out.assign(x.div(ones).sum([1]));
  expect(() => out.assign(x.div(zeros).sum([1]))).toThrow("division by zero");
  out.assign(x.div(ones).sum([1]));
  expect([...out.data]).toEqual(reference(x.sum([1])));
});

test("many expressions of random sizes have the evaluator's results", () => {
  const kSizes = isLong ? 150 : 70;
  const size = fc.integer({ min: 1, max: 40 });
  fc.assert(
    fc.property(fc.array(fc.tuple(size, size), { minLength: kSizes, maxLength: kSizes }), (sizes) => {
      for (const dims of sizes) {
        const x = filled(dims);
        expectSame(x.mean([0]));
        expectSame(x.sum([1]));
      }
    }),
    { numRuns: isLong ? 20 : 1 },
  );
});
