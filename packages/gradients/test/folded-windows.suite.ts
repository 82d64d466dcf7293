// The gradients of patches as sums over windows, where functions of a place and of a window are not finite: the sums have terms of places
// that no window reaches, or too few.
import { expect, test } from "@jest/globals";
import { extractPatches, select, tensorMap, unsortedSegmentMax, unsortedSegmentProd, unsortedSegmentSum } from "@onebuffer/eigen";
import { checkGradients, gradients } from "@onebuffer/gradients";
import { differences, elementsOf, float64 } from "./numeric-gradients.ts";
import type { Any64 } from "./numeric-gradients.ts";

const x = float64([5, 2, 3, 4, 1, 6, 8, 7], [8]) as unknown as Any64;
const patches = (of: Any64, window: number, strides: number): Any64 =>
  extractPatches(of, [window], { axes: [0], strides }) as unknown as Any64;
const gradientOf = (y: Any64, by: Any64): number[] => elementsOf(gradients(y.sum() as never, [by as never])[0]);

test("segments of windows, of which conditions are padded as false", () => {
  const ids = tensorMap("int32", Int32Array.of(3, 2, 2, 0), [4]);
  const tiles = patches(x, 2, 2);
  expect(gradientOf(unsortedSegmentSum(tiles, ids, 4) as unknown as Any64, x)).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
  expect(gradientOf(unsortedSegmentMax(tiles, ids, 4) as unknown as Any64, x)).toEqual([1, 1, 1, 0, 0, 1, 1, 1]);
  expect(gradientOf(unsortedSegmentProd(tiles, ids, 4) as unknown as Any64, x)).toEqual([1, 1, 1, 6, 3, 4, 1, 1]);
});

test("powers and choices by values of windows", () => {
  const exponents = float64([1, 2, 3, 0.5, -1, 2, 1], [7, 1]) as unknown as Any64;
  const powers = patches(x, 2, 1).pow(exponents) as unknown as Any64;
  expect(checkGradients(powers.sum() as never, [x as never])).toBeLessThan(1e-6);
  const chosen = select(exponents.greater(1) as never, powers as never, patches(x, 2, 1).neg() as never) as unknown as Any64;
  expect(checkGradients(chosen.sum() as never, [x as never])).toBeLessThan(1e-6);
});

test("a logarithm of products with values of windows has the gradient 1 / x for each window", () => {
  const weights = float64([1, 2, 3, 0.5, 4, 2, 1], [7, 1]) as unknown as Any64;
  const logarithms = patches(x, 2, 1).mul(weights).log() as unknown as Any64;
  const windows = [1, 2, 2, 2, 2, 2, 2, 1];
  gradientOf(logarithms, x).forEach((g, i) => expect(g).toBeCloseTo(windows[i]! / elementsOf(x)[i]!, 12));
});

test("elements that no window reaches have a gradient of 0, whatever a function of them would be", () => {
  const ends = float64([5, 2, Infinity, 4, 1, NaN, Infinity], [7]) as unknown as Any64;
  const weights = float64([1, 2], [2, 1]) as unknown as Any64;
  const waves = patches(ends, 2, 3).sin().mul(weights) as unknown as Any64;
  const wanted = [Math.cos(5), Math.cos(2), 0, 2 * Math.cos(4), 2 * Math.cos(1), 0, 0];
  gradientOf(waves, ends).forEach((g, i) => expect(g).toBeCloseTo(wanted[i]!, 12));
});

test("exponentials of windows less a number of each do not overflow where there is no window", () => {
  const [moved, weights] = [float64([6, 5, 7, 6, 8, 9], [6, 1]), float64([1, 2, 3, 1, 2, 3], [6, 1])] as unknown as [Any64, Any64];
  const gradientAt = (by: number): number[] => {
    const far = float64(
      elementsOf(x).map((value) => value + by),
      [8],
    ) as unknown as Any64;
    const less = patches(far, 3, 1).sub(moved.add(by)) as unknown as Any64;
    return gradientOf(less.exp().mul(weights) as unknown as Any64, far);
  };
  const wanted = gradientAt(0);
  gradientAt(1024).forEach((g, i) => expect(g).toBeCloseTo(wanted[i]!, 9));
});

test("angles between elements and windows, of which some are 0", () => {
  const zeros = float64([0, 2, 0, 4, 1, 0, 8, 7], [8]) as unknown as Any64;
  const others = float64([1, 2, 3], [3, 1]) as unknown as Any64;
  const angles = patches(zeros, 3, 2).atan2(others).mul(others) as unknown as Any64;
  const wanted = differences(zeros as never, angles, Array<number>(9).fill(1));
  gradientOf(angles, zeros).forEach((g, i) => expect(g).toBeCloseTo(wanted[i]!, 5));
});
