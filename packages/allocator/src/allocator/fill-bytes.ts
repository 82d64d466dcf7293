/**
 * fillBytes: fills memory with one byte value (C's memset).
 *
 * Engines fill shared memory element by element, so that another thread never sees half an element. V8 needs 0.28 ns per element, for
 * a Uint8Array (1 byte) as for a BigUint64Array (8 bytes), so this fills shared memory in words of 8 bytes. For memory that is
 * not shared both are equally fast.
 */

/** From this number of bytes on, filling by words saves more time than creating the BigUint64Array costs. */
const kWordFillBytes = 256;

/** Sets all bytes of the array to `byte`, from 0 to 255. */
export function fillBytes(bytes: Uint8Array<ArrayBufferLike>, byte: number): void {
  const { buffer, byteOffset, byteLength } = bytes;
  if (byteLength < kWordFillBytes || byteOffset % 8 !== 0) {
    bytes.fill(byte);
    return;
  }
  const words = Math.floor(byteLength / 8);
  new BigUint64Array(buffer, byteOffset, words).fill(BigInt(byte) * 0x0101010101010101n);
  bytes.fill(byte, words * 8);
}
