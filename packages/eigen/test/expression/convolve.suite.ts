// Convolutions, pooling, patches and resize against naive twins: both evaluators, random sizes, strides, dilations, paddings, groups, orders
// of axes and layouts. Elements are small integers, so sums are exact.
import { describe, expect, test } from "@jest/globals";
import { avgPool, convolve, evaluate, extractImagePatches, extractPatches, maxPool, resize, tensorMap } from "@onebuffer/eigen";
import type { Expression } from "@onebuffer/eigen";
import { assignByReference } from "@onebuffer/eigen/internal";
import { explain } from "@onebuffer/compiler/internal";
import { isLong } from "@onebuffer/test-support";
import fc from "fast-check";
import { arenaMap, Dice, layouts, subject } from "../kernel/kernel-subjects.ts";
import type { Layout } from "../kernel/kernel-subjects.ts";
import { product } from "../row-major.ts";

/** The operands here are built from random sizes, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
/** Compiles only if the type argument is `true`. */
function same<_T extends true>(): void {}

/** Returns the indices of an array of these sizes, in row-major order. */
function indicesOf(sizes: readonly number[]): number[][] {
  return sizes.reduce<number[][]>((list, size) => list.flatMap((index) => Array.from({ length: size }, (_, i) => [...index, i])), [[]]);
}

const unsigned = (value: number): number => (value === 0 ? 0 : value);

/** Expects both evaluators to compute these elements of what `write` describes, which they describe anew. */
function agrees(write: () => Any, dims: readonly number[], wanted: readonly number[]): void {
  const expr = write();
  expect(expr.dimensions).toEqual(dims);
  const [plain, out] = [arenaMap(expr.dtype, dims) as Any, arenaMap(expr.dtype, dims) as Any];
  assignByReference(plain, expr);
  out.assign(write());
  expect([...plain].map(unsigned)).toEqual(wanted.map(unsigned));
  expect([...out].map(unsigned)).toEqual(wanted.map(unsigned));
}

interface Axis {
  readonly size: number;
  readonly window: number;
  readonly stride: number;
  readonly dilation: number;
  readonly before: number;
  readonly after: number;
}

/** Returns the number of windows, and the element that element k of window i is; out of range where it is padding. */
const windowsOf = ({ size, window, stride, dilation, before, after }: Axis): number =>
  Math.floor((size + before + after - (window - 1) * dilation - 1) / stride) + 1;
const elementOf = ({ stride, dilation, before }: Axis, i: number, k: number): number => i * stride + k * dilation - before;

const axis = fc.record({
  size: fc.integer({ min: 1, max: 9 }),
  window: fc.integer({ min: 1, max: 3 }),
  stride: fc.integer({ min: 1, max: 3 }),
  dilation: fc.integer({ min: 1, max: 2 }),
  before: fc.nat(2),
  after: fc.nat(2),
});
const spatialCase = fc.record({
  axes: fc.array(axis, { minLength: 1, maxLength: 2 }),
  padding: fc.constantFrom("valid", "same", "explicit"),
  isFirst: fc.boolean(),
  batch: fc.integer({ min: 1, max: 2 }),
  layout: fc.constantFrom<Layout>(...layouts),
  seed: fc.nat(),
});
type SpatialCase = typeof spatialCase extends fc.Arbitrary<infer T> ? T : never;

/** Returns the axes as the case pads them, enlarged where a window would not fit. */
function axesOf({ axes, padding }: SpatialCase): Axis[] {
  return axes.map((each) => {
    const reach = (each.window - 1) * each.dilation + 1;
    if (padding === "same") {
      const all = Math.max(0, (Math.ceil(each.size / each.stride) - 1) * each.stride + reach - each.size);
      return { ...each, before: Math.floor(all / 2), after: Math.ceil(all / 2) };
    }
    const [before, after] = padding === "valid" ? [0, 0] : [each.before, each.after];
    return { ...each, before, after, size: Math.max(each.size, reach - before - after) };
  });
}

function optionsOf({ padding, isFirst }: SpatialCase, axes: readonly Axis[]): Any {
  return {
    strides: axes.map(({ stride }) => stride),
    dilations: axes.map(({ dilation }) => dilation),
    padding: padding === "explicit" ? axes.map(({ before, after }) => [before, after]) : padding,
    dataFormat: isFirst ? "channelsFirst" : "channelsLast",
  };
}

/** Returns sizes or an index with the channels in their place. */
const placed = (isFirst: boolean, batch: number, spatial: readonly number[], channels: number): number[] =>
  isFirst ? [batch, channels, ...spatial] : [batch, ...spatial, channels];

/** The indices of windows by their sizes: the twins visit the same few windows at every place of an image. */
const knownWindows = new Map<string, number[][]>();
function windowIndices(sizes: readonly number[]): number[][] {
  const key = sizes.join();
  const known = knownWindows.get(key) ?? indicesOf(sizes);
  knownWindows.set(key, known);
  return known;
}

/** Calls `visit` with each element of a window that is not padding: its index in the window, and in the image. */
function eachElement(axes: readonly Axis[], at: readonly number[], visit: (k: number[], place: number[]) => void): void {
  for (const k of windowIndices(axes.map(({ window }) => window))) {
    const place = axes.map((each, d) => elementOf(each, at[d]!, k[d]!));
    if (place.every((x, d) => x >= 0 && x < axes[d]!.size)) visit(k, place);
  }
}

/** Returns the place of an element among all in row-major order. */
const flat = (sizes: readonly number[], index: readonly number[]): number => index.reduce((place, i, d) => place * sizes[d]! + i, 0);

const small = (dice: Dice): number => dice.below(7) - 3;

test("convolve agrees with a naive twin", () => {
  let blocks = 0;
  const more = fc.record({
    groups: fc.constantFrom(1, 1, 1, 2, 3),
    perGroup: fc.constantFrom(1, 3, 4),
    filters: fc.constantFrom(1, 6, 8),
    dtype: fc.constantFrom("float32", "float64", "int32", "float16"),
  });
  fc.assert(
    fc.property(spatialCase, more, (given, { groups, perGroup, filters, dtype }) => {
      const axes = axesOf(given);
      const dice = new Dice(given.seed);
      const [channels, numFilters] = [groups * perGroup, groups * filters];
      const sizes = placed(given.isFirst, given.batch, axes.map(({ size }) => size), channels); // biome-ignore format: one line
      const x = subject(dtype as "float32", sizes, given.layout, dice, small) as Any;
      const windows = axes.map(({ window }) => window);
      const filterSizes = [...windows, perGroup, numFilters];
      const w = subject(dtype as "float32", filterSizes, given.layout, dice, small) as Any;
      const [image, weights] = [[...x], [...w]] as [number[], number[]];
      const write = (): Any => convolve(x, w, { ...optionsOf(given, axes), groups });
      const dims = placed(given.isFirst, given.batch, axes.map(windowsOf), numFilters);
      // How far apart in the image the channels of a place are.
      const channelStep = given.isFirst ? product(sizes.slice(2)) : 1;
      const wanted = indicesOf(dims).map((index) => {
        const [n, ...rest] = index as [number, ...number[]];
        const f = given.isFirst ? rest[0]! : rest.at(-1)!;
        const at = given.isFirst ? rest.slice(1) : rest.slice(0, -1);
        let sum = 0;
        eachElement(axes, at, (k, place) => {
          const pixel = flat(sizes, placed(given.isFirst, n, place, Math.floor(f / filters) * perGroup));
          const weight = flat(filterSizes, [...k, 0, f]);
          for (let c = 0; c < perGroup; c++) sum += image[pixel + c * channelStep]! * weights[weight + c * numFilters]!;
        });
        return sum;
      });
      agrees(write, dims, wanted);
      if (explain(write()).steps.some(({ by }) => by === "contraction")) blocks++;
    }),
    { numRuns: isLong ? 450 : 28, seed: 12 },
  );
  expect(blocks).toBeGreaterThan(isLong ? 3 : 1);
});

test("maxPool and avgPool agree with naive twins", () => {
  fc.assert(
    fc.property(spatialCase, fc.constantFrom("float32", "int32", "uint8"), (given, dtype) => {
      const axes = axesOf(given);
      const dice = new Dice(given.seed);
      const sizes = placed(given.isFirst, given.batch, axes.map(({ size }) => size), 3); // biome-ignore format: one line
      const x = subject(dtype as "float32", sizes, given.layout, dice, (d) => d.below(9) + (dtype === "uint8" ? 1 : -9)) as Any;
      const dims = placed(given.isFirst, given.batch, axes.map(windowsOf), 3);
      const windows = axes.map(({ window }) => window);
      const elements = indicesOf(dims).map((index) => {
        const [n, ...rest] = index as [number, ...number[]];
        const list: number[] = [];
        const [at, c] = given.isFirst ? [rest.slice(1), rest[0]!] : [rest.slice(0, -1), rest.at(-1)!];
        eachElement(axes, at, (_, place) => list.push(x.at(...placed(given.isFirst, n, place, c))));
        return list;
      });
      const lowest = { float32: -Infinity, int32: -(2 ** 31), uint8: 0 }[dtype] as number;
      agrees(() => maxPool(x, windows, optionsOf(given, axes)), dims, elements.map((list) => Math.max(lowest, ...list))); // biome-ignore format: one line
      if (dtype !== "float32") return;
      const mean = (list: readonly number[]): number => Math.fround(list.reduce((a, b) => a + b, 0) / list.length);
      agrees(() => avgPool(x, windows, optionsOf(given, axes)), dims, elements.map(mean)); // biome-ignore format: one line
    }),
    { numRuns: isLong ? 60 : 8, seed: 5 },
  );
});

test("windows begin their size apart in pooling", () => {
  const x = subject("float32", [1, 6, 4, 1], "dense", new Dice(1), small) as Any;
  expect([maxPool(x, [3, 2]).dimensions, maxPool(x, 2).dimensions, avgPool(x, [3, 2], { padding: "same" }).dimensions]).toEqual([
    [1, 2, 2, 1],
    [1, 3, 2, 1],
    [1, 2, 2, 1],
  ]);
});

test("extractPatches and extractImagePatches agree with naive twins", () => {
  fc.assert(
    fc.property(spatialCase, fc.boolean(), (given, isReversed) => {
      const axes = axesOf({ ...given, padding: "valid" });
      const dice = new Dice(given.seed);
      const sizes = [3, ...axes.map(({ size }) => size)];
      const x = subject("int32", sizes, given.layout, dice, small) as Any;
      const order = isReversed ? axes.map((_, d) => axes.length - d) : axes.map((_, d) => d + 1);
      const chosen = order.map((d) => axes[d - 1]!);
      const windows = chosen.map(({ window }) => window);
      const options = { axes: order, strides: chosen.map(({ stride }) => stride), dilations: chosen.map(({ dilation }) => dilation) };
      const dims = [3, ...axes.map(windowsOf), ...windows];
      const wanted = indicesOf(dims).map(([n, ...rest]) => {
        const k = rest.slice(axes.length);
        return x.at(n, ...axes.map((each, d) => elementOf(each, rest[d]!, k[order.indexOf(d + 1)]!)));
      });
      agrees(() => extractPatches(x, windows, options), dims, wanted);
    }),
    { numRuns: isLong ? 25 : 12, seed: 6 },
  );
  const x = subject("float32", [2, 5, 4, 3], "transposed", new Dice(2), small) as Any;
  const dims = [2, 3, 2, 3 * 2 * 3];
  const wanted = indicesOf(dims).map(([n, i, j, at]) => {
    const [row, column, c] = [Math.floor(at! / 6), Math.floor(at! / 3) % 2, at! % 3];
    const [y, z] = [i! * 2 + row - 1, j! * 2 + column];
    return y < 0 || y >= 5 || z >= 4 ? 0 : x.at(n, y, z, c);
  });
  agrees(() => extractImagePatches(x, [3, 2], { strides: 2, padding: "same" }), dims, wanted);
});

test("patches of a computed operand are read from where it is stored once", () => {
  const x = subject("float32", [1, 9, 8, 6], "dense", new Dice(3), small) as Any;
  const w = subject("float32", [3, 3, 6, 5], "dense", new Dice(4), small) as Any;
  const steps = explain(convolve(x.relu(), w)).steps;
  expect(steps.map(({ by }) => by)).toEqual(["map", "contraction"]);
  expect(steps[0]!.loops).toEqual([9 * 8 * 6]);
});

describe("resize", () => {
  const places = (from: number, to: number): number[] =>
    Array.from({ length: to }, (_, i) => Math.fround((i + 0.5) * Math.fround(from / to)));

  test.each([
    [
      [2, 3, 4, 2],
      [5, 9],
    ],
    [
      [1, 7, 5, 3],
      [3, 2],
    ],
    [
      [1, 4, 6, 1],
      [4, 3],
    ],
    [
      [1, 1, 1, 4],
      [3, 3],
    ],
  ] as const)("of %j to %j", (sizes, [height, width]) => {
    const x = subject("float32", sizes, "transposed", new Dice(8), small) as Any;
    const [ys, xs] = [places(sizes[1], height), places(sizes[2], width)];
    const dims = [sizes[0], height, width, sizes[3]];
    const clipped = (at: number, size: number): number => Math.min(Math.max(at, 0), size - 1);
    const nearest = indicesOf(dims).map(([n, i, j, c]) =>
      x.at(n, clipped(Math.floor(ys[i!]!), sizes[1]), clipped(Math.floor(xs[j!]!), sizes[2]), c),
    );
    agrees(() => resize(x, [height, width], { method: "nearest" }), dims, nearest);
    const lerp = (at: number, size: number, read: (k: number) => number): number => {
      const place = Math.fround(at - 0.5);
      const [a, b] = [read(clipped(Math.floor(place), size)), read(clipped(Math.ceil(place), size))];
      return Math.fround(a + Math.fround(Math.fround(b - a) * Math.fround(place - Math.floor(place))));
    };
    const bilinear = indicesOf(dims).map(([n, i, j, c]) =>
      lerp(ys[i!]!, sizes[1], (y) => lerp(xs[j!]!, sizes[2], (z) => x.at(n, y, z, c))),
    );
    agrees(() => resize(x, [height, width]), dims, bilinear);
  });

  test("nearest keeps the dtype, bilinear gives float32", () => {
    const x = tensorMap("uint8", Uint8Array.of(0, 200), [1, 1, 2, 1]);
    const [near, between] = [resize(x, [1, 4], { method: "nearest" }), resize(x, [1, 4])];
    same<Equal<typeof near, Expression<"uint8", 4>>>();
    same<Equal<typeof between, Expression<"float32", 4>>>();
    expect([...evaluate(near)]).toEqual([0, 0, 200, 200]);
    expect([...evaluate(between)]).toEqual([0, 50, 150, 200]);
  });
});

test("outputType and types of results", () => {
  const x = tensorMap("int8", new Int8Array(2 * 5 * 3).fill(100), [2, 5, 3]);
  const w = tensorMap("int8", new Int8Array(2 * 3 * 4).fill(100), [2, 3, 4]);
  const wide = convolve(x, w, { outputType: "int32" });
  const own = convolve(x, w);
  same<Equal<typeof wide, Expression<"int32", 3>>>();
  same<Equal<typeof own, Expression<"int8", 3>>>();
  const patches = extractPatches(x, [2, 2], { axes: [0, 1] });
  same<Equal<typeof patches, Expression<"int8", 5>>>();
  expect(new Set(evaluate(wide))).toEqual(new Set([60_000]));
  expect([own.dtype, patches.dimensions]).toEqual(["int8", [1, 4, 3, 2, 2]]);
});

const image = (dims: readonly number[], dtype = "float32"): Any => subject(dtype as "float32", dims, "dense", new Dice(1), small);

test.each<[string, () => unknown, string]>([
  ["an image without spatial axes", () => convolve(image([2, 3]), image([3, 4])), "convolve(float32 [2, 3]): the operand has a batch"],
  [
    "filters of another rank",
    () => convolve(image([1, 5, 5, 2]), image([3, 2, 4])),
    "the filters are [size along each spatial axis, channels / groups, filters]",
  ],
  ["other channels", () => convolve(image([1, 5, 2]), image([3, 3, 4])), "the filters have 3 channels per group, the images 2"],
  [
    "channels that groups do not divide",
    () => convolve(image([1, 5, 4]), image([3, 4, 4]), { groups: 2 }),
    "4 channels per group, the images 4 / 2",
  ],
  [
    "filters that groups do not divide",
    () => convolve(image([1, 5, 4]), image([3, 2, 3]), { groups: 2 }),
    "the number of groups divides that of the filters, got 2",
  ],
  ["a window larger than the image", () => convolve(image([1, 5, 2]), image([6, 2, 4])), "a window of 6 along axis 1, which has size 5"],
  [
    "a dilated window larger than the image",
    () => convolve(image([1, 5, 2]), image([3, 2, 4]), { dilations: 3 }),
    "a window of 7 along axis 1",
  ],
  ["strides of 0", () => convolve(image([1, 5, 2]), image([3, 2, 4]), { strides: 0 }), "the strides are 1 positive integer, got 0"],
  ["too many strides", () => convolve(image([1, 5, 2]), image([3, 2, 4]), { strides: [1, 1] }), "the strides are 1 positive integer, got"],
  [
    "another padding",
    () => convolve(image([1, 5, 2]), image([3, 2, 4]), { padding: "full" as "same" }),
    'the padding is "valid", "same" or [before, after] for each of 1 axes, got "full"',
  ],
  ["a negative padding", () => convolve(image([1, 5, 2]), image([3, 2, 4]), { padding: [[-1, 0]] }), "the padding is"],
  [
    "another data format",
    () => convolve(image([1, 5, 2]), image([3, 2, 4]), { dataFormat: "NHWC" as "channelsLast" }),
    'the data format is channelsLast or channelsFirst, got "NHWC"',
  ],
  [
    "another option",
    () => convolve(image([1, 5, 2]), image([3, 2, 4]), { stride: 2 } as never),
    'unknown option "stride", did you mean "strides"?',
  ],
  ["no options", () => convolve(image([1, 5, 2]), image([3, 2, 4]), null as never), "expected options such as"],
  ["other dtypes", () => convolve(image([1, 5, 2]), image([3, 2, 4], "int32")), "the operands have different dtypes"],
  ["dtypes without arithmetic", () => convolve(image([1, 5, 2]).less(1), image([3, 2, 4]).less(1)), "convolve is not defined for bool"],
  [
    "integers in avgPool",
    () => avgPool(image([1, 5, 2], "int32") as never, [2]),
    'avgPool is not defined for int32, cast("float32") first',
  ],
  ["bool in maxPool", () => maxPool(image([1, 5, 2]).less(1), [2]), "maxPool is not defined for bool"],
  ["no sizes in maxPool", () => maxPool(image([1, 5, 2]), "2" as never), 'the sizes are 1 positive integer, got "2"'],
  ["a size per axis", () => extractPatches(image([4, 5]), [2]), "extractPatches(float32 [4, 5]): the sizes are 2 positive integers, got"],
  ["no list of sizes", () => extractPatches(image([4, 5]), 2 as never), "the sizes are a list, got 2"],
  ["an axis twice", () => extractPatches(image([4, 5]), [2, 2], { axes: [0, 0] }), "extractPatches"],
  ["no image", () => extractImagePatches(image([4, 5]) as never, [2, 2]), "images are [batch, height, width, channels]"],
  [
    "no image to resize",
    () => resize(image([4, 5]) as never, [2, 2]),
    "resize(float32 [4, 5]): images are [batch, height, width, channels]",
  ],
  ["an empty image", () => resize(image([1, 0, 5, 1]), [2, 2]), "the images have from 1 to"],
  ["a size of 0", () => resize(image([1, 2, 5, 1]), [2, 0]), "the size is [height, width]"],
  [
    "another method",
    () => resize(image([1, 2, 5, 1]), [2, 2], { method: "cubic" as "nearest" }),
    'the method is bilinear or nearest, got "cubic"',
  ],
])("%s: INVALID_ARGUMENT", (_, call, message) => {
  expect(call).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT", message: expect.stringContaining(message) }));
});

test("a large convolution has exact sums in several blocks", () => {
  const x = subject("float32", isLong ? [1, 14, 14, 40] : [1, 7, 6, 40], "dense", new Dice(9), small) as Any;
  const w = subject("float32", [3, 3, 40, 9], "dense", new Dice(10), small) as Any;
  for (const dataFormat of ["channelsLast", "channelsFirst"] as const) {
    const input = dataFormat === "channelsLast" ? x : x.strided().transpose([0, 3, 1, 2]);
    const expr = convolve(input, w, { padding: "same", dataFormat }) as Any;
    const out = arenaMap("float32", expr.dimensions) as Any;
    out.assign(expr);
    const wanted = arenaMap("float32", expr.dimensions) as Any;
    assignByReference(wanted, expr);
    expect(product(expr.dimensions)).toBe(out.size);
    expect([...out].map(unsigned)).toEqual([...wanted].map(unsigned));
  }
});
