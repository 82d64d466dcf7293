/**
 * Whether two shapes are the same, or near enough (Shape::Equal in xla/shape.h, Compatible… in xla/shape_util.h).
 *
 * Tuples are compared elementwise, tokens and opaque values by kind, arrays by element type, rank, sizes, flags and
 * layout, each of which can be left out. `equal` leaves out nothing, `compatible` the layout and the dynamic flags.
 */
import { checkObject } from "@onebuffer/base";
import { checkShape } from "../type/argument-check.ts";
import type { Era } from "../model/era.ts";
import { eraOf } from "../model/era.ts";
import type { LayoutEqualOptions } from "../model/layout.ts";
import { Layout } from "../model/layout.ts";
import { isFloatingPointType } from "../type/primitive-type-traits.ts";
import type { Shape } from "../model/shape.ts";

/** What two shapes may differ in and still be equal (the knobs of Shape::Equal; those of the layout are Layout.equals'). */
export interface ShapeEqualOptions extends LayoutEqualOptions {
  readonly ignoreLayout?: boolean;
  readonly ignoreElementType?: boolean;
  /** Any two real floating-point types count as the same. */
  readonly ignoreFpPrecision?: boolean;
  /** Flags are left out, and a dimension without bound matches any size. */
  readonly ignoreDynamicDimension?: boolean;
  /** Sizes are left out; the rank still counts. */
  readonly ignoreDimensions?: boolean;
  /** In 2017 a missing layout equals an empty one. Default: 2017 when either shape holds padding, else today. */
  readonly era?: Era;
}

/**
 * Whether two shapes are the same (ShapeUtil::Equal, Shape::Equal with its knobs as options). A layout on one side only
 * is a difference, except in 2017 when it is empty.
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

/** Same flags, and unbounded dimensions at the same places: `?` is not `<=2`, although sizes without bound match any. */
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
 * Whether two arrays have the same rank and sizes; a dimension without bound matches any size, the element type does not
 * matter (SameDimensions). Two shapes that are no arrays have none to differ in; one that is and one that is not differ.
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
 * Whether two shapes are the same but for layouts and dynamic flags; a dimension without bound matches any size (Compatible).
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
 * As compatible, whatever the element types of arrays (CompatibleIgnoringElementType).
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
 * As compatible, all real floating-point types being the same (CompatibleIgnoringFpPrecision).
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
 * Whether two shapes have the same tuple tree and ranks (CompatibleKind).
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
 * Whether two shapes have the same tuple tree, whatever its leaves are (EqualStructure).
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
 * As equal, whatever the element types of arrays; layouts must match (EqualIgnoringElementType).
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
 * As equal, all real floating-point types being the same; layouts must match (EqualIgnoringFpPrecision).
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
 * Whether a dynamic shape fits into the bounds of another: same tree, element types and ranks, no size of `dynamic` above
 * that of `bounded` (DynamicShapeIsCompatible). Dimensions without bound fit only into such, and hold anything.
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
