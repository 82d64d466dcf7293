/**
 * Literal: a constant, either an array with its elements or a tuple of literals (Literal in xla/literal.h).
 *
 *     s32[2,3]{0,1} of rows 1 2 3 and 4 5 6      data 1 4 2 5 3 6: the linear order of the layout
 *
 * The elements are in the class of typed array that layoutView reads, unpacked: sub-byte types take a byte each. Read an
 * array literal with `layoutView(literal.shape, literal.data)`. Literals have no arithmetic.
 */
import type { TypedArray } from "@onebuffer/base";
import { checkObject } from "@onebuffer/base/internal";
import { InvalidArgumentError } from "@onebuffer/base";
import { checkShape } from "../type/argument-check.ts";
import type { Era } from "../model/era.ts";
import { eraOf } from "../model/era.ts";
import { Layout } from "../model/layout.ts";
import { literalField } from "../proto/literal-field.ts";
import type { LiteralProto } from "../proto/literal-proto.ts";
import { descendingOrder } from "../model/make-layout.ts";
import { message, repeated } from "../type/message-field.ts";
import { primitiveTypeName } from "../type/primitive-type.ts";
import type { Shape } from "../model/shape.ts";
import { kMaxShapeDepth, shownShape } from "../model/shape.ts";
import { sameDimensions } from "../surgery/shape-equal.ts";
import { shapeFromProto, shapeToProto } from "../proto/shape-proto.ts";
import { sizeProduct } from "../type/size-product.ts";
import { validateShapeWithOptionalLayout } from "../model/validate-shape.ts";

/**
 * A shape and its contents: `data` for an array, `tupleLiterals` for a tuple, neither for a token.
 *
 * @example
 * const literal: Literal = { shape: parseShape("s32[2,3]{0,1}"), data: Int32Array.of(1, 4, 2, 5, 3, 6), tupleLiterals: [] };
 * layoutView(literal.shape, literal.data!).at(0, 2); // => 3
 */
export interface Literal {
  readonly shape: Shape;
  /** The elements of an array; null for every other shape. */
  readonly data: TypedArray | null;
  /** The literals of a tuple; empty for every other shape. */
  readonly tupleLiterals: readonly Literal[];
}

/**
 * Returns the literal of a message of either era (Literal::CreateFromProto). A missing layout becomes the default one. A
 * packed element size is dropped, because the message's elements are not packed.
 *
 * Throws INVALID_ARGUMENT for a shape that ShapeUtil.validateShape refuses or that is tiled, padded or unbounded, for
 * a number of elements other than the shape's, for values the type cannot hold, and for tuples that do not match their
 * shape. Copies: the data, unless the message holds it in the right class of array, or as bytes with the right alignment.
 *
 * @example
 * const proto: LiteralProto = { shape: { elementType: PrimitiveType.F32, dimensions: [2] }, f32s: [1.5, 2] };
 * literalFromProto(proto).data; // => Float32Array.of(1.5, 2)
 * literalFromProto({ ...proto, f32s: [1.5] }); // throws INVALID_ARGUMENT
 */
export function literalFromProto(proto: LiteralProto): Literal {
  const shape = shapeFromProto(message(proto, "LiteralProto").shape ?? {});
  validateShapeWithOptionalLayout(shape);
  return read(proto, shape, 1);
}

function read(proto: LiteralProto, given: Shape, depth: number): Literal {
  if (depth > kMaxShapeDepth) throw new InvalidArgumentError(`A literal may nest at most ${kMaxShapeDepth} levels deep`);
  const shape = literalShape(given);
  if (shape.isTuple()) return { shape, data: null, tupleLiterals: readTuple(proto, shape, depth) };
  if (shape.isArray()) return { shape, data: literalField(shape.elementType).read(proto, countOf(shape)), tupleLiterals: [] };
  if (shape.isToken()) return { shape, data: null, tupleLiterals: [] };
  throw new InvalidArgumentError(`There are no literals of ${shownShape(shape)}`);
}

/** Reads a tuple's literals. Their shapes come from the tuple; a shape in a child's own message must agree. */
function readTuple(proto: LiteralProto, shape: Shape, depth: number): Literal[] {
  const literals = repeated(proto.tupleLiterals, "tuple_literals");
  if (literals.length !== shape.tupleShapes.length)
    throw new InvalidArgumentError(`${literals.length} tuple_literals for a tuple of ${shape.tupleShapes.length}: ${shownShape(shape)}`);
  return literals.map((each, i) => {
    const child = shape.tupleShapes[i]!;
    const childShape = message(each, "LiteralProto").shape ?? null;
    const stated = childShape === null ? child : shapeFromProto(childShape);
    if (stated.elementType !== child.elementType || (child.isArray() && !sameDimensions(stated, child)))
      throw new InvalidArgumentError(`tuple_literals[${i}] is of shape ${shownShape(stated)}, but its tuple has ${shownShape(child)}`);
    return read(each, child, depth + 1);
  });
}

/**
 * Returns the message of a literal (Literal::ToProto). Every literal of a tuple has its own shape in the message. The
 * default era is 2017 for shapes with padding, else today. The message of 2017 has fields for pred, u8, s32, s64, u32, u64,
 * f32, f64 and tuples only.
 *
 * Throws INVALID_ARGUMENT if the data does not fit the shape, and if the era's message cannot hold the literal. Copies: the
 * elements if their form in the message differs; otherwise the message's arrays share the literal's memory.
 *
 * @example
 * const literal: Literal = { shape: parseShape("u8[2]"), data: Uint8Array.of(1, 2), tupleLiterals: [] };
 * literalToProto(literal, "2017").u8s; // => Uint8Array.of(1, 2)
 * literalToProto({ ...literal, data: Uint8Array.of(1) }); // throws INVALID_ARGUMENT
 */
export function literalToProto(literal: Literal, era?: Era): LiteralProto {
  checkObject(literal, "a literal");
  checkShape(literal.shape);
  return write(literal, era ?? eraOf(literal.shape), 1);
}

const kFieldsOf2017: ReadonlySet<string> = new Set(["pred", "u8", "s32", "s64", "u32", "u64", "f32", "f64"]);

function write(literal: Literal, era: Era, depth: number): LiteralProto {
  if (depth > kMaxShapeDepth) throw new InvalidArgumentError(`A literal may nest at most ${kMaxShapeDepth} levels deep`);
  const shape = literalShape(literal.shape);
  const proto = { shape: shapeToProto(shape, era) };
  if (shape.isTuple()) {
    const { tupleLiterals } = literal;
    if (tupleLiterals.length !== shape.tupleShapes.length)
      throw new InvalidArgumentError(`${tupleLiterals.length} literals in a tuple of ${shape.tupleShapes.length}: ${shownShape(shape)}`);
    return { ...proto, tupleLiterals: tupleLiterals.map((each) => write(each, era, depth + 1)) };
  }
  if (shape.isToken()) return proto;
  if (!shape.isArray()) throw new InvalidArgumentError(`There are no literals of ${shownShape(shape)}`);
  const name = primitiveTypeName(shape.elementType);
  if (era === "2017" && !kFieldsOf2017.has(name))
    throw new InvalidArgumentError(`The Literal message of 2017 has no field for elements of ${name}: ${shownShape(shape)}`);
  return { ...proto, ...literalField(shape.elementType).write(literal.data, countOf(shape)) };
}

/** Returns the number of elements of an array shape. Throws INVALID_ARGUMENT if the shape is unbounded, tiled or padded. */
function countOf(shape: Shape): number {
  const { layout } = shape;
  if (shape.isUnboundedDynamic()) throw new InvalidArgumentError(`A literal cannot have an unbounded dimension: ${shownShape(shape)}`);
  if (layout !== null && !layout.equals(new Layout(layout.minorToMajor), { ignoreMemorySpace: true }))
    throw new InvalidArgumentError(
      `A literal's layout may only be an order of its dimensions, without tiles or padding, got ${shownShape(shape, true)}`,
    );
  return sizeProduct(shape.dimensions);
}

/** Returns the shape that a literal stores: with a layout, by default the descending one, and with unpacked elements. */
function literalShape(shape: Shape): Shape {
  if (!shape.isArray()) return shape;
  const { layout } = shape;
  if (layout === null) return shape.with({ layout: new Layout(descendingOrder(shape.rank)) });
  return layout.elementSizeInBits === 0 ? shape : shape.with({ layout: layout.with({ elementSizeInBits: 0 }) });
}
