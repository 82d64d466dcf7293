/**
 * Functions that change the element type or the stored element size of shapes, or remove the fields that only a device
 * uses (ChangeElementType, UpdateElementSizeInBits and DeviceShapeToHostShape in xla/shape_util.cc).
 *
 *     s4[3,5]{1,0}        15 bytes, one element per byte        s4[3,5]{1,0:E(4)}   8 bytes, two elements per byte
 */
import { checkShape } from "../type/argument-check.ts";
import { mapLayouts } from "../model/layout-in-shape.ts";
import type { PrimitiveTypeLike } from "../type/primitive-type.ts";
import { toPrimitiveType } from "../type/primitive-type.ts";
import { bitWidth, isSubByteNonPredType } from "../type/primitive-type-traits.ts";
import { Shape } from "../model/shape.ts";

/**
 * Returns the shape with another element type; in a tuple the type of every array is changed (ChangeElementType). The
 * layout's element size is kept only if the new type has fewer than 8 bits and is not PRED.
 *
 * Throws INVALID_ARGUMENT if the type is not an array type.
 *
 * @example
 * ShapeUtil.changeElementType(parseShape("s4[3]{0:E(4)}"), "u8").toString(true); // => "u8[3]{0}"
 * ShapeUtil.changeElementType(parseShape("s4[3]{0:E(4)}"), "u4").toString(true); // => "u4[3]{0:E(4)}"
 * ShapeUtil.changeElementType(parseShape("s4[3]"), "tuple"); // throws INVALID_ARGUMENT
 */
export function changeElementType(shape: Shape, type: PrimitiveTypeLike): Shape {
  checkShape(shape);
  const elementType = toPrimitiveType(type);
  if (shape.isTuple()) return Shape.tuple(shape.tupleShapes.map((child) => changeElementType(child, elementType)));
  if (shape.bufferShape !== null) return Shape.buffer(changeElementType(shape.bufferShape, elementType));
  if (!shape.isArray()) return shape;
  const changed = shape.with({ elementType });
  return isSubByteNonPredType(elementType) ? changed : mapLayouts(changed, (layout) => layout.with({ elementSizeInBits: 0 }));
}

/**
 * Returns the shape with the element size of every array set (UpdateElementSizeInBits): to the type's bits if `pack4Bit` is
 * true, the type has fewer than 8 bits and is not PRED; otherwise to 0. Arrays without a layout stay unchanged.
 *
 * @example
 * ShapeUtil.updateElementSizeInBits(parseShape("(s4[3], f32[2])"), true).toString(true); // => "(s4[3]{0:E(4)}, f32[2]{0})"
 */
export function updateElementSizeInBits(shape: Shape, pack4Bit: boolean): Shape {
  checkShape(shape);
  if (shape.isTuple()) return Shape.tuple(shape.tupleShapes.map((child) => updateElementSizeInBits(child, pack4Bit)));
  if (shape.bufferShape !== null) return Shape.buffer(updateElementSizeInBits(shape.bufferShape, pack4Bit));
  if (!shape.isArray()) return shape;
  const elementSizeInBits = pack4Bit && isSubByteNonPredType(shape.elementType) ? bitWidth(shape.elementType) : 0;
  return mapLayouts(shape, (layout) => layout.with({ elementSizeInBits }));
}

/**
 * Returns the shape without the fields that only a device uses: tiles, memory space, element size, tail padding alignment
 * and prefix bytes (DeviceShapeToHostShape).
 *
 * @example
 * ShapeUtil.deviceShapeToHostShape(parseShape("s4[64,128]{0,1:T(8,128)E(4)S(1)}")).toString(true); // => "s4[64,128]{0,1}"
 */
export function deviceShapeToHostShape(shape: Shape): Shape {
  checkShape(shape);
  return mapLayouts(shape, (layout) =>
    layout.with({ tiles: [], memorySpace: 0, elementSizeInBits: 0, tailPaddingAlignmentInElements: 1, dynamicShapeMetadataPrefixBytes: 0 }),
  );
}

/**
 * Returns true if deviceShapeToHostShape would not change the shape (DeviceShapeIsHostShape).
 *
 * @example
 * ShapeUtil.deviceShapeIsHostShape(parseShape("f32[2]")); // => true
 * ShapeUtil.deviceShapeIsHostShape(parseShape("f32[2]{0:M(64)}")); // => false
 */
export function deviceShapeIsHostShape(shape: Shape): boolean {
  checkShape(shape);
  return shape.toString(true) === deviceShapeToHostShape(shape).toString(true);
}
