/**
 * Predicates on one shape (xla/shape_util.cc). Most predicates about arrays return false for other shapes; those about a
 * layout throw if there is none.
 */
import { checkNumber } from "@onebuffer/base/internal";
import { checkShape } from "../type/argument-check.ts";
import { requireLayout } from "../model/default-layout.ts";
import type { PrimitiveTypeLike } from "../type/primitive-type.ts";
import { toPrimitiveType } from "../type/primitive-type.ts";
import type { Shape } from "../model/shape.ts";
import { requireArray, requireDimension } from "../model/shape.ts";

/**
 * Returns true if a shape is an array with a dimension of size 0 (IsZeroElementArray). A tuple of such arrays is not.
 *
 * @example
 * ShapeUtil.isZeroElementArray(Shape.array("s32", [3, 0, 5])); // => true
 * ShapeUtil.isZeroElementArray(Shape.array("s32", [])); // => false
 */
export function isZeroElementArray(shape: Shape): boolean {
  checkShape(shape);
  return shape.isArray() && shape.dimensions.includes(0);
}

/**
 * Returns true if a shape is an array of rank 0 (IsScalar).
 *
 * @example
 * ShapeUtil.isScalar(Shape.array("f32", [])); // => true
 * ShapeUtil.isScalar(Shape.array("f32", [1])); // => false
 */
export function isScalar(shape: Shape): boolean {
  checkShape(shape);
  return shape.isArray() && shape.rank === 0;
}

/**
 * Returns true if a shape is an array with all dimensions of size 1, or of rank 0 (IsEffectiveScalar).
 *
 * @example
 * ShapeUtil.isEffectiveScalar(Shape.array("f32", [1, 1])); // => true
 */
export function isEffectiveScalar(shape: Shape): boolean {
  checkShape(shape);
  return shape.isArray() && shape.dimensions.every((size) => size === 1);
}

/**
 * Returns true if an array has a dimension of size 1 (HasDegenerateDimensions). Throws INVALID_ARGUMENT if `shape` is not
 * an array.
 *
 * @example
 * ShapeUtil.hasDegenerateDimensions(Shape.array("f32", [3, 1, 2])); // => true
 * ShapeUtil.hasDegenerateDimensions(Shape.array("f32", [3, 0, 5])); // => false
 */
export function hasDegenerateDimensions(shape: Shape): boolean {
  checkShape(shape);
  return requireArray(shape, "HasDegenerateDimensions").dimensions.includes(1);
}

/**
 * Returns true if a shape is the tuple without children (IsEmptyTuple).
 *
 * @example
 * ShapeUtil.isEmptyTuple(ShapeUtil.makeNil()); // => true
 */
export function isEmptyTuple(shape: Shape): boolean {
  checkShape(shape);
  return shape.isTuple() && shape.tupleShapes.length === 0;
}

/**
 * Returns true if a shape is the empty tuple or an array without elements (IsNil, a function of 2017).
 *
 * @example
 * ShapeUtil.isNil(Shape.array("f32", [0])); // => true
 */
export function isNil(shape: Shape): boolean {
  checkShape(shape);
  return isEmptyTuple(shape) || isZeroElementArray(shape);
}

/**
 * Returns true if a shape is a tuple with a tuple among its children (IsNestedTuple).
 *
 * @example
 * ShapeUtil.isNestedTuple(Shape.tuple([Shape.tuple([])])); // => true
 * ShapeUtil.isNestedTuple(Shape.tuple([])); // => false
 */
export function isNestedTuple(shape: Shape): boolean {
  checkShape(shape);
  return shape.isTuple() && shape.tupleShapes.some((child) => child.isTuple());
}

/**
 * Returns true if the shape or any shape in its tree has this element type (HasPrimitiveType). Throws INVALID_ARGUMENT for
 * an unknown type.
 *
 * @example
 * ShapeUtil.hasPrimitiveType(Shape.tuple([Shape.token(), Shape.array("s16", [])]), "s16"); // => true
 */
export function hasPrimitiveType(shape: Shape, type: PrimitiveTypeLike): boolean {
  checkShape(shape);
  const wanted = toPrimitiveType(type);
  const has = (node: Shape): boolean =>
    node.elementType === wanted || node.tupleShapes.some(has) || (node.bufferShape !== null && has(node.bufferShape));
  return has(shape);
}

/**
 * Returns true if all dimensions slower than `dim` have size 1 (IsEffectivelyMostMajorDimension).
 *
 * Throws INVALID_ARGUMENT if `shape` is not an array with a layout, or does not have this dimension.
 *
 * @example
 * ShapeUtil.isEffectivelyMostMajorDimension(ShapeUtil.makeShape("f32", [1, 16, 1, 279]), 1); // => true
 * ShapeUtil.isEffectivelyMostMajorDimension(ShapeUtil.makeShape("f32", [1, 16, 1, 279]), 3); // => false
 */
export function isEffectivelyMostMajorDimension(shape: Shape, dim: number): boolean {
  checkShape(shape);
  checkNumber(dim, "dim");
  const layout = requireLayout(shape, "IsEffectivelyMostMajorDimension");
  const wanted = requireDimension(shape, dim, "IsEffectivelyMostMajorDimension");
  for (const candidate of layout.minorToMajor.toReversed()) {
    if (candidate === wanted) return true;
    if (shape.dimensions[candidate] !== 1) return false;
  }
  return false;
}

/**
 * Returns true if the last dimension is the fastest (LastDimIsMinorMost). Returns false for a scalar, which has no
 * dimensions. Throws INVALID_ARGUMENT if `shape` is not an array with a layout.
 *
 * @example
 * ShapeUtil.lastDimIsMinorMost(ShapeUtil.makeShape("s8", [3, 4])); // => true
 */
export function lastDimIsMinorMost(shape: Shape): boolean {
  checkShape(shape);
  const order = requireLayout(shape, "LastDimIsMinorMost").minorToMajor;
  return order.length > 0 && order[0] === shape.rank - 1;
}
