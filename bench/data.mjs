// Deterministic inputs, the same for every library: numbers in [-1, 1) from a linear congruential generator.
export function floats(n, seed = 1) {
  const out = new Float32Array(n);
  let state = seed >>> 0;
  for (let i = 0; i < n; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    out[i] = -1 + 2 * ((state >>> 8) / 16777216);
  }
  return out;
}

export const kSide = 1024;
export const kElementSide = 512;
export const matrixData = () => floats(kSide * kSide);
export const elementData = () => floats(kElementSide * kElementSide);

/** Returns the checksum of `slice`, from the slice's first and last elements and its row count. */
export const sliceChecksum = (first, last, rows) => first + 3 * last + rows;

/** Returns the checksum of `reshape`, from element [1, 3] of [512, 2048] and the rank. */
export const reshapeChecksum = (element, rank) => element + rank;
