/**
 * Converts between big-endian and little-endian elements, in place.
 *
 * Tensors hold little-endian elements, like the typed arrays of every supported engine; .npy files may hold both.
 * A complex element is two components that are swapped separately, so the caller passes the component's size.
 */

/**
 * Reverses the bytes of each component of `bytes`, which must begin at a multiple of 4 bytes.
 *
 * @param componentSize bytes per component: 1, 2, 4 or 8.
 */
export function swapByteOrder(bytes: Uint8Array<ArrayBufferLike>, componentSize: number): void {
  if (componentSize === 2) {
    const words = new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 2);
    for (let i = 0; i < words.length; i++) {
      const word = words[i] as number;
      words[i] = (word << 8) | (word >>> 8);
    }
  } else if (componentSize === 4) {
    const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
    for (let i = 0; i < words.length; i++) words[i] = reversed(words[i] as number);
  } else if (componentSize === 8) {
    const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
    for (let i = 0; i < words.length; i += 2) {
      const low = words[i] as number;
      words[i] = reversed(words[i + 1] as number);
      words[i + 1] = reversed(low);
    }
  }
}

/** Returns a 32-bit word with its four bytes in reverse order. */
function reversed(word: number): number {
  return (word << 24) | ((word & 0xff00) << 8) | ((word >>> 8) & 0xff00) | (word >>> 24);
}
