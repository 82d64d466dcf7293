/**
 * The byte-copy counter: the number of element bytes that onebuffer has copied since this package was loaded.
 *
 * A view never copies, so it leaves the counter unchanged. Every function that copies says so in its documentation and counts here:
 * deepCopy, concat, split, copySlice, Tensor.from, toArrayBuffer. (No counterpart in TensorFlow.)
 */

import { checkNumber } from "@onebuffer/base/internal";

let copied = 0;

/**
 * Returns the number of element bytes copied so far. The counter only grows: use differences.
 *
 * @example
 * using t = Tensor.zeros([3, 4]);
 * const before = bytesCopied();
 * using view = t.reshape([2, 6]);
 * bytesCopied() - before; // => 0
 * using copy = deepCopy(t);
 * bytesCopied() - before; // => 48
 */
export function bytesCopied(): number {
  return copied;
}

/**
 * Adds `bytes` to the counter. Called by every function that copies elements, in this package and in those that import it. Throws
 * INVALID_ARGUMENT if `bytes` is not a number.
 *
 * @example
 * const before = bytesCopied();
 * countCopied(8);
 * bytesCopied() - before; // => 8
 */
export function countCopied(bytes: number): void {
  checkNumber(bytes, "a number of bytes");
  copied += bytes;
}
