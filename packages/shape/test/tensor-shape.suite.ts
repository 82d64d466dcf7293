// Tests TensorShape: factories, getters, mutators, sizes by index.
import { describe, expect, test } from "@jest/globals";
import { addWithoutOverflow, PartialTensorShape, TensorShape, TensorShapeUtils } from "@onebuffer/shape";
import { inspect } from "node:util";
import { expectStatus } from "@onebuffer/test-support";
import { kHuge, ones, loose } from "./size-lists.ts";

describe("making a shape", () => {
  test.each<[number[], number]>([
    [[], 1],
    [[7], 7],
    [[2, 3], 6],
    [[2, 0, 3], 0],
    [[55108, 55108], 3036891664],
    [[55108, 55108, 55108], 55108 ** 3],
    [[55109, 2], 110218],
    [[1, 2, 3, 4, 5], 120],
    [[1, 2, 3, 4, 5, 6], 720],
    [[65533, 1, 1, 1, 1, 2], 131066],
    [[1, 2, 3, 4, 5, 6, 7], 5040],
    [[70000, 3, 4], 840000],
    [[3, 70000], 210000],
    [[2 ** 33], 2 ** 33],
    [[kHuge], kHuge],
    [[1, kHuge, 1], kHuge],
    [[2 ** 30 - 1], 2 ** 30 - 1],
    [[2 ** 30], 2 ** 30],
    [[-0, 3], 0],
  ])("%p has %p elements", (dims, count) => {
    const shape = new TensorShape(dims);
    expect(shape.numElements).toBe(count);
    expect(shape.dimSizes).toEqual(dims.map((size) => size + 0));
    expect([...shape]).toEqual(shape.dimSizes);
    expect([shape.dims, shape.rank, shape.unknownRank]).toEqual([dims.length, dims.length, false]);
    expect(shape.debugString()).toBe(`[${dims.join(",")}]`);
    expect([shape.isFullyDefined(), shape.isValid()]).toEqual([true, true]);
  });

  test.each([
    [0, 3, 4, 5],
    [1, 2, 3, 4],
    [55108, 1, 1, 1],
    [55108, 55108, 2, 0],
    [70000, 2, 2, 2],
    [2, 2 ** 33, 1, 0],
    [40000, 40000, 1, 1],
    [3, 3, 3, 3],
  ])("the factories make the same shape as the constructor: %p, %p, %p, %p", (a, b, c, d) => {
    const all: [TensorShape, number[]][] = [
      [TensorShape.scalar(), []],
      [TensorShape.vector(a), [a]],
      [TensorShape.matrix(a, b), [a, b]],
      [TensorShape.tensor3(a, b, c), [a, b, c]],
      [TensorShape.tensor4(a, b, c, d), [a, b, c, d]],
    ];
    for (const [made, dims] of all) {
      const shape = new TensorShape(dims);
      expect([made.dimSizes, made.numElements, made.rep, made.bytes()]).toEqual([dims, shape.numElements, shape.rep, shape.bytes()]);
    }
  });

  test.each<[string, () => TensorShape]>([
    ["vector", () => TensorShape.vector(-3)],
    ["matrix", () => TensorShape.matrix(1, -3)],
    ["tensor3", () => TensorShape.tensor3(1, 1, -3)],
    ["tensor4", () => TensorShape.tensor4(1, 1, 1, -3)],
  ])("the factory %s refuses a negative size", (_, make) => expectStatus(make, "INVALID_ARGUMENT", -3));

  test("holey, frozen, mixed and double arrays give the same shape", () => {
    const holey = new Array<number>(2);
    holey[0] = 2;
    holey[1] = 3;
    const mixed: unknown[] = ["x", 3];
    mixed[0] = 2;
    for (const dims of [holey, Object.freeze([2, 3]), mixed, [2.5, 3].map(Math.floor)]) expect(loose(dims).dimSizes).toEqual([2, 3]);
  });

  test("the list is copied", () => {
    const dims = [2 ** 40, 1];
    const shape = new TensorShape(dims);
    dims[0] = 5;
    expect(shape.dimSize(0)).toBe(2 ** 40);
  });

  test("a copy is independent", () => {
    const shape = new TensorShape([1, 2, 3, 4, 5, 6, 7]);
    const copy = shape.clone();
    shape.setDim(6, 2 ** 40);
    expect([copy.dimSize(6), copy.numElements, shape.numElements]).toEqual([7, 5040, 720 * 2 ** 40]);
    copy.assign(shape);
    shape.clear();
    expect(copy.dimSizes).toEqual([1, 2, 3, 4, 5, 6, 2 ** 40]);
    copy.assign(copy);
    expect(copy.dimSizes).toEqual([1, 2, 3, 4, 5, 6, 2 ** 40]);
  });

  test("from copies a fully defined partial shape and its data type", () => {
    const partial = new PartialTensorShape([2, 3]);
    partial.setDataType(9);
    expect([TensorShape.from(partial).dimSizes, TensorShape.from(partial).dataType]).toEqual([[2, 3], 9]);
    expectStatus(() => TensorShape.from(new PartialTensorShape([2, -1])), "INVALID_ARGUMENT", "[2,?]");
  });

  test("ofDataType makes the shape [0] with a data type, as Tensor() has", () => {
    const shape = TensorShape.ofDataType(1);
    expect([shape.dimSizes, shape.numElements, shape.dataType]).toEqual([[0], 0, 1]);
  });
});

test.each([5, 6])("%i sizes, one of which is too large for 16 bits", (rank) => {
  for (let at = 0; at < rank; at++) {
    const sizes = Array.from({ length: rank }, (_, d) => (d === at ? 70_000 : d + 1));
    const shape = new TensorShape(sizes);
    expect([[...shape.dimSizes], shape.numElements]).toEqual([sizes, sizes.reduce((product, size) => product * size)]);
  }
});

test("appendShape adds up to the 254th dimension", () => {
  const shape = new TensorShape(ones(250));
  shape.appendShape(new TensorShape(ones(4)));
  expect(shape.dims).toBe(254);
});

describe("getters", () => {
  test.each([-1, 2, 0.5, Number.NaN, 2 ** 32])("dimSize(%p) of [2,3] is out of range", (d) => {
    expectStatus(() => new TensorShape([2, 3]).dimSize(d), "OUT_OF_RANGE", d, "rank 2");
  });

  test.each([[[]], [[70000]], [[2 ** 40]]])("dimSize of a dimension that %p does not have is out of range", (dims) => {
    expectStatus(() => new TensorShape(dims).dimSize(dims.length), "OUT_OF_RANGE", dims.length);
  });

  test.each<[number[], number[], boolean]>([
    [[], [], true],
    [[2, 3], [2, 3], true],
    [[2, 3], [3, 2], false],
    [[2], [2, 1], false],
    [[70000], [70000], true],
    [[70000], [70001], false],
    [[2 ** 40], [2 ** 40], true],
    [[2 ** 40], [2 ** 40 + 1], false],
    [[1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 7], false],
  ])("%p and %p: same size %p", (a, b, same) => {
    expect(new TensorShape(a).isSameSize(new TensorShape(b))).toBe(same);
    expect(new TensorShape(b).equals(new TensorShape(a))).toBe(same);
  });

  test("the representation comparisons ignore it", () => {
    const shrunk = new TensorShape([2 ** 40, 3]);
    shrunk.setDim(0, 5);
    const wide = new TensorShape([70000, 3]);
    wide.setDim(0, 5);
    const small = new TensorShape([5, 3]);
    expect([shrunk.rep, wide.rep, small.rep]).toEqual(["REP_OUT_OF_LINE", "REP32", "REP16"]);
    for (const a of [shrunk, wide, small]) for (const b of [shrunk, wide, small]) expect(a.equals(b)).toBe(true);
  });

  test("asEigenDSizes requires the exact rank, asEigenDSizesWithPadding pads with 1", () => {
    const shape = new TensorShape([10, 5, 20]);
    expect(shape.asEigenDSizes(3)).toEqual([10, 5, 20]);
    expect(shape.asEigenDSizesWithPadding(5)).toEqual([10, 5, 20, 1, 1]);
    expect(shape.asEigenDSizesWithPadding(3)).toEqual([10, 5, 20]);
    expectStatus(() => shape.asEigenDSizes(2), "INTERNAL", "tensor of 2 dimensions from a tensor of 3 dimensions");
    expectStatus(() => shape.asEigenDSizesWithPadding(2), "INTERNAL", "at most 2 dimensions from a tensor of 3 dimensions");
    expectStatus(() => shape.asEigenDSizesWithPadding(1e9), "INVALID_ARGUMENT", 1e9, 254);
    expectStatus(() => shape.asEigenDSizesWithPadding(3.5), "INVALID_ARGUMENT", 3.5);
  });

  test("is formatted as text", () => {
    expect(String(new TensorShape([2, 3]))).toBe("[2,3]");
    expect(inspect({ shape: new TensorShape([2, 3]) })).toBe("{ shape: TensorShape [2,3] }");
    expect(inspect(new PartialTensorShape([-1]))).toBe("PartialTensorShape [?]");
    const hook = Reflect.get(new TensorShape([2]), Symbol.for("Deno.customInspect")) as (this: unknown) => string;
    expect(hook.call(new TensorShape([2]))).toBe("TensorShape [2]");
  });

  test("JSON has the sizes", () => {
    const partial = [new PartialTensorShape([2, -1]), new PartialTensorShape()];
    expect(JSON.stringify([new TensorShape([2, 3]), new TensorShape(), ...partial])).toBe("[[2,3],[],[2,-1],null]");
  });
});

describe("sizes by index", () => {
  test("a shape has the sizes of its dimensions as an array has, and undefined behind them", () => {
    const shape = new TensorShape([2, 3]);
    expect([shape[0], shape[1], shape[2], shape[253], shape[254]]).toEqual([2, 3, undefined, undefined, undefined]);
    const [rows, columns, ...rest] = Array.from(shape as ArrayLike<number | undefined>);
    expect([rows, columns, rest]).toEqual([2, 3, []]);
    expect(new TensorShape(ones(254))[253]).toBe(1);
    expect(new PartialTensorShape([-1, 4])[0]).toBe(-1);
    expect(new PartialTensorShape()[0]).toBeUndefined();
    // Behind the largest rank, a shape has no property.
    expect([253 in shape, 254 in shape]).toEqual([true, false]);
  });

  test("bigints are no dimensions, sizes or DataType numbers", () => {
    const one = 1n as unknown as number;
    const shape = TensorShape.vector(3);
    expectStatus(() => shape.dimSize(one), "OUT_OF_RANGE", 1);
    expectStatus(() => shape.setDataType(one), "INVALID_ARGUMENT", 1);
    expectStatus(() => TensorShape.sealed([2], one), "INVALID_ARGUMENT", 1);
    expectStatus(() => shape.withDimSize0(1, one), "INVALID_ARGUMENT", 1);
    expectStatus(() => shape.withDimSize0(one), "INVALID_ARGUMENT", 1);
  });
});

test("a shape has no methods of arrays, and its sizes have them", () => {
  const shape = new TensorShape([2, 3]) as unknown as Record<string, (act: unknown) => unknown>;
  expect(() => shape["map"]!(String)).toThrow("a shape has no map: shape.dimSizes.map(…)");
  expectStatus(() => TensorShapeUtils.shapeListString(null as never), "INVALID_ARGUMENT", "a list of shapes");
  expectStatus(() => new TensorShape([2]).setDim("0" as never, 1), "INVALID_ARGUMENT", "an index that is an integer");
  expectStatus(() => new TensorShape([2]).insertDim("0" as never, 1), "INVALID_ARGUMENT", "an insertion index that is an integer");
  expect(new TensorShape([2]).asEigenDSizesWithPadding(254)).toHaveLength(254);
  expect(TensorShape.vector(0).withDimSize0(0).dimSizes).toEqual([0]);
});

test("sizes about 2^32 are kept, and a size of 0 is known", () => {
  for (const size of [2 ** 32 - 3, 2 ** 32 - 2, 2 ** 32 - 1, 2 ** 32, 2 ** 32 + 1]) {
    const [added, set] = [new TensorShape([70_000]), new TensorShape([70_000, 2])];
    added.addDim(size);
    set.setDim(1, size);
    const rep = size < 2 ** 32 - 2 ? "REP32" : "REP_OUT_OF_LINE";
    expect([added.rep, set.rep]).toEqual([rep, rep]);
    expect([added.dimSizes, set.dimSizes]).toEqual([
      [70_000, size],
      [70_000, size],
    ]);
  }
  expect(new PartialTensorShape([0, -1]).mergeWith(new PartialTensorShape([-1, 0])).dimSizes).toEqual([0, 0]);
  expect([addWithoutOverflow(5, 0), addWithoutOverflow(0, 5), addWithoutOverflow(5, -1)]).toEqual([5, 5, -1]);
});
