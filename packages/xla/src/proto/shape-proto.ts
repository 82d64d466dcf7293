/**
 * Conversion between Shape and ShapeProto, the message as a plain object, in both eras (the Shape messages of r1.3 and of
 * today's xla_data.proto).
 *
 *     2 element_type   3 dimensions   4 tuple_shapes   5 layout   6 is_dynamic_dimension (today)
 *
 * Today a flag is written for every dimension of an array, so a static f32[2,3] has two. A buffer's array is the only
 * entry of tuple_shapes. An unbounded dimension is INT64_MIN. packages/proto encodes these objects as bytes and JSON.
 */
import type { Int64Field, UnknownField } from "@onebuffer/base";
import { checkArray, checkObject } from "@onebuffer/base/internal";
import { InvalidArgumentError } from "@onebuffer/base";
import { checkShape, checkShapes } from "../type/argument-check.ts";
import { kUnboundedSize } from "../model/dimension-size.ts";
import type { Era } from "../model/era.ts";
import { eraOf } from "../model/era.ts";
import type { LayoutProto } from "./layout-proto.ts";
import { layoutFromProto, layoutToProto } from "./layout-proto.ts";
import { enumOf, kInt64Min, int64sOf, message, repeated } from "../type/message-field.ts";
import { PrimitiveType, primitiveTypeNumberIsValid } from "../type/primitive-type.ts";
import { isArrayType } from "../type/primitive-type-traits.ts";
import { ProgramShape } from "../model/program-shape.ts";
import { kMaxShapeDepth, Shape, shownShape } from "../model/shape.ts";

/** A Shape message of either era. */
export interface ShapeProto {
  /** A PrimitiveType number; an unknown number is read as PRIMITIVE_TYPE_INVALID. */
  readonly elementType?: number | null | undefined;
  /** The sizes; INT64_MIN for an unbounded dimension. */
  readonly dimensions?: readonly Int64Field[] | null | undefined;
  /** The children of a tuple, or the one array of a buffer. */
  readonly tupleShapes?: readonly ShapeProto[] | null | undefined;
  readonly layout?: LayoutProto | null | undefined;
  /** Today: one flag per dimension. */
  readonly isDynamicDimension?: readonly boolean[] | null | undefined;
  /** Fields of the encoded message that the reader did not know. */
  readonly unknownFields?: readonly UnknownField[] | undefined;
}

/** A ProgramShape message. */
export interface ProgramShapeProto {
  readonly parameters?: readonly ShapeProto[] | null | undefined;
  readonly result?: ShapeProto | null | undefined;
  readonly parameterNames?: readonly string[] | null | undefined;
  /** Fields of the encoded message that the reader did not know. */
  readonly unknownFields?: readonly UnknownField[] | undefined;
}

/**
 * Returns the shape of a message of either era (Shape::FromProto). The shape is not validated: call
 * ShapeUtil.validateShape for a message from an untrusted source. Dimensions without a flag are static; surplus flags are
 * dropped; the layout of a shape that is not an array is dropped; an unknown element type becomes PRIMITIVE_TYPE_INVALID,
 * which fails validation.
 *
 * Throws INVALID_ARGUMENT for values of the wrong type, for sizes beyond 2^53 - 1, for layouts as layoutFromProto does, for
 * buffers without exactly one array, and for messages nested more than 100 levels deep. Copies: everything.
 *
 * @example
 * const proto: ShapeProto = { elementType: 11, dimensions: [4, 3], isDynamicDimension: [true] };
 * shapeFromProto(proto).toString(); // => "f32[<=4,3]"
 * shapeFromProto({ elementType: 2000 }).elementType; // => PrimitiveType.PRIMITIVE_TYPE_INVALID
 * shapeFromProto({ elementType: 11, dimensions: [1.5] }); // throws INVALID_ARGUMENT
 */
export function shapeFromProto(proto: ShapeProto): Shape {
  return read(proto, 1);
}

function read(proto: ShapeProto, depth: number): Shape {
  if (depth > kMaxShapeDepth)
    throw new InvalidArgumentError(`A shape message may nest at most ${kMaxShapeDepth} levels deep, not ${depth}`);
  const from = message(proto, "ShapeProto");
  const type = enumOf<PrimitiveType>(from.elementType, primitiveTypeNumberIsValid, PrimitiveType.PRIMITIVE_TYPE_INVALID);
  if (isArrayType(type)) return readArray(type, from);
  const children = (): Shape[] => repeated(from.tupleShapes, "tuple_shapes").map((child) => read(child, depth + 1));
  switch (type) {
    case PrimitiveType.TUPLE:
      return Shape.tuple(children());
    case PrimitiveType.BUFFER:
      return readBuffer(children());
    case PrimitiveType.TOKEN:
      return Shape.token();
    case PrimitiveType.OPAQUE_TYPE:
      return Shape.opaque();
    default:
      return Shape.invalid();
  }
}

function readArray(type: PrimitiveType, proto: ShapeProto): Shape {
  const dimensions = int64sOf(proto.dimensions, "dimensions", kUnboundedSize);
  const flags = repeated(proto.isDynamicDimension, "is_dynamic_dimension");
  const layout = proto.layout ?? null;
  return Shape.array(type, dimensions, {
    dynamicDimensions: dimensions.map((_, dim) => flags[dim] === true),
    layout: layout === null ? null : layoutFromProto(layout),
  });
}

function readBuffer(children: readonly Shape[]): Shape {
  if (children.length !== 1) throw new InvalidArgumentError(`A buffer's message has one entry in tuple_shapes, not ${children.length}`);
  return Shape.buffer(children[0]!);
}

/**
 * Returns the message of a shape (Shape::ToProto). The default era is 2017 for shapes with padding, else today.
 *
 * Throws INVALID_ARGUMENT if the era's message cannot hold the shape: padding today; dynamic dimensions, buffers and newer
 * layout fields in 2017. Copies: everything.
 *
 * @example
 * shapeToProto(Shape.array("s8", [7])); // => { elementType: 2, dimensions: [7], isDynamicDimension: [false] }
 * shapeToProto(Shape.array("s8", [7]), "2017"); // => { elementType: 2, dimensions: [7] }
 * shapeToProto(Shape.tuple([Shape.token()])); // => { elementType: 13, tupleShapes: [{ elementType: 17 }] }
 */
export function shapeToProto(shape: Shape, givenEra?: Era): ShapeProto {
  checkShape(shape);
  const era = givenEra ?? eraOf(shape);
  const { elementType } = shape;
  if (era === "2017" && (shape.dynamicDimensions.includes(true) || shape.isBuffer())) {
    throw new InvalidArgumentError(
      `The Shape message of 2017 has no dynamic dimensions and no buffers and cannot hold ${shownShape(shape)}`,
    );
  }
  if (shape.isTuple()) return { elementType, tupleShapes: shape.tupleShapes.map((child) => shapeToProto(child, era)) };
  if (shape.bufferShape !== null) return { elementType, tupleShapes: [shapeToProto(shape.bufferShape, era)] };
  if (!shape.isArray()) return { elementType };
  const dimensions = shape.dimensions.map((size): Int64Field => (size === kUnboundedSize ? kInt64Min : size));
  const layout = shape.layout === null ? {} : { layout: layoutToProto(shape.layout, era) };
  return era === "2017"
    ? { elementType, dimensions, ...layout }
    : { elementType, dimensions, ...layout, isDynamicDimension: [...shape.dynamicDimensions] };
}

/**
 * Returns the program shape of a message (ProgramShape::FromProto). A missing result becomes Shape.invalid(). Throws
 * INVALID_ARGUMENT as shapeFromProto does, and if there are more names than parameters.
 *
 * @example
 * programShapeFromProto({ parameters: [{ elementType: 11 }], result: { elementType: 17 }, parameterNames: ["x"] }).toString(); // => "(x: f32[]) -> token[]"
 */
export function programShapeFromProto(proto: ProgramShapeProto): ProgramShape {
  const from = message(proto, "ProgramShapeProto");
  const parameters = repeated(from.parameters, "parameters").map(shapeFromProto);
  return new ProgramShape(
    parameters,
    from.result === undefined || from.result === null ? Shape.invalid() : shapeFromProto(from.result),
    repeated(from.parameterNames, "parameter_names"),
  );
}

/**
 * Returns the message of a program shape (ProgramShape::ToProto). Throws INVALID_ARGUMENT as shapeToProto does.
 *
 * @example
 * programShapeToProto(new ProgramShape([], Shape.token())); // => { parameters: [], result: { elementType: 17 }, parameterNames: [] }
 */
export function programShapeToProto(program: ProgramShape, era?: Era): ProgramShapeProto {
  checkObject(program, "a program shape");
  checkShapes(program.parameters);
  checkShape(program.result);
  checkArray(program.parameterNames, "an array of names");
  return {
    parameters: program.parameters.map((shape) => shapeToProto(shape, era)),
    result: shapeToProto(program.result, era),
    parameterNames: [...program.parameterNames],
  };
}
