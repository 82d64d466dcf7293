// The gradients of rows that are written at indices, where a factor is no number.
import { expect, test } from "@jest/globals";
import { tensorMap, unsortedSegmentProd } from "@onebuffer/eigen";
import { checkGradients, gradients } from "@onebuffer/gradients";
import { elementsOf, float64 } from "./numeric-gradients.ts";

test("a row that is multiplied gets the product of its updates, whatever it is itself", () => {
  const [x, updates] = [float64([NaN, Infinity, 0, -0, NaN], [5]), float64([3, 4, 0, 5], [4])];
  const product = x.scatter(tensorMap("int32", Int32Array.of(0, 0, 1, 2), [4]), updates, 0, { reduction: "mul" });
  const [dx] = gradients(product, [x], { outputGradients: float64([1, 2, 3, 4, 5], [5]) });
  expect(elementsOf(dx)).toEqual([12, 0, 15, 4, 5]);
});

test("an update of 0 gets the product of the other factors, and others 0 beside it", () => {
  const [x, updates] = [float64([2, 5], [2]), float64([0, 3, 7], [3])];
  const product = x.scatter(tensorMap("int32", Int32Array.of(0, 0, 1), [3]), updates, 0, { reduction: "mul" });
  const [dx, du] = gradients(product, [x, updates], { outputGradients: float64([1, 1], [2]) });
  expect([elementsOf(dx), elementsOf(du)]).toEqual([
    [0, 7],
    [6, 0, 5],
  ]);
});

test("gradients of products have gradients where factors are 0", () => {
  // Rows with one factor of 0, the row itself or an update, with two, and with three.
  const [x, updates] = [float64([0, 2, 0, 3, 0], [5]), float64([5, 0, 3, 0, 0, 7, 0, 0], [8])];
  const rows = tensorMap("int32", Int32Array.of(0, 1, 1, 2, 3, 3, 4, 4), [8]);
  const product = x.scatter(rows, updates, 0, { reduction: "mul" });
  for (const each of gradients(product, [x, updates], { outputGradients: float64([1, 2, 3, 4, 5], [5]) }))
    expect(checkGradients(each, [x, updates], { unconnected: "zero" })).toBeLessThan(1e-9);
});

test("an element of no segment has the gradient 0, whatever it is itself", () => {
  const x = float64([3, NaN, 2, 0], [4]);
  const product = unsortedSegmentProd(x, tensorMap("int32", Int32Array.of(0, -1, 0, 1), [4]), 2);
  expect(elementsOf(gradients(product.sum(), [x])[0])).toEqual([2, 0, 3, 1]);
});

test("an update that is no finite number has the gradient 0 beside a factor of 0", () => {
  const x = float64([0, Infinity, NaN, 0, 3], [5]);
  const product = unsortedSegmentProd(x, tensorMap("int32", Int32Array.of(0, 0, 1, 1, 2), [5]), 3);
  expect(elementsOf(gradients(product.sum(), [x])[0])).toEqual([Infinity, 0, 0, NaN, 1]);
});

test("rows without elements have gradients without elements, whatever their indices are", () => {
  const [x, updates] = [float64([], [1, 0]), float64([], [1, 0])];
  const scattered = x.scatter(tensorMap("int32", Int32Array.of(-4), [1]), updates);
  expect([elementsOf(scattered), elementsOf(scattered.sum())]).toEqual([[], [0]]);
  for (const each of gradients(scattered.sum(), [x, updates])) expect(elementsOf(each)).toEqual([]);
});
