// Tests TensorShapeUtils, multiplyWithoutOverflow and addWithoutOverflow.
import { describe, expect, test } from "@jest/globals";
import { addWithoutOverflow, multiplyWithoutOverflow, TensorShape, TensorShapeUtils } from "@onebuffer/shape";
import { expectStatus } from "@onebuffer/test-support";

const of = (dims: number[]): TensorShape => new TensorShape(dims);

test.each<[number[], string[]]>([
  [[], ["isScalar"]],
  [[3], ["isVector", "isVectorOrHigher"]],
  [
    [2, 3],
    ["isVectorOrHigher", "isMatrix", "isMatrixOrHigher"],
  ],
  [
    [2, 2],
    ["isVectorOrHigher", "isMatrix", "isSquareMatrix", "isMatrixOrHigher"],
  ],
  [
    [0, 0],
    ["isVectorOrHigher", "isMatrix", "isSquareMatrix", "isMatrixOrHigher"],
  ],
  [
    [2, 2, 2],
    ["isVectorOrHigher", "isMatrixOrHigher"],
  ],
])("for %p exactly %p are true", (dims, names) => {
  const predicates = ["isScalar", "isVector", "isVectorOrHigher", "isMatrix", "isSquareMatrix", "isMatrixOrHigher"] as const;
  expect(predicates.filter((name) => TensorShapeUtils[name](of(dims)))).toEqual(names);
});

test.each<[number[], number[], boolean, boolean]>([
  [[], [], true, true],
  [[2, 3], [], true, true],
  [[2, 3], [2], true, false],
  [[2, 3], [3], false, true],
  [[2, 3], [2, 3], true, true],
  [[2, 3], [2, 3, 4], false, false],
  [[2, 3, 4], [2, 3], true, false],
  [[2, 3, 4], [3, 4], false, true],
  [[2, 3, 4], [2, 4], false, false],
  [[70000, 2], [70000], true, false],
])("%p starts or ends with %p: %p, %p", (shape, part, starts, ends) => {
  expect(TensorShapeUtils.startsWith(of(shape), of(part))).toBe(starts);
  expect(TensorShapeUtils.endsWith(of(shape), of(part))).toBe(ends);
});

describe("makeShape", () => {
  test.each<[string, ArrayLike<number | bigint>, number | undefined, number[]]>([
    ["a list", [2, 3], undefined, [2, 3]],
    ["int32 elements", Int32Array.of(2, 3), undefined, [2, 3]],
    ["int64 elements", BigInt64Array.of(2n, 2n ** 40n), undefined, [2, 2 ** 40]],
    ["the first of them", [2, 3, 4], 2, [2, 3]],
    ["an empty list", [], undefined, []],
    ["254 of them", new Array<number>(254).fill(1), undefined, new Array<number>(254).fill(1)],
    ["a zero before large ones", [0, 2 ** 40, 2 ** 40], undefined, [0, 2 ** 40, 2 ** 40]],
  ])("%s", (_, dims, n, sizes) => {
    const shape = TensorShapeUtils.makeShape(dims, n);
    expect(shape.dimSizes).toEqual(sizes);
  });

  test.each<[string, unknown, number | undefined, (string | number)[]]>([
    ["a negative size", [1, -1], undefined, ["Dimension -1 must be >= 0"]],
    ["too many dimensions", new Array<number>(255).fill(1), undefined, ["Too many dimensions", 255]],
    ["a negative number of them", [1], -2, ["Negative number of dimensions -2"]],
    ["more than there are", [1], 2, [2, 1]],
    ["a fractional number of dimensions", [1], 0.5, [0.5]],
    ["overflow before a zero", [2 ** 40, 2 ** 40, 0], undefined, [`Shape [${2 ** 40},${2 ** 40},0] would have more than`]],
    ["overflow", [2 ** 30, 2 ** 30], undefined, [`Shape [${2 ** 30},${2 ** 30}] would have more than`]],
    ["a bigint beyond 2^53 - 1", BigInt64Array.of(2n ** 63n - 1n), undefined, ["9223372036854775807"]],
    ["a bigint far below", [-(2n ** 60n)], undefined, [String(-(2n ** 60n))]],
    ["a fraction", Float64Array.of(1.5), undefined, [1.5]],
    ["a string", "12", undefined, ['"12"']],
    ["null", null, undefined, ["null"]],
    ["an object with a length", { length: 1e9 }, undefined, ["object"]],
    ["a DataView", new DataView(new ArrayBuffer(8)), undefined, ["object"]],
  ])("refuses %s", (_, dims, n, parts) => {
    expectStatus(() => TensorShapeUtils.makeShape(dims as number[], n), "INVALID_ARGUMENT", ...parts);
  });
});

describe("numElements", () => {
  test.each<[ArrayLike<number | bigint>, number]>([
    [[], 1],
    [[2, 3, 4], 24],
    [[2, 0, 4], 0],
    [[0, 2 ** 40, 2 ** 40], 0],
    [BigInt64Array.of(2n, 3n), 6],
    [[2 ** 53 - 1], 2 ** 53 - 1],
  ])("of %p is %p", (dims, count) => expect(TensorShapeUtils.numElements(dims)).toBe(count));

  test.each<[unknown, (string | number)[]]>([
    [[2, -3], ["Can't compute total size of shape [2,-3]; product would overflow"]],
    [[0, -1], ["[0,-1]"]],
    [[2 ** 30, 2 ** 30], [2 ** 30]],
    [[2 ** 40, 2 ** 40, 0], [2 ** 40]],
    [[2n ** 63n - 1n], ["9223372036854775807"]],
    [{ length: 1e9 }, ["object"]],
    [undefined, ["undefined"]],
  ])("refuses %p", (dims, parts) => {
    expectStatus(() => TensorShapeUtils.numElements(dims as number[]), "INVALID_ARGUMENT", ...parts);
  });
});

test("shapeListString formats a list of shapes", () => {
  expect(TensorShapeUtils.shapeListString([of([2, 3]), of([4]), of([])])).toBe("[[2,3], [4], []]");
  expect(TensorShapeUtils.shapeListString([])).toBe("[]");
});

test.each<[number, number, number, number]>([
  [0, 2 ** 53 - 1, 0, 2 ** 53 - 1],
  [1, 2 ** 53 - 1, 2 ** 53 - 1, -1],
  [2, 2 ** 52, -1, 2 ** 52 + 2],
  [3, 3002399751580330, 2 ** 53 - 2, 3002399751580333],
  [94906265, 94906265, 9007199136250225, 189812530],
  [94906266, 94906267, -1, 189812533],
  [-1, 5, -1, -1],
  [5, -1, -1, -1],
])("%p and %p: product %p, sum %p", (x, y, product, sum) => {
  expect(multiplyWithoutOverflow(x, y)).toBe(product);
  expect(addWithoutOverflow(x, y)).toBe(sum);
});

test("a factor or term that is not a number gives -1, also text of a number", () => {
  for (const wrong of ["3", null, undefined, [3]] as unknown as number[]) {
    expect([multiplyWithoutOverflow(2, wrong), multiplyWithoutOverflow(wrong, 2)]).toEqual([-1, -1]);
    expect([addWithoutOverflow(2, wrong), addWithoutOverflow(wrong, 2)]).toEqual([-1, -1]);
  }
});
