/**
 * Conversion between an index and its linear index in a plain or padded layout (xla/index_util.cc).
 *
 *     u8[2,3]{0,1} padded to [3,5]     (1,2) has the linear index 1*1 + 2*3 = 7      dimension 0 varies fastest
 *
 * Quirk: XLA refuses padded shapes here although its documents show their order; this package uses the padded sizes. Tiles
 * are ignored; `tiledLinearIndex` follows them.
 */
import { checkNumber, shownValue } from "@onebuffer/base/internal";
import { InvalidArgumentError, isStatusError } from "@onebuffer/base";
import { Addressing, physicalWidths, addressableLayout } from "./addressing.ts";
import { checkNumbers, checkShape } from "../type/argument-check.ts";
import { IndexStrides } from "../model/index-strides.ts";
import type { Shape } from "../model/shape.ts";
import { requireDimension, shownShape } from "../model/shape.ts";
import { shownList } from "../type/shown-list.ts";
import { stridesFromLayout } from "./strides.ts";

/**
 * Returns the linear index of an element in the order of the shape's layout (`MultidimensionalIndexToLinearIndex`). Tiles
 * are ignored.
 *
 * Throws INVALID_ARGUMENT for an index of the wrong length or outside the dimensions, for a shape without a valid
 * layout, and for a linear index beyond 2^53 - 1.
 *
 * @example
 * const shape = ShapeUtil.makeShapeWithDenseLayout("f32", [10, 20], [0, 1]);
 * IndexUtil.multidimensionalIndexToLinearIndex(shape, [3, 5]); // => 53
 * IndexUtil.multidimensionalIndexToLinearIndex(shape, [3, 20]); // throws INVALID_ARGUMENT
 */
export function multidimensionalIndexToLinearIndex(shape: Shape, index: readonly number[]): number {
  try {
    return linearIndexOf(shape, index);
  } catch (error) {
    // The types of the arguments are checked only after a failure: checking first would take longer than the computation.
    if (isStatusError(error)) throw error;
    checkShape(shape);
    checkNumbers(index, "index");
    throw error;
  }
}

function linearIndexOf(shape: Shape, index: readonly number[]): number {
  const { sizes, strides } = shape.indexStrides(computeIndexStrides);
  const rank = sizes.length;
  if (index.length !== rank) throw indexError(shape, index);
  if (rank === 4) {
    const i = index[0]!;
    const j = index[1]!;
    const k = index[2]!;
    const l = index[3]!;
    const isNumbers = typeof i === "number" && typeof j === "number" && typeof k === "number" && typeof l === "number";
    const isInside = isNumbers && i >= 0 && i < sizes[0]! && j >= 0 && j < sizes[1]! && k >= 0 && k < sizes[2]! && l >= 0 && l < sizes[3]!;
    // The fast path: every entry is a 32-bit integer. All other indices take the loop below.
    if (isInside && (i | 0) === i && (j | 0) === j && (k | 0) === k && (l | 0) === l) {
      const linear = i * strides[0]! + j * strides[1]! + k * strides[2]! + l * strides[3]!;
      if (linear <= Number.MAX_SAFE_INTEGER) return linear;
    }
  }
  let linear = 0;
  for (let d = 0; d < rank; d++) {
    const i = index[d]!;
    if (!(i >= 0 && i < sizes[d]! && Math.floor(i) === i)) throw indexError(shape, index);
    linear += i * strides[d]!;
  }
  // No term is negative, so a sum within the limit has not been rounded.
  if (linear > Number.MAX_SAFE_INTEGER)
    throw new InvalidArgumentError(`The linear index of ${shownList(index)} in ${shownShape(shape)} exceeds 2^53 - 1`);
  return linear;
}

function computeIndexStrides(shape: Shape): IndexStrides {
  return new IndexStrides(shape.dimensions, stridesFor(shape, "MultidimensionalIndexToLinearIndex"));
}

/** Returns the error of an index with the wrong length or with an entry outside 0..size-1; null if the index is valid. */
function indexError(
  shape: Shape,
  index: readonly number[],
  what: string = "MultidimensionalIndexToLinearIndex",
): InvalidArgumentError | null {
  const { dimensions } = shape;
  if (index.length !== dimensions.length) {
    return new InvalidArgumentError(
      `${what}: index ${shownList(index)} has ${index.length} entries, but shape ${shownShape(shape)} has ${dimensions.length} dimensions`,
    );
  }
  const d = dimensions.findIndex((size, dim) => !(Number.isInteger(index[dim]) && index[dim]! >= 0 && index[dim]! < size));
  return d < 0
    ? null
    : new InvalidArgumentError(
        `${what}: index ${shownValue(index[d])} of dimension ${d} is not in [0, ${dimensions[d]}) of ${shownShape(shape)}`,
      );
}

/** Throws INVALID_ARGUMENT if an index has the wrong length or an entry outside 0..size-1. */
export function checkIndex(shape: Shape, index: readonly number[], what: string): void {
  const error = indexError(shape, index, what);
  if (error !== null) throw error;
}

/**
 * Returns the index of the element with a linear index in the order of the shape's layout
 * (`LinearIndexToMultidimensionalIndex`). Tiles are ignored. Copies: a new list.
 *
 * Throws INVALID_ARGUMENT for a linear index outside the buffer or, in a padded layout, of a padding cell, and for a shape
 * without a valid layout.
 *
 * @example
 * const shape = ShapeUtil.makeShapeWithDenseLayout("f32", [10, 20], [0, 1]);
 * IndexUtil.linearIndexToMultidimensionalIndex(shape, 53); // => [3, 5]
 * IndexUtil.linearIndexToMultidimensionalIndex(shape, 200); // throws INVALID_ARGUMENT
 */
export function linearIndexToMultidimensionalIndex(shape: Shape, linear: number): number[] {
  checkShape(shape);
  checkNumber(linear, "linear");
  const what = "LinearIndexToMultidimensionalIndex";
  const layout = addressableLayout(shape, what);
  const addressing = new Addressing(layout.tiles.length === 0 ? shape : shape.with({ layout: layout.with({ tiles: [] }) }), what);
  if (!(Number.isInteger(linear) && linear >= 0 && linear < addressing.cells))
    throw new InvalidArgumentError(
      `${what}: linear index ${shownValue(linear)} is not in [0, ${addressing.cells}) of ${shownShape(shape)}`,
    );
  const index = addressing.indexOf(linear);
  if (index === null)
    throw new InvalidArgumentError(
      `${what}: linear index ${linear} is padding of ${shownShape(shape, true)} padded to ${shownList(layout.paddedDimensions)}`,
    );
  return index;
}

/**
 * Returns the stride of each dimension in elements. If the layout has padded dimensions, their sizes are used; tiles are
 * ignored. Copies: a new list.
 *
 * Throws INVALID_ARGUMENT for a shape without a valid layout, and strides beyond 2^53 - 1.
 *
 * @example
 * elementStrides(ShapeUtil.makeShape("f32", [5, 8, 10, 4])); // => [320, 40, 4, 1]
 * elementStrides(Shape.token()); // throws INVALID_ARGUMENT
 */
export function elementStrides(shape: Shape): number[] {
  checkShape(shape);
  return stridesFor(shape, "elementStrides");
}

/** As `elementStrides`; `what` names the caller in messages. */
function stridesFor(shape: Shape, what: string): number[] {
  const layout = addressableLayout(shape, what);
  return stridesFromLayout(physicalWidths(shape, layout), layout.minorToMajor);
}

/**
 * Returns the stride of one dimension in elements (`GetDimensionStride`). Padded sizes are used; tiles are ignored.
 *
 * Throws INVALID_ARGUMENT for a dimension the shape does not have, and for a shape without a valid layout.
 *
 * @example
 * IndexUtil.getDimensionStride(ShapeUtil.makeShape("f32", [5, 8, 10, 4]), 1); // => 40
 */
export function getDimensionStride(shape: Shape, dimension: number): number {
  checkShape(shape);
  checkNumber(dimension, "dimension");
  const strides = stridesFor(shape, "GetDimensionStride");
  return strides[requireDimension(shape, dimension, "GetDimensionStride")]!;
}
