// kissfft-wasm 1.1.2: KissFFT compiled to WebAssembly, with its copies into and out of its memory.
import { isPowerOfTwo, kAllTransforms, meanOf, signalOf } from "../signal-data.mjs";

// Its loader takes a `fetch` for a browser's.
globalThis.fetch = undefined;
const { default: kissfft } = await import("kissfft-wasm");
const { waitLoading } = await import("kissfft-wasm/lib/wasm.js");
await waitLoading();

/** It takes seconds for large primes. */
const isShort = (name) => isPowerOfTwo(name) || name === "fft 1009";

export const cases = Object.fromEntries(
  Object.keys(kAllTransforms)
    .filter(isShort)
    .map((name) => [
      name,
      () => {
        const signal = signalOf(name);
        let result;
        return { run: () => void (result = kissfft.fft(signal)), checksum: () => meanOf(result) };
      },
    ]),
);
