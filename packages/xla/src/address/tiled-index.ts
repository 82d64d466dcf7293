/**
 * Conversion between an index and its cell in a tiled buffer: exactly, through all tiles, or through the first tile only,
 * as LayoutUtil::LinearIndex does (xla/layout_util.cc).
 *
 *     f32[3,5]{1,0:T(2,2)}      0 1 | 4 5 | 8 .        each element is shown as its cell: (2,3) is in cell 17
 *                               2 3 | 6 7 |10 .        of 24 cells those at the dots are padding, and so is
 *                              12 13|16 17|20 .        the row below, the lower half of the last tiles
 */
import { InvalidArgumentError, UnimplementedError } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";
import { Addressing, addressableLayout } from "./addressing.ts";
import { checkNumbers, checkShape } from "../type/argument-check.ts";
import { checkIndex } from "./linear-index.ts";
import type { Shape } from "../model/shape.ts";
import { requireArray, shownShape } from "../model/shape.ts";
import { shownList } from "../type/shown-list.ts";
import { kCombineDimension } from "../model/tile.ts";

/**
 * Returns the cell of an element through all the tiles of the layout, combined dimensions included; without tiles, its
 * linear index. Exact where XLA's own LinearIndex is not.
 *
 * Throws INVALID_ARGUMENT for an index outside the shape, and for a shape without a valid layout.
 *
 * @example
 * const shape = ShapeUtil.makeShape("f32", [8, 8]).with({ layout: new Layout([1, 0], { tiles: [[2, 4], [2, 1, 1, 1]] }) });
 * tiledLinearIndex(shape, [6, 5]); // => 51
 * tiledLinearIndex(shape, [8, 0]); // throws INVALID_ARGUMENT
 */
export function tiledLinearIndex(shape: Shape, index: readonly number[]): number {
  checkShape(shape);
  checkNumbers(index, "index");
  const addressing = new Addressing(shape, "tiledLinearIndex");
  checkIndex(shape, index, "tiledLinearIndex");
  return addressing.cellOf(index);
}

/**
 * Returns the index of the element in a cell of the buffer, or null if the cell is padding: the inverse of
 * `tiledLinearIndex`. Copies: a new list.
 *
 * Throws INVALID_ARGUMENT for a cell outside the buffer, and for a shape without a valid layout.
 *
 * @example
 * const shape = ShapeUtil.makeShape("f32", [3, 5]).with({ layout: new Layout([1, 0], { tiles: [[2, 2]] }) });
 * tiledLinearToIndex(shape, 17); // => [2, 3]
 * tiledLinearToIndex(shape, 9); // => null
 */
export function tiledLinearToIndex(shape: Shape, cell: number): number[] | null {
  checkShape(shape);
  const addressing = new Addressing(shape, "tiledLinearToIndex");
  if (!(Number.isInteger(cell) && cell >= 0 && cell < addressing.cells))
    throw new InvalidArgumentError(
      `tiledLinearToIndex: cell ${shownValue(cell)} is not in [0, ${addressing.cells}) of ${shownShape(shape, true)}`,
    );
  return addressing.indexOf(cell);
}

/**
 * Returns the number of cells in the buffer of an array: elements and padding, with all tiles or to the padded sizes. The
 * tail padding alignment is not counted.
 *
 * Throws INVALID_ARGUMENT for a shape without a valid layout, and for more than 2^53 - 1 cells.
 *
 * @example
 * tiledElementCount(ShapeUtil.makeShape("f32", [3, 5]).with({ layout: new Layout([1, 0], { tiles: [[2, 2]] }) })); // => 24
 */
export function tiledElementCount(shape: Shape): number {
  checkShape(shape);
  return new Addressing(shape, "tiledElementCount").cells;
}

/**
 * Returns the cell of an element as XLA computes it (`LayoutUtil::LinearIndex`). Quirk: only the first tile is used, and
 * an array of rank 1 is treated as untiled. The result is exact for one tile and rank 2 or more; `tiledLinearIndex` is
 * exact for every layout.
 *
 * Throws INVALID_ARGUMENT for an index outside the shape, a shape without a valid layout and an invalid first tile;
 * UNIMPLEMENTED for a first tile that combines dimensions.
 *
 * @example
 * const shape = ShapeUtil.makeShape("f32", [3, 5]).with({ layout: new Layout([1, 0], { tiles: [[2, 2]] }) });
 * LayoutUtil.linearIndex(shape, [2, 3]); // => 17
 */
export function linearIndex(shape: Shape, index: readonly number[]): number {
  checkShape(shape);
  checkNumbers(index, "index");
  const what = "LinearIndex";
  const layout = addressableLayout(shape, what);
  const addressing = new Addressing(firstTileOnly(shape, what), what);
  checkIndex(shape, index, what);
  return layout.tiles.length > 0 && layout.minorToMajor.length === 1 ? index[0]! : addressing.cellOf(index);
}

/**
 * Returns the shape with only the first of its tiles, the only one that XLA's size functions read. Throws UNIMPLEMENTED if
 * that tile combines dimensions: XLA computes with the number of `*` as if it were a size.
 */
export function firstTileOnly(shape: Shape, what: string): Shape {
  const layout = addressableLayout(requireArray(shape, what), what);
  const first = layout.tiles[0];
  if (first === undefined) return shape;
  if (first.dimensions.includes(kCombineDimension))
    throw new UnimplementedError(`${what}: the first tile of ${shownShape(shape)} combines dimensions: ${shownList(first.dimensions)}`);
  return layout.tiles.length === 1 ? shape : shape.with({ layout: layout.with({ tiles: [first] }) });
}
