/** Lists of shapes as text (TensorFlow: ShapeListString of framework/tensor_shape.cc). */
import type { TensorShapeBase } from "./tensor-shape-base.ts";

/** `[[2,3], [4]]`; an empty list is `[]`. */
export function listString(shapes: Iterable<TensorShapeBase>): string {
  return `[${Array.from(shapes, (shape) => shape.debugString()).join(", ")}]`;
}
