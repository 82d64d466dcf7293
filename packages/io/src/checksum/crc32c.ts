/**
 * crc32c: the checksum of TensorFlow's files (tsl/lib/hash/crc32c.h). Its polynomial is Castagnoli's, 0x1EDC6F41 or, with the lowest
 * power in the highest bit, 0x82F63B78. The remainder starts as all ones and is inverted at the end.
 */
import { byteView, checkInteger } from "@onebuffer/base/internal";
import type { BytesInput } from "../source/bytes-input.ts";
import { Crc } from "./crc.ts";

const kPolynomial = 0x82f63b78;
const kAllOnes = 0xffffffff;

/** In units of 16 bytes: y^209 + y^144 + y^54 + y^39 + y^14 + 1 is a multiple of the polynomial (fold-kernel.ts). */
const kDistances: readonly number[] = [65, 155, 170, 195, 209];

/** Made by the first call: its tables take about 0.1 ms and 16 KiB. */
let crc: Crc | null = null;

/**
 * Returns the crc32c of `bytes`, as an integer from 0 to 2^32 - 1. With `previous`, the crc32c of the bytes before these, returns that
 * of both together (TensorFlow's `Extend`).
 *
 * Throws INVALID_ARGUMENT if `bytes` is neither a buffer nor a view, or if `previous` is not such an integer. Bytes of the arena are read
 * where they are; long ones of other memory go through a block of 16 KiB.
 *
 * @example
 * const bytes = Uint8Array.from("123456789", (digit) => digit.charCodeAt(0));
 * crc32c(bytes).toString(16); // => "e3069283"
 * crc32c(bytes.subarray(4), crc32c(bytes.subarray(0, 4))) === crc32c(bytes); // => true
 * crc32c(bytes, -1); // throws INVALID_ARGUMENT
 */
export function crc32c(bytes: BytesInput, previous: number = 0): number {
  checkInteger(previous, "a checksum", 0, kAllOnes);
  return extendCrc32c(byteView(bytes), previous);
}

/** `crc32c` for arguments that are known to be right. */
export function extendCrc32c(bytes: Uint8Array<ArrayBufferLike>, previous: number): number {
  crc ??= new Crc(kPolynomial, kDistances);
  return crc.extend(bytes, previous);
}
