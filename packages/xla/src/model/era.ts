/**
 * The two eras of XLA that this package speaks.
 *
 * `"2017"` is the form of TensorFlow r1.3: layouts may have padded dimensions, a missing layout is the same as an empty
 * one. `"today"` is the form of 2025. A shape that holds padding is of 2017; for the rest, functions that differ take
 * the era as an option and assume today.
 */
import type { Layout } from "./layout.ts";
import { PaddingValue } from "./padding-value.ts";
import type { Shape } from "./shape.ts";

/** The form of 2017, of TensorFlow r1.3, or today's. */
export type Era = "2017" | "today";

/** An option object with the era. */
export interface EraOptions {
  /** Default: 2017 for what holds 2017's padding, else today. */
  readonly era?: Era;
}

/** Whether a layout holds one of the fields that only 2017 has. */
export function hasPadding(layout: Layout): boolean {
  return layout.paddedDimensions.length > 0 || layout.paddingValue !== PaddingValue.INVALID_PAD;
}

/** The era of a shape's data: 2017 if any layout in it holds padding. */
export function eraOf(shape: Shape): Era {
  if (shape.layout !== null && hasPadding(shape.layout)) return "2017";
  if (shape.bufferShape !== null) return eraOf(shape.bufferShape);
  return shape.tupleShapes.some((child) => eraOf(child) === "2017") ? "2017" : "today";
}
