// The gradients of running products and extremes, of products over axes, and of the recurrence that they are made of.
import { expect, test } from "@jest/globals";
import { tensorMap } from "@onebuffer/eigen";
import { markedCumsum, scaledCumsum } from "@onebuffer/expression/internal";
import { gradients } from "@onebuffer/gradients";
import { isLong, sampled } from "@onebuffer/test-support";
import { differences, dot, elementsOf, float64, smallIntegers } from "./numeric-gradients.ts";
import type { Any64 } from "./numeric-gradients.ts";

type Float64Map = ReturnType<typeof float64>;

const kFlags = [false, true].flatMap((exclusive) => [false, true].map((reverse) => ({ exclusive, reverse })));

/** Returns the gradient of y of the sum of y g. */
function gradientOf(y: unknown, x: unknown, g: readonly number[]): number[] {
  const [dx] = gradients(y as Any64, [x as Any64], { outputGradients: float64(g, (y as Any64).dimensions) });
  return elementsOf(dx);
}

function expectNear(found: readonly number[], wanted: readonly number[]): void {
  expect(found.length).toBe(wanted.length);
  expect(Math.max(...found.map((each, k) => Math.abs(each - wanted[k]!)))).toBeLessThan(1e-6);
}

/** Rows without a zero, with one, with two, and with a zero at each end. */
const kRows = [2, 3, -1, 0.5, 2, 0, 3, -1, 0, 2, 0, 3, 0, 1, 5, 0, 0, 0, 0, 0];

test.each(kFlags)("cumprod of rows with zeros: %o", (flags) => {
  const g = smallIntegers(20, 5);
  for (const [sizes, axis] of [
    [[5, 4], 1],
    [[4, 5], 0],
    [[2, 5, 2], 1],
  ] as const) {
    const x = float64(kRows, sizes);
    const y = x.cumprod(axis, flags);
    expectNear(gradientOf(y, x, g), differences(x, y as never, g));
  }
});

/** The dtypes of products, with the elements of rows of four. */
const kRowsOfFour = {
  float32: (row: readonly number[]) => Float32Array.from(row),
  float64: (row: readonly number[]) => Float64Array.from(row),
  complex64: (row: readonly number[]) => Float32Array.from(row.flatMap((each) => [each, 0])),
  complex128: (row: readonly number[]) => Float64Array.from(row.flatMap((each) => [each, 0])),
};

test.each(Object.keys(kRowsOfFour) as (keyof typeof kRowsOfFour)[])(
  "an exclusive cumprod does not use the element at its end, whose gradient is 0: %s",
  (dtype) => {
    const gradientOfRow = (row: readonly number[], axis: number, reverse: boolean): number[] => {
      const order = (list: readonly number[]): readonly number[] => (reverse ? list.toReversed() : list);
      const mapOf = (list: readonly number[]) => tensorMap(dtype as "float64", kRowsOfFour[dtype](order(list)) as Float64Array, sizes);
      const sizes = axis === 0 ? [4, 1] : [1, 4];
      const x = mapOf(row);
      const [dx] = gradients(x.cumprod(axis, { exclusive: true, reverse }), [x], { outputGradients: mapOf([1, 10, 100, 1000]) });
      return [...order(elementsOf(dx.cast("complex128").real()))];
    };
    for (const reverse of [false, true]) {
      for (const axis of [0, 1]) {
        for (const end of [5, 0, Infinity, -Infinity, NaN]) {
          expect(gradientOfRow([2, 3, 4, end], axis, reverse)).toEqual([12310, 8200, 6000, 0]);
        }
        // The product before the end is infinite: the gradient of the end is 0 still.
        expect(gradientOfRow([2, 3, Infinity, 4], axis, reverse)[3]).toBe(0);
      }
    }
  },
);

test("prod over one axis, over neighbors and over axes that are apart, with zeros", () => {
  for (const axes of [[0], [2], [0, 1], [1, 2], [0, 2], [0, 1, 2], []]) {
    const x = float64([2, 3, -1, 0, 2, 0, 3, 1, 0, 2, 1, 3], [2, 3, 2]);
    const y = x.prod(axes) as unknown as Any64;
    const g = smallIntegers(y.size, 3);
    expectNear(gradientOf(y, x, g), differences(x, y, g));
  }
});

test("cummax and cummin: an element has the gradients of the places where it was the last that reached the extreme", () => {
  const x = float64([1, 3, 3, 2, 5, 4, 5, 0], [8]);
  const g = [1, 2, 4, 8, 16, 32, 64, 128];
  expect(gradientOf(x.cummax(0), x, g)).toEqual([1, 2, 12, 0, 48, 0, 192, 0]);
  expect(gradientOf(x.cummin(0), x, g)).toEqual([127, 0, 0, 0, 0, 0, 0, 128]);
  expect(gradientOf(x.cummax(0, { reverse: true }), x, g)).toEqual([0, 0, 0, 0, 31, 0, 96, 128]);
  expect(gradientOf(x.cummax(0, { exclusive: true }), x, g)).toEqual([2, 4, 24, 0, 96, 0, 128, 0]);
  // NaN is no extreme that an element reached; infinite gradients and NaN stay in their part.
  const y = float64([1, 2, NaN, 3], [4]);
  expect(gradientOf(y.cummax(0), y, [1, 2, 4, 8])).toEqual([1, 14, 0, 0]);
  expect(gradientOf(x.cummax(0), x, [1, 2, 4, 8, Infinity, 32, NaN, 128])).toEqual([1, 2, 12, 0, Infinity, 0, NaN, 0]);
});

/** The operands by which a gradient of scaledCumsum is taken, and then by which of the elements, the factors and the weights. */
const kOrders = kFlags.flatMap((flags) =>
  // It is linear in the elements and in the weights.
  (["xa", "xw", "ax", "aa", "aw", "wx", "wa"] as const).map((order) => ({ flags, order })),
);
const kSomeOrders = sampled(kOrders, 6);

test.each(kFlags)("scaledCumsum: exact adjoint of the elements, differences of factors and weights, second order: %o", (flags) => {
  const [sizes, axis] = [isLong ? [3, 5, 2] : [2, 4, 1], 1] as const;
  const integers = (seed: number): number[] => smallIntegers(isLong ? 30 : 8, seed);
  const [x, a, w] = [1, 2, 5].map((seed) => float64(integers(seed), sizes)) as [Float64Map, Float64Map, Float64Map];
  const y = scaledCumsum(x as never, a as never, w as never, axis, flags) as unknown as Any64;
  const g = integers(3);
  // <A x, g> = <x, A^T g>, exactly.
  expect(dot(elementsOf(y), g)).toBe(dot([...x], gradientOf(y, x, g)));
  expectNear(gradientOf(y, a, g), differences(a, y, g));
  expectNear(gradientOf(y, w, g), differences(w, y, g));
  for (const { order } of kSomeOrders.filter((each) => each.flags === flags)) {
    const [by, other] = [...order].map((letter) => ({ x, a, w })[letter as "x" | "a" | "w"]) as [Float64Map, Float64Map];
    const [dy] = gradients(y, [by], { outputGradients: float64(g, sizes) });
    expectNear(gradientOf(dy, other, integers(4)), differences(other, dy as never, integers(4)));
  }
});

test.each(kFlags)("scaledCumsum does not use the factor at its end, whose gradient is 0: %o", (flags) => {
  const order = (list: readonly number[]): number[] => (flags.reverse ? list.toReversed() : [...list]);
  const row = (list: readonly number[]): Float64Map => float64(order(list), [list.length]);
  const gradientsOf = (elements: readonly number[], factors: readonly number[]): number[][] => {
    const operands = [elements, factors, elements.map(() => 1)].map(row) as [Float64Map, Float64Map, Float64Map];
    const y = scaledCumsum(...(operands as [never, never, never]), 0, flags) as unknown as Any64;
    const given = order([1, 10, 100].slice(0, elements.length));
    return operands.map((by) => order(gradientOf(y, by, given)));
  };
  const ofElements = flags.exclusive ? [310, 100, 0] : [621, 310, 100];
  const ofFactors = flags.exclusive ? [0, 100, 0] : [310, 400, 0];
  const totals = flags.exclusive ? [0, 1, 5] : [1, 4, 15];
  for (const end of [5, 0, Infinity, -Infinity, NaN]) {
    const ofWeights = [1, 10, 100].map((each, k) => each * totals[k]!);
    expect(gradientsOf([1, 2, 3], [2, 3, end])).toEqual([ofElements, ofFactors, ofWeights]);
    // The total at the end is infinite: the gradient of the factor is 0 still.
    expect(gradientsOf([1, 2, Infinity], [2, 3, end])[1]).toEqual(ofFactors);
    expect(gradientsOf([3], [end])).toEqual(flags.exclusive ? [[0], [0], [0]] : [[1], [0], [3]]);
  }
  expect(gradientsOf([], [])).toEqual([[], [], []]);
});

test.each(kFlags)("markedCumsum: exact adjoint, and of that the adjoint again: %o", (flags) => {
  const [sizes, axis] = [[3, 5, 2], 1] as const;
  const [x, a, b, g, u] = [1, 2, 5, 3, 4].map((seed) => float64(smallIntegers(30, seed), sizes)) as Float64Map[];
  const y = markedCumsum(x as never, a as never, b as never, axis, flags) as unknown as Any64;
  const [dx] = gradients(y, [x!], { outputGradients: g! });
  expect(dot(elementsOf(y), [...g!])).toBe(dot([...x!], elementsOf(dx)));
  const [du] = gradients(dx, [g!], { outputGradients: u! });
  const again = markedCumsum(u as never, a as never, b as never, axis, flags);
  expect(elementsOf(du)).toEqual(elementsOf(again));
});

test("scans of three operands refuse other sizes, with all shown", () => {
  const x = float64([1, 2], [2]) as never;
  const other = float64([1, 2], [2, 1]) as never;
  expect(() => scaledCumsum(x, other, x, 0, {})).toThrow("the operands must have the same sizes");
  expect(() => markedCumsum(x, x, other, 0, {})).toThrow("the operands must have the same sizes");
});
