/**
 * Functions that add dimensions to a shape; the existing dimensions keep their order in memory (AppendMajorDimension and
 * related functions, InsertDimensionsAtIndex in xla/shape_util.cc).
 *
 *     f32[10,20]{0,1}   append major 5   f32[10,20,5]{0,1,2}    five such arrays, one after the other
 *                       append minor 5   f32[10,20,5]{2,0,1}    every element becomes five
 *                       prepend major 5  f32[5,10,20]{1,2,0}
 *
 * A shape without a layout stays without one. In a 2017 padded layout the padded size of a new dimension is its size. Split
 * configs refer to physical positions and are kept unchanged.
 */
import { checkNumber } from "@onebuffer/base/internal";
import { InvalidArgumentError } from "@onebuffer/base";
import { checkNumbers, checkShape } from "../type/argument-check.ts";
import { kUnboundedSize } from "../model/dimension-size.ts";
import { checkedInteger, checkedIntegers } from "../type/integers.ts";
import type { Shape } from "../model/shape.ts";
import { requireArray, shownShape } from "../model/shape.ts";
import { validateShapeWithOptionalLayout } from "../model/validate-shape.ts";

/**
 * Returns the shape with one more dimension, which has the highest number and is the slowest in memory
 * (AppendMajorDimension).
 *
 * Throws INVALID_ARGUMENT if `shape` is not a valid array, if `bound` is not a size, and if the new shape overflows.
 *
 * @example
 * ShapeUtil.appendMajorDimension(5, parseShape("f32[10,20,30]{1,2,0}")).toString(true); // => "f32[10,20,30,5]{1,2,0,3}"
 * ShapeUtil.appendMajorDimension(-5, parseShape("f32[10]")); // throws INVALID_ARGUMENT
 */
export function appendMajorDimension(bound: number, shape: Shape): Shape {
  checkNumber(bound, "bound");
  checkShape(shape);
  const rank = requireArray(shape, "AppendMajorDimension").rank;
  return withInserted(shape, rank, [bound], (order) => [...order, rank]);
}

/**
 * Returns the shape with one more dimension, which has the highest number and is the fastest in memory
 * (AppendMinorDimension). Throws as appendMajorDimension does.
 *
 * @example
 * ShapeUtil.appendMinorDimension(40, parseShape("f32[10,20,30]{0,2,1}")).toString(true); // => "f32[10,20,30,40]{3,0,2,1}"
 */
export function appendMinorDimension(bound: number, shape: Shape): Shape {
  checkNumber(bound, "bound");
  checkShape(shape);
  const rank = requireArray(shape, "AppendMinorDimension").rank;
  return withInserted(shape, rank, [bound], (order) => [rank, ...order]);
}

/**
 * Returns the shape with a new dimension 0, the slowest in memory; the numbers of the others grow by 1
 * (PrependMajorDimension). Throws as appendMajorDimension does.
 *
 * @example
 * ShapeUtil.prependMajorDimension(5, parseShape("f32[10,20]{0,1}")).toString(true); // => "f32[5,10,20]{1,2,0}"
 */
export function prependMajorDimension(bound: number, shape: Shape): Shape {
  checkNumber(bound, "bound");
  checkShape(shape);
  requireArray(shape, "PrependMajorDimension");
  return withInserted(shape, 0, [bound], (order) => [...order, 0]);
}

/**
 * Returns the shape with a new dimension number `index` (InsertDimensionAtIndex). Throws as insertDimensionsAtIndex does.
 *
 * @example
 * ShapeUtil.insertDimensionAtIndex(parseShape("f32[10,20,30]{0,2,1}"), 1, 40).toString(true); // => "f32[10,40,20,30]{0,3,2,1}"
 */
export function insertDimensionAtIndex(shape: Shape, index: number, bound: number): Shape {
  checkShape(shape);
  checkNumber(index, "index");
  checkNumber(bound, "bound");
  return insertDimensionsAtIndex(shape, index, [bound]);
}

/**
 * Returns the shape with new dimensions from number `index` on; existing dimensions from there on get higher numbers
 * (InsertDimensionsAtIndex). In memory the new dimensions are, in descending order, just slower than the dimension that had
 * the number `index`; if `index` is the rank, they are the fastest.
 *
 * Throws INVALID_ARGUMENT if `index` is not in 0 … rank, and as appendMajorDimension does.
 *
 * @example
 * ShapeUtil.insertDimensionsAtIndex(parseShape("f32[10,20]"), 1, [4, 5]).toString(true); // => "f32[10,4,5,20]{3,2,1,0}"
 * ShapeUtil.insertDimensionsAtIndex(parseShape("f32[10,20]"), 3, [4]); // throws INVALID_ARGUMENT
 */
export function insertDimensionsAtIndex(shape: Shape, index: number, bounds: readonly number[]): Shape {
  checkShape(shape);
  checkNumber(index, "index");
  checkNumbers(bounds, "bounds");
  const rank = requireArray(shape, "InsertDimensionsAtIndex").rank;
  const at = checkedInteger(index, "the index of a new dimension");
  if (at < 0 || at > rank)
    throw new InvalidArgumentError(`InsertDimensionsAtIndex: index ${at} is not in [0, ${rank}] of ${shownShape(shape)}`);
  const added = bounds.map((_, i) => at + bounds.length - 1 - i);
  if (at === rank) return withInserted(shape, at, bounds, (order) => [...added, ...order]);
  return withInserted(shape, at, bounds, (order) => order.flatMap((dim) => (dim === at + bounds.length ? [dim, ...added] : [dim])));
}

/** Returns the shape with new sizes at `at`. `place` adds the new dimensions to the order, in which the old ones are already renumbered. */
function withInserted(shape: Shape, at: number, bounds: readonly number[], place: (order: readonly number[]) => readonly number[]): Shape {
  const sizes = checkedIntegers(bounds, "the sizes of new dimensions", kUnboundedSize);
  const spliced = <T>(list: readonly T[], items: readonly T[]): T[] => [...list.slice(0, at), ...items, ...list.slice(at)];
  const { layout } = shape;
  const made = shape.with({
    dimensions: spliced(shape.dimensions, sizes),
    dynamicDimensions: spliced(
      shape.dynamicDimensions,
      sizes.map((size) => size === kUnboundedSize),
    ),
    layout:
      layout === null
        ? null
        : layout.with({
            minorToMajor: place(layout.minorToMajor.map((dim) => (dim >= at ? dim + sizes.length : dim))),
            paddedDimensions: layout.paddedDimensions.length === 0 ? [] : spliced(layout.paddedDimensions, sizes),
          }),
  });
  validateShapeWithOptionalLayout(made);
  return made;
}
