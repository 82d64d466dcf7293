/**
 * zeroBytes: a stretch of memory set to zero (memset in TensorFlow).
 *
 * Engines fill shared memory one element at a time, lest another thread see a torn one: V8 takes 0.28 ns for each byte of
 * a Uint8Array and as long for each eight of a Float64Array. Unshared memory is filled at the same speed either way.
 */

/** From how many bytes on a wider array costs less to make than it saves. */
const kWide = 256;

/** Sets all bytes to zero. */
export function zeroBytes(bytes: Uint8Array<ArrayBufferLike>): void {
  const { buffer, byteOffset, byteLength } = bytes;
  if (byteLength < kWide || byteOffset % 8 !== 0) {
    bytes.fill(0);
    return;
  }
  const words = Math.floor(byteLength / 8);
  new Float64Array(buffer, byteOffset, words).fill(0);
  bytes.fill(0, words * 8);
}
