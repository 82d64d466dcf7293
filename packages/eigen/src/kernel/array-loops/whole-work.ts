/**
 * whole-work: what plain loops and random elements are lent by whoever assigns: memory, and a way to compute their operands.
 */
import type { DType } from "@onebuffer/base";
import type { ExpressionTree } from "../../expression/tree/op-attributes.ts";
import type { RawPlaces } from "../../geometry/strided-bytes.ts";

/** Where loops get memory for stages, and who computes into it. */
export interface WholeWork {
  /** Scratch memory for a dtype's elements, side by side. */
  readonly scratch: (dims: readonly number[], dtype: DType) => RawPlaces;
  /** Computes an expression into memory of a dtype. */
  readonly compute: (places: RawPlaces, dtype: DType, tree: ExpressionTree) => void;
}
