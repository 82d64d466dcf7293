// Classes of operations in forms that random expressions rarely reach: parts without elements, results that others read too, tiles, what kernels
// leave to the evaluator, and stages that are assignments of their own. `npm run ways` prints which classes are computed in which form.
import { expect, test } from "@jest/globals";
import { assignTogether, concatenate, select, statelessUniform, tensorMap } from "@onebuffer/eigen";
import { assignByReference } from "@onebuffer/eigen/internal";
import { isLong } from "@onebuffer/test-support";
import { computed, filler, reference } from "./filled-maps.ts";
import { arenaMap } from "./kernel-subjects.ts";

/** The expressions of these tests are built by tables, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

/** True where every form is to be taken, also those of hundreds of thousands of elements. */
const takesAll = isLong || process.env["ONEBUFFER_WAYS"] !== undefined;

const fill = filler(11, -4, 9);
const inside = (dims: readonly number[], dtype: string = "float32"): Any => fill(arenaMap(dtype as "float32", dims));

/** Expects the same elements, but for a few units in the last place of float32. */
function expectNear(found: readonly number[], wanted: readonly number[]): void {
  const isNear = (a: number, b: number): boolean => Object.is(a, b) || Math.abs(a - b) <= 1e-5 * (1 + Math.abs(b));
  expect(found.length).toBe(wanted.length);
  expect(found.findIndex((value, k) => !isNear(value, wanted[k]!))).toBe(-1);
}

/** Expects the same elements of kernels and of the plain evaluator. */
const agrees = (expression: Any): void => expectNear(computed(expression), reference(expression));

/** By class, an expression of [n, 4] over a map of as many elements. No kernel computes it again where it is cheap to store. */
const ofClass: readonly [string, (x: Any) => Any][] = [
  ["unary", (x) => x.exp().exp().exp()],
  ["binary", (x) => x.exp().exp().add(x.exp().mul(2))],
  ["ternary", (x) => select(x.greater(0), x.exp().exp().exp(), x.exp())],
  ["movement", (x) => x.exp().exp().exp().reverse([1])],
  ["reduction", (x) => x.reshape([x.dimensions[0], 1, 4]).broadcast([x.dimensions[0], 3, 4]).exp().exp().max([1])],
  ["scan", (x) => x.cumsum(1)],
  ["contraction", (x) => x.matMul(inside([4, 4]))],
  ["ordering", (x) => x.sort(1)],
  ["random number", (x) => statelessUniform("float32", x.dimensions, [3, 4])],
];

test.each(ofClass)("%s: without elements it is a part of a concatenation", (_, make) => {
  agrees(concatenate([make(inside([0, 4])), inside([2, 4]).add(1)] as never, 0));
});

test.each(ofClass)("%s: it is a result, and another one reads it", (_, make) => {
  const tree = make(inside([6, 4]));
  const results = [tree, tree.add(1)];
  const outs = results.map(() => inside([6, 4]));
  assignTogether(outs.map((out, k) => [out, results[k]]) as never);
  for (const [k, out] of outs.entries()) {
    const wanted = inside([6, 4]);
    assignByReference(wanted, results[k]);
    expectNear(out.data, wanted.data);
  }
});

test("elements of a transposed map are chosen by another one", () => {
  const [x, y] = [inside([70, 70]), inside([70, 70])];
  agrees(select(x.transpose().greater(0.25), x.transpose(), y));
});

const leftOut: readonly [string, () => Any][] = [
  ["reduction", () => inside([4, 6], "complex64").prod([1])],
  ["ternary", () => select(inside([8]).greater(0), inside([8], "qint8"), inside([8], "qint8"))],
];

test.each(leftOut)("%s: without a kernel the evaluator computes it", (_, make) => {
  const tree = make();
  const [out, wanted] = [0, 1].map(() => arenaMap(tree.dtype, tree.dimensions) as Any);
  out.assign(tree);
  assignByReference(wanted, tree);
  expect([...out.data]).toEqual([...wanted.data]);
});

test.each(takesAll ? [600] : [6])("random numbers of [%d, 1000] are a stage of an expression over a map outside the memory", (rows) => {
  const x = tensorMap("float32", new Float32Array(rows * 1000).fill(0.5), [rows, 1000]) as Any;
  const random = statelessUniform("float32", [rows, 1000], [3, 4]) as Any;
  agrees(random.reverse([0]).mul(x).add(random));
});
