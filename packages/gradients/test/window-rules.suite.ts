// The gradients of patches: windows of all strides, dilations and paddings, by sums over windows and by the sums of pieces.
import { expect, test } from "@jest/globals";
import { assignByReference } from "@onebuffer/eigen/internal";
import { explain } from "@onebuffer/compiler/internal";
import { constant, convolve, evaluate, extractPatches, maxPool, resize, tensorMap, unsortedSegmentSum } from "@onebuffer/eigen";
import type { ExpressionTree, TensorMap } from "@onebuffer/eigen";
import { isLong, sampled } from "@onebuffer/test-support";
import { foldedByWindows } from "@onebuffer/expression/internal";
import { gradients } from "@onebuffer/gradients";
import { differences, dot, elementsOf, float64, smallIntegers } from "./numeric-gradients.ts";
import type { Any64 } from "./numeric-gradients.ts";

/** Sizes, a window, strides, dilations and the padding before and behind. */
type Windows = readonly [readonly number[], readonly number[], readonly number[], readonly number[], readonly [number, number]];

// Windows that overlap, that tile and that leave gaps; sizes that are multiples of the strides and not; the last has too many phases.
const kWindows: readonly Windows[] = [
  [[9], [3], [1], [1], [0, 0]],
  [[9], [3], [1], [2], [1, 2]],
  [[8], [2], [2], [1], [0, 0]],
  [[9], [3], [2], [1], [0, 0]],
  [[8], [3], [2], [1], [0, 1]],
  [[8], [3], [2], [1], [2, 1]],
  [[10], [2], [3], [1], [1, 0]],
  [[11], [5], [3], [1], [0, 4]],
  [[9], [2], [2], [3], [0, 0]],
  [[9], [9], [1], [1], [0, 0]],
  [
    [6, 7],
    [3, 2],
    [1, 2],
    [1, 1],
    [1, 1],
  ],
  [
    [6, 8],
    [2, 3],
    [2, 2],
    [1, 1],
    [0, 1],
  ],
  [
    [5, 7],
    [1, 4],
    [2, 3],
    [1, 1],
    [0, 0],
  ],
  [
    [11, 12],
    [5, 5],
    [5, 5],
    [1, 1],
    [0, 0],
  ],
];

/** Returns patches of a padded x of [2, ...sizes, 3]. */
function patchesOf(x: Any64, [sizes, window, strides, dilations, padding]: Windows): Any64 {
  const pads = [[0, 0], ...sizes.map(() => padding), [0, 0]] as const;
  const axes = sizes.map((_, k) => k + 1);
  return extractPatches(x.pad(pads), window as number[], { axes, strides, dilations }) as unknown as Any64;
}

const count = (sizes: readonly number[]): number => sizes.reduce((a, b) => a * b, 1);
const integersOf = (sizes: readonly number[], seed: number): Any64 => float64(smallIntegers(count(sizes), seed), sizes) as unknown as Any64;

/** Checks <A x, g> = <x, A^T g> for a linear function, exactly. */
function expectAdjoint(y: Any64, x: Any64, seed: number): void {
  const g = integersOf(y.dimensions, seed);
  const [dx] = gradients(y, [x], { outputGradients: g });
  expect(dot(elementsOf(y), elementsOf(g))).toBe(dot(elementsOf(x), elementsOf(dx)));
}

test.each(sampled(kWindows, 4))("patches of %p by windows of %p, strides %p, dilations %p, padding %p: exact adjoints", (...windows) => {
  const [sizes] = windows;
  const x = integersOf([2, ...sizes, 3], 1);
  const patches = patchesOf(x, windows);
  const elements = patches.dimensions.slice(sizes.length + 2);
  const axes = sizes.map((_, k) => sizes.length + 2 + k);
  const perPlace = integersOf([...patches.dimensions.slice(0, sizes.length + 2), ...elements.map(() => 1)], 2);
  expectAdjoint(patches, x, 3);
  expectAdjoint(patches.sum(axes) as unknown as Any64, x, 4);
  expectAdjoint(patches.mul(integersOf(elements, 5)).sum(axes) as unknown as Any64, x, 6);
  expectAdjoint(patches.mul(perPlace).sum(axes) as unknown as Any64, x, 7);
  expectAdjoint(patches.mul(integersOf(patches.dimensions, 8)).sum(axes) as unknown as Any64, x, 9);
  // Channels in another order and in groups of one.
  const apart = patches.reshape(patches.dimensions.toSpliced(sizes.length + 1, 1, 3, 1));
  expectAdjoint(apart.mul(integersOf(elements, 10)).sum(axes.map((axis) => axis + 1)) as unknown as Any64, x, 11);
});

test.each(sampled(kWindows.toReversed(), 4))("the largest of windows %p %p %p %p %p: equal elements share", (...windows) => {
  const [sizes] = windows;
  const axes = sizes.map((_, k) => sizes.length + 2 + k);
  // Different elements, and a patch of the largest number twice.
  const dims = [1, ...sizes, 2];
  const x = float64(
    Array.from({ length: count(dims) }, (_, k) => Math.sin(3 * k + 1)),
    dims,
  );
  const y = patchesOf(x as unknown as Any64, windows).max(axes) as unknown as Any64;
  const g = smallIntegers(y.size, 3);
  const gradientOf = (): number[] => {
    const [dx] = gradients(y, [x as unknown as Any64], { outputGradients: float64(g, y.dimensions) as unknown as Any64 });
    return elementsOf(dx);
  };
  const wanted = differences(x, y, g, 2 ** -20);
  expect(Math.max(...gradientOf().map((each, k) => Math.abs(each - wanted[k]!)))).toBeLessThan(1e-6);
  x.copyFrom(new Array(x.size).fill(1) as never);
  expect(Math.abs(gradientOf().reduce((a, b) => a + b, 0) - g.reduce((a, b) => a + b, 0))).toBeLessThan(1e-9);
});

test.each(["float32", "float64"] as const)("extremes of windows of %s: kernel and evaluator agree bit for bit", (dtype) => {
  const kernelOf: string[] = [];
  for (const [dims, window, options] of [
    [[2, 8, 6, 5], 2, {}],
    [[1, 9, 7, 8], 3, { strides: 2, padding: "same" }],
    [[1, 5, 5, 1], [3, 2], { strides: 1, dilations: 2, padding: "same" }],
    [[1, 7, 4, 3], [1, 2], { strides: 3 }],
    [[2, 9, 4], [3], { padding: "same", strides: 1 }],
    [[1, 6, 6, 2], [5, 2], { strides: 1 }],
  ] as const) {
    // Many equal elements, and gradients that are -0.
    const x = tensorMap("float64", Float64Array.from(smallIntegers(count(dims), 3)), dims).cast(dtype) as never;
    const y = maxPool(x, window as never, options as never) as unknown as Any64;
    const g = tensorMap(
      "float64",
      Float64Array.from(smallIntegers(y.size, 4), (each) => (each === 0 ? -0 : each / 7)),
      y.dimensions,
    );
    const [dx] = gradients(y, [x], { outputGradients: g.cast(dtype) as never }) as unknown as [Any64];
    kernelOf.push(dx.toString().includes("sharedExtremes") ? "one" : "several");
    const wanted = tensorMap("float64", new Float64Array(dx.size), dx.dimensions);
    assignByReference(wanted as never, (dx as never as { cast(to: string): never }).cast("float64"));
    const found = elementsOf((dx as never as { cast(to: string): never }).cast("float64"));
    if (kernelOf.at(-1) === "one") expect(found).toEqual([...wanted]);
    expect(Math.abs(found.reduce((a, b) => a + b, 0) - [...g].reduce((a, b) => a + b, 0))).toBeLessThan(1e-4);
  }
  // A window of ten elements has no kernel.
  expect(kernelOf).toEqual(["one", "one", "one", "one", "one", "several"]);
});

test.each(["float32", "float64"] as const)("shares of %s are stored where no window has been, whatever was there before", (dtype) => {
  const dims = [2, 9, 8, 5] as const;
  const mapOf = (elements: readonly number[], sizes: readonly number[]): TensorMap<"float64", number> =>
    (dtype === "float64"
      ? tensorMap(dtype, Float64Array.from(elements), sizes)
      : tensorMap(dtype, Float32Array.from(elements), sizes)) as unknown as TensorMap<"float64", number>;
  const x = mapOf(smallIntegers(count(dims), 3), dims);
  // Windows that overlap, tile, leave gaps or the end out, are cut at one border or both, or lie in the padding.
  const along = [
    [3, 2, 1, [0, 1]],
    [3, 2, 1, [1, 1]],
    [3, 1, 1, [2, 0]],
    [2, 3, 1, [0, 0]],
    [3, 2, 1, [4, 3]],
    [2, 1, 2, [1, 2]],
    [3, 4, 1, [2, 1]],
    [1, 1, 1, [0, 0]],
  ] as const;
  for (const [i, [height, ...rows]] of along.entries()) {
    for (const [j, [width, ...columns]] of along.entries()) {
      // Each with one or two of the others, of each dtype with different ones; all pairs in `npm run long`.
      if (!isLong && (i + 3 * j + Number(dtype === "float32")) % 5 !== 0) continue;
      const padding = [[0, 0], rows[2], columns[2], [0, 0]] as const;
      const patches = extractPatches(x.pad(padding, { value: -Infinity }), [height, width], {
        axes: [1, 2],
        strides: [rows[0], columns[0]],
        dilations: [rows[1], columns[1]],
      });
      const y = patches.max([4, 5]);
      const g = mapOf(
        smallIntegers(y.size, 4).map((each) => each / 7),
        y.dimensions,
      );
      const [dx] = gradients(y, [x], { outputGradients: g });
      expect(dx.toString()).toContain("sharedExtremes");
      const [out, wanted] = [mapOf(new Array(x.size).fill(7), dims), mapOf(new Array(x.size).fill(7), dims)];
      out.assign(dx);
      assignByReference(wanted, dx);
      expect([height, rows, width, columns, ...out]).toEqual([height, rows, width, columns, ...wanted]);
    }
  }
});

test("the gradient of a resize is one pass along each axis, which agrees with the evaluator bit for bit", () => {
  // Larger and smaller images, one size that stays, and channels that fill no vector, one, and several.
  for (const [dims, size] of [
    [
      [2, 4, 5, 3],
      [7, 9],
    ],
    [
      [1, 6, 7, 1],
      [3, 2],
    ],
    [
      [1, 3, 4, 21],
      [3, 9],
    ],
    [
      [2, 3, 2, 70],
      [5, 2],
    ],
  ] as const) {
    const x = tensorMap("float32", Float32Array.from(smallIntegers(dims[0] * dims[1] * dims[2] * dims[3], 3)), dims);
    const y = resize(x, size);
    const g = tensorMap(
      "float32",
      Float32Array.from(smallIntegers(y.size, 4), (each) => (each === 0 ? -0 : each / 7)),
      y.dimensions,
    );
    const [dx] = gradients(y, [x], { outputGradients: g });
    const moved = dims.slice(1, 3).filter((each, axis) => each !== size[axis]).length;
    const { steps } = explain(dx.mul(3));
    expect(steps.filter(({ by }) => by === "loops")).toHaveLength(moved);
    expect(steps.filter(({ expression }) => expression.startsWith("scatter"))).toEqual([]);
    for (const expression of [dx, dx.mul(3)]) {
      const wanted = tensorMap("float32", new Float32Array(x.size), dims);
      assignByReference(wanted, expression);
      expect([...evaluate(expression)]).toEqual([...wanted]);
    }
  }
});

test("what only resembles the gradient of an interpolation is computed as it is written, and an index outside the axis is refused", () => {
  const g = tensorMap("float32", Float32Array.from(smallIntegers(20, 1)), [5, 4]);
  const share = tensorMap("float32", Float32Array.of(0.25, 0.5, 0, 1, 0.75), [5, 1]);
  const low = tensorMap("int32", Int32Array.of(2, 0, 0, 2, 1), [5]);
  const scaled = g.mul(share);
  const rest = g.add(scaled.neg());
  const [zeros, negative] = [constant("float32", 0, [3, 4]), constant("float32", -0, [3, 4])];
  const ends = tensorMap("int32", Int32Array.of(2, 0, 0, 2, 2), [5]);
  const spread = zeros.scatter(low, rest, 0, { reduction: "add" }).add(zeros.scatter(low, scaled, 0, { reduction: "add" }));
  const others = [
    zeros.scatter(low, rest, 0, { reduction: "add" }).add(zeros.scatter(low, g.mul(share), 0, { reduction: "add" })),
    zeros.scatter(low, rest, 0, { reduction: "add" }).add(zeros.scatter(low, scaled, 0, { reduction: "max" })),
    zeros
      .add(1)
      .scatter(low, rest, 0, { reduction: "add" })
      .add(zeros.scatter(low, scaled, 0, { reduction: "add" })),
    // Row 1 gets nothing, and is -0.
    negative.scatter(ends, rest, 0, { reduction: "add" }).add(negative.scatter(ends, scaled, 0, { reduction: "add" })),
  ];
  expect([spread, ...others].map((each) => explain(each).steps.some(({ expression }) => expression.startsWith("scatter")))).toEqual([
    false,
    true,
    true,
    true,
    true,
  ]);
  for (const expression of [spread, ...others]) {
    const wanted = tensorMap("float32", new Float32Array(12), [3, 4]);
    assignByReference(wanted, expression);
    expect([...evaluate(expression)]).toEqual([...wanted]);
  }
  low.set(1, 3);
  expect(() => evaluate(spread)).toThrow("scatter: indices[1] = 3 is not in [0, 3)");
});

test("the gradient of shared extremes is its exact adjoint; padding that may be an extreme shares with it", () => {
  const x = integersOf([2, 5, 4, 3], 1);
  const y = maxPool(x as never, 2, { strides: 1, padding: "same" }) as unknown as Any64;
  // Shares of two, three and four equal elements are exact, as multiples of 12 are.
  const g = integersOf(y.dimensions, 2).mul(12) as unknown as Any64;
  const leaf = tensorMap("float64", Float64Array.from(elementsOf(g)), y.dimensions) as unknown as Any64;
  const [dx] = gradients(y, [x], { outputGradients: leaf });
  const u = integersOf(x.dimensions, 3).mul(12) as unknown as Any64;
  const [dg] = gradients(dx, [leaf], { outputGradients: u });
  expect(dot(elementsOf(dx), elementsOf(u))).toBe(dot(elementsOf(leaf), elementsOf(dg)));
  const zeros = float64([-1, 0, -1], [1, 3, 1]) as unknown as Any64;
  const largest = extractPatches(zeros.pad([[0, 0], [1, 0], [0, 0]]), [2], { axes: [1] }).max([3]) as unknown as Any64; // biome-ignore format: a pair per axis
  const [shared] = gradients(largest, [zeros], { outputGradients: float64([4, 8, 16], [1, 3, 1]) as unknown as Any64 });
  expect(elementsOf(shared)).toEqual([0, 24, 0]);
});

test("the gradient of depthwise filters reads images and gradients along their channels, on both sides of the threshold", () => {
  for (const channels of [7, 8, 16]) {
    const image = float64(smallIntegers(42 * channels, 3), [1, 6, 7, channels]);
    const filters = float64(smallIntegers(9 * channels, 4), [3, 3, 1, channels]);
    const y = convolve(image as never, filters as never, { groups: channels }) as unknown as Any64;
    const g = float64(smallIntegers(y.size, 5), y.dimensions);
    const [dx] = gradients(y, [filters], { outputGradients: g });
    // Of small integers all sums are exact.
    const [found, wanted] = [elementsOf(dx), float64(new Array<number>(filters.size).fill(0), filters.dimensions)];
    assignByReference(wanted as never, dx as never);
    expect(found).toEqual([...wanted]);
    const sums = explain(dx as never).steps.filter(({ expression }) => expression.includes("sum("));
    expect(sums[0]!.accesses.slice(1)).toEqual(channels < 8 ? expect.anything() : ["contiguous", "contiguous"]);
  }
});

test("the gradient of filters is one product, stored in the order of the filters", () => {
  const [x, f] = [integersOf([2, 6, 5, 4], 1), integersOf([3, 2, 4, 8], 2)];
  const y = convolve(x as never, f as never) as unknown as Any64;
  const [df] = gradients(y, [f as never], { outputGradients: integersOf(y.dimensions, 3) }) as unknown as [Any64];
  expect(explain(df as never).steps.map(({ by }) => by)).toEqual(["contraction"]);
  expectAdjoint(y, f, 4);
});

test("the gradient of a padded image that is a variable itself has the padding, too", () => {
  const padded = (float64([1, 2, 3], [1, 3, 1]) as unknown as Any64).pad([[0, 0], [1, 1], [0, 0]]); // biome-ignore format: a pair per axis
  const y = extractPatches(padded, [2], { axes: [1] }) as unknown as Any64;
  const [dx] = gradients(y, [padded], { outputGradients: integersOf(y.dimensions, 1).mul(0).add(1) });
  expect(elementsOf(dx)).toEqual([1, 2, 2, 2, 1]);
  const pooled = maxPool(padded as never, [2], { strides: 1 }) as unknown as Any64;
  expect(elementsOf(gradients(pooled.sum(), [padded as never])[0])).toEqual([0, 1, 1, 2, 0]);
});

test("patches without a common form are added up piece by piece", () => {
  const patches = integersOf([2, 4, 3], 1);
  const attributes = { axes: [1], strides: [1], dilations: [1] };
  const isFound = (each: unknown): boolean => foldedByWindows(each as ExpressionTree, [2, 6], attributes, [0]) !== null;
  const perWindow = patches.sum([2]).reshape([2, 4, 1]);
  expect(isFound(patches)).toBe(false);
  expect(isFound(perWindow.broadcast([2, 4, 3]))).toBe(true);
  expect(isFound(perWindow.mul(integersOf([3], 2)))).toBe(true);
  // A product of many factors: one node below the next, up to 12.
  const deep = (factors: number): Any64 =>
    Array.from({ length: factors }).reduce<Any64>((product) => product.mul(integersOf([3], 2)) as unknown as Any64, perWindow);
  expect([11, 12, 13, 14].map((factors) => isFound(deep(factors)))).toEqual([true, true, false, false]);
  // A sum is not 0 where there is no window.
  expect(isFound(perWindow.add(integersOf([3], 2)))).toBe(false);
  expect(isFound(perWindow.mul(patches))).toBe(false);
});

test("sums of segments: rows that were left out have a gradient of 0, for few segments and for many", () => {
  for (const segments of [2, 4, 5, 9]) {
    for (const ids of [Int32Array.of(0, -1, 1, 0, 1), BigInt64Array.of(1n, 0n, -1n, -1n, 1n)]) {
      const x = integersOf([5, 3], 1);
      const at = ids instanceof Int32Array ? tensorMap("int32", ids, [5]) : tensorMap("int64", ids as BigInt64Array<ArrayBuffer>, [5]);
      expectAdjoint(unsortedSegmentSum(x, at, segments) as unknown as Any64, x, segments);
    }
  }
});
