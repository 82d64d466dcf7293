/**
 * PartialTensorShapeUtils: compares and prints lists of partial shapes
 * (TensorFlow: class PartialTensorShapeUtils of framework/tensor_shape.h, which has static members only).
 */
import { checkArray, checkFunction } from "@onebuffer/base/internal";
import type { PartialTensorShape } from "./partial-tensor-shape.ts";
import { checkShape } from "./shape-check.ts";
import { listString } from "./shape-list-string.ts";

/**
 * The functions of TensorFlow's PartialTensorShapeUtils.
 *
 * @example
 * const some = [new PartialTensorShape([-1, 5]), new PartialTensorShape()];
 * PartialTensorShapeUtils.partialShapeListString(some); // => "[[?,5], <unknown>]"
 * PartialTensorShapeUtils.areIdentical(some, some); // => true
 * PartialTensorShapeUtils.areCompatible(some, [new PartialTensorShape([2, 5])]); // => false
 */
export const PartialTensorShapeUtils = {
  /** Returns the shapes as text: `[[2,?], <unknown>]`. */
  partialShapeListString(shapes: Iterable<PartialTensorShape>): string {
    return listString(shapes);
  },

  /** Returns true if the lists have equal lengths and each pair of shapes is identical. */
  areIdentical(shapes0: readonly PartialTensorShape[], shapes1: readonly PartialTensorShape[]): boolean {
    checkShapes(shapes0);
    checkShapes(shapes1);
    return shapes0.length === shapes1.length && shapes0.every((shape, i) => shape.isIdenticalTo(shapes1[i] as PartialTensorShape));
  },

  /** Returns true if the lists have equal lengths and each pair of shapes is compatible. */
  areCompatible(shapes0: readonly PartialTensorShape[], shapes1: readonly PartialTensorShape[]): boolean {
    checkShapes(shapes0);
    checkShapes(shapes1);
    return shapes0.length === shapes1.length && shapes0.every((shape, i) => shape.isCompatibleWith(shapes1[i] as PartialTensorShape));
  },
};

/** Throws INVALID_ARGUMENT unless the value is an array of partial shapes. */
function checkShapes(shapes: readonly PartialTensorShape[]): void {
  checkArray(shapes, "an array of shapes");
  for (const shape of shapes) {
    checkShape(shape);
    checkFunction(shape.isIdenticalTo, "a PartialTensorShape");
  }
}
