// Expressions are immutable: whatever can be reached from a node is frozen, and nothing of a node is shared with the caller's arguments.
import { describe, expect, test } from "@jest/globals";
import type { DType } from "@onebuffer/base";
import * as eigen from "@onebuffer/eigen";
import { evaluate, opNames, tensorMap, treeOf } from "@onebuffer/eigen";
import { assignByReference } from "@onebuffer/eigen/internal";
import type { ExpressionTree, Operand } from "@onebuffer/eigen";
import { isLong, thrown } from "@onebuffer/test-support";
import { treeOrder } from "@onebuffer/expression/src/tree/tree-order";
import { opCases, smallElements } from "./op-cases.ts";

type Any = Operand<DType, number>;

/** Returns the lists and objects that can be reached from a node, except the node itself and its operands. */
function partsOf(node: ExpressionTree): object[] {
  const { inputs, attributes, dimensions } = node;
  return [inputs, attributes, dimensions, ...Object.values(attributes as object)].filter(
    (part) => typeof part === "object" && part !== null,
  );
}

/** Returns the nodes of a tree other than its maps. */
const nodesOf = (tree: Any): ExpressionTree[] => treeOrder([treeOf(tree)]).filter(({ op }) => op !== "map");

/** Everything that a node says of itself, as text. */
const shown = (node: ExpressionTree): string =>
  JSON.stringify([node.op, node.dtype, node.depth, node.inputs.length, node.attributes, node.dimensions], (_, value: unknown) =>
    typeof value === "bigint" ? `${value}n` : value,
  );

describe("whatever can be reached from a node is frozen", () => {
  test.each(opNames().filter((op) => op !== "map"))("%s", (op) => {
    // Nodes of all dtypes are frozen in one place: a fifth of the dtypes, and all of them in `npm run long`.
    const cases = opCases.filter((one) => one.op === op);
    for (const each of cases.filter((_, k) => isLong || (k + op.length) % Math.min(5, cases.length) === 0)) {
      for (const node of nodesOf(each.build(smallElements, [3, 4]))) {
        const before = shown(node);
        expect(partsOf(node).filter((part) => !Object.isFrozen(part))).toEqual([]);
        const { inputs, attributes, dimensions } = node as unknown as {
          inputs: unknown[];
          attributes: Record<string, unknown>;
          dimensions: number[];
        };
        const changes = [
          () => (inputs[0] = null),
          () => inputs.push(null),
          () => (dimensions[0] = 99),
          () => dimensions.sort().push(7),
          () => (attributes["axis"] = 7),
          () => ((node as { inputs: unknown }).inputs = []),
          () => ((node as { attributes: unknown }).attributes = {}),
          () => ((node as { dimensions: unknown }).dimensions = [99]),
          ...Object.values(attributes)
            .filter(Array.isArray)
            .map((list) => () => (list[0] = 99)),
        ];
        // Jest's own toThrow makes a stack for each.
        expect(changes.filter((change) => (thrown(change) as Error | undefined)?.name !== "TypeError")).toEqual([]);
        expect(shown(node)).toBe(before);
      }
    }
  });

  test("after it was assigned several times, by kernels and by the evaluator", () => {
    const a = tensorMap(
      "float32",
      Float32Array.from({ length: 12 }, (_, i) => i),
      [3, 4],
    );
    const out = tensorMap("float32", new Float32Array(4), [4]);
    const e = a.mul(2).sum([0]);
    for (let round = 0; round < 4; round++) out.assign(e);
    assignByReference(out, e);
    const { attributes } = treeOf(e) as unknown as { attributes: { axes: number[] } };
    expect(() => (attributes.axes[0] = 1)).toThrow(TypeError);
    // @ts-expect-error sizes are readonly
    expect(() => (e.dimensions[0] = 99)).toThrow(TypeError);
    // @ts-expect-error an axis is readonly
    expect(() => (treeOf(e).inputs[0] = treeOf(a))).toThrow(TypeError);
    out.assign(e);
    expect(out.toArray()).toEqual([24, 30, 36, 42]);
  });
});

/** A call and its arguments, made anew each time. */
type Call = readonly [name: string, args: () => unknown[], make: (...args: never[]) => Any];

const x = tensorMap(
  "float32",
  Float32Array.from({ length: 24 }, (_, i) => (i * 7) % 11),
  [2, 3, 4],
);
const image = tensorMap(
  "float32",
  Float32Array.from({ length: 32 }, (_, i) => (i * 5) % 13),
  [1, 4, 4, 2],
);
const filters = tensorMap(
  "float32",
  Float32Array.from({ length: 16 }, (_, i) => (i * 3) % 5),
  [2, 2, 2, 2],
);

const method = (name: string, args: () => unknown[], on: unknown = x): Call => [
  name,
  args,
  (...given) => (on as Record<string, (...all: unknown[]) => Any>)[name]!(...given),
];
const call = (name: keyof typeof eigen, args: () => unknown[]): Call => [
  name,
  args,
  (...given) => (eigen as unknown as Record<string, (...all: unknown[]) => Any>)[name]!(...given),
];

const calls: readonly Call[] = [
  ...["sum", "prod", "mean", "max", "min", "norm", "logSumExp"].map((name) => method(name, () => [[0, 2], { keepDims: true }])),
  ...["any", "all"].map((name) => method(name, () => [[0, 2]], x.greater(3))),
  method("reshape", () => [[4, 6]]),
  method("slice", () => [
    [0, 2],
    [0, null, 2],
    [1, 3],
  ]),
  method("reverse", () => [[0, 2]]),
  method("broadcast", () => [[2, 2, 3, 4]]),
  method("squeeze", () => [[0, 3]], x.reshape([1, 2, 12, 1])),
  method("transpose", () => [[2, 0, 1]]),
  method("shuffle", () => [[2, 0, 1]]),
  method("tile", () => [[1, 2, 1]]),
  method("pad", () => [[[0, 1], [1, 0], [2, 2]], { value: 5 }]), // biome-ignore format: a pair per axis
  method("pad", () => [[[0, 1], [1, 0], [2, 2]], { mode: "reflect" }]), // biome-ignore format: a pair per axis
  method("roll", () => [[1, 2], [0, 2]]), // biome-ignore format: shifts, axes
  method("cumsum", () => [1, { exclusive: true, reverse: true }]),
  method("contract", () => [x, [[0, 0], [2, 2]], { outputType: "float64" }]), // biome-ignore format: a pair per axis
  method("scatter", () => [tensorMap("int32", Int32Array.of(1, 0), [2]), x, 0, { reduction: "add" }]),
  call("constant", () => ["complex64", [1, 2], [2, 3]]),
  call("iota", () => ["int32", [2, 3], 1]),
  call("statelessUniform", () => ["float32", [2, 3], [1, 2]]),
  call("statelessUniform", () => ["int32", [2, 3], [1, 2], { minval: 0, maxval: 10 }]),
  call("statelessNormal", () => ["float32", [2, 3], [1, 2]]),
  call("concatenate", () => [[x, x.neg(), x], 1]),
  call("stack", () => [[x, x.neg()], 1]),
  call("extractPatches", () => [image, [2, 2], { axes: [1, 2], strides: [2, 1], dilations: [1, 2] }]),
  call("convolve", () => [image, filters, { strides: [1, 2], dilations: [2, 1], padding: "same" }]),
  call("convolve", () => [image, filters, { padding: [[1, 0], [0, 1]] }]), // biome-ignore format: a pair per axis
  call("maxPool", () => [image, [2, 3], { strides: [1, 2] }]),
  call("avgPool", () => [image, [2, 3], { strides: [1, 2], padding: "same" }]),
  call("resize", () => [image, [3, 5]]),
  call("nthElements", () => [x, [1, 3]]),
  call("einsum", () => ["ijk,ijk->ik", x, x]),
  call("oneHot", () => [tensorMap("int32", Int32Array.of(1, 0), [2]), 3, "float32", { on: 5, off: 1, axis: 0 }]),
];

/** Changes every list and options object of a call's arguments. */
function spoil(value: unknown): void {
  if (Array.isArray(value)) {
    value.forEach(spoil);
    value.forEach((each, k) => {
      if (typeof each === "number") value[k] = each + 1;
    });
    value.reverse();
    value.push(1);
  } else if (typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype) {
    for (const each of Object.values(value)) spoil(each);
    for (const key of Object.keys(value)) (value as Record<string, unknown>)[key] = "changed";
  }
}

describe("changing the arguments after the call changes nothing", () => {
  test.each(calls)("%s", (_name, args, make) => {
    const given = args();
    const [spoiled, expected] = [make(...(given as never[])), make(...(args() as never[]))];
    spoil(given);
    expect(nodesOf(spoiled).map(shown)).toEqual(nodesOf(expected).map(shown));
    expect(evaluate(spoiled).toArray()).toEqual(evaluate(expected).toArray());
  });

  test("covers every operation whose attributes are lists", () => {
    const made = new Set(calls.flatMap(([, args, make]) => nodesOf(make(...(args() as never[]))).map(({ op }) => op)));
    const withLists = opCases
      .filter(({ op }) => op !== "map")
      .filter(({ op, build }) => nodesOf(build(smallElements, [3, 4])).some((node) => node.op === op && partsOf(node).length > 3));
    expect(withLists.length).toBeGreaterThan(20);
    expect([...new Set(withLists.map(({ op }) => op))].filter((op) => !made.has(op))).toEqual([]);
  });
});

describe("writing does not freeze the nodes that it makes, which would take longer than making them", () => {
  const map = (...dims: number[]): never => tensorMap("float32", new Float32Array(dims.reduce((x, y) => x * y, 1)), dims) as never;
  const [vector, matrix, image, filters] = [map(4), map(4, 4), map(1, 6, 6, 4), map(3, 3, 4, 4)];
  const methods = (operand: never): Record<string, (...list: unknown[]) => never> => operand;
  const same = { padding: "same" } as const;
  const written: Readonly<Record<string, () => unknown>> = {
    convolve: () => eigen.convolve(image, filters, same),
    "convolve in groups": () => eigen.convolve(image, map(3, 3, 2, 8), { ...same, groups: 2 }),
    "convolve depthwise": () => eigen.convolve(image, map(3, 3, 1, 4), { ...same, groups: 4 }),
    maxPool: () => eigen.maxPool(image, 3, same),
    avgPool: () => eigen.avgPool(image, 3, same),
    "resize bilinear": () => eigen.resize(image, [4, 9]),
    "resize nearest": () => eigen.resize(image, [4, 9], { method: "nearest" }),
    extractPatches: () => eigen.extractPatches(image, [1, 3, 3, 1]),
    extractImagePatches: () => eigen.extractImagePatches(image, 3, same),
    meshgrid: () => eigen.meshgrid([vector, methods(vector)["add"]!(1)] as never)[0],
    oneHot: () => eigen.oneHot(eigen.iota("int32", 3), 5, "float32"),
    pad: () =>
      methods(matrix)["pad"]!([
        [1, 2],
        [0, 1],
      ]), // prettier-ignore
    "pad by reflection": () =>
      methods(matrix)["pad"]!(
        [
          [1, 2],
          [0, 1],
        ],
        { mode: "reflect" },
      ), // prettier-ignore
    tile: () => methods(matrix)["tile"]!([2, 3]),
    roll: () => methods(matrix)["roll"]!([1, 2], [0, 1]),
    diag: () => methods(vector)["diag"]!(1),
    diagPart: () => methods(methods(matrix)["add"]!(1))["diagPart"]!(),
    triu: () => methods(methods(matrix)["add"]!(1))["triu"]!(),
    tril: () => methods(matrix)["tril"]!(1),
    outer: () => methods(methods(vector)["add"]!(1))["outer"]!(methods(vector)["mul"]!(2)),
    contract: () => methods(methods(matrix)["add"]!(1))["contract"]!(matrix, [[1, 0]]),
    topK: () => (methods(methods(matrix)["add"]!(1))["topK"]!(2) as { readonly values: unknown }).values,
  };
  test.each(Object.keys(written))("%s", (name) => {
    const frozen = (node: { readonly shown?: object | null; readonly rawInputs?: readonly never[]; readonly op: string }): string[] => [
      ...((node.shown ?? null) === null ? [] : [node.op]),
      ...(node.rawInputs ?? []).flatMap(frozen),
    ];
    expect(frozen(written[name]!() as never)).toEqual([]);
  });
});
