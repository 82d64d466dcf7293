// Windows, frames, short-time transforms, cosine transforms and mel scales: TensorFlow's values, definitions, round trips, errors.
import { beforeAll, expect, test } from "@jest/globals";
import { evaluate, ready, tensorMap } from "@onebuffer/eigen";
import { constant, iota } from "@onebuffer/expression";
import {
  blackmanWindow,
  dct,
  frame,
  hammingWindow,
  idct,
  inverseStft,
  inverseStftWindow,
  kaiserBesselDerivedWindow,
  kaiserWindow,
  linearToMelWeightMatrix,
  mfccsFromLogMelSpectrograms,
  overlapAndAdd,
  spectrogram,
  stft,
  vorbisWindow,
} from "@onebuffer/signal";
import { isLong } from "@onebuffer/test-support";
import { expectNear, numbers, valuesOf } from "../fft/errors.ts";

beforeAll(async () => {
  await ready();
});

const near = (given: readonly number[], wanted: readonly number[], digits = 5): void => expectNear(given, wanted, digits);

const signal = (length: number, seed = 1) => tensorMap("float64", numbers(length, seed) as Float64Array<ArrayBuffer>, [length]);

test("windows have TensorFlow's values", () => {
  near(valuesOf(hammingWindow(4) as never), [0.08, 0.54, 1, 0.54]);
  near(valuesOf(hammingWindow(5) as never), [0.08, 0.54, 1, 0.54, 0.08]);
  near(valuesOf(kaiserWindow(4) as never), [5.2773448e-5, 0.51884464, 0.51884464, 5.2773448e-5]);
  near(valuesOf(vorbisWindow(4) as never), [0.22801436, 0.97365779, 0.97365779, 0.22801416]);
  near(valuesOf(kaiserBesselDerivedWindow(4) as never), [0.00726415, 0.9999736, 0.9999736, 0.00726415]);
  near(valuesOf(blackmanWindow(5, { dtype: "float64" }) as never), [0, 0.34, 1, 0.34, 0], 12);
  for (const make of [hammingWindow, blackmanWindow, kaiserWindow]) {
    expect([...valuesOf(make(0) as never), ...valuesOf(make(1) as never)]).toEqual([1]);
  }
});

test("frames are the elements by strides, with and without an end", () => {
  for (const [size, length, step] of [
    [10, 4, 3],
    [10, 3, 5],
    [3, 4, 1],
    [0, 2, 2],
    [7, 7, 7],
  ] as const) {
    for (const padEnd of [false, true]) {
      const count = padEnd ? Math.ceil(size / step) : Math.max(0, 1 + Math.floor((size - length) / step));
      const wanted = Array.from({ length: count }, (_, f) => Array.from({ length }, (_, k) => (f * step + k < size ? f * step + k : -1)));
      expect(evaluate(frame(iota("float32", size), length, step, { padEnd, padValue: -1 })).toArray()).toEqual(wanted);
    }
  }
});

test("frames are added up where they overlap", () => {
  for (const [count, length, step] of [
    [4, 5, 2],
    [3, 4, 4],
    [3, 2, 5],
    [1, 3, 1],
    [0, 3, 1],
  ] as const) {
    const parts = numbers(2 * count * length, 4) as Float64Array<ArrayBuffer>;
    const size = count === 0 ? 0 : (count - 1) * step + length;
    const wanted = new Float64Array(2 * size);
    for (let at = 0; at < parts.length; at++) {
      const [row, f, k] = [Math.floor(at / (count * length)), Math.floor(at / length) % count, at % length];
      wanted[row * size + f * step + k]! += parts[at]!;
    }
    near(valuesOf(overlapAndAdd(tensorMap("float64", parts, [2, count, length]), step) as never), [...wanted], 12);
  }
});

test("frames of no elements are added up to zeros", () => {
  expect(evaluate(overlapAndAdd(constant("float32", 1, [3, 0]), 2)).toArray()).toEqual([0, 0, 0, 0]);
  expect(overlapAndAdd(constant("float32", 1, [2, 0, 0]), 2).dimensions).toEqual([2, 0]);
});

test("short-time transforms have TensorFlow's values, and go back", () => {
  const padded = stft(iota("float32", 16), 4, 3, { padEnd: true });
  near(valuesOf(padded as never).slice(0, 12), [4, 0, -2, 1, 0, 0, 10, 0, -5, 1, 0, 0]);
  expect(padded.dimensions).toEqual([6, 3]);
  expect(stft(constant("float32", 1, [3]), 4, 1).dimensions).toEqual([0, 3]);
  expect(stft(iota("float32", 16), 5, 2).dimensions).toEqual([6, 5]);
  for (const [length, step] of [
    [16, 4],
    [12, 5],
  ] as const) {
    const x = signal(200);
    const window = inverseStftWindow(step);
    const back = valuesOf(inverseStft(stft(x, length, step), length, step, { window }) as never);
    near(back.slice(length, 150), valuesOf(x as never).slice(length, 150), 11);
  }
  const power = valuesOf(spectrogram(iota("float32", 8), 4, 4) as never);
  near(power, [16, 5, 0, 144, 37, 0]);
});

test("cosine transforms are their sums", () => {
  const terms: Readonly<Record<number, (n: number, j: number, k: number) => number>> = {
    1: (n, j, k) => (j === 0 || j === n - 1 ? 1 : 2) * Math.cos((Math.PI * j * k) / (n - 1)),
    2: (n, j, k) => 2 * Math.cos((Math.PI * k * (2 * j + 1)) / (2 * n)),
    3: (n, j, k) => (j === 0 ? 1 : 2) * Math.cos((Math.PI * j * (2 * k + 1)) / (2 * n)),
    4: (n, j, k) => 2 * Math.cos((Math.PI * (2 * j + 1) * (2 * k + 1)) / (4 * n)),
  };
  for (const type of [1, 2, 3, 4] as const) {
    for (const length of (isLong ? [1, 2, 5, 8, 17] : [1, 2, 8, 17]).slice(type === 1 ? 1 : 0)) {
      const x = valuesOf(signal(length) as never);
      const wanted = x.map((_, k) => x.reduce((sum, value, j) => sum + value * terms[type]!(length, j, k), 0));
      near(valuesOf(dct(signal(length), { type }) as never), wanted, 11);
      if (type !== 1) near(valuesOf(idct(dct(signal(length), { type, norm: "ortho" }), { type, norm: "ortho" }) as never), x, 12);
      const factor = type === 1 ? 2 * (length - 1) : 2 * length;
      near(valuesOf(idct(dct(signal(length), { type }), { type }).mul(1 / factor) as never), x, 11);
    }
  }
  near(valuesOf(dct(iota("float32", 8), { dctLength: 4 }) as never), [12, -6.3086443, 0, -0.4483414]);
  near(
    valuesOf(dct(iota("float32", 3), { dctLength: 4 }) as never),
    valuesOf(dct(tensorMap("float32", Float32Array.of(0, 1, 2, 0), [4])) as never),
  );
});

test("mel scales and cepstra", () => {
  const mel = linearToMelWeightMatrix(4, 9, { dtype: "float64" });
  near(valuesOf(mel as never).slice(0, 6), [0, 0, 0, 0, 0.8956538, 0.1043462], 5);
  near(valuesOf(mfccsFromLogMelSpectrograms(constant("float32", 1, [1, 8])) as never), [4, 0, 0, 0, 0, 0, 0, 0]);
});

test.each([
  ["a frame of no elements", () => frame(iota("float32", 4), 0, 1)],
  ["a step of no elements", () => frame(iota("float32", 4), 1, 0)],
  ["half a step", () => overlapAndAdd(constant("float32", 1, [3, 2]), 0.5)],
  ["one row of frames", () => overlapAndAdd(constant("float32", 1, [3]), 1)],
  ["integers", () => stft(iota("int32", 4) as never, 2, 1)],
  ["no window", () => stft(iota("float32", 4), 2, 1, { window: 3 as never })],
  ["a window of another length", () => stft(iota("float32", 4), 2, 1, { window: () => constant("float32", 1, [3]) })],
  ["type 5", () => dct(iota("float32", 4), { type: 5 as 4 })],
  ["type 2 as a text", () => dct(iota("float32", 4), { type: "2" as never })],
  ["a type without a text", () => dct(iota("float32", 4), { type: Object.create(null) as never })],
  ["an edge that is a BigInt", () => linearToMelWeightMatrix(4, 9, { lowerEdgeHertz: 10n as never })],
  ["an orthonormal type 1", () => dct(iota("float32", 4), { type: 1, norm: "ortho" })],
  ["one element of type 1", () => dct(iota("float32", 1), { type: 1 })],
  ["an infinite beta", () => kaiserWindow(4, Infinity)],
  ["an odd length", () => kaiserBesselDerivedWindow(5)],
  ["an integer window", () => vorbisWindow(4, { dtype: "int32" as never })],
  ["a long Kaiser window", () => kaiserWindow(2 ** 31 - 1)],
  ["a long Kaiser-Bessel-derived window", () => kaiserBesselDerivedWindow(2 ** 31 - 2)],
  ["a long Vorbis window", () => vorbisWindow(2 ** 31 - 1)],
  ["a long window of an inverse", () => inverseStftWindow(2 ** 31 - 1)(2 ** 31 - 1, { dtype: "float32" })],
  ["a window without dimensions", () => inverseStftWindow(2, () => constant("float64", 1) as never)(3, { dtype: "float32" })],
  ["a frame of many steps", () => overlapAndAdd(constant("float32", 1, [2, 2 ** 30]), 1)],
  ["a long transform of type 2", () => dct(constant("float32", 1, [2 ** 31 - 1]))],
  ["a long transform of type 3", () => idct(constant("float32", 1, [2 ** 31 - 1]), { norm: "ortho" })],
  ["many bins", () => linearToMelWeightMatrix(2 ** 14, 2 ** 14)],
  ["edges above half the rate", () => linearToMelWeightMatrix(4, 9, { upperEdgeHertz: 4001 })],
])("%s: INVALID_ARGUMENT", (_, call) => {
  expect(call).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
});

test("lengths in an object are refused with the call", () => {
  expect(() => stft(iota("float32", 4), { frameLength: 2, frameStep: 1 } as never, 1)).toThrow("stft(x, frameLength, frameStep, options)");
});
