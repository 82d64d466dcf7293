/**
 * part-value: a value of a program under construction, in which formulas are computed (expression/formulas).
 *
 *     a.mul(c).sub(b.mul(d))      for  builder.op("sub", dtype, [builder.op("mul", dtype, [a, c]), builder.op("mul", dtype, [b, d])])
 */
import type { DType } from "@onebuffer/base";
import { FormulaValue } from "@onebuffer/expression/internal";
import type { FormulaOperand } from "@onebuffer/expression/internal";
import type { OpName } from "@onebuffer/expression";
import type { ProgramBuilder } from "./program.ts";

/** A value of a float dtype, or a truth value. */
export class PartValue extends FormulaValue {
  readonly builder: ProgramBuilder;
  readonly dtype: DType;
  /** The index of the value in the program. */
  readonly index: number;
  /** True if the value is computed from float32 numbers, whose squares do not overflow in float64. */
  readonly isSingle: boolean;

  constructor(builder: ProgramBuilder, dtype: DType, index: number, isSingle: boolean) {
    super();
    this.builder = builder;
    this.dtype = dtype;
    this.index = index;
    this.isSingle = isSingle;
  }

  #with(dtype: DType, index: number): PartValue {
    return new PartValue(this.builder, dtype, index, this.isSingle);
  }

  /** Returns a literal of the dtype. */
  number(value: number): PartValue {
    return this.#with(this.dtype, this.builder.literal(this.dtype, value));
  }

  #op(op: OpName, dtype: DType, others: readonly FormulaOperand[]): PartValue {
    return this.#with(dtype, this.builder.op(op, dtype, [this.index, ...others.map((other) => this.#indexOf(other))]));
  }

  #indexOf(operand: FormulaOperand): number {
    return (typeof operand === "number" ? this.number(operand) : (operand as PartValue)).index;
  }

  /** Returns the value cast to a dtype; the value itself if it has that dtype. */
  as(dtype: DType, saturate: boolean = false): PartValue {
    if (dtype === this.dtype && !saturate) return this;
    return this.#with(dtype, this.builder.op("cast", dtype, [this.index], saturate));
  }

  /** Returns the result of an operation of the op table in the dtype. */
  to(op: OpName, ...others: readonly FormulaOperand[]): PartValue {
    return this.#op(op, this.dtype, others);
  }

  /** Returns the truth value of a comparison. */
  is(op: OpName, other: FormulaOperand): PartValue {
    return this.#op(op, "bool", [other]);
  }

  /** For a truth value: returns one of two values. One of them may be a number. */
  select(then: FormulaOperand, otherwise: FormulaOperand): PartValue {
    const like = (typeof then === "number" ? otherwise : then) as PartValue;
    const inputs = [this.index, like.#indexOf(then), like.#indexOf(otherwise)];
    return like.#with(like.dtype, this.builder.op("select", like.dtype, inputs));
  }
}
