/**
 * Between an index and its place in a plain or padded layout (xla/index_util.cc).
 *
 *     u8[2,3]{0,1} padded to [3,5]     (1,2) is number 1*1 + 2*3 = 7      dimension 0 varies fastest
 *
 * Quirk: XLA refuses padded shapes here although its documents show their order; the padded sizes count here. Tiles do
 * not: `tiledLinearIndex` follows all of them.
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { Addressing, physicalWidths, addressableLayout } from "./addressing.ts";
import { requireDimension, type Shape, shownShape } from "./shape.ts";
import { shown, shownList } from "./shown-value.ts";
import { stridesFromLayout } from "./strides.ts";

/**
 * The number of an element in the order of the shape's layout (`MultidimensionalIndexToLinearIndex`). Tiles are not
 * looked at.
 *
 * Throws INVALID_ARGUMENT for an index of the wrong length or outside the dimensions, for a shape without a valid
 * layout, and for a number beyond 2^53 - 1.
 *
 * @example
 * const shape = ShapeUtil.makeShapeWithDenseLayout("f32", [10, 20], [0, 1]);
 * IndexUtil.multidimensionalIndexToLinearIndex(shape, [3, 5]); // => 53
 * IndexUtil.multidimensionalIndexToLinearIndex(shape, [3, 20]); // throws INVALID_ARGUMENT
 */
export function multidimensionalIndexToLinearIndex(shape: Shape, index: readonly number[]): number {
  const { dimensions, layout } = shape;
  const rank = dimensions.length;
  if (layout === null || index.length !== rank || layout.minorToMajor.length !== rank || layout.paddedDimensions.length !== 0) return generalLinearIndex(shape, index);
  const { minorToMajor } = layout;
  let linear = 0;
  let stride = 1;
  let seen = 0;
  for (let k = 0; k < rank; k++) {
    const d = minorToMajor[k]!;
    const size = dimensions[d]!;
    const i = index[d]!;
    // Also false for a NaN, and for what an entry that is no dimension reads.
    if (!(i >= 0 && i < size && Math.floor(i) === i)) return generalLinearIndex(shape, index);
    linear += i * stride;
    stride *= size;
    seen |= 1 << d;
  }
  // Every dimension was there once, and nothing was rounded. (Ranks beyond 31 do not fit the bit set.)
  if (seen === (1 << rank) - 1 && linear <= Number.MAX_SAFE_INTEGER && rank < 31) return linear;
  return generalLinearIndex(shape, index);
}

/** The same for any shape, and every refusal. */
function generalLinearIndex(shape: Shape, index: readonly number[]): number {
  const what = "MultidimensionalIndexToLinearIndex";
  const strides = elementStrides(shape, what);
  checkIndex(shape, index, what);
  let linear = 0;
  for (let d = 0; d < strides.length; d++) linear += index[d]! * strides[d]!;
  if (linear > Number.MAX_SAFE_INTEGER) throw new InvalidArgumentError(`${what}: the linear index of ${shownList(index)} in ${shownShape(shape)} exceeds 2^53 - 1`);
  return linear;
}

/**
 * Refuses an index of the wrong length, or with an entry that is not in 0..size-1.
 */
export function checkIndex(shape: Shape, index: readonly number[], what: string): void {
  const { dimensions } = shape;
  if (index.length !== dimensions.length) throw new InvalidArgumentError(`${what}: index ${shownList(index)} has ${index.length} entries, but shape ${shownShape(shape)} has ${dimensions.length} dimensions`);
  for (let d = 0; d < dimensions.length; d++) {
    const i = index[d]!;
    if (!(Number.isInteger(i) && i >= 0 && i < dimensions[d]!)) throw new InvalidArgumentError(`${what}: index ${shown(i)} of dimension ${d} is not in [0, ${dimensions[d]}) of ${shownShape(shape)}`);
  }
}

/**
 * The index of the element with a number in the order of the shape's layout (`LinearIndexToMultidimensionalIndex`).
 * Tiles are not looked at. Copies: a new list.
 *
 * Throws INVALID_ARGUMENT for a number that is no element's (in a padded layout, a cell of the padding), and for a shape
 * without a valid layout.
 *
 * @example
 * const shape = ShapeUtil.makeShapeWithDenseLayout("f32", [10, 20], [0, 1]);
 * IndexUtil.linearIndexToMultidimensionalIndex(shape, 53); // => [3, 5]
 * IndexUtil.linearIndexToMultidimensionalIndex(shape, 200); // throws INVALID_ARGUMENT
 */
export function linearIndexToMultidimensionalIndex(shape: Shape, linear: number): number[] {
  const what = "LinearIndexToMultidimensionalIndex";
  const layout = addressableLayout(shape, what);
  const addressing = new Addressing(layout.tiles.length === 0 ? shape : shape.with({ layout: layout.with({ tiles: [] }) }), what);
  if (!(Number.isInteger(linear) && linear >= 0 && linear < addressing.cells)) throw new InvalidArgumentError(`${what}: linear index ${shown(linear)} is not in [0, ${addressing.cells}) of ${shownShape(shape)}`);
  const index = addressing.indexOf(linear);
  if (index === null) throw new InvalidArgumentError(`${what}: linear index ${linear} is padding of ${shownShape(shape, true)} padded to ${shownList(layout.paddedDimensions)}`);
  return index;
}

/**
 * The stride of each dimension in elements, from the padded sizes where the layout has some. Tiles are not looked at.
 * Copies: a new list. `what` names the caller in messages.
 *
 * Throws INVALID_ARGUMENT for a shape without a valid layout, and strides beyond 2^53 - 1.
 *
 * @example
 * elementStrides(ShapeUtil.makeShape("f32", [5, 8, 10, 4])); // => [320, 40, 4, 1]
 * elementStrides(Shape.token()); // throws INVALID_ARGUMENT
 */
export function elementStrides(shape: Shape, what: string = "elementStrides"): number[] {
  const layout = addressableLayout(shape, what);
  return stridesFromLayout(physicalWidths(shape, layout), layout.minorToMajor);
}

/**
 * The stride of one dimension in elements (`GetDimensionStride`). Padded sizes count, tiles are not looked at.
 *
 * Throws INVALID_ARGUMENT for a dimension the shape does not have, and for a shape without a valid layout.
 *
 * @example
 * IndexUtil.getDimensionStride(ShapeUtil.makeShape("f32", [5, 8, 10, 4]), 1); // => 40
 */
export function getDimensionStride(shape: Shape, dimension: number): number {
  const strides = elementStrides(shape, "GetDimensionStride");
  return strides[requireDimension(shape, dimension, "GetDimensionStride")]!;
}
