/**
 * Functions that make layouts (MakeLayout and related functions in xla/layout_util.cc). They see no shape and do not
 * check that the order is a permutation; validateLayoutForShape does.
 */
import { checkNumber, checkObject } from "@onebuffer/base/internal";
import { InvalidArgumentError } from "@onebuffer/base";
import { checkNumbers } from "../type/argument-check.ts";
import { checkedCount } from "../type/integers.ts";
import type { LayoutOptions } from "./layout.ts";
import { Layout } from "./layout.ts";

/**
 * Returns a layout with the given order and options (MakeLayout). Throws INVALID_ARGUMENT for entries that are not
 * integers and for negative tile entries other than kCombineDimension. Copies: the lists.
 *
 * @example
 * LayoutUtil.makeLayout([1, 0], { tiles: [[2, 128]] }).toString(); // => "{1,0:T(2,128)}"
 * LayoutUtil.makeLayout([1, 0], { tiles: [[-7]] }); // throws INVALID_ARGUMENT
 */
export function makeLayout(minorToMajor: readonly number[], options: LayoutOptions = {}): Layout {
  checkNumbers(minorToMajor, "minor to major");
  checkObject(options, "options");
  return new Layout(minorToMajor, options);
}

/**
 * Returns a layout whose order is given from major to minor, the reverse of minorToMajor. Copies: the list.
 *
 * @example
 * LayoutUtil.makeLayoutFromMajorToMinor([0, 2, 1]).minorToMajor; // => [1, 2, 0]
 */
export function makeLayoutFromMajorToMinor(majorToMinor: readonly number[]): Layout {
  checkNumbers(majorToMinor, "major to minor");
  return new Layout(new Layout(majorToMinor).minorToMajor.toReversed());
}

/**
 * Returns the layout n-1, …, 0: row-major, dimension 0 is the most major. Throws INVALID_ARGUMENT if `rank` is not an
 * integer from 0 to 2^20.
 *
 * @example
 * LayoutUtil.makeDescendingLayout(3).minorToMajor; // => [2, 1, 0]
 */
export function makeDescendingLayout(rank: number): Layout {
  checkNumber(rank, "rank");
  return new Layout(descendingOrder(checkedRank(rank)));
}

/**
 * Returns the layout 0, …, n-1: column-major, dimension 0 is the most minor. Throws INVALID_ARGUMENT if `rank` is not an
 * integer from 0 to 2^20.
 *
 * @example
 * LayoutUtil.makeAscendingLayout(3).minorToMajor; // => [0, 1, 2]
 */
export function makeAscendingLayout(rank: number): Layout {
  checkNumber(rank, "rank");
  return new Layout(descendingOrder(checkedRank(rank)).reverse());
}

/** Returns the list n-1, …, 0. */
export function descendingOrder(rank: number): number[] {
  return Array.from({ length: rank }, (_, i) => rank - 1 - i);
}

/** Checks a caller's rank. A rank above 2^20 is a mistake, and a list of that length would only exhaust memory. */
function checkedRank(rank: number): number {
  const count = checkedCount(rank, "a rank");
  if (count > kMaxRank) throw new InvalidArgumentError(`Expected a rank up to ${kMaxRank}, got ${count}`);
  return count;
}

const kMaxRank = 2 ** 20;
