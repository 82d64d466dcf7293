/**
 * Functions that make shapes and validate each one before they return it (ShapeUtil::Make… in xla/shape_util.cc).
 *
 * Dimensions are listed in increasing order: in `makeShape("f32", [A, B, C, D])` dimension 0 has size A and dimension 3
 * has size D. The list does not give the order in memory; the layout does, and here it is row-major by default.
 */
import { checkObject } from "@onebuffer/base/internal";
import { InvalidArgumentError } from "@onebuffer/base";
import { checkNumbers, checkShape, checkShapes } from "../type/argument-check.ts";
import { checkedIntegers } from "../type/integers.ts";
import type { LayoutOptions } from "./layout.ts";
import { Layout } from "./layout.ts";
import { descendingOrder } from "./make-layout.ts";
import type { PrimitiveTypeLike } from "../type/primitive-type.ts";
import { PrimitiveType, primitiveTypeName, toPrimitiveType } from "../type/primitive-type.ts";
import { bitWidth, isArrayType } from "../type/primitive-type-traits.ts";
import { requireArray, Shape } from "./shape.ts";
import { validateExtents, validateShape } from "./validate-shape.ts";

/**
 * Returns an array shape with the default layout (MakeShape and MakeValidatedShape; here both throw). With the type
 * `"token"` or `"opaque"` and no dimensions, returns the token or opaque shape. `dynamicDimensions` holds one flag per
 * dimension; if it is left out, the unbounded dimensions are dynamic.
 *
 * Throws INVALID_ARGUMENT if the list of flags has another length, for negative sizes, for kUnboundedSize in a dimension
 * not flagged as dynamic, and if the byte width times a partial product of the sizes overflows, even if a zero follows.
 *
 * @example
 * const [A, B, C, D] = [5, 8, 10, 4];
 * ShapeUtil.makeShape("f32", [A, B, C, D]).toString(true); // => "f32[5,8,10,4]{3,2,1,0}"
 * ShapeUtil.makeShape("f32", [4, 3], [true, false]).toString(); // => "f32[<=4,3]"
 * ShapeUtil.makeShape("f32", [2, -3]); // throws INVALID_ARGUMENT
 * ShapeUtil.makeShape("f32", [2 ** 31, 2 ** 30, 0]); // throws INVALID_ARGUMENT
 */
export function makeShape(type: PrimitiveTypeLike, dimensions: readonly number[], dynamicDimensions?: readonly boolean[]): Shape {
  checkNumbers(dimensions, "dimensions");
  const elementType = toPrimitiveType(type);
  if (!isArrayType(elementType) && dimensions.length === 0) {
    if (elementType === PrimitiveType.TOKEN) return Shape.token();
    if (elementType === PrimitiveType.OPAQUE_TYPE) return Shape.opaque();
  }
  const shape = Shape.array(elementType, dimensions, dynamicDimensions === undefined ? {} : { dynamicDimensions });
  validateExtents(shape.elementType, shape.dimensions, shape.dynamicDimensions);
  return shape.with({ layout: new Layout(descendingOrder(shape.rank)) });
}

/**
 * Returns an array shape whose layout has the given order and options (MakeShapeWithDenseLayout). An element size equal
 * to the type's natural size is stored as 0.
 *
 * Throws INVALID_ARGUMENT as makeShape does, for types that are not array types, and for a layout that does not fit.
 *
 * @example
 * ShapeUtil.makeShapeWithDenseLayout("f32", [3, 5], [1, 0], { tiles: [[2, 2]] }).toString(true); // => "f32[3,5]{1,0:T(2,2)}"
 * ShapeUtil.makeShapeWithDenseLayout("f32", [3, 5], [0]); // throws INVALID_ARGUMENT
 */
export function makeShapeWithDenseLayout(
  type: PrimitiveTypeLike,
  dimensions: readonly number[],
  minorToMajor: readonly number[],
  options: LayoutOptions = {},
): Shape {
  checkNumbers(dimensions, "dimensions");
  checkNumbers(minorToMajor, "minor to major");
  checkObject(options, "options");
  const elementType = toPrimitiveType(type);
  if (!isArrayType(elementType)) throw new InvalidArgumentError(`Unsupported element type: ${primitiveTypeName(elementType)}`);
  const order = checkedIntegers(minorToMajor, "minor_to_major");
  const shape = Shape.array(elementType, dimensions);
  validateExtents(shape.elementType, shape.dimensions, shape.dynamicDimensions);
  if (order.length !== shape.rank) throw new InvalidArgumentError(`Dimensions size is ${shape.rank}, but layout size is ${order.length}.`);
  const natural = options.elementSizeInBits === bitWidth(elementType);
  const made = shape.with({ layout: new Layout(order, natural ? { ...options, elementSizeInBits: 0 } : options) });
  validateShape(made);
  return made;
}

/**
 * Returns an array shape with the descending layout (MakeShapeWithDescendingLayout). Throws as makeShape does.
 *
 * @example
 * ShapeUtil.makeShapeWithDescendingLayout("s8", [2, 3]).toString(true); // => "s8[2,3]{1,0}"
 */
export function makeShapeWithDescendingLayout(type: PrimitiveTypeLike, dimensions: readonly number[]): Shape {
  checkNumbers(dimensions, "dimensions");
  return makeShapeWithDenseLayout(type, dimensions, descendingOrder(dimensions.length));
}

/**
 * Returns the shape of rank 0 (MakeScalarShape). Throws INVALID_ARGUMENT if the type is not an array type.
 *
 * @example
 * ShapeUtil.makeScalarShape("f32").toString(); // => "f32[]"
 */
export function makeScalarShape(type: PrimitiveTypeLike): Shape {
  return makeShape(type, []);
}

/**
 * Returns a tuple of shapes (MakeTupleShape). Copies: the list. Throws INVALID_ARGUMENT if an entry is not a shape.
 *
 * @example
 * ShapeUtil.makeTupleShape([ShapeUtil.makeShape("f32", [2]), ShapeUtil.makeNil()]).toString(); // => "(f32[2], ())"
 */
export function makeTupleShape(shapes: readonly Shape[]): Shape {
  checkShapes(shapes);
  return Shape.tuple(shapes);
}

/**
 * Returns a tuple of shapes, or the shape itself if there is exactly one (MakeMaybeTupleShape).
 *
 * @example
 * ShapeUtil.makeMaybeTupleShape([Shape.token()]).toString(); // => "token[]"
 * ShapeUtil.makeMaybeTupleShape([]).toString(); // => "()"
 */
export function makeMaybeTupleShape(shapes: readonly Shape[]): Shape {
  checkShapes(shapes);
  const tuple = Shape.tuple(shapes);
  return tuple.tupleShapes.length === 1 ? tuple.tupleShapes[0]! : tuple;
}

/**
 * Returns the empty tuple (MakeNil).
 *
 * @example
 * ShapeUtil.makeNil().toString(); // => "()"
 */
export function makeNil(): Shape {
  return Shape.tuple([]);
}

/**
 * Returns the shape of a token (MakeTokenShape).
 *
 * @example
 * ShapeUtil.makeTokenShape().toString(); // => "token[]"
 */
export function makeTokenShape(): Shape {
  return Shape.token();
}

/**
 * Returns the shape of an opaque value (MakeOpaqueShape).
 *
 * @example
 * ShapeUtil.makeOpaqueShape().toString(); // => "opaque[]"
 */
export function makeOpaqueShape(): Shape {
  return Shape.opaque();
}

/**
 * Returns the shape of a buffer that holds one array (MakeBufferShape). Throws as makeShape does.
 *
 * @example
 * ShapeUtil.makeBufferShape("f32", [5]).toString(true); // => "b(f32[5]{0})"
 */
export function makeBufferShape(type: PrimitiveTypeLike, dimensions: readonly number[]): Shape {
  checkNumbers(dimensions, "dimensions");
  return Shape.buffer(makeShape(type, dimensions));
}

/**
 * Returns the shape with all dimensions static; a dynamic dimension's bound becomes its size (MakeStaticShape). Tuples are
 * converted child by child. Throws INVALID_ARGUMENT for an unbounded dimension.
 *
 * @example
 * ShapeUtil.makeStaticShape(ShapeUtil.makeShape("f32", [4, 3], [true, false])).toString(); // => "f32[4,3]"
 * ShapeUtil.makeStaticShape(ShapeUtil.makeShape("f32", [kUnboundedSize])); // throws INVALID_ARGUMENT
 */
export function makeStaticShape(shape: Shape): Shape {
  checkShape(shape);
  if (shape.isTuple()) return Shape.tuple(shape.tupleShapes.map(makeStaticShape));
  if (shape.bufferShape !== null) return Shape.buffer(makeStaticShape(shape.bufferShape));
  if (!shape.isArray()) return shape;
  const unbounded = shape.dimensions.findIndex((_, dim) => shape.isUnboundedDynamicDimension(dim));
  if (unbounded >= 0) throw new InvalidArgumentError(`MakeStaticShape: dimension ${unbounded} of ${shape.toString()} has no bound`);
  return shape.with({ dynamicDimensions: shape.dimensions.map(() => false) });
}

/**
 * Returns the shape whose dimensions are listed in physical order, major first, with the descending layout: the same
 * bytes under other dimension numbers (MakeShapeWithDescendingLayoutAndSamePhysicalLayout; in 2017
 * NormalizeShapeToMonotonicDim0MajorLayout). Tiles, element size, memory space and dynamic flags are kept.
 *
 * Throws INVALID_ARGUMENT if `shape` is not an array with a valid layout.
 *
 * @example
 * const bhwc = ShapeUtil.makeShapeWithDenseLayout("f32", [2, 3, 4, 5], [0, 3, 2, 1]);
 * ShapeUtil.makeShapeWithDescendingLayoutAndSamePhysicalLayout(bhwc).toString(true); // => "f32[3,4,5,2]{3,2,1,0}"
 */
export function makeShapeWithDescendingLayoutAndSamePhysicalLayout(shape: Shape): Shape {
  checkShape(shape);
  validateShape(requireArray(shape, "MakeShapeWithDescendingLayoutAndSamePhysicalLayout"), { era: "today" });
  const layout = shape.layout!;
  const majorToMinor = layout.minorToMajor.toReversed();
  return shape.with({
    dimensions: majorToMinor.map((dim) => shape.dimensions[dim]!),
    dynamicDimensions: majorToMinor.map((dim) => shape.dynamicDimensions[dim]!),
    layout: layout.with({
      minorToMajor: descendingOrder(shape.rank),
      paddedDimensions: layout.paddedDimensions.length === 0 ? [] : majorToMinor.map((dim) => layout.paddedDimensions[dim]!),
    }),
  });
}
