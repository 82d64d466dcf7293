/**
 * Addressing: maps the index of an element to its cell in the buffer, and back, for every form of layout.
 *
 *     plain    cell = sum of index[d] * stride[d]          strides from the sizes           2017 and today
 *     padded   the same, strides from the padded sizes     s32[2,3] in [3,5]: strides 1,3   2017
 *     tiled    all tiles, one after the other              TilePlan                         today
 *
 * A cell is the place of one element; its size in bytes or bits is not known here. Memory space, element size, tail
 * padding alignment and the dynamic-shape prefix do not move elements and are ignored.
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

/** Maps between the indices and the cells of one array shape. Made once per shape; holds no data. */
export class Addressing {
  /** The size of each logical dimension. */
  readonly dimensions: readonly number[];
  readonly minorToMajor: readonly number[];
  /** The width of each logical dimension in memory: the padded sizes, or the sizes. Tiles are ignored. */
  readonly widths: readonly number[];
  /** The number of cells in the buffer, padding included. */
  readonly cells: number;
  /** The number of elements of the array. */
  readonly elements: number;
  /** The stride of each logical dimension in cells; null if there are tiles, since a tiled layout has no strides. */
  readonly strides: readonly number[] | null;
  /** The mapping by tiles; null if there are no tiles. */
  readonly tiling: TilePlan | null;
  /** Scratch space: the physical coordinates of one element, major to minor, for the tiles. */
  readonly #physical: Float64Array<ArrayBuffer>;

  /**
   * Throws INVALID_ARGUMENT, naming `what`, if the shape is not an array, for a missing or invalid layout, an unbounded or
   * negative size, and more than 2^53 - 1 cells; UNIMPLEMENTED for a sparse layout, and for tiles with padded dimensions.
   */
  constructor(shape: Shape, what: string) {
    const layout = addressableLayout(shape, what);
    if (!layout.isDense()) throw new UnimplementedError(`${what}: the sparse layout of ${shownShape(shape, true)} is not supported`);
    this.dimensions = shape.dimensions;
    this.minorToMajor = layout.minorToMajor;
    this.elements = sizeProduct(shape.dimensions);
    this.widths = physicalWidths(shape, layout);
    // This also checks the order, which the tiles rely on.
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
   * Returns the terms that logical dimension `d` contributes to the cell (see mixed-radix-cells.ts), minor to major; null
   * if a tile combines the dimension with another.
   */
  levels(d: number): readonly Level[] | null {
    if (this.strides !== null) return [{ unit: 1, stride: this.strides[d]! }];
    return this.tiling!.levels(this.dimensions.length - 1 - this.minorToMajor.indexOf(d));
  }

  /** Returns the cell of the element at a logical index. Nothing is checked. */
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

  /** Returns the logical index of the element in a cell of 0..cells-1, or null if the cell is padding. Copies: a new list. */
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
    let remaining = cell;
    for (const d of minorToMajor) {
      index[d] = remaining % widths[d]!;
      remaining = Math.floor(remaining / widths[d]!);
      if (index[d]! >= dimensions[d]!) return null;
    }
    return index;
  }
}

/**
 * Returns the layout of an array. A scalar without a layout has `{}`, its only possible layout (r1.3 allows leaving it
 * out). Throws INVALID_ARGUMENT, naming `what`, if the shape is not an array, or is a non-scalar array without a layout.
 */
export function addressableLayout(shape: Shape, what: string): Layout {
  const { layout, dimensions } = requireArray(shape, what);
  if (layout !== null) return layout;
  if (dimensions.length === 0) return kScalarLayout;
  throw new InvalidArgumentError(`${what}: shape ${shownShape(shape)} does not have a layout`);
}

/**
 * Returns the width of each dimension in memory: the padded sizes if the layout has padded dimensions, else the sizes.
 * Throws INVALID_ARGUMENT if there are more or fewer padded dimensions than sizes, or one is smaller than its size.
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
