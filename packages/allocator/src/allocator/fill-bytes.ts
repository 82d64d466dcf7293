/**
 * fillBytes: a stretch of memory set to one byte (memset in TensorFlow).
 *
 * Engines fill shared memory one element at a time, lest another thread see a torn one: V8 takes 0.28 ns for each byte of
 * a Uint8Array and as long for each eight of a BigUint64Array. Unshared memory is filled at the same speed either way.
 */

/** From how many bytes on a wider array costs less to make than it saves. */
const kWide = 256;

/** Sets all bytes to `byte`, 0 to 255. */
export function fillBytes(bytes: Uint8Array<ArrayBufferLike>, byte: number): void {
  const { buffer, byteOffset, byteLength } = bytes;
  if (byteLength < kWide || byteOffset % 8 !== 0) {
    bytes.fill(byte);
    return;
  }
  const words = Math.floor(byteLength / 8);
  new BigUint64Array(buffer, byteOffset, words).fill(BigInt(byte) * 0x0101010101010101n);
  bytes.fill(byte, words * 8);
}
