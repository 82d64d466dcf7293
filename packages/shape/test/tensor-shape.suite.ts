// Tests TensorShape: factories, getters, mutators and errors.
import { describe, expect, test } from "@jest/globals";
import { addWithoutOverflow, PartialTensorShape, PartialTensorShapeUtils, TensorShape, TensorShapeUtils } from "@onebuffer/shape";
import { inspect } from "node:util";
import { expectStatus } from "@onebuffer/test-support";

const kHuge = 2 ** 53 - 1;
const ones = (n: number): number[] => new Array<number>(n).fill(1);
const loose = (dims: unknown): TensorShape => new TensorShape(dims as number[]);

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

describe("refuses invalid sizes", () => {
  test.each<[string, unknown, (string | number)[]]>([
    ["a negative size", [2, -3], ["Expected shape dimensions to be non-negative", -3]],
    ["a negative size beside a large one", [55109, -3], ["Expected a non-negative size", -3]],
    ["a fraction", [2, 1.5], [1.5]],
    ["NaN", [Number.NaN], ["NaN"]],
    ["infinity", [Number.POSITIVE_INFINITY], ["Infinity"]],
    ["2^53", [2 ** 53], ["9007199254740992"]],
    ["2^63 - 1, rounded", [2 ** 63], ["9223372036854775808"]],
    ["a string", ["3"], ['"3"']],
    ["a bigint", [3n], ["bigint", 3]],
    ["null", [null], ["null"]],
    ["an object that turns into a number", [{ valueOf: () => 3 }], ["object"]],
    ["a symbol", [Symbol("x")], ["symbol"]],
    ["a hole", new Array<number>(1), ["undefined"]],
    ["a text", "23", ['"23"']],
    ["null for the list", null, ["null"]],
    ["a typed array", Int32Array.of(2, 3), ["object"]],
    ["255 dimensions", ones(255), ["Too many dimensions in tensor", 255, 254]],
    ["a sparse array of a billion", new Array<number>(1e9), ["Too many dimensions", 1e9]],
    ["a product beyond 2^53 - 1", [2 ** 27, 2 ** 27], ["Encountered overflow when multiplying", 2 ** 27]],
    ["a product of small sizes", [55108, 55108, 55108, 55108], ["overflow", 55108]],
  ])("%s", (_, dims, parts) => expectStatus(() => loose(dims), "INVALID_ARGUMENT", ...parts));

  test("long strings are cut in messages", () => {
    expectStatus(() => loose(["9".repeat(1e6)]), "INVALID_ARGUMENT", `"${"9".repeat(60)}…"`);
  });
});

describe("sizes after a zero never overflow", () => {
  test.each([[[0, 2 ** 40, 2 ** 40]], [[2 ** 40, 0, 2 ** 40]]])("%p", (dims) => {
    expect(new TensorShape(dims).numElements).toBe(0);
    const inserted = new TensorShape([0]);
    inserted.appendShape(new TensorShape([2 ** 40]));
    inserted.insertDim(1, 2 ** 40);
    inserted.insertDim(3, 3);
    expect(inserted.numElements).toBe(0);
  });

  test("sizes before a zero can overflow", () => {
    expectStatus(() => new TensorShape([2 ** 40, 2 ** 40, 0]), "INVALID_ARGUMENT", "overflow when multiplying", 2 ** 40);
    const shape = new TensorShape([2 ** 40, 0]);
    expectStatus(() => shape.insertDim(1, 2 ** 40), "INVALID_ARGUMENT", "overflow when multiplying", 2 ** 40);
    expect([shape.dimSizes, shape.numElements]).toEqual([[2 ** 40, 0], 0]);
  });

  test("removing the last zero can overflow", () => {
    const shape = new TensorShape([2 ** 40, 0, 2 ** 40, 0]);
    shape.removeDim(3);
    expectStatus(() => shape.removeDim(1), "INVALID_ARGUMENT", "overflow", 2 ** 40);
    expectStatus(() => shape.setDim(1, 1), "INVALID_ARGUMENT", `[${2 ** 40},1,${2 ** 40}]`);
    expect([shape.dimSizes, shape.numElements]).toEqual([[2 ** 40, 0, 2 ** 40], 0]);
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

test("isSameSize and equals refuse what is no shape", () => {
  for (const wrong of [null, undefined, {}] as unknown as TensorShape[]) {
    expectStatus(() => new TensorShape([2]).isSameSize(wrong), "INVALID_ARGUMENT");
    expectStatus(() => new TensorShape([2]).equals(wrong), "INVALID_ARGUMENT");
  }
});

describe("mutators that throw leave the shape unchanged", () => {
  test.each<[string, number[], (shape: TensorShape) => void, "INVALID_ARGUMENT" | "INTERNAL", (string | number)[]]>([
    ["addDim negative", [2], (s) => s.addDim(-1), "INVALID_ARGUMENT", ["Expected a non-negative size", -1]],
    ["addDim fraction", [2], (s) => s.addDim(0.5), "INVALID_ARGUMENT", [0.5]],
    ["addDim overflow", [2 ** 52], (s) => s.addDim(2), "INVALID_ARGUMENT", ["overflow when multiplying", 2 ** 52, 2]],
    ["addDim of a 255th dimension", ones(254), (s) => s.addDim(1), "INVALID_ARGUMENT", ["Too many dimensions in tensor", 255]],
    ["appendShape overflow", [2 ** 52], (s) => s.appendShape(new TensorShape([1, 2])), "INVALID_ARGUMENT", ["overflow", 2]],
    ["appendShape beyond 254 dimensions", ones(250), (s) => s.appendShape(new TensorShape(ones(5))), "INVALID_ARGUMENT", ["Too many", 255]],
    ["appendShape unknown size", [2], (s) => s.appendShape(new PartialTensorShape([3, -1])), "INVALID_ARGUMENT", [-1]],
    ["insertDim negative size", [2], (s) => s.insertDim(0, -5), "INVALID_ARGUMENT", ["Expected a non-negative size", -5]],
    ["insertDim below", [2], (s) => s.insertDim(-1, 5), "INTERNAL", ["insertion index must be non-negative", -1]],
    ["insertDim above", [2, 3], (s) => s.insertDim(3, 5), "INTERNAL", ["insertion index must be at most 2", 3]],
    ["insertDim of a 255th dimension", ones(254), (s) => s.insertDim(0, 1), "INTERNAL", ["254 dimensions which is the maximum"]],
    ["insertDim overflow", [2 ** 52], (s) => s.insertDim(0, 2), "INVALID_ARGUMENT", ["overflow"]],
    ["insertDim fraction", [2], (s) => s.insertDim(0.5, 2), "INVALID_ARGUMENT", [0.5]],
    ["setDim below", [2], (s) => s.setDim(-1, 5), "INVALID_ARGUMENT", ["Index must be non-negative", -1]],
    ["setDim above", [2, 3], (s) => s.setDim(2, 5), "INVALID_ARGUMENT", ["Index must be less than 2", 2]],
    ["setDim negative", [2], (s) => s.setDim(0, -5), "INVALID_ARGUMENT", ["Expected a non-negative size", -5]],
    [
      "setDim overflow",
      [2, 2],
      (s) => s.setDim(0, kHuge),
      "INVALID_ARGUMENT",
      [`Shape [${kHuge},2] results in overflow when computing number of elements`],
    ],
    ["removeDim below", [2], (s) => s.removeDim(-1), "INTERNAL", ["dimension index to be non-negative", -1]],
    ["removeDim above", [2], (s) => s.removeDim(1), "INTERNAL", ["End index must be less than 1", 2]],
    ["removeLastDims above", [2], (s) => s.removeLastDims(2), "INTERNAL", ["dimension index to be at most 1", 2]],
    ["removeLastDims below", [2], (s) => s.removeLastDims(-1), "INTERNAL", ["Start index must be less than 1", 2]],
    ["removeLastDims NaN", [2], (s) => s.removeLastDims(Number.NaN), "INVALID_ARGUMENT", ["NaN"]],
    ["removeDimRange start below", [2, 5, 7], (s) => s.removeDimRange(-5, 0), "INTERNAL", ["Start index must be non-negative", -1]],
    ["removeDimRange start above", [2, 5, 7], (s) => s.removeDimRange(5, 0), "INTERNAL", ["Start index must be less than 3", 5]],
    ["removeDimRange end below", [2, 5, 7], (s) => s.removeDimRange(0, -5), "INTERNAL", ["End index must be non-negative", -1]],
    ["removeDimRange end above", [2, 5, 7], (s) => s.removeDimRange(0, 5), "INTERNAL", ["End index must be less than 3", 5]],
    ["removeDimRange overflow", [0, 2 ** 40, 2 ** 40], (s) => s.removeDimRange(0, 1), "INVALID_ARGUMENT", ["overflow"]],
  ])("%s", (_, dims, mutate, code, parts) => {
    const shape = new TensorShape(dims);
    const before = [shape.bytes(), shape.numElements];
    expectStatus(() => mutate(shape), code, ...parts);
    expect([shape.bytes(), shape.numElements]).toEqual(before);
    expect(shape.dimSizes).toEqual(dims);
  });

  test("a shape can be appended to itself", () => {
    const shape = new TensorShape([2, 3]);
    shape.appendShape(shape);
    expect([shape.dimSizes, shape.numElements]).toEqual([[2, 3, 2, 3], 36]);
  });

  test("in removeDimRange -1 is the end, -2 the last dimension", () => {
    const shape = new TensorShape([2, 3, 5, 7]);
    shape.removeDimRange(-1, -1);
    expect(shape.rank).toBe(4);
    shape.removeDimRange(-2, -1);
    expect(shape.dimSizes).toEqual([2, 3, 5]);
  });
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

describe("sealed shapes, which Tensor uses", () => {
  test("sealed returns the last shape again for a list with the same sizes and data type", () => {
    const lists = [[], [0], [1], [2, 3], [3, 2], [2, 3, 1], [1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6, 7], [65533], [65534], [2 ** 33], [-0]];
    for (const list of lists) {
      for (const other of lists) {
        const [first, second] = [TensorShape.sealed(list, 1), TensorShape.sealed(other, 1)];
        expect([first.dimSizes, second.dimSizes]).toEqual([list.map((size) => size + 0), other.map((size) => size + 0)]);
        expect([first.isSealed, second.isSealed, first.dataType, second.dataType]).toEqual([true, true, 1, 1]);
      }
    }
    const shape = TensorShape.sealed([2, 3], 1);
    expect(TensorShape.sealed([2, 3], 1)).toBe(shape);
    expect(TensorShape.sealed([2, 3], 2).dataType).toBe(2);
    expect(TensorShape.sealed([2, 3], 1)).not.toBe(TensorShape.sealed([6], 1));
    for (const bad of [[-1], [0.5], [Number.NaN], ["2", "3"] as never, [65535.5]]) expect(() => TensorShape.sealed(bad, 1)).toThrow();
  });

  test("sealed returns a shape that is sealed and has the data type", () => {
    const sealed = TensorShape.sealed([2, 3], 1);
    expect(TensorShape.sealed(sealed, 1)).toBe(sealed);
    const other = TensorShape.sealed(sealed, 9);
    expect([other === sealed, other.dataType, other.isSealed, other.dimSizes]).toEqual([false, 9, true, [2, 3]]);
    const mine = new TensorShape([1, 2, 3, 4, 5, 6, 7]);
    const theirs = TensorShape.sealed(mine, 1);
    mine.setDim(0, 9);
    expect([theirs.dimSize(0), mine.isSealed, mine.dataType]).toEqual([1, false, 0]);
    expectStatus(() => TensorShape.sealed([1], 256), "INVALID_ARGUMENT", 256);
  });

  test.each<number[]>([
    [5],
    [5, 0],
    [0, 3],
    [4, 3, 2, 1, 5, 6],
    [70000, 3],
    [2 ** 40],
    [2 ** 40, 0],
    [40000, 40000],
    [3, 1, 1, 1, 1, 1, 1],
    [65533, 2],
  ])("withDimSize0 and withoutDim0 of %p, %p...", (...dims) => {
    const shape = TensorShape.sealed(dims, 3);
    for (const size of [0, 1, Math.floor((dims[0] ?? 0) / 2), dims[0] ?? 0, 70001]) {
      const slice = shape.withDimSize0(size);
      const expected = shape.clone();
      expected.setDim(0, size);
      expect([slice.bytes(), slice.numElements, slice.dimSizes, slice.isSealed]).toEqual([
        expected.bytes(),
        expected.numElements,
        expected.dimSizes,
        true,
      ]);
    }
    expect(shape.withDimSize0(1, 9).dataType).toBe(9);
    const row = shape.withoutDim0();
    const expected = shape.clone();
    expected.removeDim(0);
    expect([row.bytes(), row.numElements, row.dimSizes, row.isSealed]).toEqual([
      expected.bytes(),
      expected.numElements,
      expected.dimSizes,
      true,
    ]);
    expect(shape.dimSizes).toEqual(dims);
  });

  test("a size of minus zero is stored as zero", () => {
    for (const dims of [[70000, -0], [-0, 70000, 2], [-0], [-0, 3], [2 ** 40, -0], [1, 2, 3, 4, -0]]) {
      const shape = new TensorShape(dims);
      const words = Object.values(shape as unknown as Record<string, unknown>).filter((field) => typeof field === "number");
      expect([...words, ...shape.dimSizes, shape.numElements].filter((value) => Object.is(value, -0))).toEqual([]);
    }
  });

  test("an argument that is not a shape is refused, and changes nothing", () => {
    for (const wrong of [null, undefined, 5, "2,3", {}, [2, 3], { dims: 2 }] as never[]) {
      const shown =
        wrong === "2,3"
          ? '"2,3"'
          : Array.isArray(wrong)
            ? "an array of 2"
            : typeof wrong === "object" && wrong !== null
              ? "an object"
              : String(wrong);
      const shape = new TensorShape([2, 70000]);
      const partial = new PartialTensorShape([2, -1]);
      const calls: (() => unknown)[] = [
        () => shape.assign(wrong),
        () => shape.appendShape(wrong),
        () => TensorShape.from(wrong),
        () => partial.assign(wrong),
        () => partial.appendShape(wrong),
        () => PartialTensorShape.from(wrong),
        () => partial.mergeWith(wrong),
        () => partial.isCompatibleWith(wrong),
        () => partial.mostSpecificCompatibleShape(wrong),
        ...(wrong === 5 ? [] : [() => partial.concatenate(wrong)]),
      ];
      for (const call of calls) expectStatus(call, "INVALID_ARGUMENT", `Expected a shape, got ${shown}`);
      if (!Array.isArray(wrong))
        expectStatus(() => TensorShape.sealed(wrong, 1), "INVALID_ARGUMENT", `Expected a shape or an array of sizes, got ${shown}`);
      expect([shape.dimSizes, partial.dimSizes]).toEqual([
        [2, 70000],
        [2, -1],
      ]);
    }
  });

  test("a shape with unknown sizes cannot become a TensorShape", () => {
    for (const partial of [new PartialTensorShape([2, -1]), new PartialTensorShape()] as unknown as TensorShape[]) {
      const shape = new TensorShape([2]);
      expectStatus(() => shape.assign(partial), "INVALID_ARGUMENT", partial.debugString());
      expectStatus(() => TensorShape.sealed(partial, 1), "INVALID_ARGUMENT", partial.debugString());
      expect(shape.dimSizes).toEqual([2]);
    }
  });

  test("withDimSize0 and withoutDim0 refuse a scalar and an invalid size", () => {
    expectStatus(() => TensorShape.scalar().withDimSize0(1), "INVALID_ARGUMENT", 0);
    expectStatus(() => TensorShape.scalar().withoutDim0(), "INTERNAL", 0);
    expectStatus(() => TensorShape.vector(3).withDimSize0(-1), "INVALID_ARGUMENT", -1);
    expectStatus(() => TensorShape.vector(3).withDimSize0(1.5), "INVALID_ARGUMENT", 1.5);
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

  test("a sealed shape of a list is never one whose later sizes are alike", () => {
    for (const [first, second] of [
      [
        [2, 3, 4, 5],
        [2, 3, 0, 0],
      ],
      [
        [1, 1, 2, 3, 4, 5],
        [1, 1, 4, 5, 4, 5],
      ],
      [
        [1, 1, 4, 5, 9, 5],
        [1, 1, 4, 5, 4, 5],
      ],
      [
        [1, 1, 4, 5, 4, 9],
        [1, 1, 4, 5, 4, 5],
      ],
    ] as const) {
      expect(TensorShape.sealed(first, 1).dimSizes).toEqual(first);
      expect(TensorShape.sealed(second, 1).dimSizes).toEqual(second);
    }
  });
});

describe("messages name what is wrong", () => {
  const shapes = PartialTensorShapeUtils as unknown as { areCompatible(a: unknown, b: unknown): boolean };
  test.each<[string, () => unknown, string]>([
    ["an object as a size", () => loose([{}]), "Expected a dimension size that is a number, got an object"],
    ["null as a size", () => loose([null]), "Expected a dimension size that is a number, got null"],
    ["a text as a size", () => loose(["2"]), 'Expected a dimension size that is a number, got string "2"'],
    ["a text as sizes", () => loose("23"), 'Expected an array of dimension sizes, got "23"'],
    ["an index of a range", () => new TensorShape([2]).removeDimRange(0.5, 1), "Expected a start index that is an integer, got 0.5"],
    ["the end of a range", () => new TensorShape([2]).removeDimRange(0, 0.5), "Expected an end index that is an integer, got 0.5"],
    ["no list for makeShape", () => TensorShapeUtils.makeShape(7 as never), "Expected a list of dimension sizes, got 7"],
    ["the least bigint as a size", () => TensorShapeUtils.makeShape([1n - 2n ** 53n]), "Dimension -9007199254740991 must be >= 0"],
    ["no list of shapes", () => shapes.areCompatible(7, []), "an array of shapes"],
  ])("%s", (_, act, message) => {
    expectStatus(act, "INVALID_ARGUMENT", message);
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
