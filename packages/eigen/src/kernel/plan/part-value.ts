/**
 * part-value: a value of a program under construction, with methods that add operations on it, so that formulas read like formulas.
 *
 *     a.mul(c).sub(b.mul(d))      for  builder.op("sub", dtype, [builder.op("mul", dtype, [a, c]), builder.op("mul", dtype, [b, d])])
 *
 * A number stands for a literal of the dtype.
 */
import type { DType } from "@onebuffer/base";
import type { OpName } from "../../expression/tree/op-table.ts";
import type { ProgramBuilder } from "./program.ts";

/** A value, or a number. */
type Operand = PartValue | number;

/** A value of a float dtype, or a truth value. */
export class PartValue {
  readonly builder: ProgramBuilder;
  readonly dtype: DType;
  /** The index of the value in the program. */
  readonly index: number;
  /** True if the value is computed from float32 numbers, whose squares do not overflow in float64. */
  readonly isSingle: boolean;

  constructor(builder: ProgramBuilder, dtype: DType, index: number, isSingle: boolean) {
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

  #indexOf(operand: Operand): number {
    return (typeof operand === "number" ? this.number(operand) : operand).index;
  }

  #op(op: OpName, dtype: DType, others: readonly Operand[]): PartValue {
    const inputs = others.map((other) => this.#indexOf(other));
    return this.#with(dtype, this.builder.op(op, dtype, [this.index, ...inputs]));
  }

  /** Returns the value cast to a dtype; the value itself if it has that dtype. */
  as(dtype: DType, saturate: boolean = false): PartValue {
    if (dtype === this.dtype && !saturate) return this;
    return this.#with(dtype, this.builder.op("cast", dtype, [this.index], saturate));
  }

  /** Returns the result of an operation of the op table in the dtype. */
  to(op: OpName, ...others: readonly Operand[]): PartValue {
    return this.#op(op, this.dtype, others);
  }

  /** Returns the truth value of a comparison. */
  is(op: OpName, other: Operand): PartValue {
    return this.#op(op, "bool", [other]);
  }

  add(other: Operand): PartValue {
    return this.to("add", other);
  }

  sub(other: Operand): PartValue {
    return this.to("sub", other);
  }

  mul(other: Operand): PartValue {
    return this.to("mul", other);
  }

  div(other: Operand): PartValue {
    return this.to("div", other);
  }

  neg(): PartValue {
    return this.to("neg");
  }

  abs(): PartValue {
    return this.to("abs");
  }

  and(other: PartValue): PartValue {
    return this.to("logicalAnd", other);
  }

  or(other: PartValue): PartValue {
    return this.to("logicalOr", other);
  }

  /** Returns true where the value is +0 or -0. */
  isZero(): PartValue {
    return this.is("equal", 0);
  }

  /** Returns true where the value is an infinity. */
  isInfinite(): PartValue {
    return this.abs().is("equal", Infinity);
  }

  /** Returns true where the value is neither NaN nor an infinity. */
  isFinite(): PartValue {
    return this.abs().is("less", Infinity);
  }

  /** For a truth value: returns one of two values. One of them may be a number. */
  select(then: Operand, otherwise: Operand): PartValue {
    const like = (typeof then === "number" ? otherwise : then) as PartValue;
    const inputs = [this.index, like.#indexOf(then), like.#indexOf(otherwise)];
    return like.#with(like.dtype, this.builder.op("select", like.dtype, inputs));
  }

  /** For a truth value: returns one of two pairs. One of two parts may be a number. */
  pick(then: readonly [Operand, Operand], otherwise: readonly [Operand, Operand]): [PartValue, PartValue] {
    return [this.select(then[0], otherwise[0]), this.select(then[1], otherwise[1])];
  }
}
