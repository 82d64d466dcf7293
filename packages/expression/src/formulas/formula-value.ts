/**
 * formula-value: the arithmetic in which formulas of several steps are written once. What computes them implements it: kernels add operations
 * to a program (compiler/plan/part-value.ts) or write vector programs (compiler/plan/vector-value.ts), the package stablehlo writes text.
 *
 *     a.mul(c).sub(b.mul(d))      the real part of a product of complex numbers
 *
 * A number stands for itself in the dtype of the value.
 */
import type { OpName } from "../tree/op-table.ts";

/** A value of a formula, or a number. */
export type FormulaOperand = FormulaValue | number;

/** A value of a float dtype, or a truth value. The values of one formula are of one implementation. */
export abstract class FormulaValue {
  /** True if the value is computed from float32 numbers, whose squares do not overflow in float64. */
  abstract readonly isSingle: boolean;

  /** Returns a number of the same dtype. */
  abstract number(value: number): FormulaValue;

  /** Returns the result of an operation of the op table in the dtype. */
  abstract to(op: OpName, ...others: readonly FormulaOperand[]): FormulaValue;

  /** Returns the truth value of a comparison. */
  abstract is(op: OpName, other: FormulaOperand): FormulaValue;

  /** For a truth value: returns one of two values. One of them may be a number. */
  abstract select(then: FormulaOperand, otherwise: FormulaOperand): FormulaValue;

  add(other: FormulaOperand): FormulaValue {
    return this.to("add", other);
  }

  sub(other: FormulaOperand): FormulaValue {
    return this.to("sub", other);
  }

  mul(other: FormulaOperand): FormulaValue {
    return this.to("mul", other);
  }

  div(other: FormulaOperand): FormulaValue {
    return this.to("div", other);
  }

  neg(): FormulaValue {
    return this.to("neg");
  }

  abs(): FormulaValue {
    return this.to("abs");
  }

  and(other: FormulaValue): FormulaValue {
    return this.to("logicalAnd", other);
  }

  or(other: FormulaValue): FormulaValue {
    return this.to("logicalOr", other);
  }

  /** Returns true where the value is +0 or -0. */
  isZero(): FormulaValue {
    return this.is("equal", 0);
  }

  /** Returns true where the value is an infinity. */
  isInfinite(): FormulaValue {
    return this.abs().is("equal", Infinity);
  }

  /** Returns true where the value is neither NaN nor an infinity. */
  isFinite(): FormulaValue {
    return this.abs().is("less", Infinity);
  }

  /** For a truth value: returns one of two pairs. One of two parts may be a number. */
  pick(
    then: readonly [FormulaOperand, FormulaOperand],
    otherwise: readonly [FormulaOperand, FormulaOperand],
  ): readonly [FormulaValue, FormulaValue] {
    return [this.select(then[0], otherwise[0]), this.select(then[1], otherwise[1])];
  }
}
