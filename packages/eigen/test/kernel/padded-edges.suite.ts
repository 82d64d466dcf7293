// Depthwise convolutions of padded maps, of which kernels pad only the edges (windows/padded-edges.ts): both sides of the limit, filters with
// infinities, windows that lie in the padding, and kept plans.
import { expect, test } from "@jest/globals";
import type { WindowPadding } from "@onebuffer/eigen";
import { convolve, extractPatches } from "@onebuffer/eigen";
import { assignByReference } from "@onebuffer/eigen/internal";
import { explain } from "@onebuffer/compiler/internal";
import { isLong } from "@onebuffer/test-support";
import { kernelCounts } from "@onebuffer/kernels/internal";
import { arenaMap, Dice } from "./kernel-subjects.ts";

/** `npm run long` compares more images. */
const kRounds = isLong ? 200 : 8;

type Any = ReturnType<typeof JSON.parse>;

function filled(dims: readonly number[], dice: Dice, dtype: "float32" | "float64" = "float32"): Any {
  const map = arenaMap(dtype, dims) as Any;
  map.copyFrom(Array.from({ length: map.size }, () => dice.unit() - 0.5));
  return map;
}

/** Returns the number of elements that are not the evaluator's. */
function differences(expression: Any, tolerance: number): number {
  const [out, wanted] = [arenaMap(expression.dtype, expression.dimensions), arenaMap(expression.dtype, expression.dimensions)] as Any[];
  assignByReference(wanted, expression);
  for (let turn = 0; turn < 2; turn++) out.assign(expression);
  const values = [...out];
  const isNear = (a: number, b: number): boolean => Object.is(a, b) || Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(b));
  return [...wanted].filter((value, k) => !isNear(value, values[k])).length;
}

/** Images just below and just above the limit of 8,192 elements: [height, width, channels]. */
const kImages = [
  [12, 10, 68],
  [12, 11, 68],
  [11, 12, 65],
  [21, 23, 17],
] as const;

const kPaddings: readonly WindowPadding[] = [
  "same",
  [
    [1, 0],
    [0, 2],
  ],
  [
    [2, 1],
    [1, 1],
  ],
  // Windows of 3 that lie in the padding alone: the whole map is padded.
  [
    [3, 0],
    [0, 1],
  ],
]; // prettier-ignore

test("depthwise convolutions of padded maps agree with the evaluator", () => {
  const dice = new Dice(31);
  for (let turn = 0; turn < kRounds; turn++) {
    const [height, width, channels] = kImages[turn % kImages.length]!;
    const perChannel = isLong ? 1 + dice.below(2) : 1;
    const sizes = dice.pick([
      [3, 3],
      [2, 3],
      [1, 5],
    ] as const); // prettier-ignore
    const options = { strides: 1 + ((turn + dice.below(2)) % 2), dilations: 1 + dice.below(2), padding: dice.pick(kPaddings) };
    const dtype = turn % 3 === 2 ? "float64" : "float32";
    const x = filled([1, height, width, channels], dice, dtype);
    const filters = filled([...sizes, 1, channels * perChannel], dice, dtype);
    // 0 times an infinity is NaN: what padding adds counts.
    if (turn % 2 === 0) filters.data.fill(Number.POSITIVE_INFINITY, 3, 5);
    const shown = { turn, height, width, channels, sizes, options };
    const convolved = convolve(x, filters, { ...options, groups: channels });
    expect({ ...shown, different: differences(convolved, dtype === "float64" ? 1e-14 : 1e-5) }).toEqual({ ...shown, different: 0 });
  }
});

test("windows along one axis, and several filters for a channel", () => {
  const dice = new Dice(5);
  const [x, filters] = [filled([2, 75, 64], dice), filled([3, 1, 128], dice)];
  expect(differences(convolve(x, filters, { padding: "same", groups: 64 }), 1e-5)).toBe(0);
});

test("a filter that is itself a product is the same for all windows", () => {
  const dice = new Dice(11);
  const [x, filter, scale] = [filled([1, 23, 24, 16], dice), filled([16, 3, 3], dice), filled([16, 1, 1], dice)];
  const padded = x.pad([[0, 0], [1, 1], [1, 1], [0, 0]]); // biome-ignore format: a pair per axis
  const patches = extractPatches(padded, [3, 3], { axes: [1, 2] }) as Any;
  const windows = patches.mul(filter.mul(scale)).sum([4, 5]);
  expect(explain(windows).steps.filter(({ by }) => by === "rows").length).toBe(5);
  expect(differences(windows, 1e-5)).toBe(0);
});

test("of a large padded map only strips are copied, and an equal call plans nothing", () => {
  const dice = new Dice(7);
  const [x, y, filters] = [filled([1, 23, 23, 16], dice), filled([1, 23, 23, 16], dice), filled([3, 3, 1, 16], dice)];
  const depthwise = (image: Any, strides: number): Any => convolve(image, filters, { padding: "same", strides, groups: 16 });
  const windows = (tree: Any): number => explain(tree).steps.filter(({ by }) => by === "windows").length;
  expect(windows(depthwise(x, 1))).toBe(5);
  expect(windows(depthwise(arenaMap("float32", [1, 24, 24, 16]), 2))).toBe(3);
  expect(windows(depthwise(arenaMap("float32", [1, 22, 23, 16]), 2))).toBe(1);
  const out = arenaMap("float32", [1, 23, 23, 16]) as Any;
  for (let turn = 0; turn < 3; turn++) out.assign(depthwise(x, 1));
  const { compiled, planned } = kernelCounts();
  out.assign(depthwise(y, 1));
  expect(kernelCounts()).toMatchObject({ compiled, planned });
  expect(differences(depthwise(y, 1), 1e-5)).toBe(0);
});

test("no window reaches the padding", () => {
  const dice = new Dice(37);
  const [x, filters] = [filled([1, 24, 24, 16], dice), filled([2, 2, 1, 16], dice)];
  const options = { strides: 2, padding: [[0, 1], [0, 1]], groups: 16 } as const; // biome-ignore format: a pair per axis
  expect(differences(convolve(x, filters, options), 1e-5)).toBe(0);
});

test("a padded map is convolved in place", () => {
  const dice = new Dice(17);
  const [x, filters] = [filled([1, 23, 23, 16], dice), filled([3, 3, 1, 16], dice)];
  const elements = [...x];
  const convolved = convolve(x, filters, { padding: "same", groups: 16 });
  const wanted = arenaMap("float32", x.dimensions) as Any;
  assignByReference(wanted, convolved);
  for (let turn = 0; turn < 3; turn++) {
    x.copyFrom(elements);
    x.assign(convolved);
    expect([turn, [...x].filter((value, k) => !(Math.abs(value - wanted.data[k]) <= 1e-5)).length]).toEqual([turn, 0]);
  }
});
