/**
 * crc32: the checksum of zip and gzip files (IEEE 802.3). Its polynomial is 0x04C11DB7 or, with the lowest power in the highest bit,
 * 0xEDB88320. Otherwise it is computed as crc32c is.
 */
import { byteView, checkInteger } from "@onebuffer/base/internal";
import type { BytesInput } from "../source/bytes-input.ts";
import { Crc } from "./crc.ts";

const kPolynomial = 0xedb88320;
const kAllOnes = 0xffffffff;

/** In units of 16 bytes: y^300 + y^155 + y^117 + y^89 + 1 is a multiple of the polynomial (fold-kernel.ts). */
const kDistances: readonly number[] = [145, 183, 211, 300];

let crc: Crc | null = null;

/**
 * Returns the CRC-32 of `bytes` as zip files store it, an integer from 0 to 2^32 - 1. With `previous`, the CRC-32 of the bytes before
 * these, returns that of both together.
 *
 * Throws INVALID_ARGUMENT if `bytes` is neither a buffer nor a view, or if `previous` is not such an integer.
 */
export function crc32(bytes: BytesInput, previous: number = 0): number {
  checkInteger(previous, "a checksum", 0, kAllOnes);
  return extendCrc32(byteView(bytes), previous);
}

/** `crc32` for arguments that are known to be right. */
export function extendCrc32(bytes: Uint8Array<ArrayBufferLike>, previous: number): number {
  crc ??= new Crc(kPolynomial, kDistances);
  return crc.extend(bytes, previous);
}
