/**
 * Parser of shape text (ParseShape in xla/hlo/parser/hlo_parser.cc). Shape.toString is the printer.
 *
 *     shape := type '[' [dim (',' dim)*] ']' layout?   |   '(' [shape (',' shape)*] ')'   |   'b' '(' shape ')'
 *     dim   := int   |   '<=' int   |   '?'
 *
 * `token[]` and `opaque[]` take no dimensions; `tuple` and `buffer` are not type names in text. A `{` opens a layout only
 * before an integer or a colon, so the shape in `f32[2]{}` ends before the `{`. An array without a layout gets the default
 * one.
 */
import { kUnboundedSize } from "../model/dimension-size.ts";
import { Layout } from "../model/layout.ts";
import { errorsAt, readLayout } from "./layout-text.ts";
import { descendingOrder } from "../model/make-layout.ts";
import { isPrimitiveTypeName, PrimitiveType, primitiveTypeFromName } from "../type/primitive-type.ts";
import { isArrayType } from "../type/primitive-type-traits.ts";
import { kMaxShapeDepth, Shape } from "../model/shape.ts";
import { TextLexer } from "./text-lexer.ts";
import { validateShape } from "../model/validate-shape.ts";

/**
 * Parses a shape's text (ParseShape). parseShape(shape.toString(true)) equals the shape if all its arrays have dense
 * layouts without 2017 padding, which has no textual form.
 *
 * Throws INVALID_ARGUMENT, with the line and column in the message, for text outside the grammar, for text after the
 * shape, for sizes that are negative or beyond 2^53 - 1, and for shapes and layouts that ShapeUtil.validateShape refuses.
 *
 * @example
 * parseShape("(f32[2, 3]{0,1}, s32[])").toString(true); // => "(f32[2,3]{0,1}, s32[])"
 * parseShape("f32[<=4,?]").dynamicDimensions; // => [true, true]
 * parseShape("bf16[128,256]{1,0:T(8,128)(2,1)S(5)}").layout?.memorySpace; // => 5
 * parseShape("f32[2,,3]"); // throws INVALID_ARGUMENT
 */
export function parseShape(text: string): Shape {
  const lexer = new TextLexer(text, "shape");
  const shape = readShape(lexer, 1);
  if (lexer.current.kind !== "end") throw lexer.error("Extra content after shape");
  return shape;
}

/**
 * Parses a layout's text, `{..}` (ParseLayout). Since there is no shape, the order is not checked; sparse layouts of 2022
 * to 2025 are parsed too. parseLayout(text).toString() is the same text, but for blanks, comments and default properties.
 *
 * Throws INVALID_ARGUMENT with the line and column in the message.
 *
 * @example
 * parseLayout("{ 1, 0 : T(2, *, 128) }").toString(); // => "{1,0:T(2,*,128)}"
 * parseLayout("{0:D(C~)}").toString(); // => "{0:D(C~)}"
 * parseLayout("{0:S(5)E(4)}"); // throws INVALID_ARGUMENT
 */
export function parseLayout(text: string): Layout {
  const lexer = new TextLexer(text, "layout");
  const layout = readLayout(lexer, () => readShape(lexer, 2));
  if (lexer.current.kind !== "end") throw lexer.error("Extra content after layout");
  return layout;
}

function readShape(lexer: TextLexer, depth: number): Shape {
  if (depth > kMaxShapeDepth) throw lexer.error(`a shape may nest at most ${kMaxShapeDepth} levels deep`);
  const { start } = lexer.current;
  if (lexer.takeIf("(")) return readTuple(lexer, depth, start);
  if (lexer.atName("b") && lexer.lookAhead().text === "(") {
    lexer.take();
    lexer.take();
    const inner = readShape(lexer, depth + 1);
    lexer.expect(")", "to close a buffer");
    return errorsAt(lexer, start, () => Shape.buffer(inner));
  }
  return readTyped(lexer, depth, start);
}

/** Parses a tuple after its `(`. */
function readTuple(lexer: TextLexer, depth: number, start: number): Shape {
  const children: Shape[] = [];
  if (!lexer.at(")")) {
    do children.push(readShape(lexer, depth + 1));
    while (lexer.takeIf(","));
  }
  lexer.expect(")", "to close a tuple");
  return errorsAt(lexer, start, () => Shape.tuple(children));
}

/** Parses an array, a token or an opaque value. */
function readTyped(lexer: TextLexer, depth: number, start: number): Shape {
  const { kind, text } = lexer.current;
  if (kind !== "name" || !isPrimitiveTypeName(text) || text === "tuple" || text === "buffer")
    throw lexer.unexpected("a primitive type, '(' or 'b('");
  const type = primitiveTypeFromName(text);
  lexer.take();
  lexer.expect("[", `after ${text}`);
  if (!isArrayType(type)) {
    lexer.expect("]", `since ${text} takes no dimensions`);
    return type === PrimitiveType.TOKEN ? Shape.token() : Shape.opaque();
  }
  const dimensions: number[] = [];
  const dynamicDimensions: boolean[] = [];
  if (!lexer.at("]")) {
    do readDimension(lexer, dimensions, dynamicDimensions);
    while (lexer.takeIf(","));
  }
  lexer.expect("]", "to close the dimensions");
  const shape = errorsAt(lexer, start, () =>
    Shape.array(type, dimensions, { dynamicDimensions, layout: new Layout(descendingOrder(dimensions.length)) }),
  );
  return atLayout(lexer) ? withLayout(lexer, depth, shape) : validated(lexer, start, shape);
}

function readDimension(lexer: TextLexer, dimensions: number[], dynamicDimensions: boolean[]): void {
  if (lexer.takeIf("?")) {
    dimensions.push(kUnboundedSize);
    dynamicDimensions.push(true);
    return;
  }
  const isDynamic = lexer.takeIf("<=");
  if (lexer.current.kind === "integer" && lexer.current.text.startsWith("-"))
    throw lexer.unexpected("a dimension size that is not negative");
  dimensions.push(lexer.expectInteger("a dimension size"));
  dynamicDimensions.push(isDynamic);
}

function atLayout(lexer: TextLexer): boolean {
  if (!lexer.at("{")) return false;
  const next = lexer.lookAhead();
  return next.kind === "integer" || next.text === ":";
}

function withLayout(lexer: TextLexer, depth: number, shape: Shape): Shape {
  const { start } = lexer.current;
  const layout = readLayout(lexer, () => readShape(lexer, depth + 1));
  if (layout.minorToMajor.length !== shape.rank)
    throw lexer.error(`Dimensions size is ${shape.rank}, but minor to major size is ${layout.minorToMajor.length}.`, start);
  return validated(lexer, start, shape.with({ layout }));
}

function validated(lexer: TextLexer, start: number, shape: Shape): Shape {
  errorsAt(lexer, start, () => validateShape(shape));
  return shape;
}
