/**
 * Making shapes, each validated before it is handed out (ShapeUtil::Make… in xla/shape_util.cc).
 *
 * Dimensions are listed in increasing dimension order: in `makeShape("f32", [A, B, C, D])` dimension 0 has size A,
 * dimension 3 size D. That says nothing about memory; the layout made here is the default, row-major one.
 */
import { checkObject, InvalidArgumentError } from "@onebuffer/base";
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
 * An array shape with the default layout, or for `"token"` and `"opaque"` with no dimensions those shapes (MakeShape,
 * MakeValidatedShape: here both throw). `dynamicDimensions` flags the dynamic dimensions; left out, the unbounded ones are.
 *
 * Throws INVALID_ARGUMENT for a list of flags of another length, for negative sizes, for kUnboundedSize not flagged, and
 * when byte width times a partial product of the sizes overflows, even if a zero follows.
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
 * An array shape with a layout of the given order and options (MakeShapeWithDenseLayout). An element size equal to the
 * type's natural one is stored as 0.
 *
 * Throws INVALID_ARGUMENT as makeShape does, for types without arrays, and for a layout that does not fit.
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
 * An array shape with the descending layout (MakeShapeWithDescendingLayout). Throws as makeShape does.
 *
 * @example
 * ShapeUtil.makeShapeWithDescendingLayout("s8", [2, 3]).toString(true); // => "s8[2,3]{1,0}"
 */
export function makeShapeWithDescendingLayout(type: PrimitiveTypeLike, dimensions: readonly number[]): Shape {
  checkNumbers(dimensions, "dimensions");
  return makeShapeWithDenseLayout(type, dimensions, descendingOrder(dimensions.length));
}

/**
 * The shape of rank 0 (MakeScalarShape). Throws INVALID_ARGUMENT for a type without arrays.
 *
 * @example
 * ShapeUtil.makeScalarShape("f32").toString(); // => "f32[]"
 */
export function makeScalarShape(type: PrimitiveTypeLike): Shape {
  return makeShape(type, []);
}

/**
 * A tuple of shapes (MakeTupleShape). Copies: the list. Throws INVALID_ARGUMENT for what are no shapes.
 *
 * @example
 * ShapeUtil.makeTupleShape([ShapeUtil.makeShape("f32", [2]), ShapeUtil.makeNil()]).toString(); // => "(f32[2], ())"
 */
export function makeTupleShape(shapes: readonly Shape[]): Shape {
  checkShapes(shapes);
  return Shape.tuple(shapes);
}

/**
 * A tuple of shapes, or the shape itself if there is just one (MakeMaybeTupleShape).
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
 * The empty tuple (MakeNil).
 *
 * @example
 * ShapeUtil.makeNil().toString(); // => "()"
 */
export function makeNil(): Shape {
  return Shape.tuple([]);
}

/**
 * A token's shape (MakeTokenShape).
 *
 * @example
 * ShapeUtil.makeTokenShape().toString(); // => "token[]"
 */
export function makeTokenShape(): Shape {
  return Shape.token();
}

/**
 * An opaque value's shape (MakeOpaqueShape).
 *
 * @example
 * ShapeUtil.makeOpaqueShape().toString(); // => "opaque[]"
 */
export function makeOpaqueShape(): Shape {
  return Shape.opaque();
}

/**
 * The shape of a buffer that holds one array (MakeBufferShape). Throws as makeShape does.
 *
 * @example
 * ShapeUtil.makeBufferShape("f32", [5]).toString(true); // => "b(f32[5]{0})"
 */
export function makeBufferShape(type: PrimitiveTypeLike, dimensions: readonly number[]): Shape {
  checkNumbers(dimensions, "dimensions");
  return Shape.buffer(makeShape(type, dimensions));
}

/**
 * The shape with all dimensions static, bounds becoming sizes; tuples elementwise (MakeStaticShape). An unbounded
 * dimension has no bound: throws INVALID_ARGUMENT.
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
 * The shape whose dimensions stand in physical order, major first, with the descending layout: the same bytes under other
 * dimension numbers. Tiles, element size, memory space and flags are carried over
 * (MakeShapeWithDescendingLayoutAndSamePhysicalLayout; in 2017 NormalizeShapeToMonotonicDim0MajorLayout).
 *
 * Throws INVALID_ARGUMENT unless `shape` is an array with a valid layout.
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
