/**
 * Sizes of dimensions: plain numbers, and the one value that means "unbounded" (Shape::kUnboundedSize in xla/shape.h).
 *
 *     f32[3]      static          f32[<=3]    dynamic, at most 3; every size is computed with 3
 *     f32[?]      dynamic, unbounded; the size is kUnboundedSize and must never be multiplied with
 */

/**
 * The size of an unbounded dynamic dimension, printed `?`: INT64_MIN as in XLA, which a JavaScript number holds exactly
 * (but which is no safe integer, so that arithmetic checks refuse it).
 *
 * @example
 * kUnboundedSize === -(2 ** 63); // => true
 * ShapeUtil.makeShape("f32", [kUnboundedSize, 784]).toString(); // => "f32[?,784]"
 */
export const kUnboundedSize: number = -(2 ** 63);

/** A dimension as text has it: `3`, `<=3`, `?`. */
export function dimensionText(size: number, isDynamic: boolean): string {
  if (size === kUnboundedSize) return "?";
  return isDynamic ? `<=${size}` : String(size);
}
