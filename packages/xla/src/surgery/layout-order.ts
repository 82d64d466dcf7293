/**
 * Functions that read or change only the order of a layout (xla/layout_util.cc).
 *
 *     minorToMajor {2,0,1}     minor(0) = 2, the fastest      major(0) = 1, the slowest      physical position of 2 is 2
 *
 * "Dimension 0 is minor" means ascending order, which is column-major at rank 2; "dimension 0 is major" means descending
 * order, which is row-major. At rank 0 and 1 both hold.
 */
import { checkNumber, shownValue } from "@onebuffer/base/internal";
import { InvalidArgumentError } from "@onebuffer/base";
import { checkLayout, checkNumbers } from "../type/argument-check.ts";
import type { Layout } from "../model/layout.ts";
import { checkPermutation } from "../type/permutation-util.ts";
import { shownList } from "../type/shown-list.ts";

/**
 * Returns true if minorToMajor is in ascending order: dimension 0 is the fastest (IsMonotonicWithDim0Minor).
 *
 * @example
 * LayoutUtil.isMonotonicWithDim0Minor(new Layout([0, 1, 2])); // => true
 * LayoutUtil.isMonotonicWithDim0Minor(new Layout([1, 0])); // => false
 */
export function isMonotonicWithDim0Minor(layout: Layout): boolean {
  checkLayout(layout);
  return layout.minorToMajor.every((dim, i, order) => i === 0 || order[i - 1]! <= dim);
}

/**
 * Returns true if minorToMajor is in descending order: dimension 0 is the slowest (IsMonotonicWithDim0Major).
 *
 * @example
 * LayoutUtil.isMonotonicWithDim0Major(new Layout([1, 0])); // => true
 * LayoutUtil.isMonotonicWithDim0Major(new Layout([])); // => true
 */
export function isMonotonicWithDim0Major(layout: Layout): boolean {
  checkLayout(layout);
  return layout.minorToMajor.every((dim, i, order) => i === 0 || order[i - 1]! >= dim);
}

/**
 * Returns true if minorToMajor is exactly n-1, …, 0 (HasDescendingLayout).
 *
 * @example
 * LayoutUtil.hasDescendingLayout(new Layout([2, 1, 0])); // => true
 * LayoutUtil.hasDescendingLayout(new Layout([2, 0])); // => false
 */
export function hasDescendingLayout(layout: Layout): boolean {
  checkLayout(layout);
  return layout.minorToMajor.every((dim, i, order) => dim === order.length - 1 - i);
}

/**
 * Returns the k-th fastest dimension, minorToMajor[k] (Minor). Throws INVALID_ARGUMENT if k is not in 0 … rank-1.
 *
 * @example
 * LayoutUtil.minor(new Layout([1, 2, 0]), 0); // => 1
 * LayoutUtil.minor(new Layout([1, 2, 0]), 3); // throws INVALID_ARGUMENT
 */
export function minor(layout: Layout, k: number): number {
  checkLayout(layout);
  checkNumber(k, "k");
  return at(layout, k, k);
}

/**
 * Returns the k-th slowest dimension, minorToMajor[rank-1-k] (Major). Throws INVALID_ARGUMENT if k is not in 0 … rank-1.
 *
 * @example
 * LayoutUtil.major(new Layout([1, 2, 0]), 0); // => 0
 */
export function major(layout: Layout, k: number): number {
  checkLayout(layout);
  checkNumber(k, "k");
  return at(layout, layout.minorToMajor.length - 1 - k, k);
}

function at(layout: Layout, position: number, k: number): number {
  const dim = Number.isInteger(position) ? layout.minorToMajor[position] : undefined;
  if (dim === undefined)
    throw new InvalidArgumentError(
      `physical dimension number ${shownValue(k)} is not in [0, ${layout.minorToMajor.length}) of layout ${shownList(layout.minorToMajor)}`,
    );
  return dim;
}

/**
 * Returns the physical position of each dimension, 0 = most major (MakeLogicalToPhysical). Copies: a new list. Throws
 * INVALID_ARGUMENT if minorToMajor is not a permutation.
 *
 * @example
 * LayoutUtil.makeLogicalToPhysical(new Layout([1, 2, 0])); // => [0, 2, 1]
 */
export function makeLogicalToPhysical(layout: Layout): number[] {
  checkLayout(layout);
  const order = layout.minorToMajor;
  checkPermutation(order, order.length, "minor_to_major");
  const positions = new Array<number>(order.length).fill(0);
  order.forEach((dim, i) => {
    positions[dim] = order.length - 1 - i;
  });
  return positions;
}

/**
 * Returns true if the positions of `dims` in minorToMajor are consecutive, in any order (AreDimensionsConsecutive). An
 * empty list is consecutive. Throws INVALID_ARGUMENT for a dimension that the layout does not have.
 *
 * @example
 * LayoutUtil.areDimensionsConsecutive(new Layout([3, 0, 2, 1]), [0, 3, 2]); // => true
 * LayoutUtil.areDimensionsConsecutive(new Layout([0, 1, 2, 3]), [0, 3]); // => false
 */
export function areDimensionsConsecutive(layout: Layout, dims: readonly number[]): boolean {
  checkLayout(layout);
  checkNumbers(dims, "dims");
  const positionOf = new Map(layout.minorToMajor.map((dim, i) => [dim, i]));
  const positions = dims.map((dim) => {
    const position = positionOf.get(dim);
    if (position === undefined) throw noSuchDimension(layout, dim);
    return position;
  });
  positions.sort((a, b) => a - b);
  return positions.every((position, i) => i === 0 || position === positions[i - 1]! + 1);
}

/**
 * Returns the layout with `dim` as the slowest dimension; the others keep their order (MoveDimToMajor). Throws
 * INVALID_ARGUMENT if the layout does not have this dimension. ShapeUtil.moveDimToMajor does the same for a shape.
 *
 * @example
 * LayoutUtil.moveDimToMajor(new Layout([2, 1, 0]), 1).toString(); // => "{2,0,1}"
 */
export function moveDimToMajor(layout: Layout, dim: number): Layout {
  checkLayout(layout);
  checkNumber(dim, "dim");
  return layout.with({ minorToMajor: [...othersOf(layout, dim), dim] });
}

/**
 * Returns the layout with `dim` as the fastest dimension; the others keep their order (MoveDimToMinor). Throws
 * INVALID_ARGUMENT if the layout does not have this dimension.
 *
 * @example
 * LayoutUtil.moveDimToMinor(new Layout([2, 1, 0]), 1).toString(); // => "{1,2,0}"
 */
export function moveDimToMinor(layout: Layout, dim: number): Layout {
  checkLayout(layout);
  checkNumber(dim, "dim");
  return layout.with({ minorToMajor: [dim, ...othersOf(layout, dim)] });
}

function othersOf(layout: Layout, dim: number): number[] {
  if (!layout.minorToMajor.includes(dim)) throw noSuchDimension(layout, dim);
  return layout.minorToMajor.filter((d) => d !== dim);
}

function noSuchDimension(layout: Layout, dim: number): InvalidArgumentError {
  return new InvalidArgumentError(`dimension ${shownValue(dim)} is not in minor_to_major ${shownList(layout.minorToMajor)}`);
}
