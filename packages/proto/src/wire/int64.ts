/**
 * Int64: the type of 64-bit integer fields in message objects.
 */

/**
 * The value of an int64 or uint64 field. Decoding gives a number if its magnitude is at most 2^53 - 1, otherwise a bigint. Encoding
 * accepts both for any value.
 *
 * @example
 * const big: Int64 = memoryLogStepCodec.decode(Uint8Array.of(8, 255, 255, 255, 255, 255, 255, 255, 127)).stepId ?? 0;
 * big; // => 2n ** 56n - 1n
 */
export type Int64 = number | bigint;
