// Transforms of all lengths by the kernels, beside a reference in float64: the root mean square error is at most sqrt(log2 n) units, four times that
// for lengths that are convolutions. Rows, lines across lanes, columns and lines that are left over.
import { beforeAll, expect, test } from "@jest/globals";
import { ready } from "@onebuffer/eigen";
import { fft, ifft, irfft, rfft } from "@onebuffer/signal";
import { isLong, sampled } from "@onebuffer/test-support";
import { kernelCounts } from "@onebuffer/kernels/internal";
import { radicesOf } from "../../src/fft/radices.ts";
import { complexMap, errorOf, exactLines, numbers, repeatedLines, unitOf, valuesOf } from "./errors.ts";

beforeAll(async () => {
  await ready();
});

/** Returns the largest error of a length. The reference for float64 has errors of its own. */
function boundOf(length: number, dtype: "complex64" | "complex128"): number {
  const rounding = Math.sqrt(Math.max(1, Math.log2(length))) + 0.5;
  return (radicesOf(length) === null ? 4 : 1) * rounding * (dtype === "complex128" ? 1.5 : 1);
}

/** Lengths around every way of computing: all up to 17, around powers and multiples of lanes, primes, and products of all radices. */
const kLengths = isLong
  ? Array.from({ length: 2047 }, (_, k) => k + 2)
  : [...Array.from({ length: 16 }, (_, k) => k + 2), 24, 31, 32, 33, 63, 64, 65, 97, 169, 210, 509];

const aQuarter = <T>(cases: readonly T[]): readonly T[] => sampled(cases, cases.length / 4);

const kDTypes = ["complex64", "complex128"] as const;

/** The numbers of lines in front of and behind the axis: rows, lines across lanes, columns, and lines that are left over. */
const kForms: readonly (readonly [outer: number, inner: number])[] = [
  [1, 1],
  [3, 1],
  [9, 1],
  [2, 3],
  [6, 2],
  [1, 7],
  [2, 33],
];

/** In `npm run long` single lines have all lengths, each other form a seventh of them; they are 15,000 kernels. */
const hasLength = (form: readonly [number, number], length: number): boolean => {
  if (!isLong) return length <= 33 || form[0] * form[1] <= 3;
  const number = kForms.findIndex(([outer, inner]) => outer === form[0] && inner === form[1]);
  return number === 0 || length % kForms.length === number;
};

/** Every dtype, form, length and direction; a quarter of them in `npm test`, where every form has lengths of every way. */
const kLines = aQuarter(
  kDTypes.flatMap((dtype) =>
    kForms.flatMap((form) =>
      kLengths
        .filter((length) => hasLength(form, length))
        .flatMap((length) => [false, true].map((isInverse) => ({ dtype, form, length, isInverse }))),
    ),
  ),
);

/** Every length with one row and with several; of each dtype. */
const kRealRows = aQuarter(
  kDTypes.flatMap((dtype) =>
    kLengths
      .filter((each) => isLong || each < 18 || each === 33 || each === 64 || each === 97)
      .flatMap((length) => [1, 5].map((rows) => ({ dtype, length, rows }))),
  ),
);

test.each(kForms)("lines of all lengths among [%d, length, %d]", (outer, inner) => {
  const before = kernelCounts().runs;
  const cases = kLines.filter(({ form }) => form[0] === outer && form[1] === inner);
  for (const length of new Set(cases.map((each) => each.length))) {
    const dims = [outer, length, inner] as const;
    const parts = repeatedLines(dims);
    const exact = exactLines(parts, dims, true);
    for (const { dtype, isInverse } of cases.filter((each) => each.length === length)) {
      const given = valuesOf((isInverse ? ifft : fft)(complexMap(dtype, parts, [...dims]), { axis: 1 }) as never);
      const error = errorOf(given, exact, dims, isInverse, unitOf(dtype));
      if (!(error <= boundOf(length, dtype))) throw new Error(`${dtype} of length ${length}, inverse ${isInverse}: error ${error}`);
    }
  }
  expect(kernelCounts().runs).toBeGreaterThan(before);
});

test.each([
  ["complex64", 2 ** 118],
  ["complex128", 2 ** 1014],
] as const)("%s: lines of a prime length have finite results up to the largest numbers", (dtype, scale) => {
  const parts = numbers(2 * 509, 5);
  for (const transform of [fft, ifft]) {
    const [wanted, given] = [1, scale].map((factor) =>
      valuesOf(
        transform(
          complexMap(
            dtype,
            parts.map((value) => value * factor),
            [509],
          ),
        ) as never,
      ),
    );
    expect(given).toEqual(wanted!.map((value) => value * scale));
  }
});

for (const dtype of kDTypes) {
  test(`${dtype}: long lines, and large primes`, () => {
    const long = [65536, 65537, 2 ** 17, 3 ** 10, 40961, 2 ** 18, 10007 * 6, 2053, 2 ** 12];
    const lengths = isLong ? long : [dtype === "complex64" ? 2053 : 2 ** 12];
    for (const length of lengths) {
      const parts = numbers(2 * length, 7);
      const given = valuesOf(fft(complexMap(dtype, parts, [1, length])) as never);
      const dims = [1, length, 1] as const;
      expect(errorOf(given, exactLines(parts, dims), dims, false, unitOf(dtype))).toBeLessThan(boundOf(length, dtype));
    }
  });

  test(`${dtype}: spectra of real rows are those of complex ones, and go back`, () => {
    const real = dtype === "complex64" ? "float32" : "float64";
    for (const { length, rows } of kRealRows.filter((each) => each.dtype === dtype)) {
      const parts = numbers(2 * rows * length, length).map((value, k) => (k % 2 === 0 ? value : 0));
      const x = complexMap(dtype, parts, [rows, length]);
      const row = Math.floor(length / 2) + 1;
      const full = valuesOf(fft(x) as never);
      const spectrum = rfft((x as unknown as { real(): never }).real() as never as ReturnType<typeof irfft<"complex64", 2>>);
      const half = valuesOf(spectrum as never);
      let [error, norm] = [0, 0];
      for (let r = 0; r < rows; r++) {
        expect(half[2 * r * row + 1]).toBe(0);
        for (let k = 0; k < 2 * row; k++) {
          error += (half[2 * r * row + k]! - full[2 * r * length + k]!) ** 2;
          norm += full[2 * r * length + k]! ** 2;
        }
      }
      expect(Math.sqrt(error / norm) / unitOf(dtype)).toBeLessThan(2 * boundOf(length, dtype));
      const back = irfft(spectrum, { fftLength: length });
      expect(back.dtype).toBe(real);
      const given = valuesOf(back as never);
      const difference = Math.max(...given.map((value, k) => Math.abs(value - parts[2 * k]!)));
      expect(difference / unitOf(dtype)).toBeLessThan(16 * boundOf(length, dtype));
    }
  });
}
