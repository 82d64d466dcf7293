// The workloads of Fourier transforms: complex64, or of float32, an assignment of an expression that was made once.
import { fasterThan, timesOf } from "./targets.mjs";
import { kTransforms } from "./signal-data.mjs";

/** The targets by workload, as times of other libraries; `pffft` is the bare kernel of PFFFT, and fft.js computes float64. */
const kTargets = {
  "fft 1024": [timesOf("numpy", 0.35), timesOf("pffft-wasm", 1.2), fasterThan(["fft-js"], 2.5)],
  "fft 65536": [timesOf("scipy", 0.6), timesOf("pffft-wasm", 1.1), fasterThan(["fft-js"], 3)],
  "fft 2^20": [timesOf("scipy", 0.6), timesOf("pffft-wasm", 0.9)],
  "fft 1009": [timesOf("scipy", 1)],
  "fft 65537": [timesOf("scipy", 1)],
  "fft2d 512": [timesOf("scipy", 1)],
  "rfft 65536": [timesOf("whole", 0.62)],
};

/** In how many turns the rows are measured, because their targets are shares of another program's time (run.mjs). */
const kTurns = 12;

export const kSignal = [
  ...Object.keys(kTransforms).map((name) => ({
    name,
    text: `${name.startsWith("rfft") ? "float32" : "complex64"} [${kTransforms[name]}]; pffft-wasm, kissfft-wasm: the bare kernel; whole: fft of as many complex numbers`,
    targets: kTargets[name] ?? [],
    tolerance: 1e-4,
    turns: kTurns,
  })),
  {
    name: "fft 4096 rows, two threads",
    text: "complex64 [4096,1024] with ThreadPoolDevice(2); by-hand: one thread",
    targets: [fasterThan(["by-hand"], 1.7)],
    turns: kTurns,
  },
];
