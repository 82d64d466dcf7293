/**
 * Sizes of shapes in elements and bytes (ElementsIn, ByteSizeOf, ArraySize and ByteStrides in xla/shape_util.cc).
 *
 *     f32[3,5]{1,0:T(2,2)}     elementsIn 15    byteSizeOf 60    arraySize 96    tiledElementCount 24
 *     s4[3,5]{1,0:E(4)}        elementsIn 15    byteSizeOf 8: two elements per byte
 *     f32[10,20] in [15,21]    elementsIn 200   byteSizeOf 1260: the padding of 2017 counts
 *
 * The size of a bounded dynamic dimension is its bound. Every product is checked: a size is exact or refused.
 */
import { checkNumber } from "@onebuffer/base/internal";
import { InvalidArgumentError } from "@onebuffer/base";
import { Addressing, addressableLayout, physicalWidths } from "../address/addressing.ts";
import { checkShape } from "../type/argument-check.ts";
import { checkedInteger } from "../type/integers.ts";
import { byteWidth } from "../type/primitive-type-traits.ts";
import type { Shape } from "../model/shape.ts";
import { requireArray, shownShape } from "../model/shape.ts";
import { sizeProduct } from "../type/size-product.ts";
import { maxSplitSize } from "./split-size.ts";
import { stridesFromLayout } from "../address/strides.ts";
import { firstTileOnly, linearIndex } from "../address/tiled-index.ts";

/**
 * Returns the number of elements of an array, 1 for a scalar (`ElementsIn`).
 *
 * Throws INVALID_ARGUMENT if `shape` is not an array, for an unbounded or negative size, and for partial products beyond
 * 2^53 - 1.
 *
 * @example
 * ShapeUtil.elementsIn(ShapeUtil.makeShape("s32", [1, 3, 5])); // => 15
 * ShapeUtil.elementsIn(Shape.token()); // throws INVALID_ARGUMENT
 */
export function elementsIn(shape: Shape): number {
  checkShape(shape);
  return sizeProduct(requireArray(shape, "ElementsIn").dimensions);
}

/**
 * Returns the number of elements in all arrays of a tuple, or of an array (`ElementsInRecursive`); 0 for any other shape.
 *
 * Throws INVALID_ARGUMENT for unbounded or negative sizes and more than 2^53 - 1 elements.
 *
 * @example
 * const array = ShapeUtil.makeShape("f32", [2, 3]);
 * ShapeUtil.elementsInRecursive(ShapeUtil.makeTupleShape([array, Shape.token(), array])); // => 12
 */
export function elementsInRecursive(shape: Shape): number {
  checkShape(shape);
  if (shape.isArray()) return elementsIn(shape);
  const sum = shape.tupleShapes.reduce((elements, child) => elements + elementsInRecursive(child), 0);
  return checkedInteger(sum, "the number of elements of a tuple");
}

/** Returns the number of bits of one stored element: the layout's element size, or the natural size in whole bytes. */
export function storedBits(shape: Shape): number {
  const natural = 8 * byteWidth(shape.elementType);
  const bits = shape.layout === null || shape.layout.elementSizeInBits === 0 ? natural : shape.layout.elementSizeInBits;
  if (bits < 0) throw new InvalidArgumentError(`element_size_in_bits ${bits} of ${shownShape(shape)} is negative`);
  return bits;
}

/** Returns the number of bytes of `elements` stored elements, rounded up to whole bytes. */
function bytesOf(shape: Shape, elements: number): number {
  const bits = storedBits(shape);
  // In two terms, so that the number of bits may exceed 2^53 while the number of bytes does not.
  const bytes = Math.floor(elements / 8) * bits + Math.ceil(((elements % 8) * bits) / 8);
  if (bytes > Number.MAX_SAFE_INTEGER) throw new InvalidArgumentError(`The bytes of ${shownShape(shape)} exceed 2^53 - 1`);
  return bytes;
}

/**
 * Returns the size of a shape in bytes (`ByteSizeOf`): for an array, its elements, packed if the element size says so; for
 * a tuple, one pointer per child; for an opaque value, one pointer; for a token, 0; for a buffer, the size of its array.
 *
 * Quirk: the padding of tiles is not counted (`arraySize` counts it), but that of 2017's padded dimensions is.
 *
 * Throws INVALID_ARGUMENT for a tuple or opaque value with a pointer size outside 1 … 64, for sizes that `elementsIn`
 * refuses, and for more than 2^53 - 1 bytes.
 *
 * @example
 * ShapeUtil.byteSizeOf(ShapeUtil.makeShape("f64", [10, 20])); // => 1600
 * ShapeUtil.byteSizeOf(parseShape("s4[3,5]{1,0:E(4)}")); // => 8
 * ShapeUtil.byteSizeOf(parseShape("(f32[2], s32[])"), 4); // => 8
 */
export function byteSizeOf(shape: Shape, pointerSize: number = 8): number {
  checkShape(shape);
  checkNumber(pointerSize, "pointer size");
  if (shape.isTuple()) return byteSizeOfTupleIndexTable(shape, pointerSize);
  if (shape.isToken()) return 0;
  if (shape.isOpaque()) return checkedPointerSize(pointerSize);
  return byteSizeOfElements(shape.bufferShape ?? shape);
}

/**
 * Returns the number of bytes of the pointers of a tuple, one per child (`ByteSizeOfTupleIndexTable`).
 *
 * Throws INVALID_ARGUMENT if `shape` is not a tuple, and for a pointer size outside 1 … 64.
 *
 * @example
 * ShapeUtil.byteSizeOfTupleIndexTable(parseShape("(f32[2], s32[])"), 8); // => 16
 */
export function byteSizeOfTupleIndexTable(shape: Shape, pointerSize: number): number {
  checkShape(shape);
  checkNumber(pointerSize, "pointer size");
  if (!shape.isTuple()) throw new InvalidArgumentError(`ByteSizeOfTupleIndexTable: expected a tuple, got ${shownShape(shape)}`);
  return checkedPointerSize(pointerSize) * shape.tupleShapes.length;
}

function checkedPointerSize(pointerSize: number): number {
  if (checkedInteger(pointerSize, "the pointer size") <= 0 || pointerSize > 64)
    throw new InvalidArgumentError(`The pointer size ${pointerSize} is not in [1, 64]`);
  return pointerSize;
}

/**
 * Returns the number of bytes of an array's elements (`ByteSizeOfElements`). Padded dimensions are counted, the padding of
 * tiles is not.
 *
 * Throws INVALID_ARGUMENT as `byteSizeOf` does, and if `shape` is not an array.
 *
 * @example
 * ShapeUtil.byteSizeOfElements(ShapeUtil.makeShape("pred", [33])); // => 33
 */
export function byteSizeOfElements(shape: Shape): number {
  checkShape(shape);
  const { layout } = requireArray(shape, "ByteSizeOfElements");
  return bytesOf(shape, sizeProduct(layout === null ? shape.dimensions : physicalWidths(shape, layout)));
}

/**
 * Returns the number of bytes of the stored array, including the padding of its tiles (`ArraySize`).
 *
 * Quirks: only the first tile is used. Only if there are tiles, the number of elements is rounded up to the tail padding
 * alignment, and a dimension that the layout splits counts with its largest piece.
 *
 * Throws INVALID_ARGUMENT if `shape` is not an array, for a missing or invalid layout, and for more than 2^53 - 1 bytes;
 * UNIMPLEMENTED for a first tile that combines dimensions.
 *
 * @example
 * ShapeUtil.arraySize(parseShape("f32[3,5]{1,0:T(2,2)}")); // => 96
 * ShapeUtil.arraySize(parseShape("f32[3,5]{1,0:T(2,2)L(16)}")); // => 128
 * ShapeUtil.arraySize(parseShape("f32[3,5]{1,0:L(16)}")); // => 60
 */
export function arraySize(shape: Shape): number {
  checkShape(shape);
  const layout = addressableLayout(shape, "ArraySize");
  if (layout.tiles.length === 0) return byteSizeOfElements(shape);
  const pieces = shape.dimensions.map((_, d) => maxSplitSize(shape, d));
  const { cells } = new Addressing(firstTileOnly(shape.with({ dimensions: pieces }), "ArraySize"), "ArraySize");
  return bytesOf(shape, alignedCells(cells, layout.tailPaddingAlignmentInElements));
}

/** Returns a number of cells rounded up to the tail padding alignment. Throws INVALID_ARGUMENT if the alignment is not positive. */
export function alignedCells(cells: number, alignment: number): number {
  if (alignment <= 0) throw new InvalidArgumentError(`tail_padding_alignment_in_elements ${alignment} is not positive`);
  return checkedInteger(Math.ceil(cells / alignment) * alignment, "a number of cells with tail padding");
}

/**
 * Returns the number of bytes of the stored array up to and including its last element (`ArrayDataSize`); 0 without
 * elements. Only the first tile is used, as in `LayoutUtil.linearIndex`.
 *
 * Throws INVALID_ARGUMENT if `shape` is not an array, for a missing or invalid layout, and for more than 2^53 - 1 bytes;
 * UNIMPLEMENTED for a first tile that combines dimensions.
 *
 * @example
 * ShapeUtil.arrayDataSize(parseShape("f32[100,100]{1,0:T(8,128)}")); // => 51088
 */
export function arrayDataSize(shape: Shape): number {
  checkShape(shape);
  if (elementsIn(shape) === 0) return 0;
  const last = shape.dimensions.map((size) => size - 1);
  return bytesOf(shape, checkedInteger(linearIndex(shape, last) + 1, "a number of cells"));
}

/**
 * Returns the stride of each dimension in bytes, or null if the element size is not a whole number of bytes
 * (`ByteStrides`). Tiles and padded dimensions are ignored. Copies: a new list.
 *
 * Throws INVALID_ARGUMENT if `shape` is not an array, for a missing or invalid layout, and for strides beyond 2^53 - 1.
 *
 * @example
 * ShapeUtil.byteStrides(ShapeUtil.makeShape("f32", [2, 3])); // => [12, 4]
 * ShapeUtil.byteStrides(parseShape("s4[10,20]{1,0:E(4)}")); // => null
 */
export function byteStrides(shape: Shape): number[] | null {
  checkShape(shape);
  const bits = storedBits(requireArray(shape, "ByteStrides"));
  return bits % 8 === 0 ? stridesInBytes(shape, bits / 8, "ByteStrides") : null;
}

/**
 * Returns the strides in bytes as if every element took whole bytes (`UnpackedByteStrides`). Copies: a new list.
 *
 * Throws INVALID_ARGUMENT as `byteStrides` does.
 *
 * @example
 * ShapeUtil.unpackedByteStrides(parseShape("s4[2,4]{1,0:E(4)}")); // => [4, 1]
 */
export function unpackedByteStrides(shape: Shape): number[] {
  checkShape(shape);
  return stridesInBytes(shape, byteWidth(requireArray(shape, "UnpackedByteStrides").elementType), "UnpackedByteStrides");
}

function stridesInBytes(shape: Shape, bytes: number, what: string): number[] {
  const strides = stridesFromLayout(shape.dimensions, addressableLayout(shape, what).minorToMajor);
  return strides.map((stride) => checkedInteger(stride * bytes, "a byte stride"));
}
