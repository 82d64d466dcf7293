// The functions of transforms: lengths, axes, norms, shifts, errors, gradients, StableHLO, threads and plans.
import { beforeAll, expect, test } from "@jest/globals";
import { evaluate, ready, tensorMap } from "@onebuffer/eigen";
import { constant, iota } from "@onebuffer/expression";
import { evaluateInto } from "@onebuffer/evaluator/internal";
import { treeOf } from "@onebuffer/expression";
import { isLong } from "@onebuffer/test-support";
import { leafPlaces } from "@onebuffer/compiler/internal";
import { gradients } from "@onebuffer/gradients";
import { toStableHLO } from "@onebuffer/stablehlo";
import {
  fft,
  fft2d,
  fft3d,
  fftFrequencies,
  fftNd,
  fftPlanCounts,
  fftShift,
  ifft,
  ifft2d,
  ifftNd,
  ifftShift,
  irfft,
  irfft2d,
  rfft,
  rfft2d,
  rfftFrequencies,
  rfftNd,
} from "@onebuffer/signal";
import { complexMap, expectNear, flat, numbers, valuesOf } from "../fft/errors.ts";

beforeAll(async () => {
  await ready();
});

const doubles = <R extends 1 | 2 | 3>(dims: number[] & { length: R }, seed = 1) =>
  tensorMap(
    "float64",
    numbers(
      dims.reduce((a, b) => a * b, 1),
      seed,
    ) as Float64Array<ArrayBuffer>,
    dims,
  );

const near = (given: readonly number[], wanted: readonly number[], digits = 12): void => expectNear(given, wanted, digits);

test("TensorFlow's values", () => {
  const x = iota("float32", 8);
  near(valuesOf(rfft(x, { fftLength: 5 }) as never), [10, 0, -2.5, 3.4409549, -2.5, 0.8122992], 5);
  near(valuesOf(rfft(x, { fftLength: 10 }) as never).slice(2, 6), [-14.7532902, 2.4898982, -1.309017, -6.3798809], 5);
  const spectrum = rfft(x);
  near(valuesOf(irfft(spectrum, { fftLength: 7 }) as never).slice(0, 3), [0.571428597, 1.09467781, 2.7474797], 5);
  near(valuesOf(irfft(spectrum, { fftLength: 10 }) as never).slice(0, 3), [-0.4, 0.588771, 1.4877037], 5);
  expect(fft(constant("float32", 1, [3, 0])).dimensions).toEqual([3, 0]);
  expect(valuesOf(fft(constant("float32", 1, [1])) as never)).toEqual([1, 0]);
  expect(valuesOf(rfft(constant("float32", 3, [1])) as never)).toEqual([3, 0]);
  const ignored = tensorMap("complex64", Float32Array.of(1, 5, 0, 0, 0, 0), [3]);
  near(valuesOf(irfft(ignored) as never), [0.25, 0.25, 0.25, 0.25]);
});

test.each([
  [8, [4, 5, 6, 7, 0, 1, 2, 3]],
  [5, [3, 4, 0, 1, 2]],
  [1, [0]],
])("shifts of %d elements", (size, wanted) => {
  const x = iota("int32", size);
  expect(evaluate(fftShift(x)).toArray()).toEqual(wanted);
  expect(evaluate(ifftShift(fftShift(x))).toArray()).toEqual(evaluate(x).toArray());
  expect(evaluate(fftShift(iota("int32", [2, size], 1), 1).chip(1)).toArray()).toEqual(wanted);
});

test("frequencies", () => {
  expect(evaluate(fftFrequencies(5, { sampleSpacing: 0.5 })).toArray()).toEqual([0, 0.4, 0.8, -0.8, -0.4]);
  expect(evaluate(rfftFrequencies(6, { dtype: "float32" })).dtype).toBe("float32");
});

test("several axes are axes one after the other; norms; round trips", () => {
  const x = doubles([3, 4, 5]);
  const each = fft(fft(fft(x), { axis: 1 }), { axis: 0 });
  near(valuesOf(fft3d(x) as never), valuesOf(each as never));
  near(valuesOf(fftNd(x) as never), valuesOf(each as never));
  near(valuesOf(fft2d(x) as never), valuesOf(fftNd(x, { axes: [2, 1] }) as never));
  near(valuesOf(ifft2d(fft2d(x)).real() as never), valuesOf(x as never));
  for (const norm of ["backward", "ortho", "forward"] as const) {
    near(valuesOf(ifftNd(fftNd(x, { norm }), { norm }).real() as never), valuesOf(x as never));
    near(valuesOf(irfft(rfft(x, { norm }), { norm, fftLength: 5 }) as never), valuesOf(x as never));
  }
  near(valuesOf(irfft2d(rfft2d(x), { fftLength: [4, 5] }) as never), valuesOf(x as never));
  const half = rfftNd(x, { axes: [0, 2, 1] });
  expect(half.dimensions).toEqual([3, 3, 5]);
  near(valuesOf(half as never), valuesOf(fftNd(x).slice(null, [0, 3]) as never));
  near(valuesOf(fft2d(x, { fftLength: [6, 2] }) as never), valuesOf(fft(fft(x, { fftLength: 2 }), { axis: 1, fftLength: 6 }) as never));
});

test("Parseval, and a shift is a factor", () => {
  const [x, n] = [doubles([60]), 60];
  const spectrum = valuesOf(fft(x) as never);
  const power = spectrum.reduce((sum, value) => sum + value * value, 0);
  expect(power / n).toBeCloseTo(
    valuesOf(x as never).reduce((sum, value) => sum + value * value, 0),
    10,
  );
  const rolled = valuesOf(fft(x.roll(1 as never, 0 as never) as never) as never);
  for (let k = 0; k < n; k++) {
    const angle = (-2 * Math.PI * k) / n;
    expect(rolled[2 * k]!).toBeCloseTo(spectrum[2 * k]! * Math.cos(angle) - spectrum[2 * k + 1]! * Math.sin(angle), 11);
  }
});

test("the evaluator computes what kernels compute", () => {
  for (const size of isLong ? [1, 2, 7, 12, 71, 73] : [1, 2, 12, 71]) {
    const x = doubles([2, size]);
    for (const tree of [fft(x), ifft(x), rfft(x)]) {
      const out = tensorMap("complex128", new Float64Array(2 * tree.size), tree.dimensions as number[] & { length: 2 });
      evaluateInto(leafPlaces(treeOf(out)), treeOf(tree));
      near(flat(out.toArray()), valuesOf(tree as never));
    }
    const back = irfft(rfft(x), { fftLength: size });
    const out = tensorMap("float64", new Float64Array(2 * size), [2, size]);
    evaluateInto(leafPlaces(treeOf(out)), treeOf(back));
    near(flat(out.toArray()), valuesOf(back as never));
  }
});

test.each([6, 7])("gradients of %d elements are adjoints", (size) => {
  const x = doubles([2, size], 3);
  const weights = complexMap("complex128", numbers(4 * size, 5), [2, size]);
  const dot = (a: number[], b: number[]): number => a.reduce((sum, value, k) => sum + value * b[k]!, 0);
  // The sum of the real parts of products with constants is linear: its gradient times a direction is its value there.
  const half = Math.floor(size / 2) + 1;
  const spectra = [
    (y: typeof x) =>
      rfft(y)
        .mul(weights.slice(null, [0, half]) as never)
        .real()
        .sum(),
    (y: typeof x) =>
      fft(y.cast("complex128"))
        .mul(weights as never)
        .real()
        .sum(),
    (y: typeof x) =>
      ifft(y.cast("complex128"))
        .mul(weights as never)
        .real()
        .sum(),
  ];
  for (const make of spectra) {
    const [g] = gradients(make(x) as never, [x] as never) as never as [typeof x];
    expect(dot(valuesOf(g as never), valuesOf(x as never))).toBeCloseTo(valuesOf(make(x) as never)[0]!, 9);
  }
});

test("the gradient of irfft beside differences", () => {
  for (const size of [6, 7]) {
    const parts = numbers(2 * (Math.floor(size / 2) + 1), 2);
    const factors = doubles([size], 9);
    const value = (p: Float64Array): number =>
      valuesOf(
        irfft(complexMap("complex128", p, [p.length / 2]), { fftLength: size })
          .mul(factors as never)
          .sum() as never,
      )[0]!;
    const x = complexMap("complex128", parts, [parts.length / 2]);
    const [g] = gradients(
      irfft(x as never, { fftLength: size })
        .mul(factors as never)
        .sum() as never,
      [x] as never,
    ) as never as [never];
    valuesOf(g).forEach((each, k) => {
      const [more, less] = [1, -1].map((sign) => value(parts.map((part, at) => (at === k ? part + sign : part))));
      expect(each).toBeCloseTo((more! - less!) / 2, 10);
    });
  }
});

test("StableHLO has transforms as such", () => {
  const { text } = toStableHLO([irfft(rfft(constant("float32", 1, [3, 8]))), fft(constant("complex64", 1, [4, 3]), { axis: 0 })] as never);
  expect(text).toMatch(/RFFT[\s\S]*length = array<i64: 8>/);
  expect(text).toMatch(/IRFFT/);
  expect(text).toMatch(/transpose[\s\S]*<fft_type FFT>, fft_length = array<i64: 4>[\s\S]*transpose/);
});

test("plans are kept and counted", () => {
  const x = complexMap("complex64", numbers(202, 1), [101]);
  const count = (): number => fftPlanCounts().made;
  evaluate(fft(x));
  const before = count();
  for (let k = 0; k < 3; k++) evaluate(fft(x));
  expect(count()).toBe(before);
  // More bytes of tables than are kept: the oldest plans are dropped.
  for (const length of isLong ? [0, 1, 2, 3, 4].map((shift) => 2 ** 17 + 2 * shift) : [2 ** 17 + 6, 3 * 2 ** 15])
    evaluate(fft(constant("complex128", 1, [length])));
  expect(fftPlanCounts().kept).toBeLessThan(3);
  expect(fftPlanCounts().bytes).toBeLessThanOrEqual(2 ** 24);
});

test.each([
  ["a scalar", () => fft(constant("float32", 1, [])), /rank of at least 1 but got: \[\]/],
  ["one dimension", () => fft2d(constant("float32", 1, [3])), /rank of at least 2/],
  ["integers", () => fft(iota("int32", 4) as never), /not defined for int32/],
  ["complex numbers as real ones", () => rfft(constant("complex64", 1, [3]) as never), /not defined for complex64/],
  ["a negative length", () => rfft(constant("float32", 1, [3]), { fftLength: -1 }), /fftLength/],
  ["length 0", () => rfft(constant("float32", 1, [3]), { fftLength: 0 }), /fftLength/],
  ["a spectrum of one element", () => irfft(constant("complex64", 1, [1])), /no length/],
  ["an axis twice", () => fftNd(constant("float32", 1, [3, 3]), { axes: [0, -2] }), /different/],
  ["an axis outside", () => fft(constant("float32", 1, [3]), { axis: 1 }), /axis/],
  ["another norm", () => fft(constant("float32", 1, [3]), { norm: "both" as never }), /norm/],
  ["an unknown option", () => fft(constant("float32", 1, [3]), { n: 4 } as never), /n/],
  ["too few lengths", () => fft2d(constant("float32", 1, [3, 3]), { fftLength: [3] }), /fftLength/],
  ["no frequencies", () => fftFrequencies(0), /length/],
  ["a shift along a billion holes", () => fftShift(constant("float32", 1, [3]), new Array(1e9)), /axis/],
  ["a shift back along a billion holes", () => ifftShift(constant("float32", 1, [3]), new Array(1e9)), /axis/],
  ["a billion axes", () => fftNd(constant("float32", 1, [3]), { axes: new Array(1e9) }), /at most 1 numbers/],
  ["a billion lengths", () => rfftNd(constant("float32", 1, [3]), { fftLength: new Array(1e9) }), /at most 1 numbers/],
])("%s: INVALID_ARGUMENT", (_, call, message) => {
  expect(call).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT", message: expect.stringMatching(message) }));
});

test("types: precision and rank are kept", () => {
  const single: "complex64" = fft(constant("float32", 1, [2, 3])).dtype;
  const rank: 2 = rfft(constant("float64", 1, [2, 3])).rank;
  const part: "float64" = irfft(constant("complex128", 1, [3])).dtype;
  expect([single, rank, part]).toEqual(["complex64", 2, "float64"]);
  const refused = (): void => {
    // @ts-expect-error integers have no transform
    fft(iota("int32", 4));
    // @ts-expect-error spectra of real rows are of real numbers
    rfft(constant("complex64", 1, [4]));
    // @ts-expect-error the transform back is of complex numbers
    irfft(constant("float32", 1, [4]));
  };
  expect(refused).toThrow();
});
