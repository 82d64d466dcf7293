/**
 * Addressing: which cell of the buffer an element lies in, for every form of layout.
 *
 *     plain    cell = sum of index[d] * stride[d]          strides from the sizes           docs/shapes, all eras
 *     padded   the same, strides from the padded sizes     s32[2,3] in [3,5]: strides 1,3   2017
 *     tiled    all tiles, one after the other              TilePlan                         today
 *
 * A cell is a place for one element; what it takes in bytes or bits is not known here. Memory space, element size, tail
 * alignment and the dynamic-shape prefix do not move elements and are ignored.
 */
import { InvalidArgumentError, UnimplementedError } from "@onebuffer/base";
import type { Level } from "./mixed-radix-cells.ts";
import { Layout } from "../model/layout.ts";
import type { Shape } from "../model/shape.ts";
import { requireArray, shownShape } from "../model/shape.ts";
import { shownList } from "../type/shown-list.ts";
import { sizeProduct } from "../type/size-product.ts";
import { stridesFromLayout } from "./strides.ts";
import { TilePlan } from "./tile-plan.ts";

const kScalarLayout = new Layout([]);

/**
 * The layout of an array. A scalar without one has `{}`: there is no other (and r1.3 allows it to be left out).
 * Throws INVALID_ARGUMENT, naming `what`, for what is no array and for an array without a layout.
 */
export function addressableLayout(shape: Shape, what: string): Layout {
  const { layout, dimensions } = requireArray(shape, what);
  if (layout !== null) return layout;
  if (dimensions.length === 0) return kScalarLayout;
  throw new InvalidArgumentError(`${what}: shape ${shownShape(shape)} does not have a layout`);
}

/**
 * The width each dimension takes in memory: the padded size where the layout has padded dimensions, the size elsewhere.
 * Throws INVALID_ARGUMENT for padded dimensions of a wrong count or smaller than the sizes.
 */
export function physicalWidths(shape: Shape, layout: Layout): readonly number[] {
  const { dimensions } = shape;
  const { paddedDimensions } = layout;
  if (paddedDimensions.length === 0) return dimensions;
  if (paddedDimensions.length !== dimensions.length) {
    throw new InvalidArgumentError(
      `layout has ${paddedDimensions.length} padded dimensions ${shownList(paddedDimensions)}, but shape is rank ${dimensions.length}: ${shownShape(shape)}`,
    );
  }
  const small = paddedDimensions.findIndex((width, d) => width < dimensions[d]!);
  if (small >= 0) {
    throw new InvalidArgumentError(
      `for dimension ${small}, dimension padding (${paddedDimensions[small]}) is smaller than the dimension size (${dimensions[small]}) of the shape`,
    );
  }
  return paddedDimensions;
}

/** Where the elements of one array shape lie. Made once per shape; holds no data. */
export class Addressing {
  /** The size of each logical dimension. */
  readonly dimensions: readonly number[];
  readonly minorToMajor: readonly number[];
  /** Widths in memory, in logical order: the padded sizes, or the sizes. Tiles are not counted. */
  readonly widths: readonly number[];
  /** Cells in the buffer, padding included. */
  readonly cells: number;
  /** Elements of the array. */
  readonly elements: number;
  /** The stride of each logical dimension in cells; null when there are tiles, which have none. */
  readonly strides: readonly number[] | null;
  /** What the tiles do; null without tiles. */
  readonly tiling: TilePlan | null;
  /** Physical coordinates of one element, for the tiles. */
  readonly #physical: Float64Array<ArrayBuffer>;

  /**
   * Throws INVALID_ARGUMENT, naming `what`, for what is no array, a missing or invalid layout, an unbounded or negative
   * size, and more than 2^53 - 1 cells; UNIMPLEMENTED for a sparse layout and for tiles on top of padded dimensions.
   */
  constructor(shape: Shape, what: string) {
    const layout = addressableLayout(shape, what);
    if (!layout.isDense()) throw new UnimplementedError(`${what}: the sparse layout of ${shownShape(shape, true)} is not supported`);
    this.dimensions = shape.dimensions;
    this.minorToMajor = layout.minorToMajor;
    this.elements = sizeProduct(shape.dimensions);
    this.widths = physicalWidths(shape, layout);
    // Also checks the order, which the tiles need as well.
    const strides = stridesFromLayout(this.widths, layout.minorToMajor);
    if (layout.tiles.length === 0) {
      this.cells = sizeProduct(this.widths);
      this.strides = strides;
      this.tiling = null;
    } else {
      if (layout.paddedDimensions.length > 0)
        throw new UnimplementedError(`${what}: tiles and padded dimensions in one layout are not supported: ${shownShape(shape, true)}`);
      const majorToMinor = layout.minorToMajor.toReversed();
      this.tiling = new TilePlan(
        majorToMinor.map((d) => shape.dimensions[d]!),
        layout.tiles.map((tile) => tile.dimensions),
      );
      this.cells = this.tiling.cells;
      this.strides = null;
    }
    this.#physical = new Float64Array(this.dimensions.length);
  }

  /**
   * The terms that logical dimension `d` adds to the cell (see cell-levels.ts), minor to major; null where a tile
   * combines it with another dimension.
   */
  levels(d: number): readonly Level[] | null {
    if (this.strides !== null) return [{ unit: 1, stride: this.strides[d]! }];
    return this.tiling!.levels(this.dimensions.length - 1 - this.minorToMajor.indexOf(d));
  }

  /** The cell of the element at a logical index. Nothing is checked. */
  cellOf(index: ArrayLike<number>): number {
    const { strides, minorToMajor } = this;
    const rank = this.dimensions.length;
    if (strides !== null) {
      let cell = 0;
      for (let d = 0; d < rank; d++) cell += index[d]! * strides[d]!;
      return cell;
    }
    const physical = this.#physical;
    for (let k = 0; k < rank; k++) physical[rank - 1 - k] = index[minorToMajor[k]!]!;
    return this.tiling!.cellOf(physical);
  }

  /** The logical index of the element in a cell of 0..cells-1, or null if the cell is padding. Copies: a new list. */
  indexOf(cell: number): number[] | null {
    const { dimensions, widths, minorToMajor } = this;
    const index: number[] = [];
    for (let d = 0; d < dimensions.length; d++) index.push(0);
    if (this.tiling !== null) {
      const physical = this.tiling.coordinatesOf(cell);
      if (physical === null) return null;
      for (let k = 0; k < index.length; k++) index[minorToMajor[k]!] = physical[index.length - 1 - k]!;
      return index;
    }
    let rest = cell;
    for (const d of minorToMajor) {
      index[d] = rest % widths[d]!;
      rest = Math.floor(rest / widths[d]!);
      if (index[d]! >= dimensions[d]!) return null;
    }
    return index;
  }
}
