/**
 * The order of the two 32-bit words of a double. Codecs read the bits of a double without allocating, with a scratch
 * Float64Array(1) and an Int32Array over its buffer:
 *
 *   words[HIGH]  sign | 11 exponent bits | upper 20 mantissa bits
 *   words[LOW]   lower 32 mantissa bits
 *
 * Each codec has its own scratch arrays: the engine turns a constant of the same module into a fixed address, but not an
 * imported one, which saves half the time of an encoding. The words are signed, so that they stay small integers in the engine.
 */

/** The index of the word with sign and exponent: 1 on little-endian machines, 0 on big-endian ones. */
export function highWord(): 0 | 1 {
  return new Int32Array(Float64Array.of(1).buffer)[1] === 0 ? 0 : 1; // 1 is 0x3ff00000_00000000
}

/** The index of the word with the lower 32 mantissa bits: 0 on little-endian machines, 1 on big-endian ones. */
export function lowWord(): 0 | 1 {
  return highWord() === 1 ? 0 : 1;
}
