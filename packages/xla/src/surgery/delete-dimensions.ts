/**
 * Functions that remove dimensions; the remaining ones keep their order in memory (DeleteDimensions, FilterDimensions and
 * DropDegenerateDimensions in xla/shape_util.cc).
 *
 *     f32[5,3,2,7,9]{2,0,1,4,3}   delete 1, 2, 3   f32[5,9]{0,1}
 *
 * Deleting a dimension of size 1 moves no bytes; deleting a larger one describes another array. In a 2017 padded layout the
 * dimension's padded size is deleted too.
 */
import { checkCallback, checkNumber } from "@onebuffer/base/internal";
import { InvalidArgumentError } from "@onebuffer/base";
import { checkNumbers, checkShape } from "../type/argument-check.ts";
import type { Shape } from "../model/shape.ts";
import { requireArray, requireDimension, shownShape } from "../model/shape.ts";
import { shownList } from "../type/shown-list.ts";
import { validateShapeWithOptionalLayout } from "../model/validate-shape.ts";

/**
 * Returns the shape without one dimension; larger dimension numbers decrease by 1 (DeleteDimension).
 *
 * Throws INVALID_ARGUMENT if `shape` is not a valid array or does not have this dimension.
 *
 * @example
 * ShapeUtil.deleteDimension(1, parseShape("f32[5,3,2]{0,2,1}")).toString(true); // => "f32[5,2]{0,1}"
 * ShapeUtil.deleteDimension(3, parseShape("f32[5,3,2]")); // throws INVALID_ARGUMENT
 */
export function deleteDimension(dim: number, shape: Shape): Shape {
  checkNumber(dim, "dim");
  checkShape(shape);
  return deleteDimensions([dim], shape);
}

/**
 * Returns the shape without some dimensions, which are listed in any order (DeleteDimensions).
 *
 * Throws INVALID_ARGUMENT as deleteDimension does, and if a dimension is listed twice.
 *
 * @example
 * ShapeUtil.deleteDimensions([3, 1, 2], parseShape("f32[5,3,2,7,9]{2,0,1,4,3}")).toString(true); // => "f32[5,9]{0,1}"
 * ShapeUtil.deleteDimensions([0, 0], parseShape("f32[5,3]")); // throws INVALID_ARGUMENT
 */
export function deleteDimensions(dims: readonly number[], shape: Shape): Shape {
  checkNumbers(dims, "dims");
  checkShape(shape);
  requireArray(shape, "DeleteDimensions");
  const deleted = new Set<number>();
  for (const dim of dims) {
    requireDimension(shape, dim, "DeleteDimensions");
    if (deleted.has(dim))
      throw new InvalidArgumentError(`DeleteDimensions: dimension ${dim} is listed twice in ${shownList(dims)} for ${shownShape(shape)}`);
    deleted.add(dim);
  }
  return filterDimensions((dim) => !deleted.has(dim), shape);
}

/**
 * Returns the shape with only those dimensions for which `keep` returns true (FilterDimensions).
 *
 * Throws INVALID_ARGUMENT if `shape` is not a valid array.
 *
 * @example
 * ShapeUtil.filterDimensions((dim) => dim !== 1, parseShape("f32[5,3,2]")).toString(true); // => "f32[5,2]{1,0}"
 */
export function filterDimensions(keep: (dim: number) => boolean, shape: Shape): Shape {
  checkCallback(keep, "a function as keep");
  validateShapeWithOptionalLayout(requireArray(shape, "FilterDimensions"));
  // The new number of each dimension, -1 for deleted ones.
  let next = 0;
  const renumbered = shape.dimensions.map((_, dim) => (keep(dim) ? next++ : -1));
  const kept = <T>(list: readonly T[]): T[] => list.filter((_, dim) => renumbered[dim] !== -1);
  const { layout } = shape;
  const made = shape.with({
    dimensions: kept(shape.dimensions),
    dynamicDimensions: kept(shape.dynamicDimensions),
    layout:
      layout === null
        ? null
        : layout.with({
            minorToMajor: layout.minorToMajor.map((dim) => renumbered[dim]!).filter((dim) => dim !== -1),
            paddedDimensions: kept(layout.paddedDimensions),
          }),
  });
  validateShapeWithOptionalLayout(made); // the deleted dimension may be a zero that kept the others from overflowing
  return made;
}

/**
 * Returns the shape without its dimensions of size 1, dynamic ones included (DropDegenerateDimensions; in 2017
 * StripDegenerateDimensions). Throws INVALID_ARGUMENT if `shape` is not a valid array.
 *
 * @example
 * ShapeUtil.dropDegenerateDimensions(parseShape("f32[1,7,1,3]{0,3,2,1}")).toString(true); // => "f32[7,3]{1,0}"
 */
export function dropDegenerateDimensions(shape: Shape): Shape {
  checkShape(shape);
  return filterDimensions((dim) => shape.dimensions[dim] !== 1, shape);
}
