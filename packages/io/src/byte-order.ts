/**
 * Byte order: turns big-endian elements into little-endian ones, or back, in place.
 *
 * Tensors hold little-endian elements, as every JavaScript engine's typed arrays do; .npy files may hold either.
 * A complex element is two components, each swapped on its own, so the caller names the component's size.
 */

/**
 * Reverses the bytes of each component of `bytes`, whose start is aligned for 4-byte words.
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

/** A 32-bit word with its four bytes in opposite order. */
function reversed(word: number): number {
  return (word << 24) | ((word & 0xff00) << 8) | ((word >>> 8) & 0xff00) | (word >>> 24);
}
