// Traces against sums of diagonals.
import { expect, test } from "@jest/globals";
import { evaluate, iota } from "@onebuffer/eigen";
import { trace } from "@onebuffer/linalg";
import { product } from "@onebuffer/storage/internal";

test.each([
  [[0, 0], 0],
  [[0, 3], 0],
  [[1, 1], 0],
  [[3, 3], 0 + 4 + 8],
  [[2, 3], 0 + 4],
  [[3, 2], 0 + 3],
  [
    [2, 2, 2],
    [3, 11],
  ],
])("the trace of 0, 1, 2 … in %j", (sizes, wanted) => {
  expect(evaluate(trace(iota("float64", product(sizes)).reshape(sizes))).toArray()).toEqual(wanted);
});
