/**
 * Comparisons of shapes: equality, and equality except for some fields (Shape::Equal in xla/shape.h, Compatible… in
 * xla/shape_util.h).
 *
 * Tuples are compared child by child; tokens and opaque values by their kind; arrays by element type, rank, sizes, dynamic
 * flags and layout. Options skip some of these: `equal` skips nothing by default, `compatible` skips the layout and the
 * dynamic flags.
 */
import { checkObject } from "@onebuffer/base/internal";
import { checkShape } from "../type/argument-check.ts";
import type { Era } from "../model/era.ts";
import { eraOf } from "../model/era.ts";
import type { LayoutEqualOptions } from "../model/layout.ts";
import { Layout } from "../model/layout.ts";
import { isFloatingPointType } from "../type/primitive-type-traits.ts";
import type { Shape } from "../model/shape.ts";

/** Fields that a comparison of two shapes ignores (the options of Shape::Equal, and those of Layout.equals). Default: none. */
export interface ShapeEqualOptions extends LayoutEqualOptions {
  readonly ignoreLayout?: boolean;
  readonly ignoreElementType?: boolean;
  /** All real floating-point types count as the same type. */
  readonly ignoreFpPrecision?: boolean;
  /** Ignores the dynamic flags. An unbounded dimension then matches any size. */
  readonly ignoreDynamicDimension?: boolean;
  /** Ignores the sizes; the rank still counts. */
  readonly ignoreDimensions?: boolean;
  /** In 2017 a missing layout equals an empty one. Default: "2017" if either shape has padding, else "today". */
  readonly era?: Era;
}

/**
 * Returns true if two shapes are equal (ShapeUtil::Equal; Shape::Equal, whose settings are options here). A layout on one
 * side only makes shapes unequal, except for an empty layout in the era 2017.
 *
 * @example
 * const tiled = parseShape("f32[3,5]{1,0:T(2,2)}");
 * ShapeUtil.equal(tiled, ShapeUtil.makeShape("f32", [3, 5])); // => false
 * ShapeUtil.equal(tiled, ShapeUtil.makeShape("f32", [3, 5]), { ignoreTiles: true }); // => true
 * ShapeUtil.equal(Shape.array("f32", []), ShapeUtil.makeShape("f32", []), { era: "2017" }); // => true
 */
export function equal(a: Shape, b: Shape, options: ShapeEqualOptions = {}): boolean {
  checkShape(a);
  checkShape(b);
  checkObject(options, "options");
  if (a.isTuple() && b.isTuple()) {
    return a.tupleShapes.length === b.tupleShapes.length && a.tupleShapes.every((child, i) => equal(child, b.tupleShapes[i]!, options));
  }
  if (a.bufferShape !== null && b.bufferShape !== null) return equal(a.bufferShape, b.bufferShape, options);
  if (!a.isArray() || !b.isArray()) return a.elementType === b.elementType;
  return (
    (options.ignoreElementType === true || sameElementType(a, b, options.ignoreFpPrecision === true)) &&
    (options.ignoreDimensions === true ? a.rank === b.rank : sameDimensions(a, b)) &&
    (options.ignoreDynamicDimension === true || sameFlags(a, b, options.ignoreDimensions === true)) &&
    (options.ignoreLayout === true || sameLayout(a, b, options))
  );
}

function sameElementType(a: Shape, b: Shape, ignoreFpPrecision: boolean): boolean {
  return a.elementType === b.elementType || (ignoreFpPrecision && isFloatingPointType(a.elementType) && isFloatingPointType(b.elementType));
}

/** Returns true if the flags are equal and the same dimensions are unbounded: `?` differs from `<=2`, though `?` matches any size. */
function sameFlags(a: Shape, b: Shape, ignoreSizes: boolean): boolean {
  return a.dynamicDimensions.every(
    (flag, dim) =>
      flag === b.dynamicDimensions[dim] && (ignoreSizes || a.isUnboundedDynamicDimension(dim) === b.isUnboundedDynamicDimension(dim)),
  );
}

const kEmptyLayout: Layout = new Layout([]);

function sameLayout(a: Shape, b: Shape, options: ShapeEqualOptions): boolean {
  const era = options.era ?? (eraOf(a) === "2017" ? "2017" : eraOf(b));
  const ofA = era === "2017" ? (a.layout ?? kEmptyLayout) : a.layout;
  const ofB = era === "2017" ? (b.layout ?? kEmptyLayout) : b.layout;
  return ofA === null || ofB === null ? ofA === ofB : ofA.equals(ofB, options);
}

/**
 * Returns true if two arrays have the same rank and sizes (SameDimensions). An unbounded dimension matches any size; the
 * element type is ignored. Two shapes that are not arrays have the same dimensions; an array and another shape do not.
 *
 * @example
 * ShapeUtil.sameDimensions(Shape.array("s32", [1, 2]), Shape.array("f32", [1, 2])); // => true
 * ShapeUtil.sameDimensions(Shape.array("f32", [kUnboundedSize]), Shape.array("f32", [7])); // => true
 */
export function sameDimensions(a: Shape, b: Shape): boolean {
  checkShape(a);
  checkShape(b);
  if (a.isArray() !== b.isArray() || a.dimensions.length !== b.dimensions.length) return false;
  return a.dimensions.every(
    (size, dim) => size === b.dimensions[dim] || a.isUnboundedDynamicDimension(dim) || b.isUnboundedDynamicDimension(dim),
  );
}

/**
 * Returns true if two shapes are equal except for layouts and dynamic flags; an unbounded dimension matches any size
 * (Compatible).
 *
 * @example
 * ShapeUtil.compatible(parseShape("f32[3,2]{0,1}"), parseShape("f32[<=3,2]{1,0}")); // => true
 * ShapeUtil.compatible(parseShape("f32[3,2]"), parseShape("f32[2,3]")); // => false
 */
export function compatible(a: Shape, b: Shape): boolean {
  checkShape(a);
  checkShape(b);
  return equal(a, b, { ignoreDynamicDimension: true, ignoreLayout: true });
}

/**
 * Like compatible, but ignores the element types of arrays (CompatibleIgnoringElementType).
 *
 * @example
 * ShapeUtil.compatibleIgnoringElementType(parseShape("f32[2]"), parseShape("s8[2]")); // => true
 */
export function compatibleIgnoringElementType(a: Shape, b: Shape): boolean {
  checkShape(a);
  checkShape(b);
  return equal(a, b, { ignoreDynamicDimension: true, ignoreElementType: true, ignoreLayout: true });
}

/**
 * Like compatible, but treats all real floating-point types as the same (CompatibleIgnoringFpPrecision).
 *
 * @example
 * ShapeUtil.compatibleIgnoringFpPrecision(parseShape("bf16[3,2]"), parseShape("f32[3,2]")); // => true
 */
export function compatibleIgnoringFpPrecision(a: Shape, b: Shape): boolean {
  checkShape(a);
  checkShape(b);
  return equal(a, b, { ignoreDynamicDimension: true, ignoreFpPrecision: true, ignoreLayout: true });
}

/**
 * Returns true if two shapes have the same tuple structure and ranks (CompatibleKind).
 *
 * @example
 * ShapeUtil.compatibleKind(parseShape("(f32[2,3])"), parseShape("(s8[9,9])")); // => true
 * ShapeUtil.compatibleKind(parseShape("f32[2]"), parseShape("f32[2,3]")); // => false
 */
export function compatibleKind(a: Shape, b: Shape): boolean {
  checkShape(a);
  checkShape(b);
  return equal(a, b, { ignoreDimensions: true, ignoreDynamicDimension: true, ignoreElementType: true, ignoreLayout: true });
}

/**
 * Returns true if two shapes have the same tuple structure; leaves are not compared (EqualStructure).
 *
 * @example
 * ShapeUtil.equalStructure(parseShape("(f32[2], ())"), parseShape("(token[], ())")); // => true
 */
export function equalStructure(a: Shape, b: Shape): boolean {
  checkShape(a);
  checkShape(b);
  if (a.isTuple() !== b.isTuple() || a.tupleShapes.length !== b.tupleShapes.length) return false;
  return a.tupleShapes.every((child, i) => equalStructure(child, b.tupleShapes[i]!));
}

/**
 * Like equal, but ignores the element types of arrays; layouts must match (EqualIgnoringElementType).
 *
 * @example
 * ShapeUtil.equalIgnoringElementType(parseShape("f32[4,3]{0,1}"), parseShape("pred[4,3]{0,1}")); // => true
 */
export function equalIgnoringElementType(a: Shape, b: Shape): boolean {
  checkShape(a);
  checkShape(b);
  return equal(a, b, { ignoreElementType: true });
}

/**
 * Like equal, but treats all real floating-point types as the same; layouts must match (EqualIgnoringFpPrecision).
 *
 * @example
 * ShapeUtil.equalIgnoringFpPrecision(parseShape("f32[3,4]{0,1}"), parseShape("f16[3,4]{1,0}")); // => false
 */
export function equalIgnoringFpPrecision(a: Shape, b: Shape): boolean {
  checkShape(a);
  checkShape(b);
  return equal(a, b, { ignoreFpPrecision: true });
}

/**
 * Returns true if a dynamic shape fits into the bounds of another: the tuple structure, element types and ranks are the
 * same, and no size of `dynamic` exceeds that of `bounded` (DynamicShapeIsCompatible). An unbounded dimension of `bounded`
 * fits any size; an unbounded dimension of `dynamic` fits only that.
 *
 * @example
 * ShapeUtil.dynamicShapeIsCompatible(parseShape("f32[3,2]"), parseShape("f32[<=4,2]")); // => true
 * ShapeUtil.dynamicShapeIsCompatible(parseShape("f32[5,2]"), parseShape("f32[<=4,2]")); // => false
 */
export function dynamicShapeIsCompatible(dynamic: Shape, bounded: Shape): boolean {
  checkShape(dynamic);
  checkShape(bounded);
  if (dynamic.isTuple() && bounded.isTuple()) {
    return (
      dynamic.tupleShapes.length === bounded.tupleShapes.length &&
      dynamic.tupleShapes.every((child, i) => dynamicShapeIsCompatible(child, bounded.tupleShapes[i]!))
    );
  }
  if (dynamic.bufferShape !== null && bounded.bufferShape !== null)
    return dynamicShapeIsCompatible(dynamic.bufferShape, bounded.bufferShape);
  if (dynamic.elementType !== bounded.elementType || dynamic.dimensions.length !== bounded.dimensions.length) return false;
  return dynamic.dimensions.every(
    (size, dim) =>
      bounded.isUnboundedDynamicDimension(dim) || (!dynamic.isUnboundedDynamicDimension(dim) && size <= bounded.dimensions[dim]!),
  );
}
