// The gradients of composed functions at special points: equal elements, very many of them, and elements where parts overflow.
import { expect, test } from "@jest/globals";
import { median, quantile } from "@onebuffer/eigen";
import { checkGradients, gradients } from "@onebuffer/gradients";
import type { Any64 } from "./numeric-gradients.ts";
import { elementsOf, float64 } from "./numeric-gradients.ts";

const gradientOf = (y: Any64, x: Any64): number[] => elementsOf(gradients(y.sum(), [x])[0]);

test("a quantile between equal elements: each has its share of the gradient", () => {
  const x = float64([3, 2, 1, 2], [4]);
  expect(gradientOf(median(x), x)).toEqual([0, 0.5, 0, 0.5]);
  expect(gradientOf(quantile(x, 0.5, { method: "midpoint" }), x)).toEqual([0, 0.5, 0, 0.5]);
  // Of equal elements the first is the lower one.
  const shares = [0.25, 0.75].map((share) => gradientOf(quantile(x, (1 + share) / 3), x).map((each) => Number(each.toFixed(9))));
  expect(shares).toEqual([
    [0, 0.75, 0, 0.25],
    [0, 0.25, 0, 0.75],
  ]);
  // The mean of the two in the middle changes smoothly where they are equal.
  expect(checkGradients(median(x), [x])).toBeLessThan(1e-9);
  const infinite = float64([Infinity, Infinity], [2]);
  expect(elementsOf(median(infinite))).toEqual([Infinity]);
});
