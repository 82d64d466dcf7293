/**
 * The sizes of the pieces into which a layout's split configs divide a dimension (MaxSplitSize and MaxElementsInPerSplit in
 * xla/layout_util.cc).
 *
 *     f32[150,200,100]{0,1,2:SC(0:30)(1:40,130)}     physical 0 is dimension 2: 30 + 70
 *                                                    physical 1 is dimension 1: 40 + 90 + 70
 */
import { checkNumber } from "@onebuffer/base/internal";
import { InvalidArgumentError } from "@onebuffer/base";
import { checkShape } from "../type/argument-check.ts";
import { requireLayout } from "../model/default-layout.ts";
import { makeLogicalToPhysical } from "./layout-order.ts";
import type { Shape } from "../model/shape.ts";
import { requireDimension, shownShape } from "../model/shape.ts";
import { shownList } from "../type/shown-list.ts";
import { sizeProduct } from "../type/size-product.ts";

/**
 * Returns the size of the largest piece of logical dimension `dim`; the dimension's size if it is not split.
 *
 * Throws INVALID_ARGUMENT if `shape` is not an array with a layout, if it does not have this dimension or the dimension of a split config,
 * and if the split indices do not ascend within 0 … size. As in XLA, ShapeUtil.validateShape does not check split configs.
 *
 * @example
 * const shape = parseShape("f32[150,200,100]{0,1,2:SC(0:30)(1:40,130)}");
 * LayoutUtil.maxSplitSize(shape, 2); // => 70
 * LayoutUtil.maxSplitSize(shape, 0); // => 150
 */
export function maxSplitSize(shape: Shape, dim: number): number {
  checkShape(shape);
  checkNumber(dim, "dim");
  const layout = requireLayout(shape, "MaxSplitSize");
  const size = shape.dimensions[requireDimension(shape, dim, "MaxSplitSize")]!;
  if (layout.splitConfigs.length === 0) return size;
  const missing = layout.splitConfigs.find(({ dimension }) => dimension < 0 || dimension >= shape.rank);
  if (missing !== undefined)
    throw new InvalidArgumentError(`split config ${missing.toString()} is of a dimension that ${shownShape(shape)} does not have`);
  const physical = makeLogicalToPhysical(layout)[dim];
  const split = layout.splitConfigs.find((config) => config.dimension === physical);
  if (split === undefined) return size;
  let largest = 0;
  let from = 0;
  for (const to of [...split.splitIndices, size]) {
    if (to < from || to > size)
      throw new InvalidArgumentError(
        `split_indices ${shownList(split.splitIndices)} do not ascend within dimension ${dim} of ${shownShape(shape)}`,
      );
    largest = Math.max(largest, to - from);
    from = to;
  }
  return largest;
}

/**
 * Returns the product of the largest pieces of all dimensions: the largest number of elements in one memory. Throws
 * INVALID_ARGUMENT as maxSplitSize does, and if the product exceeds 2^53 - 1.
 *
 * @example
 * LayoutUtil.maxElementsInPerSplit(parseShape("f32[150,200,100]{0,1,2:SC(0:30)(1:40,130)}")); // => 945000
 */
export function maxElementsInPerSplit(shape: Shape): number {
  checkShape(shape);
  requireLayout(shape, "MaxElementsInPerSplit");
  return sizeProduct(shape.dimensions.map((_, dim) => maxSplitSize(shape, dim)));
}
