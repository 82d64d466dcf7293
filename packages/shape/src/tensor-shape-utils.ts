/**
 * TensorShapeUtils: predicates on shapes, shapes from lists, lists of shapes as text
 * (TensorFlow: class TensorShapeUtils of framework/tensor_shape.h, which has static members only).
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { checkedInt64Size, checkedList, countElements } from "./dim-sizes.ts";
import { makeSizes } from "./make-sizes.ts";
import { checkShape } from "./shape-check.ts";
import { listString } from "./shape-list-string.ts";
import { TensorShape } from "./tensor-shape.ts";

/**
 * Plain functions on TensorShapes, under TensorFlow's name for them.
 *
 * @example
 * TensorShapeUtils.isSquareMatrix(new TensorShape([3, 3])); // => true
 * TensorShapeUtils.startsWith(new TensorShape([2, 3]), new TensorShape([2])); // => true
 * TensorShapeUtils.makeShape(BigInt64Array.of(2n, 3n)).debugString(); // => "[2,3]"
 * TensorShapeUtils.shapeListString([new TensorShape([2]), new TensorShape()]); // => "[[2], []]"
 * TensorShapeUtils.numElements([2, -3]); // throws INVALID_ARGUMENT
 */
export const TensorShapeUtils = {
  /** Rank 0. */
  isScalar(shape: TensorShape): boolean {
    checkShape(shape);
    return shape.dims === 0;
  },

  /** Rank 1. */
  isVector(shape: TensorShape): boolean {
    checkShape(shape);
    return shape.dims === 1;
  },

  /** Rank 1 or more. */
  isVectorOrHigher(shape: TensorShape): boolean {
    checkShape(shape);
    return shape.dims >= 1;
  },

  /** Rank 2. */
  isMatrix(shape: TensorShape): boolean {
    checkShape(shape);
    return shape.dims === 2;
  },

  /** Rank 2, both sizes equal. */
  isSquareMatrix(shape: TensorShape): boolean {
    checkShape(shape);
    return shape.dims === 2 && shape.dimSize(0) === shape.dimSize(1);
  },

  /** Rank 2 or more. */
  isMatrixOrHigher(shape: TensorShape): boolean {
    checkShape(shape);
    return shape.dims >= 2;
  },

  /**
   * A shape of the first `n` sizes of a list or of an int32 or int64 tensor's elements. INVALID_ARGUMENT, naming the value,
   * when they make no shape. Copies: the sizes.
   */
  makeShape(dims: ArrayLike<number | bigint>, n?: number): TensorShape {
    return new TensorShape(makeSizes(dims, n, 0));
  },

  /** Whether the first sizes of `shape` are those of `prefix`; always so for a scalar prefix. */
  startsWith(shape: TensorShape, prefix: TensorShape): boolean {
    checkShape(shape);
    checkShape(prefix);
    const rank = prefix.dims;
    if (shape.dims < rank) return false;
    for (let d = 0; d < rank; d++) if (shape.dimSize(d) !== prefix.dimSize(d)) return false;
    return true;
  },

  /** Whether the last sizes of `shape` are those of `suffix`; always so for a scalar suffix. */
  endsWith(shape: TensorShape, suffix: TensorShape): boolean {
    checkShape(shape);
    checkShape(suffix);
    const rank = suffix.dims;
    const skipped = shape.dims - rank;
    if (skipped < 0) return false;
    for (let d = 0; d < rank; d++) if (shape.dimSize(skipped + d) !== suffix.dimSize(d)) return false;
    return true;
  },

  /** The product of sizes, without making a shape. INVALID_ARGUMENT for a negative size or a product, taken in order, beyond 2^53 - 1. */
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

  /** The shapes as text: `[[2,3], [4]]`. */
  shapeListString(shapes: Iterable<TensorShape>): string {
    return listString(shapes);
  },
};
