/**
 * Taking dimensions away, the rest keeping their order in memory (DeleteDimensions, FilterDimensions and
 * DropDegenerateDimensions in xla/shape_util.cc).
 *
 *     f32[5,3,2,7,9]{2,0,1,4,3}   delete 1, 2, 3   f32[5,9]{0,1}
 *
 * Deleting a dimension of size 1 moves no byte; deleting a wider one describes another array. A 2017 padded layout loses
 * the dimension's padding with it.
 */
import { checkFunction, checkNumber, InvalidArgumentError } from "@onebuffer/base";
import { checkNumbers, checkShape } from "../type/argument-check.ts";
import type { Shape } from "../model/shape.ts";
import { requireArray, requireDimension, shownShape } from "../model/shape.ts";
import { shownList } from "../type/shown-list.ts";
import { validateShapeWithOptionalLayout } from "../model/validate-shape.ts";

/**
 * The shape without one dimension; larger numbers count down (DeleteDimension).
 *
 * Throws INVALID_ARGUMENT unless `shape` is a valid array that has this dimension.
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
 * The shape without some dimensions, listed in any order (DeleteDimensions).
 *
 * Throws INVALID_ARGUMENT for a dimension the shape has not, or that is listed twice.
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
 * The shape with only the dimensions for which `keep` answers true (FilterDimensions).
 *
 * Throws INVALID_ARGUMENT unless `shape` is a valid array.
 *
 * @example
 * ShapeUtil.filterDimensions((dim) => dim !== 1, parseShape("f32[5,3,2]")).toString(true); // => "f32[5,2]{1,0}"
 */
export function filterDimensions(keep: (dim: number) => boolean, shape: Shape): Shape {
  checkFunction(keep, "a function as keep");
  validateShapeWithOptionalLayout(requireArray(shape, "FilterDimensions"));
  /** The new number of each dimension, -1 for those that go. */
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
  validateShapeWithOptionalLayout(made); // without a zero in front, the other sizes may overflow
  return made;
}

/**
 * The shape without its dimensions of size 1, dynamic ones included (DropDegenerateDimensions; in 2017
 * StripDegenerateDimensions). Throws INVALID_ARGUMENT unless `shape` is a valid array.
 *
 * @example
 * ShapeUtil.dropDegenerateDimensions(parseShape("f32[1,7,1,3]{0,3,2,1}")).toString(true); // => "f32[7,3]{1,0}"
 */
export function dropDegenerateDimensions(shape: Shape): Shape {
  checkShape(shape);
  return filterDimensions((dim) => shape.dimensions[dim] !== 1, shape);
}
