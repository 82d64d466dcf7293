// Maps with random elements, the same ones of a seed wherever the checks run.
import { tensorMap } from "@onebuffer/eigen";
import { product } from "./compared.mjs";

/** Returns the functions that make a map of floats between -scale and scale, and one of integers from 0 to below - 1. */
export function randomMaps(seed) {
  let state = seed;
  const next = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  return {
    floats(dims, scale = 1) {
      return tensorMap(
        "float32",
        Float32Array.from({ length: product(dims) }, () => (next() * 2 - 1) * scale),
        dims,
      );
    },
    integers(dims, below) {
      return tensorMap(
        "int32",
        Int32Array.from({ length: product(dims) }, () => Math.floor(next() * below)),
        dims,
      );
    },
  };
}
