/**
 * CommonFactors (xla/util.cc): cuts two lists of sizes with the same product into pieces, so that corresponding pieces
 * have the same product. A reshape mixes only dimensions of the same piece:
 *
 *     a   . | 2 5 | 1 | 3 | .          [2,5] becomes [10]; 3 stays; the sizes of 1 are pieces of their own
 *     b   1 | 10  | . | 3 | 1
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { checkNumbers } from "../type/argument-check.ts";
import { shownList } from "../type/shown-list.ts";
import { sizeProduct } from "../type/size-product.ts";

/** A cut: how many entries of each list precede it. */
export type FactorBoundary = readonly [a: number, b: number];

/**
 * Returns the cuts of two lists with equal products, from [0, 0] to [a.length, b.length] (`CommonFactors`). Equal lists
 * are cut at every entry. Lists with zeros are cut only within the common prefix.
 *
 * Throws INVALID_ARGUMENT if the products differ, if a size is negative or not an integer, and if a product exceeds
 * 2^53 - 1.
 *
 * @example
 * commonFactors([1, 2, 6], [4, 1, 3, 1]); // => [[0, 0], [1, 0], [3, 3], [3, 4]]
 * commonFactors([2, 6], [4, 3]); // => [[0, 0], [2, 2]]
 * commonFactors([2, 3], [5]); // throws INVALID_ARGUMENT
 */
export function commonFactors(a: readonly number[], b: readonly number[]): FactorBoundary[] {
  checkNumbers(a, "a");
  checkNumbers(b, "b");
  const product = sizeProduct(a);
  if (product !== sizeProduct(b))
    throw new InvalidArgumentError(`CommonFactors of ${shownList(a)} and ${shownList(b)}: the products differ`);
  const cuts: FactorBoundary[] = [[0, 0]];
  let i = 0;
  while (i < a.length && i < b.length && a[i] === b[i]) {
    i++;
    cuts.push([i, i]);
  }
  if (i === a.length && i === b.length) return cuts;
  const remaining = sizeProduct(a.slice(i));
  // After a common zero the remainders may have different products: then no cut but the ends is certain.
  if (remaining !== sizeProduct(b.slice(i)))
    return [
      [0, 0],
      [a.length, b.length],
    ];
  if (remaining === 0) return [...cuts, [a.length, b.length]];
  return cutNonzero(a, b, i, cuts);
}

/** Advances through both lists from entry `start` on, always in the list with the smaller partial product. */
function cutNonzero(a: readonly number[], b: readonly number[], start: number, cuts: FactorBoundary[]): FactorBoundary[] {
  let [i, j, productA, productB] = [start, start, 1, 1];
  while (i < a.length || j < b.length) {
    const level = productA === productB;
    // If the products are equal, the smaller factor is taken first. Equal factors are taken together: pairs of 1 stay apart.
    const stepA = i < a.length && (productA < productB || j === b.length || (level && a[i]! <= b[j]!));
    const stepB = j < b.length && (productB < productA || i === a.length || (level && b[j]! <= a[i]!));
    if (stepA) productA *= a[i++]!;
    if (stepB) productB *= b[j++]!;
    if (productA === productB) cuts.push([i, j]);
  }
  return cuts;
}
