/**
 * One scratch number seen as 32-bit words: how JavaScript reads the bits of a double or a float without allocating.
 *
 *   DOUBLE[0] = x      DOUBLE_WORDS[HIGH]  sign | 11 exponent bits | upper 20 mantissa bits
 *                      DOUBLE_WORDS[LOW]   lower 32 mantissa bits
 *   FLOAT[0] = x       FLOAT_WORD[0]       sign | 8 exponent bits | 23 mantissa bits
 *
 * The words are signed, so that they stay small integers in the engine. Used by the codecs of this package only; the
 * content does not outlive one call.
 */

/** The scratch double. */
export const DOUBLE: Float64Array = new Float64Array(1);

/** The two words of the scratch double, at HIGH and LOW. */
export const DOUBLE_WORDS: Int32Array = new Int32Array(DOUBLE.buffer);

/** The scratch float. */
export const FLOAT: Float32Array = new Float32Array(1);

/** The word of the scratch float. */
export const FLOAT_WORD: Int32Array = new Int32Array(FLOAT.buffer);

DOUBLE[0] = 1; // 0x3ff00000_00000000: the word that is not zero is the high one

/** Index of the word with sign and exponent: 1 on little-endian machines, 0 on big-endian ones. */
export const HIGH: 0 | 1 = DOUBLE_WORDS[1] === 0 ? 0 : 1;

/** Index of the other word. */
export const LOW: 0 | 1 = HIGH === 1 ? 0 : 1;

/**
 * 2^52. Added to a double in [0, 2^32), it rounds that to the nearest integer, ties to even, and leaves the integer in
 * the low word.
 */
export const ROUND_TO_LOW_WORD = 4503599627370496;
