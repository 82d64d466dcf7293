/**
 * Checks that a shape is valid: its types are known, its sizes are not negative, its number of elements and of bytes does
 * not overflow, and its layouts fit (ShapeUtil::ValidateShape in xla/shape_util.cc).
 *
 * The number of elements is checked at every partial product from the left: f32[2^31,2^30,0] is refused although it has
 * no elements, and f32[0,2^31,2^33] is valid. XLA's limit is 2^63 - 1; here it is 2^53 - 1, for elements and for bytes.
 */
import { checkObject } from "@onebuffer/base/internal";
import { InvalidArgumentError } from "@onebuffer/base";
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
 * Checks a shape and the layouts of all its arrays, each of which must have a layout (ValidateShape).
 *
 * Throws INVALID_ARGUMENT for an invalid shape; the message names the field and the value. In the era 2017 a scalar needs
 * no layout. The era is an option; the default is 2017 for shapes with padding, else today.
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
 * Checks a shape like validateShape, but arrays may be without a layout (ValidateShapeWithOptionalLayout).
 *
 * Throws INVALID_ARGUMENT for an invalid shape; the message names the field and the value.
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

/** Checks the types and sizes of all nodes. Layouts are not read. */
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
 * Checks the sizes and dynamic flags of an array shape that is being made (the checks of MakeValidatedShape). Throws
 * INVALID_ARGUMENT.
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
