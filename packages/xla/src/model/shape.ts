/**
 * Shape: element type, dimensions and layout of an array, or a tree of shapes (xla/shape.h; the Shape message).
 *
 *     array   f32[2,3]{1,0}        tuple  (f32[2], s32[])        token[]   opaque[]        buffer  b(f32[5])
 *
 * A Shape is an immutable value. Like XLA's class it may hold negative dimensions or a layout that does not fit;
 * `ShapeUtil.validateShape` checks them. The functions of ShapeUtil that make or change shapes and the parser validate
 * what they return. Dimension numbers 0 … rank-1 are labels in list order; the order in memory is the layout's.
 */
import { argumentError, checkCallback, checkNumber, checkObject, isArray, shownValue, defineInspection } from "@onebuffer/base/internal";
import { InvalidArgumentError } from "@onebuffer/base";
import { dimensionText, kUnboundedSize } from "./dimension-size.ts";
import type { IndexStrides } from "./index-strides.ts";
import { checkedInteger, checkedIntegers, checkedList } from "../type/integers.ts";
import type { Layout } from "./layout.ts";
import type { PrimitiveTypeLike } from "../type/primitive-type.ts";
import { PrimitiveType, primitiveTypeName, toPrimitiveType } from "../type/primitive-type.ts";
import { shownText } from "../type/shown-list.ts";

/**
 * How deep tuples and buffers may nest. Protobuf readers have the same limit, and no recursion over a shape can overflow
 * the stack.
 *
 * @example
 * parseShape("(".repeat(100) + ")".repeat(100)).depth; // => kMaxShapeDepth
 * parseShape("(".repeat(101) + ")".repeat(101)); // throws INVALID_ARGUMENT
 */
export const kMaxShapeDepth = 100;

/**
 * How many nodes a shape may have, itself included. Without this limit a nested tuple that shares its children could
 * stand for 2^100 nodes.
 *
 * @example
 * kMaxSubshapes; // => 131072
 */
export const kMaxSubshapes: number = 2 ** 17;

/** The parts of an array shape besides its type and dimensions. */
export interface ArrayShapeOptions {
  /** One flag per dimension. Default: dynamic where the size is kUnboundedSize. */
  readonly dynamicDimensions?: readonly boolean[];
  /** The layout. Default null: no layout. */
  readonly layout?: Layout | null;
}

/** The fields that Shape.with can replace. */
export interface ShapeChanges extends ArrayShapeOptions {
  readonly elementType?: PrimitiveTypeLike;
  readonly dimensions?: readonly number[];
  readonly tupleShapes?: readonly Shape[];
}

const kEmpty: readonly never[] = Object.freeze([]);

/**
 * The shape of an array (element type, dimensions and layout), a tuple, a token, an opaque value or a buffer. Immutable.
 * Made by the static functions here, which do not validate, or by ShapeUtil, which does.
 *
 * @example
 * const shape = Shape.array("f32", [2, 3], { layout: new Layout([0, 1]) });
 * shape.rank; // => 2
 * shape.toString(true); // => "f32[2,3]{0,1}"
 * Shape.tuple([shape, Shape.token()]).toString(); // => "(f32[2,3], token[])"
 * Shape.array("f32", [2.5]); // throws INVALID_ARGUMENT
 */
export class Shape {
  /** The element type of an array; TUPLE, TOKEN, OPAQUE_TYPE or BUFFER for other shapes; PRIMITIVE_TYPE_INVALID for an unknown type. */
  readonly elementType: PrimitiveType;
  /** The size of each dimension; kUnboundedSize where the dimension is `?`. Empty if this is not an array. */
  readonly dimensions: readonly number[];
  /** One flag per dimension: true if the dimension is dynamic. */
  readonly dynamicDimensions: readonly boolean[];
  /** The layout of an array, or null. Always null if this is not an array. */
  readonly layout: Layout | null;
  /** The children of a tuple; empty for every other shape. */
  readonly tupleShapes: readonly Shape[];
  /** The array that a buffer holds; null if this is not a buffer. */
  readonly bufferShape: Shape | null;
  /** The number of levels of nesting: 1 for a shape without children. At most kMaxShapeDepth. */
  readonly depth: number;
  /** The number of nodes in the tree, this one included (ShapeUtil::SubshapeCount). At most kMaxSubshapes. */
  readonly subshapeCount: number;
  /** The cached result of `indexStrides`. It is not part of the shape's value. */
  #indexStrides: IndexStrides | null = null;

  private constructor(
    elementType: PrimitiveType,
    dimensions: readonly number[],
    dynamicDimensions: readonly boolean[],
    layout: Layout | null,
    tupleShapes: readonly Shape[],
    bufferShape: Shape | null,
  ) {
    // The constructor is private to TypeScript only: JavaScript callers can reach it.
    if (typeof elementType !== "number" || !isArray(dimensions) || !isArray(tupleShapes) || bufferShape === undefined)
      throw argumentError(
        "Shape.array, Shape.tuple, Shape.token and so on to make shapes, not its constructor with an element type",
        elementType,
      );
    if (bufferShape !== null && !isShape(bufferShape)) throw argumentError("a Shape", bufferShape);
    let depth = bufferShape === null ? 0 : bufferShape.depth;
    let count = bufferShape === null ? 1 : 1 + bufferShape.subshapeCount;
    for (const [k, child] of tupleShapes.entries()) {
      if (!isShape(child)) throw new InvalidArgumentError(`Expected a Shape as child ${k} of a tuple, got ${shownValue(child)}`);
      depth = Math.max(depth, child.depth);
      count += child.subshapeCount;
    }
    if (depth >= kMaxShapeDepth) throw new InvalidArgumentError(`A shape may nest at most ${kMaxShapeDepth} levels deep, not ${depth + 1}`);
    if (count > kMaxSubshapes) throw new InvalidArgumentError(`A shape may have at most ${kMaxSubshapes} subshapes, not ${count}`);
    this.elementType = elementType;
    this.dimensions = dimensions;
    this.dynamicDimensions = dynamicDimensions;
    this.layout = layout;
    this.tupleShapes = tupleShapes;
    this.bufferShape = bufferShape;
    this.depth = depth + 1;
    this.subshapeCount = count;
  }

  /**
   * Returns an array shape. Only the types of the arguments are checked; ShapeUtil.validateShape checks the rest.
   * Copies: the lists.
   *
   * Throws INVALID_ARGUMENT if the type is not an array type, if a size is not an integer up to 2^53 - 1 (kUnboundedSize
   * is allowed), and if the list of flags has another length.
   *
   * @example
   * Shape.array(PrimitiveType.F32, [4, 3], { dynamicDimensions: [true, false] }).toString(); // => "f32[<=4,3]"
   * Shape.array("token", []); // throws INVALID_ARGUMENT
   */
  static array(type: PrimitiveTypeLike, dimensions: readonly number[], options: ArrayShapeOptions = {}): Shape {
    checkObject(options, "options");
    const elementType = toPrimitiveType(type);
    if (!isArrayElement(elementType))
      throw new InvalidArgumentError(`Unsupported element type: ${primitiveTypeName(elementType)} is not an element type of an array`);
    const sizes = checkedIntegers(dimensions, "the dimensions of a shape", kUnboundedSize);
    return new Shape(elementType, sizes, checkedFlags(sizes, options.dynamicDimensions), options.layout ?? null, kEmpty, null);
  }

  /**
   * Returns a tuple of shapes. Copies: the list. Throws INVALID_ARGUMENT if an entry is not a Shape, and beyond
   * kMaxShapeDepth and kMaxSubshapes.
   */
  static tuple(shapes: readonly Shape[]): Shape {
    const children = Object.freeze(checkedList(shapes, "the shapes of a tuple"));
    return new Shape(PrimitiveType.TUPLE, kEmpty, kEmpty, null, children, null);
  }

  /** Returns the shape of a token. Tokens order side effects and have no data. */
  static token(): Shape {
    return Shape.#leaf(PrimitiveType.TOKEN);
  }

  /** Returns the shape of an opaque value, whose contents only the device knows. */
  static opaque(): Shape {
    return Shape.#leaf(PrimitiveType.OPAQUE_TYPE);
  }

  /** Returns the shape of a buffer that holds one array. Throws INVALID_ARGUMENT if `shape` is not an array shape. */
  static buffer(shape: Shape): Shape {
    if (!isShape(shape) || !shape.isArray())
      throw new InvalidArgumentError(`Expected an array shape in a buffer, got ${shownShape(shape)}`);
    return new Shape(PrimitiveType.BUFFER, kEmpty, kEmpty, null, kEmpty, shape);
  }

  /**
   * Returns the shape with element type PRIMITIVE_TYPE_INVALID. Messages with an unknown type become this shape; the
   * validators refuse it.
   */
  static invalid(): Shape {
    return Shape.#leaf(PrimitiveType.PRIMITIVE_TYPE_INVALID);
  }

  /** Returns a shape without dimensions and without children. */
  static #leaf(type: PrimitiveType): Shape {
    return new Shape(type, kEmpty, kEmpty, null, kEmpty, null);
  }

  static {
    defineInspection(this.prototype as Shape, (shape) => `Shape ${shape.toString(true)}`);
  }

  /** The number of dimensions. Throws INVALID_ARGUMENT if this is not an array (XLA aborts). */
  get rank(): number {
    if (!this.isArray()) throw new InvalidArgumentError(`Expected an array shape, got ${shownText(this.toString())}`);
    return this.dimensions.length;
  }

  /**
   * Returns the sizes and strides that IndexUtil reads. The first call runs `compute` and caches its result; later calls
   * return the cached result. Throws what `compute` throws.
   */
  indexStrides(compute: (shape: Shape) => IndexStrides): IndexStrides {
    if (this.#indexStrides === null) {
      checkCallback(compute, "a function that computes strides");
      this.#indexStrides = compute(this);
    }
    return this.#indexStrides;
  }

  /** Returns true if this is an array; scalars are arrays. */
  isArray(): boolean {
    return isArrayElement(this.elementType);
  }

  /** Returns true if this is a tuple; the empty tuple counts. */
  isTuple(): boolean {
    return this.elementType === PrimitiveType.TUPLE;
  }

  /** Returns true if this is a token. */
  isToken(): boolean {
    return this.elementType === PrimitiveType.TOKEN;
  }

  /** Returns true if this is an opaque value. */
  isOpaque(): boolean {
    return this.elementType === PrimitiveType.OPAQUE_TYPE;
  }

  /** Returns true if this is a buffer. */
  isBuffer(): boolean {
    return this.elementType === PrimitiveType.BUFFER;
  }

  /** Returns true if any array in the tree has a dynamic dimension (the negation of Shape::is_static). */
  isDynamic(): boolean {
    return (
      this.dynamicDimensions.includes(true) ||
      this.tupleShapes.some((child) => child.isDynamic()) ||
      (this.bufferShape?.isDynamic() ?? false)
    );
  }

  /** Returns true if dimension `dim` is unbounded. */
  isUnboundedDynamicDimension(dim: number): boolean {
    checkNumber(dim, "a dimension");
    return this.dimensions[dim] === kUnboundedSize;
  }

  /** Returns true if any array in the tree has an unbounded dimension. */
  isUnboundedDynamic(): boolean {
    return (
      this.dimensions.includes(kUnboundedSize) ||
      this.tupleShapes.some((child) => child.isUnboundedDynamic()) ||
      (this.bufferShape?.isUnboundedDynamic() ?? false)
    );
  }

  /**
   * Returns the shape with some fields replaced. Like Shape.array, it does not validate. If the number of dimensions
   * stays the same, the dynamic flags are kept; otherwise they get their defaults. Throws INVALID_ARGUMENT for fields
   * that this kind of shape does not have.
   *
   * @example
   * Shape.array("f32", [2, 3]).with({ elementType: "s8", layout: new Layout([1, 0]) }).toString(true); // => "s8[2,3]{1,0}"
   * Shape.token().with({ dimensions: [2] }); // throws INVALID_ARGUMENT
   */
  with(changes: ShapeChanges): Shape {
    checkObject(changes, "changes");
    const { elementType, dimensions, dynamicDimensions, layout, tupleShapes } = changes;
    if (this.isArray() && tupleShapes === undefined) {
      const sizes = dimensions ?? this.dimensions;
      const flags = dynamicDimensions ?? (sizes.length === this.dimensions.length ? this.dynamicDimensions : undefined);
      const options = { layout: layout === undefined ? this.layout : layout };
      return Shape.array(elementType ?? this.elementType, sizes, flags === undefined ? options : { ...options, dynamicDimensions: flags });
    }
    const arrayField = elementType ?? dimensions ?? dynamicDimensions ?? layout ?? undefined;
    if (this.isTuple() && arrayField === undefined) return Shape.tuple(tupleShapes ?? this.tupleShapes);
    if (arrayField === undefined && tupleShapes === undefined) return this;
    throw new InvalidArgumentError(`Cannot replace ${Object.keys(changes).join(", ")} in ${shownText(this.toString())}`);
  }

  /**
   * Returns the shape's text; with the layouts if `withLayout` is true (Shape::ToString, ShapeUtil::HumanString and
   * HumanStringWithLayout). A missing layout and a scalar's `{}` print nothing. Every fifth child of a tuple is preceded
   * by a comment with its index, from the child 5 on.
   *
   * @example
   * ShapeUtil.makeShape("f32", [2, 3]).toString(true); // => "f32[2,3]{1,0}"
   * ShapeUtil.makeShape("f32", []).toString(true); // => "f32[]"
   */
  toString(withLayout = false): string {
    if (this.isTuple()) {
      const children = this.tupleShapes.map((child, i) => (i > 0 && i % 5 === 0 ? `/*index=${i}*/` : "") + child.toString(withLayout));
      return `(${children.join(", ")})`;
    }
    if (this.bufferShape !== null) return `b(${this.bufferShape.toString(withLayout)})`;
    const text = `${primitiveTypeName(this.elementType)}[${this.dimensions.map((size, d) => dimensionText(size, this.dynamicDimensions[d]!)).join(",")}]`;
    if (!withLayout || this.layout === null) return text;
    const layout = this.layout.toString();
    return this.dimensions.length === 0 && layout === "{}" ? text : text + layout;
  }
}

/** Returns true if arrays can have elements of this type: all types but tuple, opaque, token, buffer and the invalid type. */
function isArrayElement(type: PrimitiveType): boolean {
  return (
    type !== PrimitiveType.TUPLE &&
    type !== PrimitiveType.OPAQUE_TYPE &&
    type !== PrimitiveType.TOKEN &&
    type !== PrimitiveType.BUFFER &&
    type !== PrimitiveType.PRIMITIVE_TYPE_INVALID
  );
}

/** Returns true if a value is a Shape. Compares members, not classes, since a program may load two copies of this package. */
function isShape(value: unknown): value is Shape {
  const shape = value as Partial<Shape> | null | undefined;
  return (
    typeof shape === "object" &&
    shape !== null &&
    typeof shape.depth === "number" &&
    typeof shape.subshapeCount === "number" &&
    Array.isArray(shape.tupleShapes)
  );
}

function checkedFlags(sizes: readonly number[], flags: readonly boolean[] | undefined): readonly boolean[] {
  if (flags === undefined) return Object.freeze(sizes.map((size) => size === kUnboundedSize));
  const copy = checkedList(flags, "dynamic dimensions").map(Boolean);
  if (copy.length !== sizes.length) {
    throw new InvalidArgumentError(`dynamic dimensions size ${copy.length} did not match number of dimensions ${sizes.length}`);
  }
  return Object.freeze(copy);
}

/** Returns a shape's text for an error message, or the text of any other value. */
export function shownShape(shape: unknown, withLayout = false): string {
  return isShape(shape) ? shownText(shape.toString(withLayout)) : shownValue(shape);
}

/** Returns `shape` if it is an array shape. Throws INVALID_ARGUMENT otherwise; the message starts with `what`, the caller's name. */
export function requireArray(shape: Shape, what: string): Shape {
  if (!isShape(shape) || !shape.isArray()) throw new InvalidArgumentError(`${what}: expected an array shape, got ${shownShape(shape)}`);
  return shape;
}

/**
 * Returns `dim` if it is a dimension number of the array `shape`. Throws INVALID_ARGUMENT otherwise; the message names
 * `what`, the caller.
 */
export function requireDimension(shape: Shape, dim: number, what: string): number {
  const number = checkedInteger(dim, `a dimension number (${what})`);
  if (number < 0 || number >= shape.rank)
    throw new InvalidArgumentError(`${what}: dimension ${number} is out of bounds for ${shownShape(shape)}`);
  return number;
}
