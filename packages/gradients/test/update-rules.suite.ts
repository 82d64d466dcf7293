// The update rules against the same formulas in plain JavaScript, over several steps, for the dtypes and kinds of parameters they take.
import { expect, test } from "@jest/globals";
import { constant, tensorMap, updateTogether } from "@onebuffer/eigen";
import type { Assigned } from "@onebuffer/eigen";
import { scope, Tensor } from "@onebuffer/core";
import type { Keep } from "@onebuffer/core";
import { adam, adamState, gradients, momentum, momentumState, rmsProp, rmsPropState, sgd } from "@onebuffer/gradients";

/** The loss sum(x^3) / 3 has the gradient x^2. */
const kStart = [1, -0.5, 2];
const kSteps = 5;

/** The pairs of a rule, and what it does with one element. */
type Rule = readonly [
  make: (x: Tensor<"float64">, g: never, keep: Keep) => Assigned[],
  update: (x: number, g: number, step: number, k: number) => number,
];

/** Runs steps of a rule over a float64 tensor, and the same in JavaScript; compares the elements after each. */
function compare(...rule: Rule): void {
  scope((keep) => compareSteps(keep, ...rule));
}

function compareSteps(keep: Keep, ...[make, update]: Rule): void {
  const x = keep(Tensor.from(kStart, { dtype: "float64" }));
  const loss = x.vec().square().mul(x).sum().div(3);
  const pairs = make(x, gradients(loss, [x]) as never, keep);
  let expected = kStart;
  for (let step = 1; step <= kSteps; step++) {
    updateTogether(pairs);
    expected = expected.map((each, k) => update(each, each * each, step, k));
    const error = (x.toArray() as number[]).map((each, k) => Math.abs(each - expected[k]!));
    expect(Math.max(...error)).toBeLessThan(1e-12);
  }
}

test("sgd", () => {
  compare(
    (x, g) => sgd([x], g, { learningRate: 0.1 }),
    (x, g) => x - 0.1 * g,
  );
  compare(
    (x, g) => sgd([x], g),
    (x, g) => x - 0.01 * g,
  );
});

test.each([false, true])("momentum, nesterov %s", (nesterov) => {
  const v = kStart.map(() => 0);
  compare(
    (x, g, keep) => {
      const state = momentumState([x]);
      for (const each of state) keep(each);
      return momentum([x], g, state, { learningRate: 0.1, momentum: 0.8, nesterov });
    },
    (x, g, _, k) => {
      v[k] = 0.8 * v[k]! + g;
      return x - 0.1 * (nesterov ? g + 0.8 * v[k]! : v[k]!);
    },
  );
});

test("adam", () => {
  const [m, v] = [kStart.map(() => 0), kStart.map(() => 0)];
  compare(
    (x, g, keep) => {
      const state = adamState([x]);
      for (const each of [state.steps, ...state.means, ...state.squares]) keep(each);
      return adam([x], g, state, { learningRate: 0.1, beta1: 0.8, beta2: 0.99, epsilon: 1e-6 });
    },
    (x, g, t, k) => {
      m[k] = 0.8 * m[k]! + (1 - 0.8) * g;
      v[k] = 0.99 * v[k]! + (1 - 0.99) * g * g;
      return x - (((0.1 * Math.sqrt(1 - 0.99 ** t)) / (1 - 0.8 ** t)) * m[k]!) / (Math.sqrt(v[k]!) + 1e-6);
    },
  );
});

test("rmsProp", () => {
  const s = kStart.map(() => 0);
  compare(
    (x, g, keep) => {
      const state = rmsPropState([x]);
      for (const each of state) keep(each);
      return rmsProp([x], g, state, { learningRate: 0.1, rho: 0.7, epsilon: 1e-6 });
    },
    (x, g, _, k) => {
      s[k] = 0.7 * s[k]! + (1 - 0.7) * g * g;
      return x - (0.1 * g) / Math.sqrt(s[k]! + 1e-6);
    },
  );
});

test.each(["float16", "bfloat16"] as const)("parameters of %s move as those of float64 do: shares near 1 are not rounded to 1", (dtype) => {
  scope((keep) => {
    const after = (rule: string, of: "float64" | typeof dtype): number => {
      const x = keep(Tensor.full([1], 1, { dtype: of }));
      const gs = gradients(x.vec().square().sum() as never, [x]) as never;
      const state = adamState([x]);
      const [squares] = rmsPropState([x]);
      for (const each of [state.steps, ...state.means, ...state.squares, squares!]) keep(each);
      const isAdam = rule === "adam";
      const step = isAdam ? adam([x], gs, state, { learningRate: 0.1 }) : rmsProp([x], gs, [squares!], { learningRate: 0.01, rho: 0.999 });
      for (let k = 0; k < 5; k++) updateTogether(step);
      return (x.toArray() as number[])[0]!;
    };
    for (const rule of ["adam", "rmsProp"]) expect(Math.abs(after(rule, dtype) - after(rule, "float64"))).toBeLessThan(0.01);
  });
});

test("a learning rate in a tensor changes between steps", () => {
  scope((keep) => {
    const x = keep(Tensor.from([1]));
    const rate = keep(Tensor.from(0.5));
    const step = sgd([x], [constant("float32", 1, [1])], { learningRate: rate });
    updateTogether(step);
    expect(x.toArray()).toEqual([0.5]);
    rate.assign(constant("float32", 0.25));
    updateTogether(step);
    expect(x.toArray()).toEqual([0.25]);
  });
});

test("parameters of several dtypes and ranks, maps among them", () => {
  scope((keep) => {
    const [a, b] = [keep(Tensor.ones([2, 2])), keep(Tensor.ones([], { dtype: "bfloat16" }))];
    const c = tensorMap("float64", Float64Array.of(1, 1), [2]);
    const gs = [constant("float32", 1, [2, 2]), constant("bfloat16", 1), constant("float64", 1, [2])] as const;
    const state = momentumState([a, b, c]);
    for (const each of state) keep(each);
    updateTogether(momentum([a, b, c], gs, state, { learningRate: 0.5 }));
    expect([a.toArray(), b.toArray(), c.toArray()]).toEqual([
      [
        [0.5, 0.5],
        [0.5, 0.5],
      ],
      0.5,
      [0.5, 0.5],
    ]);
  });
});

const w = tensorMap("float32", Float32Array.of(1), [1]);
const g = constant("float32", 1, [1]);
const n = tensorMap("int32", Int32Array.of(1), [1]);

test.each<[string, () => unknown, RegExp]>([
  ["no list", () => sgd(w as never, [g]), /sgd: .* is not a list of tensors/],
  ["billions of holes", () => sgd(Object.assign([], { length: 2 ** 32 - 1 }), [g]), /sgd: undefined is not a map/],
  ["an expression as parameter", () => sgd([g], [g]), /parameter 0, float32 \[1\], is not a tensor or map of floats/],
  ["integers", () => sgd([n as never], [g]), /parameter 0, int32 \[1\], is not a tensor or map of floats/],
  ["too few gradients", () => sgd([w], []), /one gradient for each of 1 parameters/],
  ["a gradient of other sizes", () => sgd([w], [constant("float32", 1)]), /gradient 0, float32 \[\], must have/],
  ["a rate that is no number", () => sgd([w], [g], { learningRate: Number.NaN }), /learningRate is a number, .* got NaN/],
  ["a rate of several elements", () => sgd([w], [g], { learningRate: w }), /learningRate is a number/],
  ["an unknown option", () => sgd([w], [g], { rate: 1 } as never), /unknown option "rate"/],
  ["too few velocities", () => momentum([w], [g], []), /velocities has a tensor for each of 1 parameters/],
  ["other means", () => adam([w], [g], { steps: w as never, means: [n as never], squares: [] }), /tensor 0 of means, int32 \[1\]/],
  ["no state", () => adam([w], [g], undefined as never), /the state is what adamState\(parameters\) returned, got undefined/],
  ["a state for no list", () => adamState(-1 as never), /adamState: -1 is not a list of tensors/],
  ["expressions as squares", () => rmsProp([w], [g], [g]), /tensor 0 of squares, float32 \[1\]/],
  ["a state for integers", () => adamState([n as never]), /parameter 0, int32 \[1\], is not a tensor/],
])("%s is refused", (_, call, message) => {
  expect(call).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT", message: expect.stringMatching(message) }));
});
