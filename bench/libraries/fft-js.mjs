// fft.js 4.0.4: float64 in plain JavaScript, powers of 2.
import FFT from "fft.js";
import { isReal, kTransforms, meanOf, signalOf, sizeOf } from "../signal-data.mjs";

const kNames = ["fft 1024", "fft 65536", "fft 2^20"];

export const cases = Object.fromEntries(
  Object.keys(kTransforms)
    .filter((name) => kNames.includes(name) && !isReal(name))
    .map((name) => [
      name,
      () => {
        const transform = new FFT(sizeOf(name));
        const signal = Float64Array.from(signalOf(name));
        const result = transform.createComplexArray();
        return { run: () => transform.transform(result, signal), checksum: () => meanOf(result) };
      },
    ]),
);
