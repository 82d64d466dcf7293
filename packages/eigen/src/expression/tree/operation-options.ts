/**
 * The options of scatter, cumsum, cumprod, pad and matMul.
 */
import type { ScatterReduction } from "./op-attributes.ts";

/** How `scatter` combines an update with the existing element; the default is "update", which replaces it. */
export interface ScatterOptions {
  readonly reduction?: ScatterReduction;
}

/** Options of cumsum and cumprod; both default to false. */
export interface ScanOptions {
  /** Excludes the element itself: the first result is 0, or 1 for a product. */
  readonly exclusive?: boolean;
  /** Accumulates from the end. */
  readonly reverse?: boolean;
}

/** How `pad` fills: with a constant, with elements mirrored without the edge element ("reflect"), or with it ("symmetric"). */
export type PadMode = "constant" | "reflect" | "symmetric";

/** Options of matMul; both default to false. */
export interface MatMulOptions {
  readonly transposeA?: boolean;
  readonly transposeB?: boolean;
}
