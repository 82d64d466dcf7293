/**
 * CommonFactors (xla/util.cc): cuts two lists of sizes with the same product into pieces, so that corresponding pieces
 * have the same product. A reshape from one list to the other mixes only dimensions of the same piece:
 *
 *     a   . | 2 5 | 1 | 3 | .          [2,5] becomes [10]; 3 stays; each 1 is a separate piece, opposite an empty piece (.)
 *     b   1 | 10  | . | 3 | 1
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { checkNumbers } from "../type/argument-check.ts";
import { shownList } from "../type/shown-list.ts";
import { sizeProduct } from "../type/size-product.ts";

/** A cut: the number of entries of each list before it. */
export type FactorBoundary = readonly [a: number, b: number];

/**
 * Returns the cuts of two lists with equal products, from [0, 0] to [a.length, b.length] (`CommonFactors`). Every entry of
 * the common prefix is a piece.
 *
 * If the entries after the common prefix contain a zero, they are one piece. If the prefix contains a zero and the products of
 * the entries after the prefix differ, the whole lists are one piece.
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
  // If the prefix contains a zero, the remainders can have different products. Then the whole lists are one piece.
  if (remaining !== sizeProduct(b.slice(i)))
    return [
      [0, 0],
      [a.length, b.length],
    ];
  if (remaining === 0) return [...cuts, [a.length, b.length]];
  return cutNonzero(a, b, i, cuts);
}

/** Adds the cuts after entry `start`: advances in the list with the smaller partial product and cuts where the products are equal. */
function cutNonzero(a: readonly number[], b: readonly number[], start: number, cuts: FactorBoundary[]): FactorBoundary[] {
  let [i, j, productA, productB] = [start, start, 1, 1];
  while (i < a.length || j < b.length) {
    const level = productA === productB;
    // If the products are equal, take the smaller factor. Take equal factors together, so that each pair of 1s is a separate piece.
    const stepA = i < a.length && (productA < productB || j === b.length || (level && a[i]! <= b[j]!));
    const stepB = j < b.length && (productB < productA || i === a.length || (level && b[j]! <= a[i]!));
    if (stepA) productA *= a[i++]!;
    if (stepB) productB *= b[j++]!;
    if (productA === productB) cuts.push([i, j]);
  }
  return cuts;
}
