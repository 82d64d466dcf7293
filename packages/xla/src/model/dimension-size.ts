/**
 * Dimension sizes: plain numbers, plus one value that means "unbounded" (Shape::kUnboundedSize in xla/shape.h).
 *
 *     f32[3]      static
 *     f32[<=3]    dynamic with the bound 3; sizes in elements and bytes are computed with 3
 *     f32[?]      dynamic and unbounded; the size is kUnboundedSize, which must never enter a product
 */

/**
 * The size of an unbounded dynamic dimension, printed `?`: INT64_MIN, as in XLA. A JavaScript number holds this value
 * exactly, but it is not a safe integer, so checks for safe integers refuse it.
 *
 * @example
 * kUnboundedSize === -(2 ** 63); // => true
 * ShapeUtil.makeShape("f32", [kUnboundedSize, 784]).toString(); // => "f32[?,784]"
 */
export const kUnboundedSize: number = -(2 ** 63);

/** Returns a dimension as shape text writes it: `3`, `<=3` or `?`. */
export function dimensionText(size: number, isDynamic: boolean): string {
  if (size === kUnboundedSize) return "?";
  return isDynamic ? `<=${size}` : String(size);
}
