// Reductions over the windows of padded maps, which kernels compute without the padding (windows/clipped-windows.ts): both sides of the limit,
// other constants in plans that look alike, and kept plans.
import { expect, test } from "@jest/globals";
import type { WindowOptions } from "@onebuffer/eigen";
import { avgPool, extractPatches, maxPool, tensorMap } from "@onebuffer/eigen";
import { assignByReference } from "@onebuffer/eigen/internal";
import { explain } from "@onebuffer/compiler/internal";
import { isLong } from "@onebuffer/test-support";
import { kernelCounts } from "@onebuffer/kernels/internal";
import { listDifference } from "./difference.ts";
import { anyElement, arenaMap, Dice } from "./kernel-subjects.ts";

/** `npm run long` compares more images. */
const kRounds = isLong ? 40 : 1;

const kDTypes = ["float32", "float64", "float16", "int32"] as const;

type Any = ReturnType<typeof JSON.parse>;

function image(dtype: "float32" | "float64" | "float16" | "int32", dims: readonly number[], dice: Dice): Any {
  const map = arenaMap(dtype, dims) as Any;
  const awkward = dice.below(2) === 0;
  map.copyFrom(Array.from({ length: map.size }, () => anyElement(dtype, dice, awkward)));
  return map;
}

/** Returns the number of elements that are not the evaluator's; `tolerance` is relative to 1, and null asks for the sign of a zero, too. */
function differences(expression: Any, tolerance: number | null): number {
  const [out, wanted] = [arenaMap(expression.dtype, expression.dimensions), arenaMap(expression.dtype, expression.dimensions)] as Any[];
  assignByReference(wanted, expression);
  for (let turn = 0; turn < 2; turn++) out.assign(expression);
  const values = [...out];
  const isNear = (a: number, b: number): boolean =>
    Object.is(a, b) || (tolerance !== null && Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(b)));
  return [...wanted].filter((value, k) => !isNear(value, values[k])).length;
}

test.each(kDTypes)("pooling of padded %s agrees with the evaluator", (dtype) => {
  const dice = new Dice(dtype.length * 17 + 3);
  const d = kDTypes.indexOf(dtype);
  for (let turn = 0; turn < kRounds; turn++) {
    const channels = dice.pick([1, 3, 4, 5, 64, 128]);
    // On both sides of the limit: by turns of the dtypes.
    const side = Math.ceil(Math.sqrt([7_500, 9_000][(turn + d) % 2]! / channels / 2));
    const x = image(dtype, [2, side, side + 1, channels], dice);
    const sizes = dice.pick([2, 3, [1, 4], [3, 5]] as const) as number | readonly [number, number];
    const options: WindowOptions = {
      strides: 1 + dice.below(3),
      dilations: 1 + dice.below(2),
      padding: dice.pick([
        "same",
        [
          [1, 0],
          [0, 2],
        ],
        [
          [2, 1],
          [1, 1],
        ],
      ] as const), // prettier-ignore
    };
    const shown = { turn, channels, side, sizes, options };
    // One of the two reductions by turns, and both in `npm run long`.
    if (isLong || d !== 1) expect({ ...shown, different: differences(maxPool(x, sizes, options), 0) }).toEqual({ ...shown, different: 0 });
    if (dtype === "int32" || !(isLong || d === 1)) continue;
    const held = arenaMap(dtype, x.dimensions) as Any;
    held.copyFrom(Array.from({ length: held.size }, () => dice.unit() - 0.5));
    const tolerance = dtype === "float64" ? 1e-14 : dtype === "float32" ? 1e-5 : 2e-3;
    expect({ ...shown, different: differences(avgPool(held, sizes, options), tolerance) }).toEqual({ ...shown, different: 0 });
  }
});

test("windows that are all alike: none reaches the padding, or all do", () => {
  const dice = new Dice(29);
  const cases: readonly [dims: readonly number[], size: number, options: WindowOptions][] = [
    [[1, 1_030, 8], 2, { padding: [[0, 1]] }],
    [[3, 360, 8], 2, { padding: [[0, 1]], dataFormat: "channelsFirst" }],
    [[1, 2, 2, 2_050], 3, { padding: "same", strides: 3 }],
    [[1, 100, 90, 1], 2, { padding: [[0, 1], [0, 1]] }], // biome-ignore format: a pair per axis
  ];
  for (const dtype of ["float32", "int32"] as const) {
    for (const [dims, size, options] of cases) {
      const x = image(dtype, dims, dice);
      expect([dims, differences(maxPool(x, size, options), 0)]).toEqual([dims, 0]);
    }
  }
  const [dims, size, options] = cases[2]!;
  const held = arenaMap("float32", dims) as Any;
  held.copyFrom(Array.from({ length: held.size }, () => dice.unit() - 0.5));
  expect(differences(avgPool(held, size, options), 1e-5)).toBe(0);
});

test("padded maps are pooled in place, and into memory that they overlap", () => {
  const dims = [1, 100, 90, 1];
  const dice = new Dice(83);
  const whole = arenaMap("float32", [9_100]) as Any;
  const elements = Array.from({ length: 9_100 }, () => dice.unit() - 0.5);
  const part = (from: number): Any => tensorMap("float32", whole.data.subarray(from, from + 9_000), dims);
  for (const [from, to] of [
    [0, 0],
    [0, 100],
    [7, 0],
  ] as const) {
    const pooled = maxPool(part(from), 3, { strides: 1, padding: "same" });
    whole.copyFrom(elements);
    const wanted = arenaMap("float32", dims) as Any;
    assignByReference(wanted, pooled);
    for (let turn = 0; turn < 3; turn++) {
      whole.copyFrom(elements);
      part(to).assign(pooled);
      expect([from, to, turn, listDifference([...part(to)], [...wanted])]).toEqual([from, to, turn, null]);
    }
  }
});

test.each(["float32", "float64", "float16"] as const)("the largest of every three special elements of %s, in every order", (dtype) => {
  const { NaN: nan, POSITIVE_INFINITY: infinite, NEGATIVE_INFINITY: least } = Number;
  const large = dtype === "float16" ? 65504 : 3e38;
  // Beside NaN every group of channels is combined once more, without it some are not.
  for (const special of [
    [nan, infinite, least, 0, -0, 1, -1, large],
    [0, -0, least, -1],
    [0, -1, -large],
  ]) {
    // Each channel is a window of its own.
    const count = special.length ** 3;
    const digit = (c: number, row: number): number => Math.floor(c / special.length ** row) % special.length;
    const x = arenaMap(dtype, [1, 3, count]) as Any;
    x.copyFrom(Array.from({ length: 3 * count }, (_, i) => special[digit(i % count, Math.floor(i / count))]!));
    expect([special, differences(maxPool(x, [3]), null)]).toEqual([special, 0]);
  }
  // One lane of a group that is combined once more, and one group of a row.
  for (const value of [Number.NaN, -0]) {
    const x = arenaMap(dtype, [1, 3, 150]) as Any;
    x.copyFrom(Array.from({ length: 450 }, (_, i) => (i % 150 === 77 ? (i < 150 ? value : -3) : (i % 13) - 20)));
    expect([value, differences(maxPool(x, [3]), null)]).toEqual([value, 0]);
  }
});

const padded = (x: Any, value: number): Any =>
  extractPatches(
    x.pad(
      [
        [1, 1],
        [1, 1],
        [0, 0],
      ],
      { mode: "constant", value },
    ),
    [3, 3],
    { axes: [0, 1] },
  ); // prettier-ignore

test("a plan for padding that changes nothing is not taken for other paddings", () => {
  const dice = new Dice(11);
  const x = image("float32", [32, 32, 8], dice);
  const { data } = x;
  for (let i = 0; i < data.length; i++) if (Number.isNaN(data[i])) data[i] = -1;
  for (const value of [Number.NEGATIVE_INFINITY, 7, ...(isLong ? [Number.NaN, Number.NEGATIVE_INFINITY] : [])]) {
    expect([value, differences(padded(x, value).max([3, 4]), 0)]).toEqual([value, 0]);
  }
  expect(differences(padded(x, Number.NEGATIVE_INFINITY).min([3, 4]), 0)).toBe(0);
  const y = image("float32", [32, 32, 8], new Dice(12));
  y.data.set(Float32Array.from({ length: y.size }, (_, i) => (i % 7) - 3));
  for (const value of isLong ? [0, 1, -0, 0] : [0, 1]) expect([value, differences(padded(y, value).sum([3, 4]), 0)]).toEqual([value, 0]);
});

test("a large padded map is not stored, and an equal call plans nothing", () => {
  const [x, y] = [image("float32", [1, 24, 24, 16], new Dice(1)), image("float32", [1, 24, 24, 16], new Dice(2))];
  const options: WindowOptions = { strides: 1, padding: "same" };
  expect(explain(maxPool(x, 3, options)).steps.map(({ by }) => by)).toEqual(new Array(9).fill("windows"));
  const out = arenaMap("float32", [1, 24, 24, 16]) as Any;
  for (let turn = 0; turn < 3; turn++) out.assign(maxPool(x, 3, options));
  const { compiled, planned } = kernelCounts();
  out.assign(maxPool(y, 3, options));
  expect(kernelCounts()).toMatchObject({ compiled, planned });
  expect(differences(maxPool(y, 3, options), 0)).toBe(0);
});
