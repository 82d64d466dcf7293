// Shapes with the layouts that tests of views use, and arrays for their elements.
import type { RawDType, TypedArray } from "@onebuffer/base";
import { typedArrayConstructor } from "@onebuffer/base";
import type { PrimitiveTypeLike, Shape } from "@onebuffer/xla";
import { Layout, PaddingValue, primitiveTypeToDType, ShapeUtil } from "@onebuffer/xla";

/** Returns a shape whose only layout is the order of its dimensions. */
export const plain = (type: PrimitiveTypeLike, dims: number[], order: number[]): Shape =>
  ShapeUtil.makeShapeWithDenseLayout(type, dims, order);

/** Returns a layout whose dimensions are padded to these widths. */
export const paddedLayout = (order: number[], widths: number[], paddingValue: PaddingValue = PaddingValue.ZERO_PAD): Layout =>
  new Layout(order, { paddedDimensions: widths, paddingValue });

/** A new array of the class that stores the shape's element type. */
export function bufferFor(shape: Shape, cells: number): TypedArray {
  return new (typedArrayConstructor(primitiveTypeToDType(shape.elementType) as RawDType))(cells);
}
