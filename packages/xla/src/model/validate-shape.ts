/**
 * Whether a shape is one: known types, sizes that are sizes, counts and bytes that do not overflow, layouts that fit
 * (ShapeUtil::ValidateShape in xla/shape_util.cc).
 *
 * Overflow is judged on partial products from the left and before any of them is used: f32[2^31,2^30,0] is refused
 * though it has no elements, f32[0,2^31,2^33] is not. XLA's limit is 2^63 - 1; here it is 2^53 - 1, in elements and in bytes.
 */
import { checkObject, InvalidArgumentError } from "@onebuffer/base";
import { checkShape } from "../type/argument-check.ts";
import { kUnboundedSize } from "./dimension-size.ts";
import type { EraOptions } from "./era.ts";
import { eraOf } from "./era.ts";
import { PrimitiveType, primitiveTypeName } from "../type/primitive-type.ts";
import { byteWidth } from "../type/primitive-type-traits.ts";
import type { Shape } from "./shape.ts";
import { shownShape } from "./shape.ts";
import { shownList } from "../type/shown-list.ts";
import { validateLayoutInShape } from "./validate-layout.ts";

/**
 * Checks a shape and the layouts of all its arrays, which must be there (ValidateShape).
 *
 * Throws INVALID_ARGUMENT that names what is wrong and its value. In 2017, which is assumed of shapes with padding and
 * else an option, a scalar needs no layout.
 *
 * @example
 * ShapeUtil.validateShape(Shape.array("f32", [2, 3], { layout: new Layout([0, 1]) })); // => undefined
 * ShapeUtil.validateShape(Shape.array("f32", [2, 3])); // throws INVALID_ARGUMENT
 * ShapeUtil.validateShape(Shape.array("f32", [2, -3], { layout: new Layout([0, 1]) })); // throws INVALID_ARGUMENT
 */
export function validateShape(shape: Shape, options: EraOptions = {}): void {
  checkShape(shape);
  checkObject(options, "options");
  validateSizes(shape);
  validateLayoutInShape(shape, { era: options.era ?? eraOf(shape) });
}

/**
 * As validateShape, but arrays may be without a layout (ValidateShapeWithOptionalLayout).
 *
 * Throws INVALID_ARGUMENT that names what is wrong and its value.
 *
 * @example
 * ShapeUtil.validateShapeWithOptionalLayout(Shape.array("f32", [2, 3])); // => undefined
 * ShapeUtil.validateShapeWithOptionalLayout(Shape.array("f32", [2 ** 31, 2 ** 30, 0])); // throws INVALID_ARGUMENT
 */
export function validateShapeWithOptionalLayout(shape: Shape): void {
  checkShape(shape);
  validateSizes(shape);
  validateLayoutInShape(shape, { allowMissingLayouts: true });
}

/** Types and sizes of all nodes, before any layout is looked at. */
function validateSizes(shape: Shape): void {
  if (shape.elementType === PrimitiveType.PRIMITIVE_TYPE_INVALID) throw new InvalidArgumentError("Invalid element type.");
  for (const child of shape.tupleShapes) validateSizes(child);
  if (shape.bufferShape !== null) validateSizes(shape.bufferShape);
  if (!shape.isArray()) return;
  let elements = 1;
  shape.dimensions.forEach((size, dim) => {
    if (size === kUnboundedSize) return;
    if (size < 0) throw new InvalidArgumentError(`Negative dimension at index ${dim}: ${size}.`);
    elements *= size;
    if (elements > Number.MAX_SAFE_INTEGER) throw new InvalidArgumentError(`Dimensions overflow. ${shownShape(shape)}`);
  });
  if (elements * byteWidth(shape.elementType) > Number.MAX_SAFE_INTEGER) {
    throw new InvalidArgumentError(`Shape ${shownShape(shape)} size may overflow int64_t.`);
  }
}

/**
 * Checks the sizes and flags of an array shape to be made (the checks of MakeValidatedShape). Throws INVALID_ARGUMENT.
 */
export function validateExtents(type: PrimitiveType, dimensions: readonly number[], dynamicDimensions: readonly boolean[]): void {
  let bytes = byteWidth(type);
  dimensions.forEach((size, dim) => {
    const isDynamic = dynamicDimensions[dim]!;
    const valid = size >= 0 || (isDynamic && size === kUnboundedSize);
    if (!valid)
      throw new InvalidArgumentError(
        `Invalid dimension size ${size === kUnboundedSize ? "?" : size}, is_dynamic=${isDynamic} at index ${dim}`,
      );
    if (size === kUnboundedSize) return;
    bytes *= size;
    if (bytes > Number.MAX_SAFE_INTEGER) {
      throw new InvalidArgumentError(
        `overflow in static extent product: dimensions=${shownList(dimensions.map((d) => (d === kUnboundedSize ? "?" : d)))}, element type ${primitiveTypeName(type)}`,
      );
    }
  });
}
