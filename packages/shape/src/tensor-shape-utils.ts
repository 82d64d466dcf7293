/**
 * TensorShapeUtils: predicates on shapes, shapes made from lists, text of lists of shapes
 * (TensorFlow: class TensorShapeUtils of framework/tensor_shape.h, which has static members only).
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { checkedInt64Size, checkedList, countElements } from "./dim-sizes.ts";
import { makeSizes } from "./make-sizes.ts";
import { checkShape } from "./shape-check.ts";
import { listString } from "./shape-list-string.ts";
import { TensorShape } from "./tensor-shape.ts";

/**
 * The functions of TensorFlow's TensorShapeUtils.
 *
 * @example
 * TensorShapeUtils.isSquareMatrix(new TensorShape([3, 3])); // => true
 * TensorShapeUtils.startsWith(new TensorShape([2, 3]), new TensorShape([2])); // => true
 * TensorShapeUtils.makeShape(BigInt64Array.of(2n, 3n)).debugString(); // => "[2,3]"
 * TensorShapeUtils.shapeListString([new TensorShape([2]), new TensorShape()]); // => "[[2], []]"
 * TensorShapeUtils.numElements([2, -3]); // throws INVALID_ARGUMENT
 */
export const TensorShapeUtils = {
  /** Returns true if the rank is 0. */
  isScalar(shape: TensorShape): boolean {
    checkShape(shape);
    return shape.dims === 0;
  },

  /** Returns true if the rank is 1. */
  isVector(shape: TensorShape): boolean {
    checkShape(shape);
    return shape.dims === 1;
  },

  /** Returns true if the rank is 1 or more. */
  isVectorOrHigher(shape: TensorShape): boolean {
    checkShape(shape);
    return shape.dims >= 1;
  },

  /** Returns true if the rank is 2. */
  isMatrix(shape: TensorShape): boolean {
    checkShape(shape);
    return shape.dims === 2;
  },

  /** Returns true if the rank is 2 and both sizes are equal. */
  isSquareMatrix(shape: TensorShape): boolean {
    checkShape(shape);
    return shape.dims === 2 && shape.dimSize(0) === shape.dimSize(1);
  },

  /** Returns true if the rank is 2 or more. */
  isMatrixOrHigher(shape: TensorShape): boolean {
    checkShape(shape);
    return shape.dims >= 2;
  },

  /**
   * Returns a shape of the first `n` of `dims`, which may be a list or the elements of an int32 or int64 tensor. Copies the sizes.
   * Throws INVALID_ARGUMENT with the value if they are not a valid shape.
   */
  makeShape(dims: ArrayLike<number | bigint>, n?: number): TensorShape {
    return new TensorShape(makeSizes(dims, n, 0));
  },

  /** Returns true if `shape` begins with the sizes of `prefix`; always true for a scalar prefix. */
  startsWith(shape: TensorShape, prefix: TensorShape): boolean {
    checkShape(shape);
    checkShape(prefix);
    const rank = prefix.dims;
    if (shape.dims < rank) return false;
    for (let d = 0; d < rank; d++) if (shape.dimSize(d) !== prefix.dimSize(d)) return false;
    return true;
  },

  /** Returns true if `shape` ends with the sizes of `suffix`; always true for a scalar suffix. */
  endsWith(shape: TensorShape, suffix: TensorShape): boolean {
    checkShape(shape);
    checkShape(suffix);
    const rank = suffix.dims;
    const skipped = shape.dims - rank;
    if (skipped < 0) return false;
    for (let d = 0; d < rank; d++) if (shape.dimSize(skipped + d) !== suffix.dimSize(d)) return false;
    return true;
  },

  /**
   * Returns the product of the sizes. Throws INVALID_ARGUMENT for a negative size, if the product exceeds 2^53 - 1, or if it, taken in order,
   * exceeds 2^63 - 1 at any step.
   */
  numElements(dims: ArrayLike<number | bigint>): number {
    const sizes = Array.from(checkedList(dims), checkedInt64Size);
    const counted = countElements(sizes);
    if ("factors" in counted || counted.count < 0) {
      throw new InvalidArgumentError(
        `Can't compute total size of shape [${sizes.join(",")}]; product would overflow int64 (or has a negative factor; the limit here is 2**53 - 1)`,
      );
    }
    return counted.count;
  },

  /** Returns the shapes as text: `[[2,3], [4]]`. */
  shapeListString(shapes: Iterable<TensorShape>): string {
    return listString(shapes);
  },
};
