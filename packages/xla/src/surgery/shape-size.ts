/**
 * Sizes of shapes in elements and bytes (ElementsIn, ByteSizeOf, ArraySize and ByteStrides in xla/shape_util.cc).
 *
 *     f32[3,5]{1,0:T(2,2)}     elementsIn 15    byteSizeOf 60    arraySize 96    tiledElementCount 24
 *     s4[3,5]{1,0:E(4)}        elementsIn 15    byteSizeOf 8: two elements a byte
 *     f32[10,20] in [15,21]    elementsIn 200   byteSizeOf 1260: the padding of 2017 counts
 *
 * Bounded dynamic dimensions count with their bound. Every product is checked: nothing rounds, nothing overflows.
 */
import { checkNumber, InvalidArgumentError } from "@onebuffer/base";
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
 * Elements of an array, 1 for a scalar (`ElementsIn`).
 *
 * Throws INVALID_ARGUMENT for what is no array, an unbounded or negative size, and partial products beyond 2^53 - 1.
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
 * Elements of all arrays of a tuple, or of an array (`ElementsInRecursive`); what is neither counts 0.
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

/**
 * Bits of one stored element: the layout's element size, or the natural size in whole bytes.
 */
export function storedBits(shape: Shape): number {
  const natural = 8 * byteWidth(shape.elementType);
  const bits = shape.layout === null || shape.layout.elementSizeInBits === 0 ? natural : shape.layout.elementSizeInBits;
  if (bits < 0) throw new InvalidArgumentError(`element_size_in_bits ${bits} of ${shownShape(shape)} is negative`);
  return bits;
}

/** Bytes of so many stored elements, the last byte filled up. */
function bytesOf(shape: Shape, elements: number): number {
  const bits = storedBits(shape);
  // Split, so that the bits need not fit where the bytes do.
  const bytes = Math.floor(elements / 8) * bits + Math.ceil(((elements % 8) * bits) / 8);
  if (bytes > Number.MAX_SAFE_INTEGER) throw new InvalidArgumentError(`The bytes of ${shownShape(shape)} exceed 2^53 - 1`);
  return bytes;
}

/**
 * Bytes of a shape (`ByteSizeOf`): of an array, its elements packed as the element size says; of a tuple, its pointers;
 * of an opaque value, one pointer; of a token, none; of a buffer, those of its array.
 *
 * Quirk: the padding of tiles is not counted (see `arraySize`), that of 2017's padded dimensions is.
 *
 * Throws INVALID_ARGUMENT for a tuple or opaque value with a pointer size that is not positive, for sizes that
 * `elementsIn` refuses, and for more than 2^53 - 1 bytes.
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
 * Bytes of the pointers of a tuple, one per child (`ByteSizeOfTupleIndexTable`).
 *
 * Throws INVALID_ARGUMENT for what is no tuple and for a pointer size that is not positive.
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
 * Bytes of an array's elements (`ByteSizeOfElements`): padded dimensions counted, tiles not.
 *
 * Throws INVALID_ARGUMENT as `byteSizeOf` does, and for what is no array.
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
 * Bytes of the stored array with the padding of its tiles (`ArraySize`).
 *
 * Quirks: only the first tile counts; the count is rounded up to the tail padding alignment only if there are tiles;
 * where the layout is split, each dimension counts with its largest piece, again only if there are tiles.
 *
 * Throws INVALID_ARGUMENT for what is no array, a missing or invalid layout, and more than 2^53 - 1 bytes; UNIMPLEMENTED
 * for a first tile that combines dimensions.
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

/** A number of cells rounded up to the tail padding alignment. Throws INVALID_ARGUMENT for one that is not positive. */
export function alignedCells(cells: number, alignment: number): number {
  if (alignment <= 0) throw new InvalidArgumentError(`tail_padding_alignment_in_elements ${alignment} is not positive`);
  return checkedInteger(Math.ceil(cells / alignment) * alignment, "a number of cells with tail padding");
}

/**
 * Bytes of the stored array up to and including its last element (`ArrayDataSize`), 0 without elements: through the
 * first tile only, as `LayoutUtil.linearIndex`.
 *
 * Throws INVALID_ARGUMENT for what is no array, a missing or invalid layout, and more than 2^53 - 1 bytes; UNIMPLEMENTED
 * for a first tile that combines dimensions.
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
 * The stride of each dimension in bytes, or null if the element size is not a whole number of bytes (`ByteStrides`).
 * Tiles and padded dimensions are not looked at. Copies: a new list.
 *
 * Throws INVALID_ARGUMENT for what is no array, a missing or invalid layout, and strides beyond 2^53 - 1.
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
 * The strides in bytes as if every element had whole bytes (`UnpackedByteStrides`). Copies: a new list.
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
