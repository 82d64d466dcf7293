/**
 * ElementwiseBase: the methods that make nodes of elementwise operations. They are documented in expression.ts.
 *
 * The chain ElementwiseBase, MovementBase, ReductionBase, CompositeBase ends in the class of nodes and in the maps. None of them
 * has a field, so a map's hidden class is what its own constructor makes it. Types are loose here (`this` stands for any
 * operand); the interfaces in expression.ts say what comes out of what.
 */
import type { DType } from "@onebuffer/base";
import { binaryFields, castFields, checkTree, isTree, scalarFields, selectFields, unaryFields } from "./elementwise-fields.ts";
import type { PlainValue } from "./elementwise-fields.ts";
import type { ExpressionFields, ExpressionTree, OpAttributes } from "./op-attributes.ts";
import type { OpName, OpNameOf } from "./op-table.ts";

/** A second operand: a node or a plain value. */
export type OtherOperand = ExpressionTree | PlainValue;

/** The elementwise operations. */
export abstract class ElementwiseBase implements ExpressionTree {
  abstract get op(): OpName;
  abstract get inputs(): readonly ExpressionTree[];
  abstract get attributes(): OpAttributes;
  abstract get dtype(): DType;
  abstract get dimensions(): readonly number[];
  abstract get depth(): number;
  /** A node with these fields, which are inferred and checked. */
  protected abstract makeNode(fields: ExpressionFields): ExpressionTree;

  /** The same, as something that has methods. */
  protected node(fields: ExpressionFields): this {
    return this.makeNode(fields) as this;
  }

  /** The second operand of `op` as a node; a plain value becomes a constant of this dtype. */
  protected operand(op: string, other: OtherOperand, dtype: DType = this.dtype): ExpressionTree {
    return isTree(other) ? other : this.node(scalarFields(op, dtype, other));
  }

  private unary(op: OpNameOf<"unary">): this {
    return this.node(unaryFields(op, this));
  }

  private binary(op: OpNameOf<"binary">, other: OtherOperand): this {
    return this.node(binaryFields(op, this, this.operand(op, other)));
  }

  /** Another dtype. */
  cast(dtype: DType): this {
    return this.node(castFields(this, dtype, false));
  }

  /** Another dtype, out of range brought to the nearest end. */
  saturateCast(dtype: DType): this {
    return this.node(castFields(this, dtype, true));
  }

  /** Of each true element the one in `then`, else that in `otherwise`. */
  select(then: ExpressionTree, otherwise: OtherOperand): this {
    const chosen = checkTree("select", then);
    return this.node(selectFields(this, chosen, this.operand("select", otherwise, chosen.dtype)));
  }

  /** See ExpressionMethods. */
  neg(): this {
    return this.unary("neg");
  }

  /** See ExpressionMethods. */
  abs(): this {
    return this.unary("abs");
  }

  /** See ExpressionMethods. */
  sign(): this {
    return this.unary("sign");
  }

  /** See ExpressionMethods. */
  square(): this {
    return this.unary("square");
  }

  /** See ExpressionMethods. */
  reciprocal(): this {
    return this.unary("reciprocal");
  }

  /** See ExpressionMethods. */
  sqrt(): this {
    return this.unary("sqrt");
  }

  /** See ExpressionMethods. */
  rsqrt(): this {
    return this.unary("rsqrt");
  }

  /** See ExpressionMethods. */
  exp(): this {
    return this.unary("exp");
  }

  /** See ExpressionMethods. */
  exp2(): this {
    return this.unary("exp2");
  }

  /** See ExpressionMethods. */
  expm1(): this {
    return this.unary("expm1");
  }

  /** See ExpressionMethods. */
  log(): this {
    return this.unary("log");
  }

  /** See ExpressionMethods. */
  log2(): this {
    return this.unary("log2");
  }

  /** See ExpressionMethods. */
  log10(): this {
    return this.unary("log10");
  }

  /** See ExpressionMethods. */
  log1p(): this {
    return this.unary("log1p");
  }

  /** See ExpressionMethods. */
  sin(): this {
    return this.unary("sin");
  }

  /** See ExpressionMethods. */
  cos(): this {
    return this.unary("cos");
  }

  /** See ExpressionMethods. */
  tan(): this {
    return this.unary("tan");
  }

  /** See ExpressionMethods. */
  asin(): this {
    return this.unary("asin");
  }

  /** See ExpressionMethods. */
  acos(): this {
    return this.unary("acos");
  }

  /** See ExpressionMethods. */
  atan(): this {
    return this.unary("atan");
  }

  /** See ExpressionMethods. */
  sinh(): this {
    return this.unary("sinh");
  }

  /** See ExpressionMethods. */
  cosh(): this {
    return this.unary("cosh");
  }

  /** See ExpressionMethods. */
  tanh(): this {
    return this.unary("tanh");
  }

  /** See ExpressionMethods. */
  sigmoid(): this {
    return this.unary("sigmoid");
  }

  /** See ExpressionMethods. */
  erf(): this {
    return this.unary("erf");
  }

  /** See ExpressionMethods. */
  floor(): this {
    return this.unary("floor");
  }

  /** See ExpressionMethods. */
  ceil(): this {
    return this.unary("ceil");
  }

  /** See ExpressionMethods. */
  round(): this {
    return this.unary("round");
  }

  /** See ExpressionMethods. */
  isNan(): this {
    return this.unary("isNan");
  }

  /** See ExpressionMethods. */
  isInf(): this {
    return this.unary("isInf");
  }

  /** See ExpressionMethods. */
  isFinite(): this {
    return this.unary("isFinite");
  }

  /** See ExpressionMethods. */
  logicalNot(): this {
    return this.unary("logicalNot");
  }

  /** See ExpressionMethods. */
  invert(): this {
    return this.unary("invert");
  }

  /** See ExpressionMethods. */
  add(other: OtherOperand): this {
    return this.binary("add", other);
  }

  /** See ExpressionMethods. */
  sub(other: OtherOperand): this {
    return this.binary("sub", other);
  }

  /** See ExpressionMethods. */
  mul(other: OtherOperand): this {
    return this.binary("mul", other);
  }

  /** See ExpressionMethods. */
  div(other: OtherOperand): this {
    return this.binary("div", other);
  }

  /** See ExpressionMethods. */
  floorDiv(other: OtherOperand): this {
    return this.binary("floorDiv", other);
  }

  /** See ExpressionMethods. */
  mod(other: OtherOperand): this {
    return this.binary("mod", other);
  }

  /** See ExpressionMethods. */
  truncateMod(other: OtherOperand): this {
    return this.binary("truncateMod", other);
  }

  /** See ExpressionMethods. */
  pow(other: OtherOperand): this {
    return this.binary("pow", other);
  }

  /** See ExpressionMethods. */
  atan2(x: OtherOperand): this {
    return this.binary("atan2", x);
  }

  /** See ExpressionMethods. */
  minimum(other: OtherOperand): this {
    return this.binary("minimum", other);
  }

  /** See ExpressionMethods. */
  maximum(other: OtherOperand): this {
    return this.binary("maximum", other);
  }

  /** See ExpressionMethods. */
  squaredDifference(other: OtherOperand): this {
    return this.binary("squaredDifference", other);
  }

  /** See ExpressionMethods. */
  equal(other: OtherOperand): this {
    return this.binary("equal", other);
  }

  /** See ExpressionMethods. */
  notEqual(other: OtherOperand): this {
    return this.binary("notEqual", other);
  }

  /** See ExpressionMethods. */
  less(other: OtherOperand): this {
    return this.binary("less", other);
  }

  /** See ExpressionMethods. */
  lessEqual(other: OtherOperand): this {
    return this.binary("lessEqual", other);
  }

  /** See ExpressionMethods. */
  greater(other: OtherOperand): this {
    return this.binary("greater", other);
  }

  /** See ExpressionMethods. */
  greaterEqual(other: OtherOperand): this {
    return this.binary("greaterEqual", other);
  }

  /** See ExpressionMethods. */
  logicalAnd(other: OtherOperand): this {
    return this.binary("logicalAnd", other);
  }

  /** See ExpressionMethods. */
  logicalOr(other: OtherOperand): this {
    return this.binary("logicalOr", other);
  }

  /** See ExpressionMethods. */
  logicalXor(other: OtherOperand): this {
    return this.binary("logicalXor", other);
  }

  /** See ExpressionMethods. */
  bitwiseAnd(other: OtherOperand): this {
    return this.binary("bitwiseAnd", other);
  }

  /** See ExpressionMethods. */
  bitwiseOr(other: OtherOperand): this {
    return this.binary("bitwiseOr", other);
  }

  /** See ExpressionMethods. */
  bitwiseXor(other: OtherOperand): this {
    return this.binary("bitwiseXor", other);
  }

  /** See ExpressionMethods. */
  leftShift(other: OtherOperand): this {
    return this.binary("leftShift", other);
  }

  /** See ExpressionMethods. */
  rightShift(other: OtherOperand): this {
    return this.binary("rightShift", other);
  }
}
