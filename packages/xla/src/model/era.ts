/**
 * The two versions of XLA's shapes that this package supports, called eras.
 *
 * `"2017"` is the form of TensorFlow r1.3: a layout may have padded dimensions, and an array without a layout is treated
 * like one with an empty layout. `"today"` is the form of 2025. A shape with padding belongs to 2017. Functions that
 * behave differently in the two eras take the era as an option; for shapes without padding the default is today.
 */
import type { Layout } from "./layout.ts";
import { PaddingValue } from "./padding-value.ts";
import type { Shape } from "./shape.ts";

/** A version of XLA's shapes: 2017 (TensorFlow r1.3) or today's (2025). */
export type Era = "2017" | "today";

/** Options of functions that depend on the era. */
export interface EraOptions {
  /** Default: "2017" for shapes and layouts with padding, else "today". */
  readonly era?: Era;
}

/** Returns true if a layout uses one of the fields that exist only in 2017: padded dimensions or a padding value. */
export function hasPadding(layout: Layout): boolean {
  return layout.paddedDimensions.length > 0 || layout.paddingValue !== PaddingValue.INVALID_PAD;
}

/** Returns the era of a shape: "2017" if any layout in it has padding, else "today". */
export function eraOf(shape: Shape): Era {
  if (shape.layout !== null && hasPadding(shape.layout)) return "2017";
  if (shape.bufferShape !== null) return eraOf(shape.bufferShape);
  return shape.tupleShapes.some((child) => eraOf(child) === "2017") ? "2017" : "today";
}
