/**
 * Repeats the last stored value to the end: the meaning of a TensorProto with fewer values than elements (std::fill_n in
 * tensorflow/core/framework/tensor.cc).
 */

/**
 * Fills the elements from `stored` on with the element before them, or with zeros if there is none; bit for bit, NaN payloads
 * included.
 */
export function repeatLast(bytes: Uint8Array, size: number, stored: number, count: number): void {
  if (stored === 0) {
    bytes.fill(0);
    return;
  }
  const end = count * size;
  const from = (stored - 1) * size;
  // Each round copies everything that is filled already, so the filled part doubles.
  for (let filled = size; from + filled < end; filled *= 2)
    bytes.copyWithin(from + filled, from, from + Math.min(filled, end - from - filled));
}
