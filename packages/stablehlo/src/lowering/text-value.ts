/**
 * text-value: the arithmetic of formulas as StableHLO text. Sums, products and quotients are those of floats (float-functions.ts), which XLA
 * computes one by one.
 */
import { ElementValue } from "@onebuffer/expression/internal";
import type { FloatSteps, FormulaOperand, FormulaValue } from "@onebuffer/expression/internal";
import type { OpName } from "@onebuffer/eigen";
import { InternalError } from "@onebuffer/base";
import type { Builder, Direction, Value } from "../text/builder.ts";
import { bitsOf, isUnsignedType } from "../text/tensor-type.ts";
import type { ElementType } from "../text/tensor-type.ts";

import { angle, difference, floatFunctions, power, productOf, quotient, sum } from "./float-functions.ts";
import { integerProduct } from "./integers.ts";

/** Operations on two values. */
const pairs: Readonly<Partial<Record<OpName, (b: Builder, x: Value, y: Value) => Value>>> = {
  add: sum,
  sub: difference,
  mul: (b, x, y) => (x.type.element.startsWith("f") ? productOf(b, x, y) : integerProduct(b, x, y)),
  div: (b, x, y) => quotient(b, x, y, false),
  atan2: angle,
  pow: power,
  minimum: (b, x, y) => b.minimum(x, y),
  maximum: (b, x, y) => b.maximum(x, y),
  logicalAnd: (b, x, y) => b.and(x, y),
  logicalOr: (b, x, y) => b.or(x, y),
  logicalXor: (b, x, y) => b.xor(x, y),
  bitwiseAnd: (b, x, y) => b.and(x, y),
};

const directions: Readonly<Partial<Record<OpName, Direction>>> = {
  equal: "EQ",
  notEqual: "NE",
  less: "LT",
  lessEqual: "LE",
  greater: "GT",
  greaterEqual: "GE",
};

/** A value of a formula that is written to a module. */
export class TextValue extends ElementValue {
  readonly builder: Builder;
  readonly value: Value;
  readonly isSingle: boolean;

  constructor(builder: Builder, value: Value, isSingle: boolean) {
    super();
    this.builder = builder;
    this.value = value;
    this.isSingle = isSingle;
  }

  #with(value: Value): TextValue {
    return new TextValue(this.builder, value, this.isSingle);
  }

  #valueOf(operand: FormulaOperand): Value {
    return typeof operand === "number" ? this.builder.like(this.value, operand) : (operand as TextValue).value;
  }

  number(value: number): TextValue {
    return this.#with(this.builder.like(this.value, value));
  }

  to(op: OpName, ...others: readonly FormulaOperand[]): TextValue {
    const { builder, value } = this;
    const one = floatFunctions[op as keyof typeof floatFunctions];
    const two = pairs[op];
    if (others.length === 0 && one !== undefined) return this.#with(one(builder, value));
    if (others.length === 1 && two !== undefined) return this.#with(two(builder, value, this.#valueOf(others[0]!)));
    throw new InternalError(`a formula with ${op} of ${others.length + 1} values has no form in StableHLO`);
  }

  is(op: OpName, other: FormulaOperand): TextValue {
    const direction = directions[op];
    if (direction === undefined) throw new InternalError(`a formula with the comparison ${op} has no form in StableHLO`);
    return this.#with(this.builder.compare(direction, this.value, this.#valueOf(other)));
  }

  inFloat64(steps: FloatSteps, other: FormulaValue = this): TextValue {
    const { builder, value } = this;
    const [x, y] = [this, other].map((each) => new TextValue(builder, builder.convert((each as TextValue).value, "f64"), this.isSingle));
    return this.#with(builder.convert((steps(x!, y!) as TextValue).value, value.type.element as "f32" | "f64"));
  }

  get itemBytes(): number {
    return bitsOf(this.value.type.element) / 8;
  }

  bits(): TextValue {
    return this.#with(this.builder.bitcast(this.value, this.value.type.element.replace("f", "i") as ElementType));
  }

  floatOf(bits: FormulaValue): TextValue {
    return this.#with(this.builder.bitcast((bits as TextValue).value, this.value.type.element));
  }

  repeated(byte: number): TextValue {
    const { element } = this.value.type;
    const bits = BigInt(`0x${byte.toString(16).padStart(2, "0").repeat(this.itemBytes)}`);
    return this.#with(this.builder.like(this.value, isUnsignedType(element) ? bits : BigInt.asIntN(bitsOf(element), bits)));
  }

  shiftRight({ value }: TextValue, count: number): TextValue {
    return this.#with(this.builder.same("stablehlo.shift_right_logical", value, this.builder.like(value, count)));
  }

  select(then: FormulaOperand, otherwise: FormulaOperand): TextValue {
    const like = (typeof then === "number" ? otherwise : then) as TextValue;
    return like.#with(this.builder.select(this.value, like.#valueOf(then), like.#valueOf(otherwise)));
  }
}
