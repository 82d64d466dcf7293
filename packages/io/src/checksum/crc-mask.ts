/**
 * The mask of stored checksums (tsl/lib/hash/crc32c.h). The crc32c of bytes that contain their own crc32c would always be the same
 * number, so TensorFlow's files store a masked checksum: rotated right by 15 bits, plus 0xa282ead8.
 */
import { checkInteger } from "@onebuffer/base/internal";

const kMaskDelta = 0xa282ead8;
const kLargest = 0xffffffff;

/**
 * Returns a checksum in the form in which TensorFlow's files store it.
 *
 * Throws INVALID_ARGUMENT for anything but an integer from 0 to 2^32 - 1.
 *
 * @example
 * maskCrc(0).toString(16); // => "a282ead8"
 * unmaskCrc(maskCrc(0xe3069283)) === 0xe3069283; // => true
 * maskCrc(2 ** 32); // throws INVALID_ARGUMENT
 */
export function maskCrc(crc: number): number {
  checkInteger(crc, "a checksum", 0, kLargest);
  return (((crc >>> 15) | (crc << 17)) + kMaskDelta) >>> 0;
}

/**
 * Returns the checksum that `maskCrc` masked.
 *
 * Throws INVALID_ARGUMENT for anything but an integer from 0 to 2^32 - 1.
 *
 * @example
 * unmaskCrc(0xa282ead8); // => 0
 * unmaskCrc(-1); // throws INVALID_ARGUMENT
 */
export function unmaskCrc(masked: number): number {
  checkInteger(masked, "a masked checksum", 0, kLargest);
  const rotated = masked - kMaskDelta;
  return ((rotated << 15) | (rotated >>> 17)) >>> 0;
}
