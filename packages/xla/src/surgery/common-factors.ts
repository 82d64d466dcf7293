/**
 * CommonFactors (xla/util.cc): where two lists of sizes with one product can be cut so that the pieces between the
 * cuts hold equally many elements. A reshape only ever mixes dimensions inside one such piece:
 *
 *     a   2 . 5 . 1 . 3          [2,5] and [1,10] are one piece, [1,3] and [3] another
 *     b   1 . 10 . 3 . 1
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { checkNumbers } from "../type/argument-check.ts";
import { shownList } from "../type/shown-list.ts";
import { sizeProduct } from "../type/size-product.ts";

/** A cut: so many entries of the first list lie before it, so many of the second. */
export type FactorBoundary = readonly [a: number, b: number];

/**
 * The cuts of two lists of equal product, from [0, 0] to [a.length, b.length] (`CommonFactors`). Lists that are equal
 * are cut everywhere; with zeros in them, only where the lists are the same from the front.
 *
 * Throws INVALID_ARGUMENT if the products differ, a size is negative or no integer, or a product exceeds 2^53 - 1.
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
  const rest = sizeProduct(a.slice(i));
  // Behind a common zero the rests may have any product: then nothing but the ends is known to fit.
  if (rest !== sizeProduct(b.slice(i)))
    return [
      [0, 0],
      [a.length, b.length],
    ];
  if (rest === 0) return [...cuts, [a.length, b.length]];
  return cutNonzero(a, b, i, cuts);
}

/** Steps through both lists from entry `start` on, always the one whose partial product lags behind. */
function cutNonzero(a: readonly number[], b: readonly number[], start: number, cuts: FactorBoundary[]): FactorBoundary[] {
  let [i, j, productA, productB] = [start, start, 1, 1];
  while (i < a.length || j < b.length) {
    const level = productA === productB;
    // On level terms the smaller factor goes first; equal ones go together, which keeps size-1 pairs apart.
    const stepA = i < a.length && (productA < productB || j === b.length || (level && a[i]! <= b[j]!));
    const stepB = j < b.length && (productB < productA || i === a.length || (level && b[j]! <= a[i]!));
    if (stepA) productA *= a[i++]!;
    if (stepB) productB *= b[j++]!;
    if (productA === productB) cuts.push([i, j]);
  }
  return cuts;
}
