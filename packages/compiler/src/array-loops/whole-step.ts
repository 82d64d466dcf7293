/** A step of a kept plan that is no program over an index space. */
import type { ExpressionTree } from "@onebuffer/expression";
import type { Access } from "@onebuffer/kernels/internal";
import type { Parameter } from "../plan/program.ts";

/** A step that is no program over an index space: a copy of pieces, or an operation by loops over dense elements. */
export interface WholeStep {
  /** True if `run` always returns true. */
  readonly isSure?: boolean;
  /** Runs the step. Returns false if the evaluator has to compute it. Access 0 is the target. */
  run(accesses: readonly Access[], parameters: readonly Parameter[], attributes: object): boolean;
}

/** A step over dense elements, and the operands that its accesses after the target are. */
export interface RowsStep {
  readonly operands: readonly ExpressionTree[];
  readonly rows: WholeStep;
}
