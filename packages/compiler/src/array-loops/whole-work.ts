/**
 * whole-work: the functions that plain loops and random elements need from the code that runs an assignment: to get scratch
 * memory, and to compute operands.
 */
import type { DType } from "@onebuffer/base";
import type { ExpressionTree } from "@onebuffer/expression";
import type { RawPlaces } from "@onebuffer/storage";

/** The functions with which loops get memory for stages and compute into it. */
export interface WholeWork {
  /** Takes scratch memory for dense elements of a dtype. */
  readonly scratch: (dims: readonly number[], dtype: DType) => RawPlaces;
  /** Computes an expression into memory of a dtype. */
  readonly compute: (places: RawPlaces, dtype: DType, tree: ExpressionTree) => void;
}
