/**
 * Shape: element type, dimensions and layout of an array, or a tree of shapes (xla/shape.h; the Shape message).
 *
 *     array   f32[2,3]{1,0}        tuple  (f32[2], s32[])        token[]   opaque[]        buffer  b(f32[5])
 *
 * A Shape is an immutable value that holds what it is given, as XLA's does: dimensions may be negative and the layout
 * wrong until `ShapeUtil.validateShape` is asked. The makers of ShapeUtil, the parser and the surgery validate what they
 * return. Dimension numbers 0 … rank-1 are labels in list order; they say nothing about memory, the layout does.
 */
import { argumentError, checkFunction, checkNumber, checkObject, InvalidArgumentError, isArray, shownValue } from "@onebuffer/base";
import { dimensionText, kUnboundedSize } from "./dimension-size.ts";
import type { IndexStrides } from "./index-strides.ts";
import { checkedInteger, checkedIntegers, checkedList } from "../type/integers.ts";
import type { Layout } from "./layout.ts";
import type { PrimitiveTypeLike } from "../type/primitive-type.ts";
import { PrimitiveType, primitiveTypeName, toPrimitiveType } from "../type/primitive-type.ts";
import { shownText } from "../type/shown-list.ts";

/**
 * How deep tuples and buffers may nest: protobuf readers stop there too, and no recursion over a shape overflows.
 *
 * @example
 * parseShape("(".repeat(100) + ")".repeat(100)).depth; // => kMaxShapeDepth
 * parseShape("(".repeat(101) + ")".repeat(101)); // throws INVALID_ARGUMENT
 */
export const kMaxShapeDepth = 100;

/**
 * How many nodes a shape may have, itself included, so that a shape that repeats another 2^100 times is refused.
 *
 * @example
 * kMaxSubshapes; // => 131072
 */
export const kMaxSubshapes: number = 2 ** 17;

/** What an array shape may have besides its type and dimensions. */
export interface ArrayShapeOptions {
  /** One flag per dimension. Default: dynamic where the size is kUnboundedSize. */
  readonly dynamicDimensions?: readonly boolean[];
  /** The layout. Default null, none. */
  readonly layout?: Layout | null;
}

/** Fields of a shape to be replaced. */
export interface ShapeChanges extends ArrayShapeOptions {
  readonly elementType?: PrimitiveTypeLike;
  readonly dimensions?: readonly number[];
  readonly tupleShapes?: readonly Shape[];
}

const kNothing: readonly never[] = Object.freeze([]);

/**
 * An array's element type, dimensions and layout, or a tuple, token, opaque value or buffer. Immutable; made by the
 * static functions, or by ShapeUtil, which validates.
 *
 * @example
 * const shape = Shape.array("f32", [2, 3], { layout: new Layout([0, 1]) });
 * shape.rank; // => 2
 * shape.toString(true); // => "f32[2,3]{0,1}"
 * Shape.tuple([shape, Shape.token()]).toString(); // => "(f32[2,3], token[])"
 * Shape.array("f32", [2.5]); // throws INVALID_ARGUMENT
 */
export class Shape {
  /** The element type; TUPLE, TOKEN, OPAQUE_TYPE, BUFFER for what is no array, PRIMITIVE_TYPE_INVALID for nothing known. */
  readonly elementType: PrimitiveType;
  /** The size of each dimension; kUnboundedSize where it is `?`. Empty for what is no array. */
  readonly dimensions: readonly number[];
  /** Whether each dimension is dynamic. */
  readonly dynamicDimensions: readonly boolean[];
  /** The order in memory, or null. Always null for what is no array. */
  readonly layout: Layout | null;
  /** A tuple's children. */
  readonly tupleShapes: readonly Shape[];
  /** A buffer's array, or null. */
  readonly bufferShape: Shape | null;
  /** Levels of nesting: 1 for what has no children. At most kMaxShapeDepth. */
  readonly depth: number;
  /** Nodes of the tree, this one included (ShapeUtil::SubshapeCount). At most kMaxSubshapes. */
  readonly subshapeCount: number;
  /** What `indexStrides` has computed: a cache, no part of the value. */
  #indexStrides: IndexStrides | null = null;

  private constructor(
    elementType: PrimitiveType,
    dimensions: readonly number[],
    dynamicDimensions: readonly boolean[],
    layout: Layout | null,
    tupleShapes: readonly Shape[],
    bufferShape: Shape | null,
  ) {
    // The compiler lets nobody in but the factories; JavaScript does.
    if (typeof elementType !== "number" || !isArray(dimensions) || !isArray(tupleShapes) || bufferShape === undefined)
      throw argumentError(
        "Shape.array, Shape.tuple, Shape.token and so on to make shapes, not its constructor with an element type",
        elementType,
      );
    if (bufferShape !== null && !isShape(bufferShape)) throw argumentError("a Shape", bufferShape);
    let depth = bufferShape === null ? 0 : bufferShape.depth;
    let count = bufferShape === null ? 1 : 1 + bufferShape.subshapeCount;
    for (const child of tupleShapes) {
      depth = Math.max(depth, child.depth);
      count += child.subshapeCount;
    }
    if (depth >= kMaxShapeDepth) throw new InvalidArgumentError(`A shape may nest ${kMaxShapeDepth} levels deep, not ${depth + 1}`);
    if (count > kMaxSubshapes) throw new InvalidArgumentError(`A shape may have ${kMaxSubshapes} subshapes, not ${count}`);
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
   * An array shape, not validated beyond its kinds of values. Copies: the lists.
   *
   * Throws INVALID_ARGUMENT for a type that is no array's, sizes that are no integers up to 2^53 - 1 (kUnboundedSize
   * excepted) and a list of flags of another length.
   *
   * @example
   * Shape.array(PrimitiveType.F32, [4, 3], { dynamicDimensions: [true, false] }).toString(); // => "f32[<=4,3]"
   * Shape.array("token", []); // throws INVALID_ARGUMENT
   */
  static array(type: PrimitiveTypeLike, dimensions: readonly number[], options: ArrayShapeOptions = {}): Shape {
    checkObject(options, "options");
    const elementType = toPrimitiveType(type);
    if (!isArrayElement(elementType))
      throw new InvalidArgumentError(`Unsupported element type: ${primitiveTypeName(elementType)} is no element type of an array`);
    const sizes = checkedIntegers(dimensions, "the dimensions of a shape", kUnboundedSize);
    return new Shape(elementType, sizes, checkedFlags(sizes, options.dynamicDimensions), options.layout ?? null, kNothing, null);
  }

  /** A tuple of shapes. Throws INVALID_ARGUMENT for what are no shapes, and beyond kMaxShapeDepth and kMaxSubshapes. */
  static tuple(shapes: readonly Shape[]): Shape {
    const children = checkedList(shapes, "the shapes of a tuple");
    const wrong = children.findIndex((child) => !isShape(child));
    if (wrong >= 0) throw new InvalidArgumentError(`Expected a Shape as child ${wrong} of a tuple, got ${shownValue(children[wrong])}`);
    return new Shape(PrimitiveType.TUPLE, kNothing, kNothing, null, Object.freeze(children), null);
  }

  /** The shape of a token, which orders side effects and has no data. */
  static token(): Shape {
    return Shape.#leaf(PrimitiveType.TOKEN);
  }

  /** The shape of an opaque value, of which only the device knows more. */
  static opaque(): Shape {
    return Shape.#leaf(PrimitiveType.OPAQUE_TYPE);
  }

  /** The shape of a buffer that holds one array. Throws INVALID_ARGUMENT unless `shape` is an array's. */
  static buffer(shape: Shape): Shape {
    if (!isShape(shape) || !shape.isArray())
      throw new InvalidArgumentError(`Expected an array shape in a buffer, got ${shownShape(shape)}`);
    return new Shape(PrimitiveType.BUFFER, kNothing, kNothing, null, kNothing, shape);
  }

  /** The shape of nothing known: element type PRIMITIVE_TYPE_INVALID. What a message with an unknown type becomes; the validators refuse it. */
  static invalid(): Shape {
    return Shape.#leaf(PrimitiveType.PRIMITIVE_TYPE_INVALID);
  }

  /** A shape of a type without dimensions or children. */
  static #leaf(type: PrimitiveType): Shape {
    return new Shape(type, kNothing, kNothing, null, kNothing, null);
  }

  static {
    Object.defineProperty(this.prototype, Symbol.for("nodejs.util.inspect.custom"), {
      value(this: Shape): string {
        return `Shape ${this.toString(true)}`;
      },
    });
  }

  /** The number of dimensions. Throws INVALID_ARGUMENT for what is no array (XLA: a programming error). */
  get rank(): number {
    if (!this.isArray()) throw new InvalidArgumentError(`Expected an array shape, got ${shownText(this.toString())}`);
    return this.dimensions.length;
  }

  /** The sizes and strides that IndexUtil reads: what `compute` answered when it was first asked. Throws what it throws. */
  indexStrides(compute: (shape: Shape) => IndexStrides): IndexStrides {
    if (this.#indexStrides === null) {
      checkFunction(compute, "a function that computes strides");
      this.#indexStrides = compute(this);
    }
    return this.#indexStrides;
  }

  /** Whether this is an array, scalars included. */
  isArray(): boolean {
    return isArrayElement(this.elementType);
  }

  /** Whether this is a tuple, the empty one included. */
  isTuple(): boolean {
    return this.elementType === PrimitiveType.TUPLE;
  }

  /** Whether this is a token. */
  isToken(): boolean {
    return this.elementType === PrimitiveType.TOKEN;
  }

  /** Whether this is an opaque value. */
  isOpaque(): boolean {
    return this.elementType === PrimitiveType.OPAQUE_TYPE;
  }

  /** Whether this is a buffer. */
  isBuffer(): boolean {
    return this.elementType === PrimitiveType.BUFFER;
  }

  /** Whether any array in the tree has a dynamic dimension: false means static (Shape::is_static). */
  isDynamic(): boolean {
    return (
      this.dynamicDimensions.includes(true) ||
      this.tupleShapes.some((child) => child.isDynamic()) ||
      (this.bufferShape?.isDynamic() ?? false)
    );
  }

  /** Whether dimension `dim` has no bound. */
  isUnboundedDynamicDimension(dim: number): boolean {
    checkNumber(dim, "a dimension");
    return this.dimensions[dim] === kUnboundedSize;
  }

  /** Whether any array in the tree has a dimension without a bound. */
  isUnboundedDynamic(): boolean {
    return (
      this.dimensions.includes(kUnboundedSize) ||
      this.tupleShapes.some((child) => child.isUnboundedDynamic()) ||
      (this.bufferShape?.isUnboundedDynamic() ?? false)
    );
  }

  /**
   * The shape with some fields replaced; not validated, as in Shape.array. New dimensions of the same count keep the
   * dynamic flags, others get the default ones. Throws INVALID_ARGUMENT for fields that this kind of shape has not.
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
   * The shape's text, with the layouts if asked (Shape::ToString, ShapeUtil::HumanString and HumanStringWithLayout).
   * A missing layout and a scalar's `{}` print nothing; every fifth child of a tuple carries its index in a comment.
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

/** Whether a type is one whose elements make an array: neither tuple, opaque, token, buffer nor the invalid type. */
function isArrayElement(type: PrimitiveType): boolean {
  return (
    type !== PrimitiveType.TUPLE &&
    type !== PrimitiveType.OPAQUE_TYPE &&
    type !== PrimitiveType.TOKEN &&
    type !== PrimitiveType.BUFFER &&
    type !== PrimitiveType.PRIMITIVE_TYPE_INVALID
  );
}

/** Whether a value is a Shape, of whichever copy of this package. */
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

/** A shape for an error message, or what else was given. */
export function shownShape(shape: unknown, withLayout = false): string {
  return isShape(shape) ? shownText(shape.toString(withLayout)) : shownValue(shape);
}

/** `shape` if it is an array's. Throws INVALID_ARGUMENT that names `what` asked. */
export function requireArray(shape: Shape, what: string): Shape {
  if (!isShape(shape) || !shape.isArray()) throw new InvalidArgumentError(`${what}: expected an array shape, got ${shownShape(shape)}`);
  return shape;
}

/** `dim` if it is a dimension number of the array `shape`. Throws INVALID_ARGUMENT that names `what` asked. */
export function requireDimension(shape: Shape, dim: number, what: string): number {
  const number = checkedInteger(dim, `a dimension number (${what})`);
  if (number < 0 || number >= shape.rank)
    throw new InvalidArgumentError(`${what}: dimension ${number} is out of bounds for ${shownShape(shape)}`);
  return number;
}
