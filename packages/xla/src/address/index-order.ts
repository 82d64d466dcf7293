/**
 * Functions on indices that ignore the layout: successor, bounds, comparison (xla/index_util.h).
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { checkNumbers, checkShape } from "../type/argument-check.ts";
import { checkIndex } from "./linear-index.ts";
import type { Shape } from "../model/shape.ts";
import { requireArray } from "../model/shape.ts";
import { shownList } from "../type/shown-list.ts";

/**
 * Advances `indices`, in place, to the next index in row-major order (`BumpIndices`). Returns false, and leaves the list
 * unchanged, at the last index. Quirk: the order is row-major whatever the layout; `forEachIndex` follows the layout.
 *
 *
 * Throws INVALID_ARGUMENT for an index outside the shape.
 *
 * @example
 * const index = [0, 2];
 * IndexUtil.bumpIndices(ShapeUtil.makeShape("f32", [2, 3]), index); // => true
 * index; // => [1, 0]
 */
export function bumpIndices(shape: Shape, indices: number[]): boolean {
  checkShape(shape);
  checkNumbers(indices, "indices");
  checkIndex(requireArray(shape, "BumpIndices"), indices, "BumpIndices");
  const { dimensions } = shape;
  for (let d = dimensions.length - 1; d >= 0; d--) {
    if (indices[d]! + 1 < dimensions[d]!) {
      indices[d]! += 1;
      indices.fill(0, d + 1);
      return true;
    }
  }
  return false;
}

/**
 * Returns true if an index has one entry per dimension, each in 0..size-1 (`IndexInBounds`). XLA does not check for
 * negative entries.
 *
 * Throws INVALID_ARGUMENT if `shape` is not an array.
 *
 * @example
 * IndexUtil.indexInBounds(ShapeUtil.makeShape("f32", [2, 3]), [1, 2]); // => true
 * IndexUtil.indexInBounds(ShapeUtil.makeShape("f32", [2, 3]), [-1, 2]); // => false
 */
export function indexInBounds(shape: Shape, index: readonly number[]): boolean {
  checkShape(shape);
  checkNumbers(index, "index");
  const { dimensions } = requireArray(shape, "IndexInBounds");
  return (
    index.length === dimensions.length && dimensions.every((size, d) => Number.isInteger(index[d]) && index[d]! >= 0 && index[d]! < size)
  );
}

/**
 * Compares two indices entry by entry (`CompareIndices`): -1 if `a` comes first, 1 if `b` does, 0 if they are equal.
 *
 * Throws INVALID_ARGUMENT if their lengths differ.
 *
 * @example
 * IndexUtil.compareIndices([0, 1], [0, 2]); // => -1
 * IndexUtil.compareIndices([0], [0, 2]); // throws INVALID_ARGUMENT
 */
export function compareIndices(a: readonly number[], b: readonly number[]): -1 | 0 | 1 {
  checkNumbers(a, "a");
  checkNumbers(b, "b");
  if (a.length !== b.length) throw new InvalidArgumentError(`CompareIndices of ${shownList(a)} and ${shownList(b)}: the lengths differ`);
  const at = a.findIndex((entry, d) => entry !== b[d]);
  return at < 0 ? 0 : a[at]! < b[at]! ? -1 : 1;
}
