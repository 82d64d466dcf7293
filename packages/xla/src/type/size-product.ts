/**
 * The product of sizes, either exact or refused: nothing here rounds.
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { shownList } from "./shown-list.ts";

/**
 * Returns the product of the sizes, 1 for an empty list. As in XLA, partial products are checked from left to right: one
 * beyond 2^53 - 1 is refused even if a zero follows, but after a zero every partial product is 0.
 *
 * Throws INVALID_ARGUMENT for a size that is negative, fractional or beyond 2^53 - 1, and for such a partial product.
 * kUnboundedSize is negative and therefore refused.
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
