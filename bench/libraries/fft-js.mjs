// fft.js 4.0.4: float64 in plain JavaScript, powers of 2.
import FFT from "fft.js";
import { isPowerOfTwo, kAllTransforms, meanOf, signalOf, sizeOf } from "../signal-data.mjs";

export const cases = Object.fromEntries(
  Object.keys(kAllTransforms)
    .filter(isPowerOfTwo)
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
