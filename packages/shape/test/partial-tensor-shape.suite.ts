// Tests PartialTensorShape: unknown sizes, unknown rank, merging and comparing.
import { describe, expect, test } from "@jest/globals";
import { PartialTensorShape, PartialTensorShapeUtils, TensorShape } from "@onebuffer/shape";
import { expectStatus } from "@onebuffer/test-support";

type Dims = number[] | null;
const of = (dims: Dims): PartialTensorShape => (dims === null ? new PartialTensorShape() : new PartialTensorShape(dims));
const dimsOf = (shape: PartialTensorShape): Dims => (shape.unknownRank ? null : shape.dimSizes);

describe("getters", () => {
  test.each<[Dims, string, number, number]>([
    [null, "<unknown>", -1, -1],
    [[], "[]", 0, 1],
    [[-1], "[?]", 1, -1],
    [[2, -1, 0], "[2,?,0]", 3, -1],
    [[2, 3], "[2,3]", 2, 6],
    [[-1, 2 ** 40, 2 ** 40], `[?,${2 ** 40},${2 ** 40}]`, 3, -1],
    [[0, 2 ** 40, 2 ** 40], `[0,${2 ** 40},${2 ** 40}]`, 3, 0],
    [[2 ** 40, 0, 2 ** 40, -1], `[${2 ** 40},0,${2 ** 40},?]`, 4, -1],
  ])("%p is %s of rank %p with %p elements", (dims, text, rank, count) => {
    const shape = of(dims);
    expect([shape.debugString(), shape.dims, shape.numElements]).toEqual([text, rank, count]);
    expect(shape.isFullyDefined()).toBe(count !== -1);
    expect([...shape]).toEqual(dims ?? []);
    expect(shape.isValid()).toBe(dims !== null);
  });

  test("dimSize of an unknown rank returns -1 for every dimension", () => {
    expect([of(null).dimSize(0), of(null).dimSize(300), of(null).dimSizes]).toEqual([-1, -1, []]);
  });

  test("the sizes before the first unknown size must not overflow", () => {
    expectStatus(() => of([2 ** 40, 2 ** 40, -1]), "INVALID_ARGUMENT", "overflow", 2 ** 40);
    expectStatus(() => of([2 ** 40, 2 ** 40, 0, -1]), "INVALID_ARGUMENT", "overflow", 2 ** 40);
    expectStatus(() => of([1.5]), "INVALID_ARGUMENT", 1.5);
  });

  test("out of line, a negative size other than -1 is kept, and makes the shape invalid", () => {
    const shape = of([2 ** 40, -5]);
    expect([shape.dimSize(1), shape.debugString(), shape.isValid()]).toEqual([-5, `[${2 ** 40},?]`, false]);
    expect(shape.isIdenticalTo(of([2 ** 40, -1]))).toBe(false);
  });
});

describe("mutators on an unknown rank", () => {
  test("addDim, appendShape and removeDimRange do nothing", () => {
    const shape = of(null);
    shape.addDim(3);
    shape.addDim(-3);
    shape.appendShape(of([1]));
    shape.removeDimRange(0, 5);
    shape.removeDim(7);
    expect(shape.unknownRank).toBe(true);
  });

  test("appending a shape of unknown rank does nothing", () => {
    const shape = of([2]);
    shape.appendShape(of(null));
    expect(shape.dimSizes).toEqual([2]);
  });

  test("insertDim, setDim and removeLastDims refuse", () => {
    expectStatus(() => of(null).insertDim(0, 1), "INTERNAL", "at most -1", 0);
    expectStatus(() => of(null).setDim(0, 1), "INVALID_ARGUMENT", "less than -1", 0);
    expectStatus(() => of(null).removeLastDims(0), "INTERNAL", "at most -1", 0);
  });

  test("clear makes a scalar", () => {
    const shape = of(null);
    shape.clear();
    expect([shape.dims, shape.numElements]).toEqual([0, 1]);
  });
});

test("removing or setting the only unknown size makes the count known", () => {
  const shape = of([2, -1, 3]);
  const set = shape.clone();
  shape.removeDim(1);
  set.setDim(1, 5);
  expect([shape.numElements, set.numElements]).toEqual([6, 30]);
  set.setDim(0, -1);
  expect(set.numElements).toBe(-1);
});

describe("concatenate", () => {
  test.each<[Dims, Dims | number, Dims]>([
    [[10, 5], -1, [10, 5, -1]],
    [[10, 5], 4, [10, 5, 4]],
    [null, 4, null],
    [
      [1, -1],
      [2, 3],
      [1, -1, 2, 3],
    ],
    [[1], null, null],
    [null, [1], null],
    [null, null, null],
  ])("%p and %p give %p", (a, b, joined) => {
    const shape = of(a);
    expect(dimsOf(shape.concatenate(typeof b === "number" ? b : of(b)))).toEqual(joined);
    expect(dimsOf(shape)).toEqual(a);
  });

  test("a list of full shapes is refused by name", () => {
    const full = [new TensorShape([2])] as unknown as PartialTensorShape[];
    expectStatus(() => PartialTensorShapeUtils.areIdentical(full, full), "INVALID_ARGUMENT", "a PartialTensorShape");
  });

  test("takes a TensorShape", () => {
    expect(of([-1]).concatenate(new TensorShape([2, 3])).dimSizes).toEqual([-1, 2, 3]);
  });

  test("overflow and too many dimensions are refused", () => {
    expectStatus(() => of([2 ** 52]).concatenate(2), "INVALID_ARGUMENT", "overflow");
    expectStatus(() => of(new Array<number>(200).fill(1)).concatenate(of(new Array<number>(60).fill(1))), "INVALID_ARGUMENT", 260);
  });
});

describe("mergeWith", () => {
  test.each<[Dims, Dims, Dims]>([
    [
      [-1, 0, 1],
      [1, 0, 1],
      [1, 0, 1],
    ],
    [
      [-1, -1, 1],
      [-1, 0, 1],
      [-1, 0, 1],
    ],
    [null, [2, -1], [2, -1]],
    [[2, -1], null, [2, -1]],
    [null, null, null],
  ])("%p with %p gives %p", (a, b, merged) => {
    expect(dimsOf(of(a).mergeWith(of(b)))).toEqual(merged);
    const result = of([9]);
    expect(of(a).mergeWith(of(b), result)).toBe(result);
    expect(dimsOf(result)).toEqual(merged);
  });

  test("errors leave the result unchanged", () => {
    const result = of([9]);
    expectStatus(() => of([-1, 0, 1]).mergeWith(of([1, 0]), result), "INVALID_ARGUMENT", "Incompatible ranks during merge: 3 vs. 2");
    expectStatus(() => of([-1, 2]).mergeWith(of([1, 3]), result), "INVALID_ARGUMENT", "Incompatible shapes during merge: [?,2] vs. [1,3]");
    expectStatus(() => of([2 ** 40, -1]).mergeWith(of([-1, 2 ** 40]), result), "INVALID_ARGUMENT", "overflow");
    expect(result.dimSizes).toEqual([9]);
  });

  test("the result may not be the shape itself", () => {
    const shape = of([-1]);
    expectStatus(() => shape.mergeWith(of([2]), shape), "INTERNAL", "Cannot output result to itself");
    const unknown = of(null);
    expect(unknown.mergeWith(of([2]), unknown).dimSizes).toEqual([2]);
  });
});

describe("comparing", () => {
  const all: Dims[] = [
    null,
    [],
    [-1],
    [2],
    [-1, 2],
    [2, -1],
    [2, 2],
    [-1, 70000],
    [2, 70000],
    [2 ** 40, -1],
    [2 ** 40, 2],
    [0],
    [0, 2],
    [2, 0],
  ];
  const pairs = all.flatMap((a) => all.map((b): [Dims, Dims] => [a, b]));
  test.each(pairs)("%p and %p", (a, b) => {
    expect(of(a).isIdenticalTo(of(b))).toBe(JSON.stringify(a) === JSON.stringify(b));
    expect(of(a).equals(of(b))).toBe(JSON.stringify(a) === JSON.stringify(b));
    const compatible =
      a === null || b === null || (a.length === b.length && a.every((size, d) => size < 0 || (b[d] ?? 0) < 0 || size === b[d]));
    expect(of(a).isCompatibleWith(of(b))).toBe(compatible);
    const specific = a === null || b === null || a.length !== b.length ? null : a.map((size, d) => (size === b[d] ? size : -1));
    expect(dimsOf(of(a).mostSpecificCompatibleShape(of(b)))).toEqual(specific);
    expect(PartialTensorShapeUtils.areIdentical([of(a)], [of(b)])).toBe(JSON.stringify(a) === JSON.stringify(b));
    expect(PartialTensorShapeUtils.areCompatible([of(a)], [of(b)])).toBe(compatible);
  });

  test("lists of different lengths are neither identical nor compatible", () => {
    expect(PartialTensorShapeUtils.areIdentical([], [of([])])).toBe(false);
    expect(PartialTensorShapeUtils.areCompatible([of(null), of(null)], [of(null)])).toBe(false);
    expect(PartialTensorShapeUtils.areIdentical([], [])).toBe(true);
  });

  test("takes a TensorShape", () => {
    expect(of([-1, 3]).isCompatibleWith(new TensorShape([2, 3]))).toBe(true);
    expect(of([2, 3]).isIdenticalTo(new TensorShape([2, 3]))).toBe(true);
  });
});

describe("to and from TensorShape", () => {
  test("asTensorShape copies a fully defined shape, data type and representation included", () => {
    const shape = of([70000, 2]);
    shape.setDim(0, 3);
    shape.setDataType(9);
    const whole = shape.asTensorShape();
    expect([whole?.dimSizes, whole?.rep, whole?.dataType]).toEqual([[3, 2], "REP32", 9]);
    expect([of([-1, 0]).asTensorShape(), of(null).asTensorShape()]).toEqual([null, null]);
    expect(of([]).asTensorShape()?.dims).toBe(0);
  });

  test("from takes any shape", () => {
    expect(PartialTensorShape.from(TensorShape.sealed([2 ** 40], 1)).isSealed).toBe(false);
    expect(PartialTensorShape.from(of(null)).unknownRank).toBe(true);
  });

  test("makePartialShape takes tensor elements", () => {
    expect(PartialTensorShape.makePartialShape(BigInt64Array.of(7n, -1n, 2n)).dimSizes).toEqual([7, -1, 2]);
    expect(PartialTensorShape.makePartialShape(Int32Array.of(7, -1, 2), 2).dimSizes).toEqual([7, -1]);
    expectStatus(() => PartialTensorShape.makePartialShape([7, -2, 2]), "INVALID_ARGUMENT", "Dimension -2 must be >= -1");
  });
});

test("partialShapeListString formats a list of shapes", () => {
  expect(PartialTensorShapeUtils.partialShapeListString([of([2, -1]), of(null), of([])])).toBe("[[2,?], <unknown>, []]");
  expect(PartialTensorShapeUtils.partialShapeListString([])).toBe("[]");
});
