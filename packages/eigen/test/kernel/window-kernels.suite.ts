// Reductions of few elements across the memory (form/kernel-windows.ts) and of more (form/kernel-columns.ts): both sides of the limit, every
// reduction, awkward values, channels that are no whole vectors, results between elements that stay, operands between NaN.
import { expect, test } from "@jest/globals";
import type { RawDType } from "@onebuffer/base";
import { assignByReference } from "@onebuffer/eigen/internal";
import { explain } from "@onebuffer/compiler/internal";
import { kMostInWindow } from "@onebuffer/compiler/src/form/window-folds";
import { anyElement, arenaMap, Dice } from "./kernel-subjects.ts";
import { wrapping } from "../wrapping.ts";

/** `npm run long` compares more reductions. */
const kRounds = process.env["ONEBUFFER_LONG"] === undefined ? 3 : 480;

/** The trees here are built from tables of names, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

const kDTypes = ["float32", "float64", "float16", "bfloat16", "int32", "uint32", "int64", "int8", "uint8", "int16", "bool"] as const;
const kReductions = ["max", "min", "sum", "mean", "prod", "any", "all"] as const;

const isDefined = (op: (typeof kReductions)[number], dtype: RawDType): boolean =>
  (op === "any" || op === "all") === (dtype === "bool") &&
  !(op === "prod" && dtype.endsWith("float16")) &&
  !(op === "mean" && dtype.includes("int"));

/** Windows of few elements and of more, by turns. */
const kSmallWindows: readonly (readonly [height: number, width: number])[] = [
  [1, 2],
  [2, 2],
  [3, 3],
  [5, 3],
  [5, 5],
];
const kLargeWindows: typeof kSmallWindows = [
  [2, 13],
  [11, 3],
  [3, 11],
];

/** Returns the middle of a map whose border is `around`, and that map. */
function within(dtype: RawDType, dims: readonly number[], around: unknown): [Any, Any] {
  const map = arenaMap(
    dtype,
    dims.map((size) => size + 2),
  ) as Any;
  map.data.fill(around);
  return [map.strided(dims.map((size) => `1:${size + 1}`).join(", ")), map];
}

test.each(kDTypes)("reductions of %s over windows agree with the evaluator", (dtype) => {
  const dice = new Dice(dtype.length * 131 + dtype.charCodeAt(dtype.length - 1));
  const isWide = dtype === "int64";
  const forms = new Set<string>();
  for (let turn = 0; turn < kRounds; turn++) {
    const op = dice.pick(kReductions.filter((each) => isDefined(each, dtype)));
    const [height, width] = dice.pick(turn % 2 === 0 ? kSmallWindows : kLargeWindows);
    const channels = dice.pick([1, 3, 4, 5, 7, 8, 16, 17, 33, 64, 130]);
    const dims = [2, height, width, channels];
    const around = isWide ? 77n : dtype === "bool" ? 1 : dtype.startsWith("float") && dtype !== "float16" ? Number.NaN : 77;
    // The first windows are dense, so that some of each dtype are computed as windows.
    const x = turn % 4 === 0 || dice.below(2) === 0 ? (arenaMap(dtype, dims) as Any) : within(dtype, dims, around)[0];
    const isAwkward = op !== "prod" && ((turn >> 1) + turn + kDTypes.indexOf(dtype)) % 2 === 0;
    x.copyFrom(Array.from({ length: x.size }, () => anyElement(dtype, dice, isAwkward)));
    const elements = [...x];
    const expression = x[op]([1, 2], wrapping(op));
    for (const { by } of explain(expression).steps) forms.add(by);
    const [target, all] = within(expression.dtype, [2, channels], isWide ? 5n : 1);
    const before = all.at(0, 0);
    target.assign(expression);
    const wanted = arenaMap(expression.dtype, [2, channels]) as Any;
    assignByReference(wanted, expression);
    let different = 0;
    for (let n = 0; n < 2; n++)
      for (let c = 0; c < channels; c++) {
        const [a, b] = [target.at(n, c), wanted.at(n, c)];
        const isExact = !dtype.includes("float") || op === "max" || op === "min" || !Number.isFinite(b);
        // Of the finite elements: an infinity does not make room for the others.
        let size = 0;
        for (let k = 0; k < height * width; k++) {
          const element = elements[(n * height * width + k) * channels + c];
          if (Number.isFinite(element)) size += Math.abs(element);
        }
        if (op === "prod") size = Math.abs(Number(b));
        const unit = dtype === "float64" ? 2 ** -52 : dtype === "float16" ? 2 ** -10 : dtype === "bfloat16" ? 2 ** -7 : 2 ** -23;
        const isNear = isExact ? Object.is(a, b) : Math.abs(a - b) <= 20 * unit * size + 1e-40;
        // Sums of a block may overflow as float32, and be NaN with an infinity of the other sign.
        const overflows = (op === "sum" || op === "mean") && dtype.includes("float") && dtype !== "float64" && !(size < 3.4e38);
        if (!isNear && !overflows) different++;
      }
    const shown = { turn, op, height, width, channels };
    expect({ ...shown, different }).toEqual({ ...shown, different: 0 });
    let outside = 0;
    for (let n = 0; n < 4; n++)
      for (let c = 0; c < channels + 2; c++)
        if ((n === 0 || n === 3 || c === 0 || c === channels + 1) && !Object.is(all.at(n, c), before)) outside++;
    expect({ ...shown, outside }).toEqual({ ...shown, outside: 0 });
  }
  expect(forms.has("windows") && (forms.has("columns") || forms.has("rows"))).toBe(true);
});

test("the limit between window and column kernels", () => {
  const formOf = (rows: number): string => explain((arenaMap("float32", [rows, 300]) as Any).sum([0])).steps[0]!.by;
  expect([kMostInWindow - 1, kMostInWindow, kMostInWindow + 1].map(formOf)).toEqual(["windows", "windows", "columns"]);
});
