// @echogarden/pffft-wasm 0.4.2: PFFFT compiled to WebAssembly with SIMD; its kernel alone, on numbers in its memory.
import { readFileSync } from "node:fs";
import pffft from "@echogarden/pffft-wasm/simd";
import { isPowerOfTwo, kAllTransforms, meanOf, signalOf, sizeOf } from "../signal-data.mjs";

const wasmBinary = readFileSync(new URL(import.meta.resolve("@echogarden/pffft-wasm/simd")).pathname.replace(/\.js$/, ".wasm"));
const module = await pffft({ wasmBinary });

const kForward = 0;
const kComplex = 1;

export const cases = Object.fromEntries(
  Object.keys(kAllTransforms)
    .filter(isPowerOfTwo)
    .map((name) => [
      name,
      () => {
        const size = sizeOf(name);
        const setup = module._pffft_new_setup(size, kComplex);
        const [from, to, work] = [0, 0, 0].map(() => module._pffft_aligned_malloc(8 * size));
        module.HEAPF32.set(signalOf(name), from / 4);
        return {
          run: () => module._pffft_transform_ordered(setup, from, to, work, kForward),
          checksum: () => meanOf(module.HEAPF32.subarray(to / 4, to / 4 + 2 * size)),
          free: () => [from, to, work].forEach((each) => module._pffft_aligned_free(each)),
        };
      },
    ]),
);
