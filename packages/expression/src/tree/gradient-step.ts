/**
 * gradient-step: what the rule of an operation that is not elementwise gets, and the type of tables of such rules. A table has a rule for each
 * operation of a class, so that an operation without a rule does not compile.
 */
import type { GradientValue } from "./gradient-rule.ts";
import type { ExpressionTree, OpAttributes } from "./op-attributes.ts";
import type { OpClass, OpName, OpNameOf } from "./op-table.ts";

/** A node of which the gradient is known, and the operands of which gradients are wanted. */
export interface GradientStep<O extends OpName = OpName> {
  /** The node: the result of the operation. */
  readonly node: GradientValue;
  readonly inputs: readonly GradientValue[];
  readonly attributes: OpAttributes<O>;
  /** The gradient of the result. It has the node's dtype and sizes. */
  readonly g: GradientValue;
  /** For each operand: true if its gradient is wanted. */
  readonly needs: readonly boolean[];
}

/** The gradients of the operands: null for those that are not wanted, and where the result does not change with an operand. */
export type OperandGradients = readonly (ExpressionTree | null)[];

/** A rule; "none" if the result does not change with the operands, or in steps only. */
export type GradientRule<O extends OpName = OpName> = "none" | ((step: GradientStep<O>) => OperandGradients);

/** The rules of the operations of a class. */
export type ClassGradients<C extends OpClass> = {
  readonly [O in OpNameOf<C>]: GradientRule<O>;
};
