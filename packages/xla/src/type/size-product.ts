/**
 * Products of sizes that are right or refused: nothing here rounds.
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { shownList } from "./shown-list.ts";

/**
 * The product of sizes, 1 for none. Judged from left to right, as XLA judges its int64: a partial product beyond
 * 2^53 - 1 is refused even if a zero follows, and a zero in front makes everything behind it harmless.
 *
 * Throws INVALID_ARGUMENT for a size that is negative, fractional or beyond 2^53 - 1 (the mark of an unbounded
 * dimension is negative), and for such a product.
 */
export function sizeProduct(sizes: readonly number[]): number {
  let product = 1;
  for (let d = 0; d < sizes.length; d++) {
    const size = sizes[d]!;
    if (!Number.isSafeInteger(size) || size < 0)
      throw new InvalidArgumentError(`Size ${String(size)} of dimension ${d} of ${shownList(sizes)} is not in [0, 2^53 - 1]`);
    product *= size;
    if (product > Number.MAX_SAFE_INTEGER)
      throw new InvalidArgumentError(`The product of sizes ${shownList(sizes)} exceeds 2^53 - 1 at dimension ${d}`);
  }
  return product;
}
