/**
 * The byte-copy counter: how many element bytes this package has copied since it was loaded.
 *
 * A view never copies, and this is how to see it: the counter stands still. What copies says so in its
 * documentation and counts here: deepCopy, concat, split, copySlice, Tensor.from, toArrayBuffer.
 */

import { checkNumber } from "@onebuffer/base";

let copied = 0;

/**
 * Element bytes copied so far, a number that only grows. Take differences.
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
 * Adds to the counter. Called by whatever copies elements, in this package and above.
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
