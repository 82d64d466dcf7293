// Whether one array can be read as another, sizes in bytes, the order of indices, and layouts of tuples: both answers of each question.
import { expect, test } from "@jest/globals";
import { IndexUtil, LayoutUtil, parseShape, Shape, ShapeUtil } from "@onebuffer/xla";
import { expectStatus } from "@onebuffer/test-support";

const shape = (text: string): Shape => parseShape(text);

test("an array is read as a reshaped or a transposed one, and not as another", () => {
  const isShared = (a: string, b: string, ignoresType?: boolean): boolean =>
    ShapeUtil.isReshapeOrTransposeBitcast(shape(a), shape(b), ignoresType);
  expect(isShared("f32[2,3]{1,0}", "f32[6]{0}")).toBe(true);
  expect(isShared("f32[2,3,4]{2,1,0}", "f32[3,4,2]{1,0,2}")).toBe(true);
  expect(isShared("f32[2,3,4]{2,1,0}", "f32[3,4,2]{2,1,0}")).toBe(true);
  expect(isShared("f32[2,3]{1,0}", "f32[3,2]{0,1}")).toBe(true);
  expect(isShared("f32[2,3]{0,1}", "f32[6]{0}")).toBe(false);
  expect(isShared("f32[2,3]{1,0}", "f32[7]{0}")).toBe(false);
  expect(isShared("f32[2,3]{1,0}", "s32[2,3]{1,0}")).toBe(false);
  expect(isShared("f32[2,3]{1,0}", "s32[2,3]{1,0}", true)).toBe(true);
  expect(isShared("f32[2,3]{1,0}", "s32[3,2]{0,1}", true)).toBe(true);
});

test("a scalar needs no layout to be read as an array of one element; an array does", () => {
  const [scalar, one] = [Shape.array("f32", []), ShapeUtil.makeShape("f32", [1])];
  expect(scalar.layout).toBeNull();
  expect(ShapeUtil.reshapeIsBitcast(scalar, one)).toBe(true);
  expect(ShapeUtil.reshapeIsBitcast(one, scalar)).toBe(true);
  expect(ShapeUtil.reshapeIsBitcast(Shape.array("f32", [1]), one)).toBe(false);
});

test("indices are compared entry by entry", () => {
  const { compareIndices } = IndexUtil;
  expect([compareIndices([], []), compareIndices([1, 2], [1, 2])]).toEqual([0, 0]);
  expect([compareIndices([0, 9], [1, 0]), compareIndices([1, 1], [1, 2])]).toEqual([-1, -1]);
  expect([compareIndices([1, 0], [0, 9]), compareIndices([1, 2], [1, 1])]).toEqual([1, 1]);
});

test("sizes in bytes go up to 2^53 - 1, and pointers up to 64 bytes", () => {
  const pair = shape("(f32[2], s32[])");
  expect([1, 8, 64].map((bytes) => ShapeUtil.byteSizeOfTupleIndexTable(pair, bytes))).toEqual([2, 16, 128]);
  for (const bytes of [0, 65, -8]) expectStatus(() => ShapeUtil.byteSizeOfTupleIndexTable(pair, bytes), "INVALID_ARGUMENT");
  expect(ShapeUtil.byteSizeOfElements(ShapeUtil.makeShape("f32", [3]))).toBe(12);
  expect(ShapeUtil.byteSizeOfElements(ShapeUtil.makeShape("u8", [2 ** 53 - 1]))).toBe(2 ** 53 - 1);
  expectStatus(() => ShapeUtil.byteSizeOfElements(ShapeUtil.makeShape("u16", [2 ** 52])), "INVALID_ARGUMENT");
});

test("the layouts in tuples are compared child by child", () => {
  const areEqual = (a: string, b: string): boolean => LayoutUtil.layoutsInShapesEqual(shape(a), shape(b));
  expect(areEqual("(f32[2,3]{1,0}, s8[])", "(s32[7,7]{1,0}, s8[])")).toBe(true);
  expect(areEqual("(f32[2,3]{1,0}, s8[])", "(f32[2,3]{0,1}, s8[])")).toBe(false);
  expect(areEqual("(f32[2]{0}, s8[4]{0})", "(f32[2]{0})")).toBe(false);
  expect(areEqual("((f32[2,3]{1,0}))", "((f32[2,3]{1,0}))")).toBe(true);
  expect(areEqual("(f32[2]{0})", "f32[2]{0}")).toBe(false);
});
