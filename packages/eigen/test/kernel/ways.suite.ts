// Ways that random expressions of moderate sizes do not take: sizes on both sides of the thresholds of concatenations, windows, stages,
// scratch memory and operands outside the linear memory. `npm run ways` says which ways are taken.
import { expect, test } from "@jest/globals";
import { assignTogether, concatenate, constant, maxPool, nthElements, tensorMap, treeOf } from "@onebuffer/eigen";
import { piecesOf } from "@onebuffer/compiler/src/pieces/joined-pieces";
import { assignByReference } from "@onebuffer/eigen/internal";
import { isLong } from "@onebuffer/test-support";
import { listDifference } from "./difference.ts";
import { computed, reference } from "./filled-maps.ts";
import { arenaMap } from "./kernel-subjects.ts";

/** The expressions of these tests are built by tables, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

/** True where every way is to be taken, also those of millions of elements. */
const takesAll = isLong || process.env["ONEBUFFER_WAYS"] !== undefined;

let state = 31;

/** Stores small integers, whose sums are exact in any order: other ones in each map. */
function fill(map: Any): Any {
  const { data } = map;
  for (let i = 0; i < data.length; i++) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    data[i] = (state >>> 16) % 17;
  }
  return map;
}

const inside = (dims: readonly number[], dtype: string = "float32"): Any => fill(arenaMap(dtype as "float32", dims));
const outside = (dims: readonly number[]): Any =>
  fill(tensorMap("float32", new Float32Array(dims.reduce((a, b) => a * b, 1)), dims as number[]));

/** Expects the same bits of kernels and of the plain evaluator. */
function agrees(expression: Any, compute: (expression: Any) => number[] = computed): void {
  expect([expression.dimensions, listDifference(compute(expression), reference(expression))]).toEqual([expression.dimensions, null]);
}

/** Computes into a map outside the linear memory. */
function computedOutside(expression: Any): number[] {
  const out = outside(expression.dimensions);
  out.assign(expression);
  return [...out];
}

test.each(takesAll ? [7, 8, 63, 64, 65, 200] : [7, 63, 65])("rows of %d bytes are reversed, of elements of one byte to eight", (bytes) => {
  for (const [dtype, width] of [["uint8", 1], ["int16", 2], ["float32", 4], ["float64", 8]] as const) // biome-ignore format: a pair per dtype
    agrees(inside([800, Math.ceil(bytes / width)], dtype).reverse([1]));
});

test.each([1000, 1024, 1028, 3072, 3076, 5000])("a concatenation with a constant of %d bytes in a row", (bytes) => {
  for (const first of [3, 64]) agrees(concatenate([inside([4, first]), constant("float32", 2.5, [4, bytes / 4])] as never, 1));
});

test("a concatenation of more pieces than are copied at once, and one of fewer", () => {
  for (const rows of takesAll ? [30, 400] : [30]) {
    const part = inside([rows, 200, 3, 3, 5]).strided(":, :199, :2, :2, :4");
    agrees(concatenate([part, part], 0));
  }
});

test("concatenations are joined however deep they are", () => {
  const nested = (depth: number): Any => {
    let tree = inside([1, 2]);
    for (let k = 0; k < depth; k++) tree = concatenate([tree, inside([1, 2])] as never, 0);
    return tree;
  };
  for (const depth of takesAll ? [3, 700, 999, 1001, 1500] : [3, 700]) agrees(nested(depth));
  // A plan for more than a thousand levels takes a second. Here it is enough that the deepest one is not among the pieces.
  const numPieces = (depth: number): number | undefined =>
    piecesOf(treeOf(nested(depth)), inside([depth + 1, 2]).rawPlaces(), 2000)?.length;
  expect([numPieces(1000), numPieces(1001)]).toEqual([1001, undefined]);
});

test("windows at the edges of a padded image, in joins on both sides of the depth at which they are no joins of their own", () => {
  let tree = maxPool(inside([1, 9000, 2]), [3], { strides: 1, padding: "same" } as never) as Any;
  for (let depth = 1; depth < (takesAll ? 7 : 2); depth++) {
    tree = concatenate([tree, inside([1, 10, 2]).square()] as never, 1);
    agrees(tree);
  }
});

test("joins of maps and of computed parts are nested on both sides of the depth at which parts become stages", () => {
  for (const depth of [3, 7, 8, 9, 10, 20]) {
    let tree = inside([2, 3]).square();
    for (let k = 0; k < depth; k++) tree = concatenate([inside([2, 3]), k % 2 === 0 ? tree.add(1) : tree, inside([1, 3])] as never, 0);
    for (let time = 0; time < 2; time++) agrees(tree);
  }
});

test.each(takesAll ? [3, 5, 6, 7, 12] : [3])("windows of %d rows and columns at the edges of a padded image", (window) => {
  agrees(maxPool(inside([1, 100, 90, 1]), [window, window], { strides: 1, padding: "same" } as never));
  agrees(maxPool(inside([1, 9000, 2]), [window], { strides: 1, padding: "same" } as never));
});

test.each(takesAll ? [4095, 4096, 5000] : [4095, 4097])("the elements at some places of rows of %d, if they were sorted", (columns) => {
  agrees(nthElements(inside([2, columns]), [0, 7, columns - 1]) as Any);
});

test("the arcus tangent near its pole", () => {
  const z = arenaMap("complex128", [2]) as Any;
  z.set(0, [1e-150, 1]);
  z.set(1, [1e-3, 1]);
  const [out, wanted] = [0, 1].map(() => arenaMap("complex128", [2])) as Any[];
  out.assign(z.atan());
  assignByReference(wanted, z.atan());
  for (const { data } of [out, wanted]) {
    expect(data[0]).toBeCloseTo(Math.PI / 4, 14);
    expect(data[1]).toBeCloseTo((Math.LN2 + 150 * Math.LN10) / 2, 11);
    // atan(i + d) is π / 4 + i log(2 / d) / 2 but for terms of the size of d.
    expect(data[3]).toBeCloseTo((Math.LN2 + 3 * Math.LN10) / 2, 5);
  }
});

test.each([15, 16, 17, 20])("%d reductions of the same rows", (count) => {
  const x = inside([6, 40]);
  const all = Array.from({ length: count }, (_, k) => x.mul(k + 1).max([1], { keepDims: true }));
  agrees(all.reduce((sum: Any, each: Any) => sum.add(each), x));
});

test.each([16, 17, 20])("%d reductions of the same rows, whose elements are computed once", (count) => {
  const x = inside([6, 40]);
  const shared = x.mul(x).add(3);
  const all = Array.from({ length: count }, (_, k) => shared.mul(k + 1).max([1], { keepDims: true }));
  agrees(all.reduce((sum: Any, each: Any) => sum.add(each), shared));
});

test.each([1, 2, 3, 4])("functions along rows of %d elements", (columns) => {
  const x = inside([300, columns]);
  const near = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-5 * (1 + Math.abs(b));
  for (const expression of [x.mul(0.1).exp().sum([1]), x.softmax(), x.tanh().max([1])]) {
    const wanted = reference(expression);
    expect(computed(expression).every((value, k) => near(value, wanted[k]!))).toBe(true);
  }
});

test.each([1000, 14_336, 14_337, 30_000])("rows of %d elements with values that two passes share", (columns) => {
  const x = inside([2, columns]);
  const shared = x.mul(x).add(x.abs().sqrt());
  agrees(shared.sub(shared.max([1], { keepDims: true })));
});

test.each([2, 63, 64, 65, 80])("a sum of %d operands, from a plan that is kept", (count) => {
  const maps = Array.from({ length: count }, () => inside([3, 5]));
  const tree = (list: readonly Any[]): Any =>
    list.length === 1 ? list[0] : tree(list.slice(0, list.length >> 1)).add(tree(list.slice(list.length >> 1)));
  for (let time = 0; time < 3; time++) agrees(tree(maps));
});

test("an elementwise tree over more axes than operands have room for", () => {
  const dims = Array.from({ length: 20 }, (_, d) => (d < 9 ? 2 : 1));
  const x = inside(dims);
  for (const expression of [x.add(1), x.add(x.reverse()), x.shuffle(dims.map((_, d) => (d + 1) % 20)).add(x.reverse([0]))])
    if (expression.size === x.size) agrees(expression);
});

test("stages of more than 16 MiB, and of less", () => {
  for (const columns of takesAll ? [3, 4200] : [3]) {
    agrees(inside([1024, 1]).broadcast([1024, columns]).cumsum(0).max([1]));
  }
});

test.each(takesAll ? [300_000, 524_288, 524_289] : [1000])(
  "a row of %d elements outside the memory that is repeated, and its sums",
  (columns) => {
    const [x, row] = [outside([2, columns]), outside([columns])];
    agrees(x.add(row), computedOutside);
    agrees(row.broadcast([2, columns]).mul(2), computedOutside);
  },
);

test.each(takesAll ? [500, 520, 530, 600] : [20])("a product of an operand of [%d, 1000] outside the memory, as a stage", (rows) => {
  agrees(
    outside([rows, 1000])
      .matMul(inside([1000, 8]))
      .cumsum(0),
  );
});

test.each(takesAll ? [100, 524, 525, 600] : [20])("a stage over [%d, 1000] outside the memory that uses a node twice", (rows) => {
  const x = outside([rows, 1000]);
  const twice = x.mul(x).add(1).sqrt().sqrt();
  const stage = twice.mul(twice.add(2));
  agrees(stage.sub(stage.reverse([0])));
});

const sizesOfSums = takesAll ? [[4, 300_000], [300_000, 4], [800, 1100], [1100, 800]] : [[30, 20]]; // biome-ignore format: one line

test.each(sizesOfSums as [number, number][])("sums of [%d, %d] outside the memory, alone and as stages", (rows, columns) => {
  const x = outside([rows, columns]);
  for (const axis of [0, 1]) {
    agrees(x.max([axis]), computedOutside);
    agrees(x.max([axis]));
    agrees(x.sub(x.max([axis], { keepDims: true })).min([axis]));
  }
});

test.each(takesAll ? [1000, 300_000, 600_000] : [1000])("a group of assignments of %d elements outside the memory", (size) => {
  const [x, y] = [outside([size]), inside([size])];
  const outs = [inside([size]), inside([size])];
  const shared = x.mul(y).add(1);
  const wanted = outs.map((out, k) => {
    const target = tensorMap("float32", new Float32Array(out.size), out.dimensions) as Any;
    assignByReference(target, shared.sub(k));
    return target;
  });
  assignTogether(outs.map((out, k) => [out, shared.sub(k)]) as never);
  expect(outs.map((out, k) => out.data.findIndex((value: number, i: number) => value !== wanted[k].data[i]))).toEqual([-1, -1]);
});
