// flatInnerDims, flatOuterDims and flatInnerOuterDims of scalars, and of as many dimensions as a view may have.
import { expect, test } from "@jest/globals";
import { Tensor } from "@onebuffer/core";
import { expectStatus } from "@onebuffer/test-support";

test("a scalar is a matrix of one row and one column", () => {
  using scalar = Tensor.from(5);
  expect([scalar.flatInnerDims().dimensions, scalar.flatOuterDims().dimensions]).toEqual([
    [1, 1],
    [1, 1],
  ]);
  expect(scalar.flatOuterDims().at(0, 0)).toBe(5);
});

test("a view may have 254 dimensions, and not more", () => {
  using tensor = Tensor.from([7]);
  expect(tensor.flatInnerOuterDims(-253, 254).dimensions).toEqual(new Array<number>(254).fill(1));
  expectStatus(() => tensor.flatInnerOuterDims(1, 254), "INVALID_ARGUMENT", "begin + rank must lie between 1 and 254");
  expect(tensor.flatInnerOuterDims(252, 2).dimensions).toEqual([1, 1]);
  expectStatus(() => tensor.flatInnerOuterDims(253, 2), "INVALID_ARGUMENT", "begin + rank must lie between 1 and 254");
});
