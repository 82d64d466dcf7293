// The expression tree: every operation of the table makes a node for every dtype, nodes are immutable, and the evaluator computes them all.
import { describe, expect, test } from "@jest/globals";
import { isStatusError } from "@onebuffer/base";
import type { DType } from "@onebuffer/base";
import { assignByReference } from "@onebuffer/eigen/internal";
import { constant, evaluate, iota, opNames, opTable, select, tensorMap, treeOf, unique } from "@onebuffer/eigen";
import { isLong } from "@onebuffer/test-support";
import type { Expression, Operand } from "@onebuffer/eigen";
import { opCases, smallElements } from "./op-cases.ts";

/** Sizes by turns: the dtypes of an operation take one line each, but `npm run long` all, and so do operations of few dtypes. */
const kSizes: readonly (readonly (readonly number[])[])[] = [
  [
    [2, 3],
    [0, 2],
  ],
  [[3], [2, 0]],
  [[1, 1, 4]],
];

const floats = (values: readonly number[]) => tensorMap("float32", Float32Array.from(values), [values.length]);

describe("the op table", () => {
  test.each(opNames())("%s makes a node and has elements for every dtype", (op) => {
    const cases = opCases.filter((one) => one.op === op);
    expect(cases.map(({ dtype }) => dtype)).toEqual([...opTable[op].dtypes]);
    const isFull = isLong || cases.length < kSizes.length;
    for (const [turn, one] of cases.entries()) {
      // Of an operation with many dtypes every third one has nodes, and every eighth, one at least, is evaluated.
      const isEvaluated = isFull || (turn + op.length) % Math.min(8, cases.length) === 0;
      if (!isEvaluated && (turn + op.length) % 3 > 0) continue;
      for (const dims of isFull ? kSizes.flat() : (kSizes[turn % kSizes.length] as readonly (readonly number[])[])) {
        const node = one.build(smallElements, dims);
        expect(treeOf(node).op).toBe(op);
        const spec = opTable[op];
        if (spec.arity >= 0) expect(treeOf(node).inputs.length).toBe(spec.arity);
        if (spec.result === "same" && spec.arity > 0) expect(node.dtype).toBe(one.dtype);
        if (spec.result === "bool") expect(node.dtype).toBe("bool");
        // Each kernel is compiled for one line of sizes.
        const isOfTurn = isLong || kSizes[turn % kSizes.length]!.includes(dims);
        if (op === "map" || !isEvaluated || !isOfTurn) continue;
        const map = evaluate(node);
        expect([map.dtype, map.dimensions]).toEqual([node.dtype, node.dimensions]);
        expect([...map].length).toBe(node.size);
      }
    }
  });

  test("is frozen", () => {
    expect(Object.isFrozen(opTable)).toBe(true);
    expect(opNames("scan")).toEqual(["cumsum", "cumprod", "cummax", "cummin", "scaledCumsum", "markedCumsum"]);
    expect(opNames().every((op) => opNames(opTable[op].class).includes(op))).toBe(true);
  });
});

describe("nodes", () => {
  const a = tensorMap("float32", Float32Array.of(1, 2, 3, 4, 5, 6), [2, 3]);

  test("have the fields of the call, which cannot be assigned", () => {
    const node = a.slice([null, null, -1], [1]).sum([-1], { keepDims: true });
    const tree = treeOf(node);
    expect([tree.op, node.dtype, node.dimensions, node.rank, node.size, tree.depth]).toEqual(["sum", "float32", [2, 1], 2, 2, 2]);
    expect(tree.attributes).toEqual({ axes: [1], keepDims: true });
    expect(tree.inputs[0]?.attributes).toEqual({ begin: [1, 1], steps: [-1, 1] });
    expect(String(node)).toBe("Expression<sum, float32, [2, 1]>");
    // @ts-expect-error fields are readonly
    const change = (): void => void (tree.op = "prod");
    expect(typeof change).toBe("function");
  });

  test("a map is a leaf and gains no field", () => {
    const { op, inputs, attributes, depth } = treeOf(a);
    expect([op, inputs, attributes, depth]).toEqual(["map", [], {}, 0]);
    expect(Object.keys(a).sort()).toEqual(["array", "base", "d0", "d1", "owner"]);
    expect(Object.keys(a.strided()).includes("op")).toBe(false);
  });

  test("the caller's arrays are copied", () => {
    const dims = [3, 2];
    const shaped = a.reshape(dims);
    dims[0] = 99;
    expect(shaped.dimensions).toEqual([3, 2]);
    const order = [1, 0];
    const shuffled = a.shuffle(order);
    order[0] = 7;
    expect(treeOf(shuffled).attributes).toEqual({ permutation: [1, 0] });
  });

  test("an expression reads memory when it is assigned, any number of times", () => {
    const x = floats([1, 2]);
    const twice = x.mul(2);
    expect(evaluate(twice).toArray()).toEqual([2, 4]);
    x.set(0, 10);
    expect(evaluate(twice).toArray()).toEqual([20, 4]);
  });

  test("may be 100,000 operations deep, and not deeper", () => {
    let deep: Expression<"float32", 1> = floats([0, 1]).add(1);
    for (let k = 1; k < 100_000; k++) deep = deep.add(1);
    expect(treeOf(deep).depth).toBe(100_000);
    if (isLong) expect(evaluate(deep).toArray()).toEqual([100_000, 100_001]);
    expect(() => deep.add(1)).toThrow(/more than 100000 operations/);
  });

  test("a shared node is not computed once per use", () => {
    // 2^60 uses of a node would never end, either.
    const levels = isLong ? 200 : 60;
    let x: Expression<"float64", 1> = tensorMap("float64", Float64Array.of(1, 2, 3), [3]).add(0);
    for (let k = 0; k < levels; k++) x = x.add(x.reverse()).mul(0.5);
    expect(evaluate(x).toArray()).toEqual([2, 2, 2]);
    let y: Expression<"float64", 1> = tensorMap("float64", Float64Array.of(1, 2, 3), [3]).add(0);
    for (let k = 0; k < levels; k++) y = y.add(y).mul(0.5);
    expect(evaluate(y).toArray()).toEqual([1, 2, 3]);
  });
});

describe("plain values", () => {
  test("get the operand's dtype and are rounded at once", () => {
    const half = tensorMap("float16", new Uint16Array(1), [1]);
    expect(treeOf(half.add(0.1)).inputs[1]?.attributes).toEqual({ value: 0.0999755859375 });
    expect(treeOf(floats([1]).add(0.1)).inputs[1]?.attributes).toEqual({ value: Math.fround(0.1) });
    const complex = tensorMap("complex64", new Float32Array(2), [1]);
    expect(treeOf(complex.add(1)).inputs[1]?.attributes).toEqual({ value: [1, 0] });
    const flags = tensorMap("bool", new Uint8Array(1), [1]);
    expect(treeOf(flags.logicalOr(true)).inputs[1]?.attributes).toEqual({ value: true });
  });

  test.each<[DType, unknown]>([
    ["int8", 128],
    ["int8", 1.5],
    ["uint8", -1],
    ["uint64", -1n],
    ["int64", 2n ** 63n],
    ["int64", 2 ** 60],
    ["int32", NaN],
    ["float32", 1n],
    ["float32", "1"],
    ["bool", 1],
    ["complex64", [1]],
    ["int2", 2],
    ["string", "a"],
  ])("%s refuses %p", (dtype, value) => {
    expect(() => constant(dtype, value as never)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  });

  test("the ends of each range are accepted", () => {
    expect(evaluate(constant("int64", -(2n ** 63n))).at()).toBe(-(2n ** 63n));
    expect(evaluate(constant("uint64", 2n ** 64n - 1n)).at()).toBe(2n ** 64n - 1n);
    expect(evaluate(constant("int4", -8, [2])).toArray()).toEqual([-8, -8]);
    expect(evaluate(constant("uint32", 2 ** 32 - 1)).at()).toBe(2 ** 32 - 1);
  });
});

describe("generators, select, unique and topK", () => {
  test("iota counts along its axis and wraps", () => {
    expect(evaluate(iota("int64", [2, 2], 0)).toArray()).toEqual([
      [0n, 0n],
      [1n, 1n],
    ]);
    expect(evaluate(iota("uint8", 300)).at(299)).toBe(43);
  });

  test("select broadcasts all three operands", () => {
    const condition = tensorMap("bool", Uint8Array.of(1, 0), [2, 1]);
    expect(evaluate(select(condition, floats([1, 2, 3]), -1)).toArray()).toEqual([
      [1, 2, 3],
      [-1, -1, -1],
    ]);
    expect(evaluate(condition.select(floats([1]), floats([5, 6, 7]))).toArray()).toEqual([
      [1, 1, 1],
      [5, 6, 7],
    ]);
  });

  test("unique: NaN differs from itself, zeros of both signs are equal, columns of a matrix are compared", () => {
    const one = unique(floats([3, NaN, 3, NaN, 0, -0]));
    expect(one.values.toArray()).toEqual([3, NaN, NaN, 0]);
    expect(one.indices.toArray()).toEqual([0, 1, 0, 2, 3, 3]);
    expect(one.counts.toArray()).toEqual([2, 1, 1, 2]);
    const columns = unique(tensorMap("int32", Int32Array.of(1, 2, 1, 5, 5, 5), [2, 3]).mul(1));
    expect(columns.values.toArray()).toEqual([
      [1, 2],
      [5, 5],
    ]);
    expect(unique(floats([])).values.toArray()).toEqual([]);
    // A dtype without equality: the message names the function that was called.
    expect(() => unique(constant("int4", 1, [2]) as never)).toThrow("unique(int4 [2]): unique is not defined for int4");
  });

  test("topK puts the first of equal elements first", () => {
    const { values, indices } = floats([1, 5, 5, 2, NaN]).topK(3);
    expect([evaluate(values).toArray(), evaluate(indices).toArray()]).toEqual([
      [5, 5, 2],
      [1, 2, 3],
    ]);
  });
});

test("a power with the plain exponent 2 is a square, one with another exponent is not", () => {
  for (const dtype of opTable.pow.dtypes) {
    const x = constant(dtype as "float32", (dtype.startsWith("complex") ? [3, 1] : 3) as never, [2]);
    expect(evaluate(x.pow(2)).toArray()).toEqual(evaluate(x.mul(x)).toArray());
    expect([x.pow(2), x.pow(3), x.pow(constant(dtype as "float32", 2))].map((each) => treeOf(each).op)).toEqual(["square", "pow", "pow"]);
    if (dtype.includes("int")) expect(treeOf(x.pow(2n as never)).op).toBe("square");
    else expect(() => x.pow(2n as never)).toThrow(expect.objectContaining({ message: "pow: 2n is not an element of dtype " + dtype }));
  }
  const truths = constant("bool", true, [2]) as never as Expression<"float32", 1>;
  expect(() => truths.pow(2)).toThrow(expect.objectContaining({ message: "pow: 2 is not an element of dtype bool" }));
});

test("assignByReference refuses what assign refuses", () => {
  const out = floats([0, 0]);
  let caught: unknown;
  try {
    assignByReference(out, floats([1, 2, 3]) as Operand<"float32", number>);
  } catch (error) {
    caught = error;
  }
  expect(isStatusError(caught, "INVALID_ARGUMENT")).toBe(true);
});
