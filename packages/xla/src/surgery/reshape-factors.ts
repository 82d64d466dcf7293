/**
 * Finds the dimensions that a reshape leaves unmodified, by the common factors of the two shapes
 * (DimensionsUnmodifiedByReshape and related functions in xla/shape_util.cc). Layouts are ignored.
 *
 *     [11,13,5,3,14] -> [143,5,1,3,2,7]       5 and 3 stay: (2,1) and (3,3)
 */
import { checkNumbers, checkShape } from "../type/argument-check.ts";
import { commonFactors } from "./common-factors.ts";
import type { Shape } from "../model/shape.ts";
import { requireArray } from "../model/shape.ts";

/** A dimension of the input and the dimension of the output that corresponds to it. */
export type DimensionPair = readonly [input: number, output: number];

/**
 * Returns the dimensions that a reshape keeps, as pairs of dimension numbers (`DimensionsUnmodifiedByReshape`).
 *
 * Throws INVALID_ARGUMENT if a shape is not an array, and if the numbers of elements differ.
 *
 * @example
 * const [a, b] = [ShapeUtil.makeShape("f32", [11, 13, 5, 3, 14]), ShapeUtil.makeShape("f32", [143, 5, 1, 3, 2, 7])];
 * ShapeUtil.dimensionsUnmodifiedByReshape(a, b); // => [[2, 1], [3, 3]]
 */
export function dimensionsUnmodifiedByReshape(inputShape: Shape, outputShape: Shape): DimensionPair[] {
  checkShape(inputShape);
  checkShape(outputShape);
  const what = "DimensionsUnmodifiedByReshape";
  const cuts = commonFactors(requireArray(inputShape, what).dimensions, requireArray(outputShape, what).dimensions);
  return cuts.filter(([i, j], at) => {
    const next = cuts[at + 1];
    return next !== undefined && next[0] === i + 1 && next[1] === j + 1;
  });
}

/**
 * Returns the output dimensions that correspond to the given input dimensions, or null if the reshape modifies one of them
 * or the list is not in ascending order (`ReshapeLeavesDimensionsUnmodified`). Copies: a new list.
 *
 * Throws INVALID_ARGUMENT if a shape is not an array, and if the numbers of elements differ.
 *
 * @example
 * const [a, b] = [ShapeUtil.makeShape("f32", [11, 13, 5, 3, 14]), ShapeUtil.makeShape("f32", [143, 5, 1, 3, 2, 7])];
 * ShapeUtil.reshapeLeavesDimensionsUnmodified(a, b, [2, 3]); // => [1, 3]
 * ShapeUtil.reshapeLeavesDimensionsUnmodified(a, b, [0]); // => null
 */
export function reshapeLeavesDimensionsUnmodified(
  inputShape: Shape,
  outputShape: Shape,
  inputDimensions: readonly number[],
): number[] | null {
  checkShape(inputShape);
  checkShape(outputShape);
  checkNumbers(inputDimensions, "input dimensions");
  const partners = new Map(dimensionsUnmodifiedByReshape(inputShape, outputShape));
  const found: number[] = [];
  let previous = -1;
  for (const d of inputDimensions) {
    const partner = partners.get(d);
    if (partner === undefined || d < previous) return null;
    previous = d;
    found.push(partner);
  }
  return found;
}

/** The size-1 dimensions by which two shapes differ: `deleted` are input dimensions, `inserted` are output dimensions. */
export interface OneSizedDimensions {
  readonly deleted: number[];
  readonly inserted: number[];
}

/**
 * Returns the dimensions of size 1 that a reshape deletes and inserts, or null if it does anything else
 * (`InsertedOrDeleted1SizedDimensions`). Quirk: a dimension of size 0 counts as one of size 1 here.
 *
 * Throws INVALID_ARGUMENT if a shape is not an array, and if the numbers of elements differ.
 *
 * @example
 * const [a, b] = [ShapeUtil.makeShape("f32", [9, 1, 4]), ShapeUtil.makeShape("f32", [1, 9, 4, 1])];
 * ShapeUtil.insertedOrDeleted1SizedDimensions(a, b); // => { deleted: [1], inserted: [0, 3] }
 */
export function insertedOrDeleted1SizedDimensions(inputShape: Shape, outputShape: Shape): OneSizedDimensions | null {
  checkShape(inputShape);
  checkShape(outputShape);
  const unmodified = dimensionsUnmodifiedByReshape(inputShape, outputShape);
  const ends: DimensionPair = [inputShape.dimensions.length, outputShape.dimensions.length];
  const deleted: number[] = [];
  const inserted: number[] = [];
  let [i, j] = [0, 0];
  for (const [nextI, nextJ] of [...unmodified, ends]) {
    for (; i < nextI; i++) deleted.push(i);
    for (; j < nextJ; j++) inserted.push(j);
    i = nextI + 1;
    j = nextJ + 1;
  }
  if (deleted.some((d) => inputShape.dimensions[d]! > 1) || inserted.some((d) => outputShape.dimensions[d]! > 1)) return null;
  return { deleted, inserted };
}
