// The gradients of rows that are written at indices, where a factor is no number.
import { expect, test } from "@jest/globals";
import { tensorMap } from "@onebuffer/eigen";
import { gradients } from "@onebuffer/gradients";
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
