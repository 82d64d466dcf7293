// Gradients at special points: equal elements, very many of them, elements where parts overflow, and the sides of branch cuts.
import { expect, test } from "@jest/globals";
import { median, quantile, tensorMap, unsortedSegmentMean } from "@onebuffer/eigen";
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

test.each(["float32", "float64"] as const)("the approximate gelu of %s has a finite slope where a power in it overflows", (dtype) => {
  const at = [-1e9, -100, -22, -10.5, -5, 0, 5, 10.5, 1e9];
  const x = dtype === "float64" ? float64(at, [at.length]) : tensorMap(dtype, Float32Array.from(at), [at.length]);
  const y = (x as Any64).gelu({ approximate: true });
  for (const each of elementsOf(y).slice(0, 3)) expect(Math.abs(each)).toBeLessThan(1e-200);
  const slopes = gradientOf(y, x as Any64).map((each) => Number(each.toFixed(5)) + 0);
  expect(slopes).toEqual([0, 0, 0, 0, 0, 0.5, 1, 1, 1]);
});

test("a quotient by 1 + exp has finite gradients where exp overflows, also of second order, and both operands have theirs", () => {
  const [n, v] = [float64([3, 3, 3, 3], [4]), float64([-1000, -40, 0, 1000], [4])];
  const y = (n as Any64).div((v as Any64).exp().add(1));
  const [ofN, ofV] = gradients(y.sum() as never, [n, v]).map((each) => elementsOf(each as Any64)) as [number[], number[]];
  expect(ofN).toEqual([1, 1, 0.5, 0]);
  expect(ofV.map((each) => Math.abs(each))).toEqual([0, expect.closeTo(3 * Math.exp(-40), 30), 0.75, 0]);
  const x = float64([-1000, -0.5, 1000], [3]) as Any64;
  const swish = x.div(x.neg().exp().add(1));
  const [slope] = gradients(swish.sum() as never, [x]) as unknown as [Any64];
  const [curvature] = gradients(slope.sum() as never, [x]) as unknown as [Any64];
  expect([...elementsOf(slope), ...elementsOf(curvature)].map((each) => Number(each.toFixed(6)) + 0)).toEqual([
    0, 0.260039, 1, 0, 0.441229, 0,
  ]);
});

test("the mean of more float16 numbers than the largest float16 has a gradient", () => {
  const count = 70_000;
  const x = tensorMap("float16", new Uint16Array(count), [count]);
  const ofSegment = unsortedSegmentMean(x.add(1), tensorMap("int32", new Int32Array(count), [count]), 1);
  expect(elementsOf(ofSegment)).toEqual([1]);
  for (const y of [x.mean(), ofSegment.sum()]) {
    const slopes = elementsOf(gradients(y.mul(1024), [x])[0].slice([0, 2]));
    expect(slopes.map((each) => Number(((each * count) / 1024).toFixed(3)))).toEqual([1, 1]);
  }
});

test("the gradient of logSumExp of large numbers is their softmax, and adds up to 1", () => {
  const x = tensorMap("float32", Float32Array.of(1e6, 1e6, 1e6 - 1, -1e9), [4]);
  const slopes = elementsOf(gradients(x.logSumExp(), [x])[0]);
  for (const [k, each] of elementsOf(x.softmax()).entries()) expect(Math.abs(slopes[k]! - each)).toBeLessThan(1e-7);
  // It is recognized without the choice of a finite maximum, too, and its gradient has one.
  const z = float64([0.3, -1, 0.5], [3]);
  const top = z.max([0], { keepDims: true });
  const byHand = z.sub(top).exp().sum([0], { keepDims: true }).log().add(top);
  for (const y of [byHand, z.logSumExp()]) {
    const [dz] = gradients(y.sum(), [z]);
    for (const [k, each] of elementsOf(z.softmax()).entries()) expect(Math.abs(elementsOf(dz)[k]! - each)).toBeLessThan(1e-15);
    expect(checkGradients(dz, [z])).toBeLessThan(1e-7);
  }
});

test.each(["asin", "acos"] as const)("the slope of %s of complex numbers is that of their side of the cut", (op) => {
  const at = [3, 0, 3, -0, -2, 0, -2, -0];
  const x = tensorMap("complex128", Float64Array.from(at), [4]);
  const y = x[op]();
  const [dx] = gradients(y.imag().sum(), [x]);
  // Along the real axis, which leaves the sign of the imaginary part as it is.
  const imaginary = (step: number): number[] => {
    const moved = tensorMap("complex128", Float64Array.from(at.map((each, k) => (k % 2 === 0 ? each + step : each))), [4]);
    return elementsOf(moved[op]().imag());
  };
  const [below, above] = [imaginary(-1e-5), imaginary(1e-5)];
  for (const [k, slope] of elementsOf(dx.real()).entries()) expect(Math.abs(slope - (above[k]! - below[k]!) / 2e-5)).toBeLessThan(1e-8);
  const ends = float64([-1, 1], [2]);
  expect(gradientOf(ends[op](), ends)).toEqual(op === "asin" ? [Infinity, Infinity] : [-Infinity, -Infinity]);
});
