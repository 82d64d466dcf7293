// Gradients of gradients, directions, Jacobians, gradients that the caller writes, and depth.
import { expect, test } from "@jest/globals";
import { evaluate, tensorMap } from "@onebuffer/eigen";
import type { Expression } from "@onebuffer/eigen";
import { assignByReference } from "@onebuffer/eigen/internal";
import { checkGradients, customGradient, gradients, hessianVectorProduct, jacobian, jvp, stopGradient } from "@onebuffer/gradients";
import { isLong } from "@onebuffer/test-support";
import type { Built } from "./differences/subject.ts";

const x = tensorMap("float64", Float64Array.of(0.5, -1, 2), [3]);
const v = tensorMap("float64", Float64Array.of(1, 10, -2), [3]);
const m = tensorMap("float64", Float64Array.of(0.3, -0.2, 1, 0.5, 2, -1, 0.1, 0.7, 0.4), [3, 3]);

const list = (e: Expression<"float64", number>): number[] => [...evaluate(e)];

function expectClose(actual: readonly number[], expected: readonly number[], bound = 1e-12): void {
  expect(actual.length).toBe(expected.length);
  for (const [i, each] of actual.entries())
    expect(Math.abs(each - expected[i]!)).toBeLessThanOrEqual(bound * Math.max(1, Math.abs(expected[i]!)));
}

test("derivatives of orders one to four", () => {
  let y: Built = x.sin().sum();
  for (const order of [1, 2, 3, 4]) {
    [y] = gradients(y, [x]) as Built;
    const expected = [Math.sin, Math.cos, (a: number) => -Math.sin(a), (a: number) => -Math.cos(a)][order % 4]!;
    expectClose(list(y), [0.5, -1, 2].map(expected));
    y = y.sum();
  }
});

test("a direction: reverse mode twice is the product with the Jacobian", () => {
  const y = m.matMul(x.expandDims(1)).tanh().squeeze() as Expression<"float64", 1>;
  const [rows] = jacobian(y, [x]);
  const expected = list(rows.mul(v.expandDims(0)).sum([1]) as never);
  expectClose(list(jvp(y, [x], [v])), expected);
  expect(checkGradients(jvp(y, [x], [v]), [x, m])).toBeLessThan(1e-7);
});

test("a direction of complex numbers, which is linear in it", () => {
  const z = tensorMap("complex128", Float64Array.of(1, 2, -0.5, 0.25), [2]);
  const u = tensorMap("complex128", Float64Array.of(0.5, -1, 2, 3), [2]);
  const ours = [...evaluate(jvp(z.mul(z).mul(z), [z], [u]))].flat();
  expectClose(ours as number[], [...evaluate(z.mul(z).mul(u).mul([3, 0]))].flat() as number[]);
});

test("a Hessian times a vector is the product with the Jacobian of the gradient", () => {
  const y = x
    .exp()
    .mul(m.matMul(x.expandDims(1)).squeeze() as Expression<"float64", 1>)
    .sum();
  const [g] = gradients(y, [x]);
  const [h] = jacobian(g, [x]);
  const [product] = hessianVectorProduct(y, [x], [v]);
  expectClose(list(product), list(h.mul(v.expandDims(0)).sum([1]) as never));
  const [zeros] = hessianVectorProduct(x.sum(), [x], [v]);
  expect(list(zeros)).toEqual([0, 0, 0]);
});

test("a Jacobian has the sizes of y, then those of x, also of empty ones", () => {
  const [dx, dm] = jacobian(m.matMul(x.expandDims(1)), [x, m]);
  expect([dx.dimensions, dm.dimensions]).toEqual([
    [3, 1, 3],
    [3, 1, 3, 3],
  ]);
  expectClose(list(dx as never), list(m as never));
  const none = tensorMap("float64", new Float64Array(0), [0]);
  expect(jacobian(none, [none]).map(({ dimensions }) => dimensions)).toEqual([[0, 0]]);
  expect(jacobian(x.square(), [none])[0].dimensions).toEqual([3, 0]);
});

test("a gradient that the caller writes goes to its operands only, once for every use", () => {
  let calls = 0;
  const e = x.square();
  const y = customGradient(e.mul(m.sum()), [e], (g) => {
    calls++;
    return [g.mul(100)];
  });
  expect(list(gradients(y.sum().add(y.sum()), [x])[0])).toEqual([200, -400, 800]);
  expect(calls).toBe(1);
  expect(() => gradients(y.sum(), [m])).toThrow("only through customGradient, which has no gradient");
  const none = customGradient(x.exp(), [x], () => [null]);
  expect(() => gradients(none.sum(), [x])).toThrow("only through customGradient, which has no gradient");
  expect(list(gradients(none.sum(), [x], { unconnected: "zero" })[0])).toEqual([0, 0, 0]);
});

test("a written gradient has gradients of its own", () => {
  const y = customGradient(x.relu(), [x], (g) => [g.mul(x.sigmoid())]);
  const [dx] = gradients(y.sum(), [x]);
  expectClose(list(dx), list(x.sigmoid()));
  expect(checkGradients(dx, [x])).toBeLessThan(1e-8);
});

test("what is stopped is constant in every order", () => {
  const y = stopGradient(x).mul(x).mul(x).sum();
  const [dx] = gradients(y, [x]);
  expectClose(list(gradients(dx.sum(), [x])[0]), [1, -2, 4]);
});

test("thousands of layers do not overflow the call stack", () => {
  let y: Built = x.sum();
  const layers = isLong ? 10_000 : 1000;
  for (let k = 0; k < layers; k++) y = y.mul(0.9999).tanh();
  const [dx] = gradients(y, [x]);
  const out = tensorMap("float64", new Float64Array(3), [3]);
  assignByReference(out, dx as never);
  expect([...out].every((each) => each > 0 && each < 1)).toBe(true);
});

test("layers too deep for a gradient are refused with the name of the function", () => {
  let y: Built = x.sum();
  // The gradient of the square begins as deep as y, and each layer makes it deeper; in the short form by its cheapest node.
  for (let k = 0; k < (isLong ? 45_000 : 50_000); k++) y = isLong ? y.mul(0.9999).tanh() : y.neg();
  expect(() => gradients(y.square(), [x])).toThrow(
    expect.objectContaining({ code: "INVALID_ARGUMENT", message: expect.stringMatching(/^gradients: .* operations deep/) }),
  );
});

test("a network with a shared part is linear in its size", () => {
  let y: Built = x.mul(0.5);
  // Without sharing, 2^60 operations, or 2^15.
  for (let k = 0; k < (isLong ? 60 : 15); k++) y = y.add(y).mul(0.5).sin();
  const [dx] = gradients(y.sum(), [x]);
  expect(list(dx).every(Number.isFinite)).toBe(true);
});
