/**
 * Checks that a layout fits a shape (LayoutUtil::ValidateLayoutForShape and ValidateLayoutInShape in xla/layout_util.cc).
 *
 * Invariants of a valid layout of an array of rank n:
 * 1. minorToMajor holds each of 0 … n-1 once.
 * 2. Every tile has at least one entry and no entry is 0. The element size is >= 0, the tail padding alignment >= 1.
 * 3. 2017: paddedDimensions is empty or has n entries; no entry is below the dimension's size, and the padded array has
 *    fewer than 2^53 bytes.
 * 4. No field is sparse. Sparse layouts can be read from text and messages, but are refused here.
 */
import { checkObject } from "@onebuffer/base/internal";
import { InvalidArgumentError } from "@onebuffer/base";
import { checkLayout, checkShape } from "../type/argument-check.ts";
import type { EraOptions } from "./era.ts";
import { hasPadding } from "./era.ts";
import type { Layout } from "./layout.ts";
import { PrimitiveType } from "../type/primitive-type.ts";
import { byteWidth } from "../type/primitive-type-traits.ts";
import type { Shape } from "./shape.ts";
import { shownShape } from "./shape.ts";
import { shownList, shownText } from "../type/shown-list.ts";

/** Options of validateLayoutInShape. */
export interface ValidateLayoutOptions extends EraOptions {
  /** True if arrays may be without a layout. Default false. */
  readonly allowMissingLayouts?: boolean;
}

/**
 * Checks that `layout` fits an array shape. The shape's own layout is not read.
 *
 * Throws INVALID_ARGUMENT if it does not fit; the message names the field and the value.
 *
 * @example
 * LayoutUtil.validateLayoutForShape(new Layout([1, 0]), Shape.array("f32", [2, 3])); // => undefined
 * LayoutUtil.validateLayoutForShape(new Layout([1, 1]), Shape.array("f32", [2, 3])); // throws INVALID_ARGUMENT
 */
export function validateLayoutForShape(layout: Layout, shape: Shape): void {
  checkLayout(layout);
  checkShape(shape);
  if (shape.isTuple()) throw new InvalidArgumentError("a single Layout is not valid for tuple shapes");
  if (!shape.isArray()) {
    throw new InvalidArgumentError(
      `shape of primitive type ${shownShape(shape)} should not have a non-trivial layout, got ${shownText(layout.toString())}`,
    );
  }
  checkOrder(layout, shape);
  checkStorage(layout, shape);
  checkPadding(layout, shape);
  checkDense(layout, shape);
}

/**
 * Checks the layouts of all arrays of a shape. With `era: "2017"` a scalar needs no layout.
 *
 * Throws INVALID_ARGUMENT for a layout that does not fit, and for an array without a layout unless `allowMissingLayouts`.
 *
 * @example
 * LayoutUtil.validateLayoutInShape(Shape.array("f32", [2]), { allowMissingLayouts: true }); // => undefined
 * LayoutUtil.validateLayoutInShape(Shape.array("f32", []), { era: "2017" }); // => undefined
 * LayoutUtil.validateLayoutInShape(Shape.array("f32", [])); // throws INVALID_ARGUMENT
 */
export function validateLayoutInShape(shape: Shape, options: ValidateLayoutOptions = {}): void {
  checkShape(shape);
  checkObject(options, "options");
  for (const child of shape.tupleShapes) validateLayoutInShape(child, options);
  if (shape.bufferShape !== null) validateLayoutInShape(shape.bufferShape, options);
  if (!shape.isArray()) return;
  if (shape.layout !== null) validateLayoutForShape(shape.layout, shape);
  else if (options.allowMissingLayouts !== true && !(options.era === "2017" && shape.rank === 0)) {
    throw new InvalidArgumentError(`shape ${shownShape(shape)} does not have a layout`);
  }
}

/** Checks invariant 1. */
function checkOrder(layout: Layout, shape: Shape): void {
  const order = layout.minorToMajor;
  const rank = shape.rank;
  if (order.length !== rank) {
    const has = hasPadding(layout) ? `is rank ${rank}` : `has ${rank} dimensions`;
    throw new InvalidArgumentError(
      `layout minor_to_major field contains ${order.length} elements, but shape ${has}: ${shownList(order)}; shape: ${shownShape(shape)}`,
    );
  }
  const seen = new Uint8Array(rank);
  for (const dim of order) {
    if (dim < 0 || dim >= rank) throw orderError(layout, shape, `has out-of-bounds value ${dim}`);
    if (seen[dim] === 1) throw orderError(layout, shape, `has duplicate values: ${dim} repeats`);
    seen[dim] = 1;
  }
}

function orderError(layout: Layout, shape: Shape, what: string): InvalidArgumentError {
  return new InvalidArgumentError(`layout minor_to_major field ${what}: ${shownList(layout.minorToMajor)}; shape: ${shownShape(shape)}`);
}

/** Checks invariant 2. */
function checkStorage(layout: Layout, shape: Shape): void {
  for (const tile of layout.tiles) {
    if (tile.dimensions.length === 0 || tile.dimensions.includes(0)) {
      throw new InvalidArgumentError(`layout has invalid tiles: ${shownText(tile.toString())}; shape: ${shownShape(shape)}`);
    }
  }
  if (layout.elementSizeInBits < 0) {
    throw new InvalidArgumentError(
      `layout element_size_in_bits field is negative: ${layout.elementSizeInBits}; shape: ${shownShape(shape)}`,
    );
  }
  if (layout.tailPaddingAlignmentInElements <= 0) {
    throw new InvalidArgumentError(
      `layout tail_padding_alignment_in_elements field is <= 0: ${layout.tailPaddingAlignmentInElements}; shape: ${shownShape(shape)}`,
    );
  }
}

/** Checks invariant 3. The padding value is not checked, as in r1.3: the Layout's constructor has done so. */
function checkPadding(layout: Layout, shape: Shape): void {
  const padded = layout.paddedDimensions;
  if (padded.length === 0) return;
  if (padded.length !== shape.rank) {
    throw new InvalidArgumentError(
      `layout has ${padded.length} padded dimensions, but shape is rank ${shape.rank}: ${shownList(padded)}; shape: ${shownShape(shape)}`,
    );
  }
  let bytes = byteWidth(shape.elementType);
  padded.forEach((width, dim) => {
    if (width < shape.dimensions[dim]! || width < 0) {
      throw new InvalidArgumentError(
        `for dimension ${dim}, dimension padding (${width}) is smaller than the dimension size (${shape.dimensions[dim]}) of the shape ${shownShape(shape)}`,
      );
    }
    bytes *= width;
    if (bytes > Number.MAX_SAFE_INTEGER)
      throw new InvalidArgumentError(`padded_dimensions overflow: ${shownList(padded)}; shape: ${shownShape(shape)}`);
  });
}

/** Checks invariant 4. */
function checkDense(layout: Layout, shape: Shape): void {
  const { dimLevelTypes, dimUnique, dimOrdered } = layout;
  const refuse = (field: string, value: string): never => {
    throw new InvalidArgumentError(
      `layout has ${field} ${value}, but only dense layouts are supported: ${shownText(layout.toString())}; shape: ${shownShape(shape)}`,
    );
  };
  for (const [field, list] of [
    ["dim_level_types", dimLevelTypes] as const,
    ["dim_unique", dimUnique] as const,
    ["dim_ordered", dimOrdered] as const,
  ]) {
    if (list.length > 0 && list.length !== shape.rank) {
      throw new InvalidArgumentError(
        `layout ${field} field contains ${list.length} elements, but shape has ${shape.rank} dimensions: ${shownShape(shape)}`,
      );
    }
  }
  if (!layout.isDense()) refuse("dim_level_types", shownList(dimLevelTypes));
  if (dimUnique.includes(false)) refuse("dim_unique", shownList(dimUnique));
  if (dimOrdered.includes(false)) refuse("dim_ordered", shownList(dimOrdered));
  if (layout.indexPrimitiveType !== PrimitiveType.PRIMITIVE_TYPE_INVALID)
    refuse("an index_primitive_type", String(layout.indexPrimitiveType));
  if (layout.pointerPrimitiveType !== PrimitiveType.PRIMITIVE_TYPE_INVALID)
    refuse("a pointer_primitive_type", String(layout.pointerPrimitiveType));
  if (layout.physicalShape !== null) refuse("a physical_shape", shownText(layout.physicalShape.toString(true)));
}
