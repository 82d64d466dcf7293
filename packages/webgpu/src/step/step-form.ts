/**
 * StepForm: one way of computing a node of an expression on the GPU: maps, rows, products, scans and so on. The planner asks the forms in
 * their order.
 */
import type { DType } from "@onebuffer/base";
import type { ExpressionTree } from "@onebuffer/expression";
import type { Sharing } from "@onebuffer/compiler/internal";
import type { StepWriter } from "./step-writer.ts";

/** A node that a form computes. */
export interface PlannedStep {
  /** The nodes whose elements must be in memory first: dense, in their heldDType. */
  readonly needs: readonly ExpressionTree[];
  /** Adds the commands that store the node's elements, dense, in a slot. */
  write(writer: StepWriter, target: number): void;
}

/** Returns how a node is computed and stored as `dtype`; null if the form does not compute it. Throws UNIMPLEMENTED with the reason. */
export type StepForm = (tree: ExpressionTree, dtype: DType, sharing: Sharing) => PlannedStep | null;
