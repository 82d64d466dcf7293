// Random trees, evaluated by kernels, by the plain evaluator and one operation at a time: a few here, 20,000 of a new seed in
// `npm run long`, and as many against NumPy in `npm run interop`. A failure is reported as a program that reproduces it.
import { expect, test } from "@jest/globals";
import type { RawDType } from "@onebuffer/base";
import * as eigen from "@onebuffer/eigen";
import { opNames } from "@onebuffer/eigen";
import * as internal from "@onebuffer/eigen/internal";
import { isLong } from "@onebuffer/test-support";
import * as wasm from "@onebuffer/wasm";
import { buildTree } from "./build-tree.ts";
import { checkTrees, notePairs } from "./check-trees.ts";
import { expectedOf, firstDifference } from "./compare-tree.ts";
import { growTree } from "./grow-tree.ts";
import { printTree } from "./print-tree.ts";
import { shrinkTree } from "./shrink-tree.ts";
import type { LeafSpec, TreeSpec } from "./tree-spec.ts";
import { pruned } from "./tree-spec.ts";

const kTrees = isLong ? 60 : 8;
const kSeed = 11;

test(`${kTrees} random trees have the same result by every way of evaluation`, () => {
  const { failures, compared } = checkTrees(kSeed, kTrees);
  expect(failures.map(({ index, disagreement: { who, detail }, program }) => `tree ${index}, ${who}: ${detail}\n${program}`)).toEqual([]);
  // Nearly all elements are compared with something.
  expect(compared.unknown).toBeLessThan(0.08 * (compared.exact + compared.bounded));
});

// `npm run long` finds every operation, which takes a thousand trees. Most of them are among the first ones.
test("the random trees contain every operation of the op table", () => {
  const unseen = new Set<string>(opNames());
  // With more operations each stands in fewer trees.
  const limit = isLong ? 10 * unseen.size : unseen.size;
  for (let index = 0; index < limit && unseen.size > 0; index++) {
    const seen = new Set<string>();
    notePairs(seen, buildTree(growTree(kSeed, index)).root);
    for (const pair of seen) unseen.delete(pair.slice(0, pair.indexOf(" ")));
  }
  if (isLong) expect([...unseen]).toEqual([]);
  else expect(unseen.size).toBeLessThan(opNames().length / 2);
});

test("the same seed and index give the same tree", () => {
  expect(printTree(growTree(5, 77))).toBe(printTree(growTree(5, 77)));
  expect(printTree(growTree(5, 77))).not.toBe(printTree(growTree(6, 77)));
});

const leaf = (dtype: RawDType, data: Float64Array, views: LeafSpec["views"] = []): LeafSpec => ({
  kind: "leaf",
  dtype,
  dims: [data.length],
  data,
  views,
  place: "outside",
});

test("a failing tree shrinks to the part that fails, and is printed as a program", () => {
  const tree: TreeSpec = {
    nodes: [
      leaf("float64", Float64Array.of(1, 2, 3, 4, 5, 6, 7, 8), [["strided"], ["reverse"]]),
      { kind: "operation", op: "neg", inputs: [0], args: [] },
      { kind: "operation", op: "exp", inputs: [1], args: [] },
      { kind: "operation", op: "add", inputs: [2, 0], args: [] },
      { kind: "operation", op: "sum", inputs: [3], args: [[0], { keepDims: true }] },
    ],
    target: { leaf: null, dims: [1], views: [] },
  };
  const queries = { dimsOf: (each: TreeSpec, node: number) => buildTree(each).operands[node].dimensions, leafOf: () => null };
  const builds = (each: TreeSpec): boolean => {
    try {
      return buildTree(each).target !== undefined;
    } catch {
      return false;
    }
  };
  const isBad = (each: TreeSpec): boolean =>
    builds(each) &&
    each.nodes.some((node) => node.kind === "operation" && node.op === "exp") &&
    [...buildTree(each).operands[0]].includes(5);
  const small = shrinkTree(tree, isBad, queries);
  expect(
    printTree(small)
      .split("\n")
      .filter((line) => /^const [xem]\d/.test(line)),
  ).toEqual([
    'const m0 = tensorMap("float64", Object.assign(new Float64Array(5), { 4: 5 }), [5]);',
    "const x0 = m0.strided().reverse();",
    "const e1 = x0.exp();",
  ]);
});

test("a printed program imports every name from the package that exports it", () => {
  const program = printTree({
    nodes: [leaf("float64", Float64Array.of(1, 2)), { kind: "operation", op: "neg", inputs: [0], args: [] }],
    target: { leaf: null, dims: [2], views: [] },
  });
  const imports = [...program.matchAll(/^import \{ (.*) \} from "(.*)";$/gm)].map(([, names, from]) => [from, names]);
  expect(imports).toEqual([
    ["@onebuffer/eigen", "tensorMap"],
    ["@onebuffer/eigen/internal", "assignByReference"],
    ["@onebuffer/wasm", "linearMemory"],
  ]);
  expect([eigen.tensorMap, internal.assignByReference, wasm.linearMemory].map((each) => typeof each)).toEqual(Array(3).fill("function"));
});

test("nodes that neither the root nor the target needs are left out", () => {
  const nodes = [
    leaf("float64", Float64Array.of(1)),
    leaf("float64", Float64Array.of(2)),
    { kind: "operation", op: "neg", inputs: [1], args: [] } as const,
  ];
  expect(pruned({ nodes, target: { leaf: null, dims: [1], views: [] } }).nodes).toEqual([nodes[1], { ...nodes[2], inputs: [0] }]);
  expect(pruned({ nodes, target: { leaf: 0, dims: [1], views: [] } }).nodes).toEqual(nodes);
});

test("firstDifference reports the first wrong element; zeros have signs, and elements of unknown error are skipped", () => {
  const expected = {
    dtype: "float32",
    dims: [4],
    value: (k: number) => [0, 1, NaN, Infinity][k],
    error: (k: number) => [0, 2 ** -23, 0, 2 ** 104][k] as number,
  } as const;
  expect(firstDifference([0, 1 + 2 ** -23, NaN, 3.4028234663852886e38], expected)).toBe(null);
  expect(firstDifference([-0, 1, NaN, Infinity], expected)).toBe("element 0 of float32 [4] is -0, not 0");
  expect(firstDifference([0, 1 + 2 ** -22, NaN, Infinity], expected)).toContain("element 1");
  expect(firstDifference([0, 1, 5, Infinity], expected)).toContain("element 2");
  expect(firstDifference([0, 1, NaN, 3e38], expected)).toContain("element 3");
  expect(firstDifference([9, 9, 9, 9], { ...expected, error: () => Infinity })).toBe(null);
});

test("a power of a negative base is not compared where a softmax that kernels may flush to 0 is the exponent", () => {
  const x = eigen.tensorMap("bfloat16", Uint16Array.of(0, 0x42c1), [2]); // 0 and 96.5
  const base = eigen.tensorMap("bfloat16", Uint16Array.of(0x8b2b, 0x8b2b), [2]);
  const { value, error } = expectedOf(base.pow(x.softmax()) as never, [2]);
  expect([value(0), error(0)]).toEqual([NaN, Infinity]);
});
