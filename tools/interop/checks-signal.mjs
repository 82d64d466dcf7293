// Compares the functions of onebuffer/signal with TensorFlow's tf.signal, and with NumPy where TensorFlow has none.
import { dtypeSize, typedArrayConstructor } from "@onebuffer/base";
import { evaluate, iota, tensorMap } from "@onebuffer/eigen";
import {
  correlate,
  dct,
  fft,
  fft2d,
  fftConvolve,
  fftShift,
  firFilter,
  frame,
  hammingWindow,
  hannWindow,
  idct,
  ifft,
  ifft2d,
  ifftShift,
  inverseStft,
  inverseStftWindow,
  irfft,
  kaiserBesselDerivedWindow,
  kaiserWindow,
  linearToMelWeightMatrix,
  mfccsFromLogMelSpectrograms,
  overlapAndAdd,
  rfft,
  rfft2d,
  stft,
  vorbisWindow,
} from "@onebuffer/signal";
import { TensorFlow } from "./tensorflow.mjs";

/** 1, 2, ... as taps. */
const taps = (x, count) => evaluate(iota(x.dtype, count).add(1));

/** Our functions by the names of tensorflow_signal.py. */
const kOurs = {
  fft: (x) => fft(x),
  ifft: (x) => ifft(x),
  fft2d: (x) => fft2d(x),
  ifft2d: (x) => ifft2d(x),
  fftAxis0: (x) => fft(x, { axis: 0 }),
  fftOrtho: (x) => fft(x, { norm: "ortho" }),
  rfft: (x, fftLength) => rfft(x, { fftLength }),
  irfft: (x, fftLength) => irfft(rfft(x), { fftLength }),
  rfft2d: (x, ...fftLength) => rfft2d(x, { fftLength }),
  fftShift: (x) => fftShift(x),
  ifftShift: (x) => ifftShift(x),
  dct: (x, type, dctLength) => dct(x, { type, dctLength }),
  dctOrtho: (x, type) => dct(x, { type, norm: "ortho" }),
  idct: (x, type) => idct(x, { type }),
  stft: (x, length, step) => stft(x, length, step),
  stftPadded: (x, length, step) => stft(x, length, step, { padEnd: true }),
  inverseStft: (x, length, step) => inverseStft(stft(x, length, step), length, step, { window: inverseStftWindow(step) }),
  frame: (x, length, step) => frame(x, length, step, { padEnd: true, padValue: 3 }),
  overlapAndAdd: (x, step) => overlapAndAdd(x, step),
  hannWindow: ({ dtype }, length) => hannWindow(length, { dtype }),
  hammingWindow: ({ dtype }, length) => hammingWindow(length, { dtype }),
  kaiserWindow: ({ dtype }, length, beta) => kaiserWindow(length, beta, { dtype }),
  vorbisWindow: ({ dtype }, length) => vorbisWindow(length, { dtype }),
  kaiserBesselDerivedWindow: ({ dtype }, length, beta) => kaiserBesselDerivedWindow(length, beta, { dtype }),
  mel: ({ dtype }, bands, bins) => linearToMelWeightMatrix(bands, bins, { dtype }),
  mfcc: (x) => mfccsFromLogMelSpectrograms(x),
  convolve: (x, count) => fftConvolve(x, taps(x, count)),
  correlate: (x, count) => correlate(x, taps(x, count)),
  fir: (x, count) => firFilter(x, taps(x, count)).y,
};

/** The questions: a function, the sizes of the operand, and further arguments. */
const kQuestions = [
  ...[1, 2, 3, 8, 12, 17, 30, 64, 97, 128, 509, 1000].flatMap((n) => [
    ["fft", [2, n]],
    ["ifft", [n]],
    ["rfft", [3, n], n],
    ["rfft", [n], n + 3],
    ["rfft", [n], Math.max(1, n - 2)],
    ["fftShift", [2, n]],
    ["ifftShift", [n]],
    ["fftAxis0", [n, 5]],
    ["fftOrtho", [n]],
    ["dct", [2, n], 2, n],
    ["dct", [n], 3, n + 1],
    ["dct", [n], 4, n],
    ["dctOrtho", [n], 2],
    ["dctOrtho", [n], 3],
    ["dctOrtho", [n], 4],
    ["hannWindow", [1], n],
    ["hammingWindow", [1], n],
    ["vorbisWindow", [1], n],
    ["kaiserBesselDerivedWindow", [1], 2 * n, 4],
    ["convolve", [n], 5],
    ["correlate", [n], 3],
    ["fir", [n], 4],
    ["mfcc", [2, n]],
    ["frame", [2, n], 4, 3],
  ]),
  ...[2, 3, 8, 17, 64].flatMap((n) => [
    ["irfft", [2, n], n],
    ["irfft", [n], n + 1],
    ["dct", [n], 1, n],
    ["idct", [n], 1],
    ["idct", [n], 2],
    ["kaiserWindow", [1], n, 6],
    ["fft2d", [2, n, 5]],
    ["ifft2d", [n, 4]],
    ["rfft2d", [4, n], 3, n + 1],
    ["overlapAndAdd", [2, 3, n], 4],
  ]),
  ["stft", [2, 100], 16, 5],
  ["stft", [100], 20, 20],
  ["stftPadded", [100], 16, 7],
  ["inverseStft", [96], 16, 4],
  ["mel", [1], 20, 129],
];

/** The largest difference, relative to the largest element: TensorFlow computes windows and factors in the dtype. */
const kTolerance = { float32: 1e-5, float64: 1e-12 };

const hexOf = (array) => Buffer.from(array.buffer, array.byteOffset, array.byteLength).toString("hex");

/** Returns the parts of an answer. */
function partsOf({ dtype, content }) {
  const bytes = Uint8Array.from(Buffer.from(content, "hex"));
  const part = dtype === "complex64" || dtype === "float32" ? "float32" : "float64";
  return new (typedArrayConstructor(part))(bytes.buffer, 0, bytes.byteLength / dtypeSize(part));
}

/** Compares every function with TensorFlow's or NumPy's. */
export async function signalsAgree(python, report) {
  report.begin("signals");
  const tensorflow = new TensorFlow(python, "tensorflow_signal.py");
  for (const dtype of ["float32", "float64"]) {
    for (const [op, dims, ...numbers] of kQuestions) {
      const what = `${op}(${dtype} [${dims}], ${numbers})`;
      await report.check(what, async () => {
        const size = dims.reduce((a, b) => a * b, 1);
        const array = typedArrayConstructor(dtype).from({ length: size }, (_, k) => Math.sin(k * k + 1));
        const theirs = await tensorflow.ask({ op, dtype, dims, content: hexOf(array), numbers });
        const ours = kOurs[op](tensorMap(dtype, array, dims), ...numbers);
        const given = [evaluate(ours).toArray()].flat(Infinity);
        const wanted = partsOf(theirs);
        const scale = wanted.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-3);
        const difference = given.reduce((most, value, k) => Math.max(most, Math.abs(value - wanted[k])), 0) / scale;
        const fits = ours.dtype === theirs.dtype && String(ours.dimensions) === String(theirs.dims);
        if (fits && difference <= kTolerance[dtype]) report.pass();
        else report.fail(what, `${ours.dtype} [${ours.dimensions}], theirs ${theirs.dtype} [${theirs.dims}], difference ${difference}`);
      });
    }
  }
  tensorflow.stop();
}
