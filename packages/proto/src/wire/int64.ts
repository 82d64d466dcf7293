/**
 * A 64-bit integer of a message: number while exact.
 */

/**
 * An int64 or uint64 field: a number up to 2^53 - 1 either way, else a bigint. Decoding gives it so, encoding takes both.
 *
 * @example
 * const big: Int64 = memoryLogStepCodec.decode(Uint8Array.of(8, 255, 255, 255, 255, 255, 255, 255, 127)).stepId ?? 0;
 * big; // => 2n ** 56n - 1n
 */
export type Int64 = number | bigint;
