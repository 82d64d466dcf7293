/**
 * ElementwiseBase: the methods that make nodes of elementwise operations. They are documented in expression.ts.
 *
 * The chain ElementwiseBase, MovementBase, ReductionBase, CompositeBase ends in the class of nodes and in the maps. None of them
 * has a field, so a map's hidden class is what its own constructor makes it. Types are loose here (`this` stands for any
 * operand); the interfaces in expression.ts say what comes out of what.
 */
import type { DType } from "@onebuffer/base";
import { binaryFields, castFields, checkTree, isTree, kExpression, scalarFields, selectFields, unaryFields } from "./elementwise-fields.ts";
import type { PlainValue } from "./elementwise-fields.ts";
import type { ExpressionFields, ExpressionTree, OpAttributes } from "./op-attributes.ts";
import type { OpName, OpNameOf } from "./op-table.ts";

/** A second operand: a node or a plain value. */
export type OtherOperand = ExpressionTree | PlainValue;

/** The elementwise operations. */
export abstract class ElementwiseBase implements ExpressionTree {
  static {
    Object.defineProperty(this.prototype, kExpression, { value: true });
  }

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

  /** See Operations. */
  neg(): this {
    return this.unary("neg");
  }

  /** See Operations. */
  abs(): this {
    return this.unary("abs");
  }

  /** See Operations. */
  sign(): this {
    return this.unary("sign");
  }

  /** See Operations. */
  square(): this {
    return this.unary("square");
  }

  /** See Operations. */
  reciprocal(): this {
    return this.unary("reciprocal");
  }

  /** See Operations. */
  sqrt(): this {
    return this.unary("sqrt");
  }

  /** See Operations. */
  rsqrt(): this {
    return this.unary("rsqrt");
  }

  /** See Operations. */
  exp(): this {
    return this.unary("exp");
  }

  /** See Operations. */
  exp2(): this {
    return this.unary("exp2");
  }

  /** See Operations. */
  expm1(): this {
    return this.unary("expm1");
  }

  /** See Operations. */
  log(): this {
    return this.unary("log");
  }

  /** See Operations. */
  log2(): this {
    return this.unary("log2");
  }

  /** See Operations. */
  log10(): this {
    return this.unary("log10");
  }

  /** See Operations. */
  log1p(): this {
    return this.unary("log1p");
  }

  /** See Operations. */
  sin(): this {
    return this.unary("sin");
  }

  /** See Operations. */
  cos(): this {
    return this.unary("cos");
  }

  /** See Operations. */
  tan(): this {
    return this.unary("tan");
  }

  /** See Operations. */
  asin(): this {
    return this.unary("asin");
  }

  /** See Operations. */
  acos(): this {
    return this.unary("acos");
  }

  /** See Operations. */
  atan(): this {
    return this.unary("atan");
  }

  /** See Operations. */
  sinh(): this {
    return this.unary("sinh");
  }

  /** See Operations. */
  cosh(): this {
    return this.unary("cosh");
  }

  /** See Operations. */
  tanh(): this {
    return this.unary("tanh");
  }

  /** See Operations. */
  sigmoid(): this {
    return this.unary("sigmoid");
  }

  /** See Operations. */
  erf(): this {
    return this.unary("erf");
  }

  /** See Operations. */
  floor(): this {
    return this.unary("floor");
  }

  /** See Operations. */
  ceil(): this {
    return this.unary("ceil");
  }

  /** See Operations. */
  round(): this {
    return this.unary("round");
  }

  /** See Operations. */
  isNan(): this {
    return this.unary("isNan");
  }

  /** See Operations. */
  isInf(): this {
    return this.unary("isInf");
  }

  /** See Operations. */
  isFinite(): this {
    return this.unary("isFinite");
  }

  /** See Operations. */
  logicalNot(): this {
    return this.unary("logicalNot");
  }

  /** See Operations. */
  invert(): this {
    return this.unary("invert");
  }

  /** See Operations. */
  add(other: OtherOperand): this {
    return this.binary("add", other);
  }

  /** See Operations. */
  sub(other: OtherOperand): this {
    return this.binary("sub", other);
  }

  /** See Operations. */
  mul(other: OtherOperand): this {
    return this.binary("mul", other);
  }

  /** See Operations. */
  div(other: OtherOperand): this {
    return this.binary("div", other);
  }

  /** See Operations. */
  floorDiv(other: OtherOperand): this {
    return this.binary("floorDiv", other);
  }

  /** See Operations. */
  mod(other: OtherOperand): this {
    return this.binary("mod", other);
  }

  /** See Operations. */
  truncateMod(other: OtherOperand): this {
    return this.binary("truncateMod", other);
  }

  /** See Operations. */
  pow(other: OtherOperand): this {
    return this.binary("pow", other);
  }

  /** See Operations. */
  atan2(x: OtherOperand): this {
    return this.binary("atan2", x);
  }

  /** See Operations. */
  minimum(other: OtherOperand): this {
    return this.binary("minimum", other);
  }

  /** See Operations. */
  maximum(other: OtherOperand): this {
    return this.binary("maximum", other);
  }

  /** See Operations. */
  squaredDifference(other: OtherOperand): this {
    return this.binary("squaredDifference", other);
  }

  /** See Operations. */
  equal(other: OtherOperand): this {
    return this.binary("equal", other);
  }

  /** See Operations. */
  notEqual(other: OtherOperand): this {
    return this.binary("notEqual", other);
  }

  /** See Operations. */
  less(other: OtherOperand): this {
    return this.binary("less", other);
  }

  /** See Operations. */
  lessEqual(other: OtherOperand): this {
    return this.binary("lessEqual", other);
  }

  /** See Operations. */
  greater(other: OtherOperand): this {
    return this.binary("greater", other);
  }

  /** See Operations. */
  greaterEqual(other: OtherOperand): this {
    return this.binary("greaterEqual", other);
  }

  /** See Operations. */
  logicalAnd(other: OtherOperand): this {
    return this.binary("logicalAnd", other);
  }

  /** See Operations. */
  logicalOr(other: OtherOperand): this {
    return this.binary("logicalOr", other);
  }

  /** See Operations. */
  logicalXor(other: OtherOperand): this {
    return this.binary("logicalXor", other);
  }

  /** See Operations. */
  bitwiseAnd(other: OtherOperand): this {
    return this.binary("bitwiseAnd", other);
  }

  /** See Operations. */
  bitwiseOr(other: OtherOperand): this {
    return this.binary("bitwiseOr", other);
  }

  /** See Operations. */
  bitwiseXor(other: OtherOperand): this {
    return this.binary("bitwiseXor", other);
  }

  /** See Operations. */
  leftShift(other: OtherOperand): this {
    return this.binary("leftShift", other);
  }

  /** See Operations. */
  rightShift(other: OtherOperand): this {
    return this.binary("rightShift", other);
  }
}
