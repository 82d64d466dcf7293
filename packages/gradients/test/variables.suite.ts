// Variables are found by their places: views, second maps, tensors that share bytes, one flat tensor of all parameters.
import { expect, test } from "@jest/globals";
import { constant, convolve, evaluate, stridedMap, tensorMap } from "@onebuffer/eigen";
import type { Expression } from "@onebuffer/eigen";
import { Tensor } from "@onebuffer/core";
import { gradients, stopGradient } from "@onebuffer/gradients";
import type { Built } from "./differences/subject.ts";

const elements = (e: Expression<"float32" | "float64", number>): unknown => evaluate(e).toArray();

/** A tensor of 1 to 6, [2, 3]. */
const numbers = (): Tensor<"float64"> =>
  Tensor.from(
    [
      [1, 2, 3],
      [4, 5, 6],
    ],
    { dtype: "float64" },
  );

test("two maps of a tensor and a tensor that shares its bytes are one variable", () => {
  using t = numbers();
  using flat = t.reshape([6]);
  const y = t.matrix().sum().add(t.matrix().square().sum()).add(flat.vec().mul(10).sum());
  expect(elements(gradients(y, [t])[0])).toEqual([
    [13, 15, 17],
    [19, 21, 23],
  ]);
  expect(elements(gradients(y, [flat])[0])).toEqual([13, 15, 17, 19, 21, 23]);
});

test.each<readonly [name: string, read: (t: Tensor<"float64">) => Built, expected: number[][]]>([
  [
    "every other column",
    (t) => t.matrix().strided(":, ::2").square(),
    [
      [2, 0, 6],
      [8, 0, 12],
    ],
  ],
  [
    "columns backwards",
    (t) =>
      t
        .matrix()
        .strided(":, ::-1")
        .mul(tensorMap("float64", Float64Array.of(1, 2, 3), [3])),
    [
      [3, 2, 1],
      [3, 2, 1],
    ],
  ],
  [
    "a transposed view",
    (t) =>
      t
        .matrix()
        .strided()
        .transpose()
        .mul(tensorMap("float64", Float64Array.of(1, 2), [2])),
    [
      [1, 1, 1],
      [2, 2, 2],
    ],
  ],
  [
    "a column",
    (t) => t.matrix().chip(1, 1).square(),
    [
      [0, 4, 0],
      [0, 10, 0],
    ],
  ],
  [
    "a row",
    (t) => t.matrix().chip(1, 0).square(),
    [
      [0, 0, 0],
      [8, 10, 12],
    ],
  ],
  [
    "a row repeated",
    (t) => t.matrix().strided("1:2").broadcast([4, 3]),
    [
      [0, 0, 0],
      [4, 4, 4],
    ],
  ],
  [
    "columns repeated",
    (t) => t.matrix().strided(":, 0:1").broadcast([2, 5]),
    [
      [5, 0, 0],
      [5, 0, 0],
    ],
  ],
  [
    "a range backwards in steps",
    (t) => t.matrix().strided("::-1, 2:0:-2"),
    [
      [0, 0, 1],
      [0, 0, 1],
    ],
  ],
])("the gradient of %s is put at its places", (_, read, expected) => {
  using t = numbers();
  expect(elements(gradients(read(t).sum(), [t])[0])).toEqual(expected);
});

test("one flat tensor has all parameters", () => {
  using all = Tensor.from([1, 2, 3, 4, 5, 6]);
  using flat = all.slice(0, 4);
  using w = flat.reshape([2, 2]);
  using b = all.slice(4, 6);
  const y = w.matrix().matMul(w.matrix()).add(b.vec()).sum();
  expect(elements(gradients(y, [all])[0])).toEqual([7, 11, 9, 13, 2, 2]);
  expect(gradients(y, [w, b, all]).map(elements)).toEqual([
    [
      [7, 11],
      [9, 13],
    ],
    [2, 2],
    [7, 11, 9, 13, 2, 2],
  ]);
});

test("a variable with strides is found by a map of the same places", () => {
  const memory = Float64Array.of(1, 2, 3, 4, 5, 6);
  const again = stridedMap("float64", memory, [3], [2]);
  const y = stridedMap("float64", memory, [3], [2]).square().sum();
  expect(elements(gradients(y, [again])[0])).toEqual([2, 6, 10]);
});

test("an expression inside y is a variable, by identity", () => {
  using t = numbers();
  const inner = t.matrix().exp();
  const [dt, de] = gradients(inner.mul(3).sum(), [t, inner]);
  expect(elements(de)).toEqual([
    [3, 3, 3],
    [3, 3, 3],
  ]);
  expect(elements(dt)).toEqual(evaluate(inner.mul(3)).toArray());
  expect(() => gradients(t.matrix().exp().sum(), [inner])).toThrow("does not depend on variable 0");
});

test("a variable may be given twice, and be y itself", () => {
  const x = tensorMap("float64", Float64Array.of(3), []);
  expect(gradients(x, [x, x]).map(elements)).toEqual([1, 1]);
});

test("the part that softmax is made of is a variable", () => {
  const x = tensorMap("float64", Float64Array.of(1, 2), [2]);
  const shifted = x.sub(x.max([0], { keepDims: true }));
  const powers = shifted.exp();
  const y = powers
    .div(powers.sum([0], { keepDims: true }))
    .mul(tensorMap("float64", Float64Array.of(1, 0), [2]))
    .sum();
  const [whole, part] = gradients(y, [x, shifted]);
  const [a, b] = elements(whole) as [number, number];
  const [c, d] = elements(part) as [number, number];
  for (const [ours, expected] of [
    [a, 0.19661193324148185],
    [b, -0.19661193324148185],
    [c, a],
    [d, b],
  ] as const) {
    expect(Math.abs(ours - expected)).toBeLessThan(1e-12);
  }
});

const half = new Float64Array(8);

test.each<[string, () => unknown, RegExp]>([
  [
    "a leaf half inside",
    () => gradients(tensorMap("float64", half, [8]).strided("2:6").sum(), [tensorMap("float64", half.subarray(0, 4), [4])]),
    /variable 0, float64 \[4\], only in part through float64 \[4\]/,
  ],
  [
    "a leaf around the variable",
    () => gradients(tensorMap("float64", half, [8]).sum(), [tensorMap("float64", half.subarray(2, 4), [2])]),
    /variable 0, float64 \[2\], only in part through float64 \[8\]/,
  ],
  [
    "a leaf of another dtype",
    () => gradients(tensorMap("float32", new Float32Array(half.buffer), [16]).sum(), [tensorMap("float64", half, [8])]),
    /variable 0, float64 \[8\], with another dtype through float32 \[16\]/,
  ],
  [
    "other places of a variable with strides",
    () => gradients(tensorMap("float64", half, [8]).sum(), [stridedMap("float64", half, [4], [2])]),
    /variable 0, float64 \[4\], only in part through float64 \[8\]/,
  ],
])("%s is refused, and both are named", (_, call, message) => {
  expect(call).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT", message: expect.stringMatching(message) }));
});

test("a map beside a variable is apart", () => {
  const w = tensorMap("float64", half.subarray(0, 4), [4]);
  const other = tensorMap("float64", half.subarray(4), [4]);
  expect(elements(gradients(w.sum().add(other.sum()), [w])[0])).toEqual([1, 1, 1, 1]);
});

test("a tensor without elements has an empty gradient, whatever y reads", () => {
  using none = Tensor.zeros([0, 3]);
  using some = Tensor.from([1, 2]);
  expect(elements(gradients(none.matrix().sum().add(some.vec().sum()), [none])[0])).toEqual([]);
  expect(gradients(some.vec().sum(), [none])[0].dimensions).toEqual([0, 3]);
  expect(() => gradients(none.matrix().sum(), [some])).toThrow("does not depend on variable 0, float32 [2]");
});

test("what is stopped counts as constant", () => {
  const x = tensorMap("float64", Float64Array.of(2, 3), [2]);
  expect(elements(gradients(stopGradient(x.square()).mul(x).sum(), [x])[0])).toEqual([4, 9]);
  const y = constant("float64", 1, [2]).add(stopGradient(x));
  expect(elements(gradients(y.sum(), [x], { unconnected: "zero" })[0])).toEqual([0, 0]);
});

/** Returns a leaf over the elements of a map, which calls `work` whenever it is asked for its places. */
function leafThatCalls<T extends object>(map: T, work: () => void): T {
  const places = (): unknown => {
    work();
    return (map as T & { rawPlaces(): unknown }).rawPlaces();
  };
  return new Proxy(map, { get: (target, key) => (key === "rawPlaces" ? places : Reflect.get(target, key, target)) });
}

test("gradients within gradients, of the same expressions, by a leaf of the program's own, change neither", () => {
  const elements = (sizes: readonly number[]) =>
    tensorMap(
      "float64",
      Float64Array.from({ length: sizes.reduce((a, b) => a * b, 1) }, (_, k) => Math.sin(k)),
      sizes,
    );
  const [image, filters] = [elements([2, 8, 8, 4]), elements([3, 3, 4, 8])];
  const made = image.mul(image);
  const twice = made.add(made);
  let [calls, inner] = [0, Number.NaN];
  const leaf = leafThatCalls(filters, () => {
    calls++;
    if (calls === 1) inner = evaluate(gradients(twice.sum(), [image])[0].sum()).at();
  });
  const lossOf = (k: typeof filters) => convolve<"float64", number>(twice, k).square().sum().add(made.exp().sum());
  const [wanted] = gradients(lossOf(filters), [image]);
  const [got] = gradients(lossOf(leaf), [image]);
  expect(calls).toBeGreaterThan(0);
  expect(inner).toBeCloseTo(4 * evaluate(image.sum()).at(), 9);
  const difference = evaluate(got.sub(wanted).abs().max()).at();
  expect(difference).toBeLessThan(1e-9);
});

test("an expression that shares Proxies of its nodes, sixty deep, is walked once", () => {
  using x = Tensor.from([1], { dtype: "float64" });
  let y = x.vec().mul(0.5);
  for (let k = 0; k < 60; k++) y = new Proxy(y, {}).add(y).mul(0.5);
  expect(elements(gradients(y.sum(), [x])[0])).toEqual([0.5]);
});
