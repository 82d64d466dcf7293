/**
 * Functions that permute dimensions (PermuteDimensions, ReorderLogicalDimensions and MoveDimToMajor in xla/shape_util.cc).
 *
 *     f32[10,100,1000]{2,1,0}   permute by 1, 2, 0   f32[100,1000,10]{1,0,2}    new dimension i is old dimension p[i]
 *
 * PermuteDimensions permutes the layout along with the sizes, so it is a transpose that moves no bytes.
 */

import { checkNumber } from "@onebuffer/base/internal";
import { checkNumbers, checkShape } from "../type/argument-check.ts";
import { moveDimToMajor as moveToMajor } from "./layout-order.ts";
import { checkPermutation, inversePermutation } from "../type/permutation-util.ts";
import { requireArray, requireDimension, Shape } from "../model/shape.ts";
import { validateShapeWithOptionalLayout } from "../model/validate-shape.ts";

/**
 * Returns the shape whose dimension i is dimension `permutation[i]` of `shape`; every element keeps its place in memory
 * (PermuteDimensions). XLA of 2017 permuted the layout by the inverse, a bug that was fixed in 2018.
 *
 * Throws INVALID_ARGUMENT if `shape` is not a valid array or `permutation` is not a permutation of its dimensions.
 *
 * @example
 * ShapeUtil.permuteDimensions([1, 2, 0], parseShape("f32[10,100,1000]{2,1,0}")).toString(true); // => "f32[100,1000,10]{1,0,2}"
 * ShapeUtil.permuteDimensions([0, 0, 1], parseShape("f32[10,100,1000]")); // throws INVALID_ARGUMENT
 */
export function permuteDimensions(permutation: readonly number[], shape: Shape): Shape {
  checkNumbers(permutation, "permutation");
  checkShape(shape);
  const inverse = checkedInverse(permutation, shape, "PermuteDimensions");
  return renumbered(permutation, shape, (order) => order.map((dim) => inverse[dim]!));
}

/**
 * Returns the shape with its sizes and dynamic flags permuted and its layout unchanged (PermuteDimensionsIgnoringLayout).
 * A row-major shape stays row-major, so elements move. Throws as permuteDimensions does.
 *
 * @example
 * ShapeUtil.permuteDimensionsIgnoringLayout([1, 2, 0], parseShape("f32[10,100,1000]")).toString(true); // => "f32[100,1000,10]{2,1,0}"
 */
export function permuteDimensionsIgnoringLayout(permutation: readonly number[], shape: Shape): Shape {
  checkNumbers(permutation, "permutation");
  checkShape(shape);
  checkedInverse(permutation, shape, "PermuteDimensionsIgnoringLayout");
  return renumbered(permutation, shape, (order) => order);
}

/**
 * Returns the shape whose dimension i is dimension `permutation[i]` of `shape`, with every entry d of the layout's order
 * replaced by `permutation[d]` (ReorderLogicalDimensions).
 *
 * Quirk: XLA's comment says that the physical dimensions stay the same, but this holds only if the permutation is its own
 * inverse. With permuteDimensions it always holds. Throws as permuteDimensions does.
 *
 * @example
 * const shape = parseShape("f32[16,3,12,17]{1,2,0,3}");
 * ShapeUtil.reorderLogicalDimensions(shape, [0, 2, 1, 3]).toString(true); // => "f32[16,12,3,17]{2,1,0,3}"
 */
export function reorderLogicalDimensions(shape: Shape, permutation: readonly number[]): Shape {
  checkShape(shape);
  checkNumbers(permutation, "permutation");
  checkedInverse(permutation, shape, "ReorderLogicalDimensions");
  return renumbered(permutation, shape, (order) => order.map((dim) => permutation[dim]!));
}

/**
 * Returns the shape with `dim` as the slowest dimension in memory (MoveDimToMajor). Dimension numbers and sizes stay, so
 * elements move. A shape without a layout is returned unchanged; in a tuple every array is changed.
 *
 * Throws INVALID_ARGUMENT if an array does not have this dimension.
 *
 * @example
 * ShapeUtil.moveDimToMajor(parseShape("(f32[2,3,4], s8[5,6]{0,1})"), 1).toString(true); // => "(f32[2,3,4]{2,0,1}, s8[5,6]{0,1})"
 */
export function moveDimToMajor(shape: Shape, dim: number): Shape {
  checkShape(shape);
  checkNumber(dim, "dim");
  if (shape.isTuple()) return Shape.tuple(shape.tupleShapes.map((child) => moveDimToMajor(child, dim)));
  if (shape.bufferShape !== null) return Shape.buffer(moveDimToMajor(shape.bufferShape, dim));
  if (!shape.isArray()) return shape;
  requireDimension(shape, dim, "MoveDimToMajor");
  return shape.layout === null ? shape : shape.with({ layout: moveToMajor(shape.layout, dim) });
}

/** Checks the shape and the permutation. Returns the permutation's inverse. */
function checkedInverse(permutation: readonly number[], shape: Shape, what: string): number[] {
  validateShapeWithOptionalLayout(requireArray(shape, what));
  checkPermutation(permutation, shape.rank, `${what}: permutation`);
  return inversePermutation(permutation);
}

function renumbered(permutation: readonly number[], shape: Shape, change: (order: readonly number[]) => readonly number[]): Shape {
  const gathered = <T>(list: readonly T[]): T[] => permutation.map((from) => list[from]!);
  const { layout } = shape;
  const made = shape.with({
    dimensions: gathered(shape.dimensions),
    dynamicDimensions: gathered(shape.dynamicDimensions),
    layout:
      layout === null
        ? null
        : layout.with({
            minorToMajor: change(layout.minorToMajor),
            paddedDimensions: layout.paddedDimensions.length === 0 ? [] : gathered(layout.paddedDimensions),
          }),
  });
  validateShapeWithOptionalLayout(made); // a zero may have moved behind sizes whose partial product overflows
  return made;
}
