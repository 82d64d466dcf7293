// Functions of complex numbers with zero, infinite, NaN, denormal and huge parts: C99's values, as NumPy has them
// (fixtures/complex-special.json), by the evaluator and by kernels.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { assignByReference } from "@onebuffer/eigen/internal";
import { opTable, tensorMap } from "@onebuffer/eigen";
import { isLong, sampled } from "@onebuffer/test-support";
import { arenaMap } from "../kernel/kernel-subjects.ts";
import { operationsWhere } from "../operation-records.ts";

/** The operations are called by name, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;
type Reals = Float32Array | Float64Array;

const fixture = JSON.parse(readFileSync(new URL("../../../test/fixtures/complex-special.json", import.meta.url), "utf8")) as Record<
  string,
  { readonly parts: string; readonly results: Readonly<Record<string, string>> }
>;
const dtypes = ["complex64", "complex128"] as const;

/** Returns the numbers of a text of the fixture. */
function numbersOf(dtype: string, text: string): Reals {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer;
  return dtype === "complex64" ? new Float32Array(bytes) : new Float64Array(bytes);
}

/** Returns all complex numbers of the fixture's parts, as pairs of numbers in one array. */
function grid(dtype: string): Reals {
  const parts = numbersOf(dtype, fixture[dtype]!.parts);
  const pairs = [...parts].flatMap((re) => [...parts].flatMap((im) => [re, im]));
  return dtype === "complex64" ? Float32Array.from(pairs) : Float64Array.from(pairs);
}

/** Computes an operation by the evaluator and by kernels. Returns the numbers of both results. */
function both(dtype: "complex64" | "complex128", arrays: readonly Reals[], op: (...maps: Any[]) => Any): readonly [Reals, Reals] {
  const count = arrays[0]!.length / 2;
  const plain = op(...arrays.map((array) => tensorMap(dtype as "complex64", array as Float32Array, [count])));
  const width = plain.dtype.startsWith("complex") ? 2 : 1;
  const wanted = new (arrays[0]!.constructor as Float32ArrayConstructor)(plain.size * width);
  assignByReference(tensorMap(plain.dtype, wanted as never, plain.dimensions) as Any, plain);
  const maps = arrays.map((array) => {
    const map = arenaMap(dtype, [count]) as Any;
    map.copyFrom(array);
    return map;
  });
  const inside = op(...maps);
  const out = arenaMap(inside.dtype, inside.dimensions) as Any;
  out.assign(inside);
  return [wanted, Float64Array.from([...out].flat() as number[])];
}

const kindOf = (x: number): string => (Number.isFinite(x) && x !== 0 ? "finite" : Object.is(x, -0) ? "-0" : String(x));

/** Returns the numbers of elements whose parts differ by more than a relative or an absolute error, or in kind: zeros, infinities, NaN. */
function differences(got: Reals, wanted: Reals, relative: number, absolute: number, alike: (at: number) => boolean): number[] {
  return [...got.keys()].filter((at) => {
    const [x, y] = [got[at]!, wanted[at]!];
    if (kindOf(x) === kindOf(y) && kindOf(x) !== "finite") return false;
    return !(Math.abs(x - y) <= relative * Math.abs(y) + absolute && (x !== 0 || y !== 0)) && !alike(at);
  });
}

describe.each(dtypes)("%s with special parts", (dtype) => {
  const z = grid(dtype);
  const [relative, absolute] = dtype === "complex64" ? [4e-6, 2 ** -126] : [1e-13, 2 ** -1022];

  test.each(sampled(Object.keys(fixture[dtype]!.results), 4))("%s has C99's values", (op) => {
    const wanted = numbersOf(dtype, fixture[dtype]!.results[op]!);
    const [plain, kernels] = both(dtype, [z], (map) => map[op]());
    const width = wanted.length === z.length ? 2 : 1;
    const isHuge = (x: number): boolean => Math.abs(x) > 1e37;
    const free = (got: Reals) => (at: number) => {
      const first = at - (at % width);
      const [re, im] = [z[(first / width) * 2]!, z[(first / width) * 2 + 1]!];
      const [x, y] = [got[at]!, wanted[at]!];
      const other = wanted[first + 1 - (at % width)]!;
      // C99 leaves the sign of a zero open, and that of an infinity beside NaN, where a part of the argument is not finite.
      const isOpen = !Number.isFinite(re) || !Number.isFinite(im);
      if (isOpen && Math.abs(x) === Math.abs(y) && (x === 0 || Number.isNaN(other))) return true;
      // NumPy's expm1 has NaN beside an infinity, where ours is e^z less 1, and rounds -5e-61 to 0. Its sign overflows where both parts are
      // huge, and few digits where both are denormal.
      if (op === "expm1") return (x === 0 && y === 0) || (isOpen && Number.isNaN(y)) || (im === 0 && x === 0 && Number.isNaN(y));
      if (op === "sign") return (isHuge(re) && isHuge(im)) || Math.max(re, im) < 1e-300 || Math.abs(x - y) < 1e-3;
      // NumPy computes log1p of complex64 in float32, without care for small numbers.
      return op === "log1p" && Math.abs(x - y) < 1e-7;
    };
    for (const got of [plain, kernels]) {
      const shown = differences(got, wanted, relative, absolute, free(got)).map((at) => {
        const k = Math.floor(at / width) * 2;
        return `${op}(${z[k]} + ${z[k + 1]}i), part ${at % width}: ${got[at]}, not ${wanted[at]}`;
      });
      expect(shown).toEqual([]);
    }
  });

  // For complex128 a function of the two ways may differ by 64 units in the last place of the larger part.
  test.each(
    [...operationsWhere(({ class: kind }, op) => kind === "unary" && opTable[op].dtypes.includes(dtype)), "cumsum", "cumprod"].filter(
      (_, k) => isLong || (k + dtypes.indexOf(dtype)) % 3 === 0,
    ),
  )("%s by kernels and by the evaluator", (op) => {
    const [plain, kernels] = both(dtype, [z], (map) => map[op]());
    expect(differences(kernels, plain, relative, absolute, () => false)).toEqual([]);
  });

  test.each(["add", "sub", "mul", "div", "pow", "squaredDifference"])("%s of every pair, by kernels and by the evaluator", (op) => {
    const count = z.length / 2;
    // Every nineteenth pair, of each operation and dtype others; all of them in `npm run long`.
    const shift = op.length + op.charCodeAt(0) + dtype.length;
    const step = isLong ? 1 : 19;
    const [lefts, rights]: [number[], number[]] = [[], []];
    for (let i = 0; i < count; i++)
      for (let j = (i * 7 + shift) % step; j < count; j += step) {
        lefts.push(z[2 * i]!, z[2 * i + 1]!);
        rights.push(z[2 * j]!, z[2 * j + 1]!);
      }
    const [left, right] = [lefts, rights].map((numbers) => (z.constructor as Float32ArrayConstructor).from(numbers));
    const [plain, kernels] = both(dtype, [left!, right!], (a, b) => a[op](b));
    // The angle of a power with a large exponent is an error of the logarithm times the exponent.
    const isWild = (at: number): boolean => op === "pow" && [0, 1].some((part) => Math.abs(right![at - (at % 2) + part]!) > 1e9);
    const shown = (at: number): string =>
      `(${[...left!.slice(at - (at % 2), at - (at % 2) + 2)]}) ${op} (${[...right!.slice(at - (at % 2), at - (at % 2) + 2)]}), part ${at % 2}: ${kernels[at]}, not ${plain[at]}`;
    const isTame = (at: number): boolean => !isWild(at) || !Number.isFinite(right![at - (at % 2)]!);
    const bound = op === "pow" ? 1e-9 : relative;
    expect(differences(kernels, plain, bound, absolute, (at) => !isTame(at)).map(shown)).toEqual([]);
  });

  test("pow is C99's cexp(w clog(z)), and 1 for w = 0", () => {
    const { POSITIVE_INFINITY: inf, NaN: nan } = Number;
    const cases = [
      [0, 0, 1, 0, 0, 0],
      [0, 0, 2, 3, 0, 0],
      [0, 0, -1, 0, inf, nan],
      [0, 0, 0, 1, nan, nan],
      [0, 0, 0, 0, 1, 0],
      [nan, inf, 0, 0, 1, 0],
      [inf, 0, -1, 0, 0, 0],
      [-inf, 0, -2, 0, 0, 0],
    ];
    const make = (from: number): Reals => {
      const list = cases.flatMap((each) => each.slice(from, from + 2));
      return dtype === "complex64" ? Float32Array.from(list) : Float64Array.from(list);
    };
    const alike = (at: number): boolean => make(4)[at] === 0;
    for (const got of both(dtype, [make(0), make(2)], (a, b) => a.pow(b)))
      expect(differences(got, make(4), relative, absolute, alike)).toEqual([]);
  });
});
