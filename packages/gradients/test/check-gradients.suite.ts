// checkGradients finds gradients that are wrong, says where, and leaves the elements as they were.
import { expect, test } from "@jest/globals";
import { constant, stridedMap, tensorMap } from "@onebuffer/eigen";
import { Tensor } from "@onebuffer/core";
import { checkGradients, customGradient, stopGradient } from "@onebuffer/gradients";

const x = tensorMap("float64", Float64Array.of(0.5, -1, 2, 3), [2, 2]);
const z = tensorMap("complex128", Float64Array.of(1, 2, -1, 0.5), [2]);

test("right gradients give a small error", () => {
  expect(checkGradients(x.matMul(x).tanh(), [x])).toBeLessThan(1e-8);
  expect(checkGradients(z.mul(z).exp(), [z])).toBeLessThan(1e-8);
  expect(checkGradients(z.abs().sum(), [z])).toBeLessThan(1e-8);
});

test("a tensor and views of it, written in every element", () => {
  using t = Tensor.from([1, 2, 3, 4, 5, 6], { dtype: "float64" });
  const before = t.toArray();
  expect(checkGradients(t.vec().strided("::-2").square().sum(), [t])).toBeLessThan(1e-8);
  expect(t.toArray()).toEqual(before);
});

test("a wrong factor is found in the element that is wrong, and the elements are restored", () => {
  const factors = tensorMap("float64", Float64Array.of(1, 1, 1.001, 1), [2, 2]);
  const wrong = customGradient(x.square(), [x], (g) => [g.mul(x).mul(2).mul(factors)]);
  const before = x.toArray();
  expect(() => checkGradients(wrong, [x])).toThrow(
    expect.objectContaining({
      code: "FAILED_PRECONDITION",
      message: expect.stringMatching(/variable 0, float64 \[2, 2\], at \[1,0\]: the gradient is .*, differences give/),
    }),
  );
  expect(x.toArray()).toEqual(before);
  expect(checkGradients(wrong, [x], { tolerance: 0.01 })).toBeGreaterThan(1e-4);
});

test("gradients at exchanged places are found", () => {
  const wrong = customGradient(x.mul(1), [x], (g) => [g.transpose()]);
  expect(() => checkGradients(wrong, [x])).toThrow("at [0,1]");
});

test("a missing part of a complex gradient is found", () => {
  const wrong = customGradient(z.conj(), [z], (g) => [g]);
  expect(() => checkGradients(wrong, [z])).toThrow("variable 0, complex128 [2], at [0]: the imaginary part of the gradient is");
});

test("a value that is not a number is a difference, and so is a kink", () => {
  const zeros = tensorMap("float64", Float64Array.of(0, 1), [2]);
  expect(() => checkGradients(zeros.sqrt(), [zeros])).toThrow("at [0]");
  expect(() => checkGradients(zeros.relu(), [zeros])).toThrow("at [0]: the gradient is 0, differences give 0.");
});

test("what is unconnected is an error, or compared with zeros", () => {
  expect(() => checkGradients(stopGradient(x), [x])).toThrow("only through stopGradient");
  const steps = tensorMap("float64", Float64Array.of(0.5), [1]);
  expect(checkGradients(steps.floor(), [steps], { unconnected: "zero" })).toBe(0);
  expect(() => checkGradients(stopGradient(x), [x], { unconnected: "zero" })).toThrow("the gradient is 0, differences give");
});

const single = tensorMap("float32", Float32Array.of(1), [1]);

test.each<[string, () => unknown, RegExp]>([
  ["a y of float32", () => checkGradients(single as never, [x]), /float32 \[1\] is not float64 or complex128/],
  ["a variable of float32", () => checkGradients(x, [single as never]), /variable 0, float32 \[1\], is not a tensor or a writable map/],
  ["an expression", () => checkGradients(x, [x.neg()]), /variable 0, float64 \[2, 2\], is not a tensor or a writable map/],
  ["a read-only map", () => checkGradients(x, [x.asConst()]), /is not a tensor or a writable map/],
  ["no list", () => checkGradients(x, x as never), /checkGradients: an object is not a list of variables/],
  ["a step of 0", () => checkGradients(x, [x], { step: 0 }), /step is a positive number, got 0/],
  ["a step that is no number", () => checkGradients(x, [x], { step: "1" as never }), /step is a positive number, got "1"/],
  ["an infinite tolerance", () => checkGradients(x, [x], { tolerance: Infinity }), /tolerance is a positive number, got Infinity/],
  ["an unknown option", () => checkGradients(x, [x], { epsilon: 1 } as never), /unknown option "epsilon"/],
  ["no dependence", () => checkGradients(constant("float64", 1), [x]), /does not depend on variable 0/],
])("%s is refused", (_, call, message) => {
  expect(call).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT", message: expect.stringMatching(message) }));
});

test("a map with strides is written through", () => {
  const memory = Float64Array.of(1, 2, 3, 4);
  const column = stridedMap("float64", memory, [2], [2]);
  expect(checkGradients(column.exp(), [column])).toBeLessThan(1e-8);
  expect([...memory]).toEqual([1, 2, 3, 4]);
});
