/**
 * Options of single operations.
 */
import type { ScatterReduction } from "./op-attributes.ts";

/** How `scatter` treats what is there; "update" unless told. */
export interface ScatterOptions {
  readonly reduction?: ScatterReduction;
}

/** Options of cumsum and cumprod, both false unless told. */
export interface ScanOptions {
  /** Leaves the element itself out: the first result is 0, or 1 for a product. */
  readonly exclusive?: boolean;
  /** Counts from the end. */
  readonly reverse?: boolean;
}

/** How `pad` fills: with a constant, the elements mirrored without the edge, or with it. */
export type PadMode = "constant" | "reflect" | "symmetric";

/** Options of matMul, both false unless told. */
export interface MatMulOptions {
  readonly transposeA?: boolean;
  readonly transposeB?: boolean;
}
