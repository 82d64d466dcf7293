// Type tests of gradients: dtypes and ranks are kept, and wrong uses do not compile (@ts-expect-error). Each test also runs.
import { expect, test } from "@jest/globals";
import { constant, tensorMap } from "@onebuffer/eigen";
import type { Expression } from "@onebuffer/eigen";
import { Tensor } from "@onebuffer/core";
import {
  checkGradients,
  customGradient,
  gradients,
  hessianVectorProduct,
  jacobian,
  jvp,
  stopGradient,
  valueAndGradients,
} from "@onebuffer/gradients";
import type { OneElement } from "@onebuffer/gradients";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <T extends true>(): T => true as T;

const x = tensorMap("float32", Float32Array.of(1, 2), [2]);
const w = tensorMap("float64", Float64Array.of(1, 2, 3, 4), [2, 2]);
const z = tensorMap("complex64", Float32Array.of(1, 2), [1]);
const n = tensorMap("int32", Int32Array.of(1, 2), [2]);

test("each gradient has the dtype and the rank of its variable", () => {
  const y = x.cast("float64").sum().add(w.sum());
  const [dx, dw] = gradients(y, [x, w]);
  same<Equal<typeof dx, Expression<"float32", 1>>>();
  same<Equal<typeof dw, Expression<"float64", 2>>>();
  const [dz] = gradients(z.abs().sum(), [z]);
  same<Equal<typeof dz, Expression<"complex64", 1>>>();
  expect([dx.dtype, dx.rank, dw.dtype, dw.rank, dz.dtype]).toEqual(["float32", 1, "float64", 2, "complex64"]);
  // @ts-expect-error there are two variables
  expect(gradients(y, [x, w])[2]).toBe(undefined);
});

test("a tensor has a rank that is known only at run time, and a list of tensors a gradient for each", () => {
  using t = Tensor.from([1, 2]);
  const [dt] = gradients(t.vec().sum(), [t]);
  same<Equal<typeof dt, Expression<"float32", number>>>();
  const many: Tensor<"float32">[] = [t];
  const list = gradients(t.vec().sum(), many);
  same<Equal<(typeof list)[number], Expression<"float32", number>>>();
  expect([dt.rank, list.length]).toEqual([1, 1]);
});

test("y has one element and is a float, unless its gradient is given", () => {
  same<Equal<[keyof OneElement<0>, keyof OneElement<2>], [never, "y.sum() and y.mean() have one element"]>>(); // TypeScript names what is missing
  // @ts-expect-error y has rank 1
  expect(() => gradients(x.square(), [x])).toThrow("is not one number");
  // @ts-expect-error y has rank 2
  expect(() => gradients(w, [w])).toThrow("is not one number");
  // @ts-expect-error y is an integer
  expect(() => gradients(n.sum(), [x])).toThrow("has no gradients");
  // @ts-expect-error y is complex
  expect(() => gradients(z.sum(), [z])).toThrow("take .real() first");
  const [dz] = gradients(z.mul(z), [z], { outputGradients: z });
  same<Equal<typeof dz, Expression<"complex64", 1>>>();
  // @ts-expect-error its gradient has another dtype
  expect(() => gradients(x.square(), [x], { outputGradients: w })).toThrow("must have the dtype and the sizes");
});

test("variables are floats or complex numbers, in a list", () => {
  // @ts-expect-error an integer
  expect(() => gradients(x.sum(), [n])).toThrow("has no gradients");
  // @ts-expect-error no list
  expect(() => gradients(x.sum(), x)).toThrow("is not a list of variables");
  // @ts-expect-error a number
  expect(() => gradients(x.sum(), [1])).toThrow();
  // @ts-expect-error a string option
  expect(() => gradients(x.sum(), [x], { unconnected: "none" })).toThrow("unconnected");
});

test("stopGradient and customGradient keep the dtype and the rank", () => {
  const [stopped, counted] = [stopGradient(w), stopGradient(n)];
  same<Equal<typeof stopped, Expression<"float64", 2>>>();
  same<Equal<typeof counted, Expression<"int32", 1>>>();
  const custom = customGradient(w.exp(), [w, x], (g) => {
    same<Equal<typeof g, Expression<"float64", 2>>>();
    return [g, null];
  });
  same<Equal<typeof custom, Expression<"float64", 2>>>();
  // @ts-expect-error one gradient is missing
  customGradient(w.exp(), [w, x], (g) => [g]);
  // @ts-expect-error the gradient has another rank
  customGradient(w.exp(), [w], (g) => [g.sum()]);
  // @ts-expect-error y is an integer
  customGradient(n, [x], () => [null]);
  expect([stopped.rank, counted.dtype, custom.rank]).toEqual([2, "int32", 2]);
});

test("directions, Hessians, Jacobians, values", () => {
  const change = jvp(w.matMul(w), [w, x], [w, x]);
  same<Equal<typeof change, Expression<"float64", 2>>>();
  const [product] = hessianVectorProduct(w.square().sum(), [w], [w]);
  same<Equal<typeof product, Expression<"float64", 2>>>();
  const [rows] = jacobian(w.sum([1]), [w]);
  same<Equal<typeof rows, Expression<"float64", number>>>();
  // @ts-expect-error a direction is missing
  expect(() => jvp(w, [w, x], [w])).toThrow("one direction for each of 2 variables");
  // @ts-expect-error y has rank 2
  expect(() => hessianVectorProduct(w, [w], [w])).toThrow("is not one number");
  const result = valueAndGradients(w.sum(), [w, x.cast("float64")].slice(0, 1) as [typeof w]);
  same<Equal<typeof result.value, Tensor<"float64">>>();
  same<Equal<(typeof result.gradients)[0], Tensor<"float64">>>();
  for (const tensor of [result.value, ...result.gradients]) tensor.dispose();
  expect([change.rank, product.rank, rows.rank]).toEqual([2, 2, 3]);
});

test("checkGradients takes float64 and complex128 only", () => {
  expect(checkGradients(w.exp(), [w])).toBeLessThan(1e-8);
  // @ts-expect-error y is float32
  expect(() => checkGradients(x, [w])).toThrow("is not float64 or complex128");
  // @ts-expect-error a variable is float32
  expect(() => checkGradients(w, [x])).toThrow("is not a tensor or a writable map");
  // @ts-expect-error an unknown option
  expect(() => checkGradients(w, [w], { epsilon: 1 })).toThrow("unknown option");
  expect(constant("float64", 1).rank).toBe(0);
});
