/**
 * Dimension numbers, negative numbers, letters and true rank (xla/shape_util.cc and XLA's "Shapes and Layout").
 *
 * Dimension numbers count from 0 in list order. Negative numbers count from the end; -1 is the last dimension. At rank 2, 3
 * and 4 the dimensions have letters, of which the last is always x: `y x`, `z y x`, `p z y x`.
 *
 * "The true rank of an array is the number of dimensions which have a size greater than 1."
 *     (TensorFlow documentation, "Shapes and Layout", Google, CC BY 3.0)
 *
 * XLA's code, however, counts every size other than 1, so dimensions of size 0 count too. The function here follows the
 * code: f32[3,0,1] has true rank 2, where the documentation says 1.
 */
import { checkNumber, shownValue } from "@onebuffer/base/internal";
import { InvalidArgumentError } from "@onebuffer/base";
import { checkShape } from "../type/argument-check.ts";
import { checkedInteger } from "../type/integers.ts";
import type { Shape } from "../model/shape.ts";
import { requireArray, shownShape } from "../model/shape.ts";

/** The letters by rank. Other ranks have no letters. */
const kLetters: readonly (readonly string[] | undefined)[] = [undefined, undefined, ["y", "x"], ["z", "y", "x"], ["p", "z", "y", "x"]];

/**
 * Returns the letters of dimensions 0 … rank-1, as in XLA's documents. Copies: a new list.
 *
 * Throws INVALID_ARGUMENT for ranks other than 2, 3 and 4, whose dimensions have no letters.
 *
 * @example
 * ShapeUtil.dimensionLetters(3); // => ["z", "y", "x"]
 * ShapeUtil.dimensionLetters(5); // throws INVALID_ARGUMENT
 */
export function dimensionLetters(rank: number): string[] {
  checkNumber(rank, "rank");
  const letters = typeof rank === "number" ? kLetters[rank] : undefined;
  if (letters === undefined) throw new InvalidArgumentError(`Dimensions have letters at rank 2, 3 and 4, not at rank ${shownValue(rank)}`);
  return [...letters];
}

/**
 * Returns the dimension number that a possibly negative number stands for: -1 is the last dimension (GetDimensionNumber).
 *
 * Throws INVALID_ARGUMENT if it is below -rank, or at or above rank. (XLA does not check the upper limit here.)
 *
 * @example
 * ShapeUtil.getDimensionNumber(Shape.array("f32", [5, 6, 7]), -1); // => 2
 * ShapeUtil.getDimensionNumber(Shape.array("f32", [2, 3]), -3); // throws INVALID_ARGUMENT
 */
export function getDimensionNumber(shape: Shape, dim: number): number {
  checkShape(shape);
  checkNumber(dim, "dim");
  const rank = requireArray(shape, "GetDimensionNumber").rank;
  const given = checkedInteger(dim, "a dimension number");
  const number = given < 0 ? given + rank : given;
  if (number < 0)
    throw new InvalidArgumentError(`dimension_number >= 0: dimension ${given} of ${shownShape(shape)}, whose rank is ${rank}`);
  if (number >= rank)
    throw new InvalidArgumentError(`dimension_number < rank: dimension ${given} of ${shownShape(shape)}, whose rank is ${rank}`);
  return number;
}

/**
 * Returns the size of a dimension, whose number may be negative (GetDimension); kUnboundedSize for `?`.
 *
 * Throws INVALID_ARGUMENT as getDimensionNumber does.
 *
 * @example
 * ShapeUtil.getDimension(Shape.array("f32", [5, 6, 7]), -2); // => 6
 */
export function getDimension(shape: Shape, dim: number): number {
  checkShape(shape);
  checkNumber(dim, "dim");
  return shape.dimensions[getDimensionNumber(shape, dim)]!;
}

/**
 * Returns the number of dimensions with a size other than 1 (TrueNumDimensions, formerly TrueRank). Throws
 * INVALID_ARGUMENT if `shape` is not an array.
 *
 * Quirk: dimensions of size 0 count, contrary to the documentation quoted at the top of this file.
 *
 * @example
 * ShapeUtil.trueNumDimensions(Shape.array("f32", [3, 1, 5])); // => 2
 * ShapeUtil.trueNumDimensions(Shape.array("f32", [3, 0, 1])); // => 2
 */
export function trueNumDimensions(shape: Shape): number {
  checkShape(shape);
  return requireArray(shape, "TrueNumDimensions").dimensions.filter((size) => size !== 1).length;
}
