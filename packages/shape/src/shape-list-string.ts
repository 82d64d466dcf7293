/** Formats lists of shapes (TensorFlow: ShapeListString of framework/tensor_shape.cc). */
import { argumentError, typedArrayKind } from "@onebuffer/base/internal";
import { checkShape } from "./shape-check.ts";
import type { TensorShapeBase } from "./tensor-shape-base.ts";

/** Returns a list of shapes as text: `[[2,3], [4]]`; an empty list is `[]`. */
export function listString(shapes: Iterable<TensorShapeBase>): string {
  if (typeof (shapes as { readonly [Symbol.iterator]?: unknown } | null | undefined)?.[Symbol.iterator] !== "function")
    throw argumentError("a list of shapes", shapes);
  const texts: string[] = [];
  for (const shape of typedArrayKind(shapes) === "" ? shapes : []) {
    checkShape(shape);
    texts.push(shape.debugString());
  }
  return `[${texts.join(", ")}]`;
}
