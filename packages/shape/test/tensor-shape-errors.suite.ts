// TensorShape refuses invalid sizes, indices and arguments, names them in its messages, and is unchanged after an error.
import { describe, expect, test } from "@jest/globals";
import { PartialTensorShape, PartialTensorShapeUtils, TensorShape, TensorShapeUtils } from "@onebuffer/shape";
import { expectStatus } from "@onebuffer/test-support";
import { kHuge, ones, loose } from "./size-lists.ts";

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
    ["a product from 2^63 to 2^64", [4294967293, 4294967294], ["overflow", 4294967293, 4294967294, "result: -21474836474"]],
    ["a product from 2^64 on", [2 ** 40, 2 ** 22, 8], ["overflow", "multiplying 4611686018427387904 with 8, result: -1"]],
    ["an overflow before a negative size", [2 ** 40, 2 ** 40, -3], ["overflow", `with ${2 ** 40}`]],
    ["a product that TensorFlow could count, before a negative size", [2 ** 30, 2 ** 30, -3], ["non-negative size", -3]],
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
