/**
 * GetNormalizedLogicalTransposeShape (xla/shape_util.cc): the smallest transpose with the same effect as a given one.
 * Dimensions of size 1 are dropped, and dimensions that stay neighbors are merged:
 *
 *     [10,1,11,32] -> [32,1,10,11], permutation {3,1,0,2}      normalized: output [32,110], permutation {1,0}
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { checkNumbers, checkShape } from "../type/argument-check.ts";
import { checkPermutation } from "../type/permutation-util.ts";
import type { Shape } from "../model/shape.ts";
import { requireArray, shownShape } from "../model/shape.ts";
import { shownList } from "../type/shown-list.ts";
import { sizeProduct } from "../type/size-product.ts";

/** A transpose: its output sizes and, for each output dimension, the input dimension it comes from. */
export interface NormalizedTranspose {
  readonly dimensions: number[];
  readonly permutation: number[];
}

/**
 * Normalizes the transpose to `outputShape` whose dimension i is the input's dimension `dimensions[i]`
 * (`GetNormalizedLogicalTransposeShape`): drops dimensions of size 1 and merges dimensions that are neighbors, in the same
 * order, in input and output. Copies: new lists.
 *
 * Throws INVALID_ARGUMENT if `outputShape` is not an array, if its layout is not descending, and if `dimensions` is not a
 * permutation.
 *
 * @example
 * ShapeUtil.getNormalizedLogicalTransposeShape(ShapeUtil.makeShape("f32", [20, 30, 50]), [1, 2, 0]); // => { dimensions: [600, 50], permutation: [1, 0] }
 */
export function getNormalizedLogicalTransposeShape(outputShape: Shape, dimensions: readonly number[]): NormalizedTranspose {
  checkShape(outputShape);
  checkNumbers(dimensions, "dimensions");
  const what = "GetNormalizedLogicalTransposeShape";
  const sizes = requireArray(outputShape, what).dimensions;
  sizeProduct(sizes);
  checkPermutation(dimensions, sizes.length, `${what}: permutation`);
  const order = outputShape.layout?.minorToMajor ?? [];
  if (order.some((d, i) => d !== sizes.length - 1 - i))
    throw new InvalidArgumentError(`${what}: the layout ${shownList(order)} of ${shownShape(outputShape)} is not descending`);
  const kept = sizes.map((_, i) => i).filter((i) => sizes[i] !== 1);
  const ascending = kept.map((i) => dimensions[i]!).sort((x, y) => x - y);
  // The input dimensions, renumbered without the dropped ones: a dropped dimension between two does not separate them.
  const sources = kept.map((i) => ascending.indexOf(dimensions[i]!));
  const merged: { size: number; source: number }[] = [];
  sources.forEach((source, k) => {
    const size = sizes[kept[k]!]!;
    if (k > 0 && sources[k - 1]! + 1 === source) merged.at(-1)!.size *= size;
    else merged.push({ size, source });
  });
  const starts = merged.map(({ source }) => source).sort((x, y) => x - y);
  return { dimensions: merged.map(({ size }) => size), permutation: merged.map(({ source }) => starts.indexOf(source)) };
}
