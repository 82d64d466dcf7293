/**
 * ElementwiseBase: the methods for elementwise operations. expression.ts documents them.
 *
 * ElementwiseBase, MovementBase, ReductionBase, MatrixBase and CompositeBase extend each other in this order; the class of nodes and the
 * map classes extend the last. None of the five has a field, so only a map's own constructor shapes its hidden class. The types here are
 * loose: `this` stands for any operand. The interfaces in expression.ts have the exact types of operands and results.
 */
import { sameSizes } from "../../geometry/same-sizes.ts";
import type { DType } from "@onebuffer/base";
import { broadcastDims } from "../inference/broadcast-dims.ts";
import {
  binaryFields,
  castFields,
  kExpression,
  scalarFields,
  dtypeOfScalar,
  selectFields,
  operandTree,
  unaryFields,
} from "../inference/elementwise-inference.ts";
import type { PlainValue } from "../inference/elementwise-inference.ts";
import type { ElementwiseOp } from "./elementwise-ops.ts";
import { elementwiseOps as ops } from "./elementwise-ops.ts";
import { codedDTypes, kCode, kDTypeBits } from "../tree/node-code.ts";
import type { CodedTree } from "../tree/node-code.ts";
import type { ExpressionFields, ExpressionTree, OpAttributes, StoredTree } from "../tree/op-attributes.ts";
import type { OperandSource } from "../tree/operand.ts";
import type { OpName, OpNameOf } from "../tree/op-table.ts";

/** The second operand of an operation: a node, an object that stands for one, or a plain value. */
export type OtherOperand = ExpressionTree | OperandSource<DType, number> | PlainValue;

/** The number of bool, the dtype of comparisons, in node codes. */
const kBool = codedDTypes.indexOf("bool");

/** The methods for elementwise operations. */
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
  /** Makes a node with these fields, which must be inferred and checked. */
  protected abstract makeNode(fields: ExpressionFields): ExpressionTree;
  /** Makes a node of an elementwise operation whose code is known. */
  protected abstract makeElementwise(
    op: OpName,
    inputs: readonly ExpressionTree[],
    dimensions: readonly number[],
    depth: number,
    code: number,
  ): ExpressionTree;

  /** Makes a node with these fields. Typed as `this`, so that methods can be chained. */
  protected node(fields: ExpressionFields): this {
    return this.makeNode(fields) as this;
  }

  /** Returns the second operand of `op` as a node; a plain value becomes a constant of `dtype`. */
  protected operand(op: string, other: OtherOperand, dtype: DType = this.dtype): ExpressionTree {
    return operandTree(op, other) ?? this.node(scalarFields(op, dtype, other));
  }

  private unary(op: ElementwiseOp<OpNameOf<"unary">>): this {
    const code = (this as unknown as CodedTree)[kCode];
    const number = code & kDTypeBits;
    // The slow path handles all other dtypes and throws the errors.
    if (code < 0 || ((op.accepts >> number) & 1) === 0) return this.node(unaryFields(op.name, this));
    return this.makeElementwise(
      op.name,
      [this],
      (this as StoredTree).rawDimensions!,
      this.depth + 1,
      op.code + (op.isBool ? kBool : number),
    ) as this;
  }

  private binary(op: ElementwiseOp<OpNameOf<"binary">>, other: OtherOperand): this {
    // Nearly always a node of this copy of the package; `operand` handles nodes of other copies and plain values.
    const isNode = typeof other === "object" && other !== null && (other as CodedTree)[kCode] >= 0;
    const right = (isNode ? other : this.operand(op.name, other)) as CodedTree;
    const code = (this as unknown as CodedTree)[kCode];
    const number = code & kDTypeBits;
    // The slow path, as in #unary. A node of another copy has the code undefined, which is neither < 0 nor >= 0.
    if (code < 0 || !(right[kCode] >= 0) || ((right[kCode] ^ code) & kDTypeBits) !== 0 || ((op.accepts >> number) & 1) === 0)
      return this.node(binaryFields(op.name, this, right));
    const inputs = [this, right];
    const dims = (this as StoredTree).rawDimensions!;
    const others = right.rawDimensions ?? right.dimensions;
    // A scalar, such as a constant, broadcasts to the sizes of this operand.
    const together = others.length === 0 || sameSizes(dims, others) ? dims : broadcastDims(op.name, inputs);
    const { depth } = this;
    const above = 1 + (right.depth > depth ? right.depth : depth);
    return this.makeElementwise(op.name, inputs, together, above, op.code + (op.isBool ? kBool : number)) as this;
  }

  /** Converts to another dtype. */
  cast(dtype: DType): this {
    return this.node(castFields(this, dtype, false));
  }

  /** Converts to another dtype; values out of range become the nearest end. */
  saturateCast(dtype: DType): this {
    return this.node(castFields(this, dtype, true));
  }

  /** The element of `then` where this is true, otherwise that of `otherwise`. */
  select(then: OtherOperand, otherwise: OtherOperand): this {
    const dtype = (operandTree("select", then) ?? operandTree("select", otherwise))?.dtype ?? dtypeOfScalar(then);
    return this.node(selectFields(this, this.operand("select", then, dtype), this.operand("select", otherwise, dtype)));
  }

  /** See Operations. */
  neg(): this {
    return this.unary(ops.neg);
  }

  /** See Operations. */
  abs(): this {
    return this.unary(ops.abs);
  }

  /** See Operations. */
  sign(): this {
    return this.unary(ops.sign);
  }

  /** See Operations. */
  square(): this {
    return this.unary(ops.square);
  }

  /** See Operations. */
  reciprocal(): this {
    return this.unary(ops.reciprocal);
  }

  /** See Operations. */
  sqrt(): this {
    return this.unary(ops.sqrt);
  }

  /** See Operations. */
  rsqrt(): this {
    return this.unary(ops.rsqrt);
  }

  /** See Operations. */
  exp(): this {
    return this.unary(ops.exp);
  }

  /** See Operations. */
  exp2(): this {
    return this.unary(ops.exp2);
  }

  /** See Operations. */
  expm1(): this {
    return this.unary(ops.expm1);
  }

  /** See Operations. */
  log(): this {
    return this.unary(ops.log);
  }

  /** See Operations. */
  log2(): this {
    return this.unary(ops.log2);
  }

  /** See Operations. */
  log10(): this {
    return this.unary(ops.log10);
  }

  /** See Operations. */
  log1p(): this {
    return this.unary(ops.log1p);
  }

  /** See Operations. */
  sin(): this {
    return this.unary(ops.sin);
  }

  /** See Operations. */
  cos(): this {
    return this.unary(ops.cos);
  }

  /** See Operations. */
  tan(): this {
    return this.unary(ops.tan);
  }

  /** See Operations. */
  asin(): this {
    return this.unary(ops.asin);
  }

  /** See Operations. */
  acos(): this {
    return this.unary(ops.acos);
  }

  /** See Operations. */
  atan(): this {
    return this.unary(ops.atan);
  }

  /** See Operations. */
  sinh(): this {
    return this.unary(ops.sinh);
  }

  /** See Operations. */
  cosh(): this {
    return this.unary(ops.cosh);
  }

  /** See Operations. */
  tanh(): this {
    return this.unary(ops.tanh);
  }

  /** See Operations. */
  sigmoid(): this {
    return this.unary(ops.sigmoid);
  }

  /** See Operations. */
  erf(): this {
    return this.unary(ops.erf);
  }

  /** See Operations. */
  floor(): this {
    return this.unary(ops.floor);
  }

  /** See Operations. */
  ceil(): this {
    return this.unary(ops.ceil);
  }

  /** See Operations. */
  round(): this {
    return this.unary(ops.round);
  }

  /** See Operations. */
  isNan(): this {
    return this.unary(ops.isNan);
  }

  /** See Operations. */
  isInf(): this {
    return this.unary(ops.isInf);
  }

  /** See Operations. */
  isFinite(): this {
    return this.unary(ops.isFinite);
  }

  /** See Operations. */
  logicalNot(): this {
    return this.unary(ops.logicalNot);
  }

  /** See Operations. */
  invert(): this {
    return this.unary(ops.invert);
  }

  /** See Operations. */
  conj(): this {
    return this.unary(ops.conj);
  }

  /** See Operations. */
  real(): this {
    return this.unary(ops.real);
  }

  /** See Operations. */
  imag(): this {
    return this.unary(ops.imag);
  }

  /** See Operations. */
  add(other: OtherOperand): this {
    return this.binary(ops.add, other);
  }

  /** See Operations. */
  sub(other: OtherOperand): this {
    return this.binary(ops.sub, other);
  }

  /** See Operations. */
  mul(other: OtherOperand): this {
    return this.binary(ops.mul, other);
  }

  /** See Operations. */
  div(other: OtherOperand): this {
    return this.binary(ops.div, other);
  }

  /** See Operations. */
  floorDiv(other: OtherOperand): this {
    return this.binary(ops.floorDiv, other);
  }

  /** See Operations. */
  mod(other: OtherOperand): this {
    return this.binary(ops.mod, other);
  }

  /** See Operations. */
  truncateMod(other: OtherOperand): this {
    return this.binary(ops.truncateMod, other);
  }

  /** See Operations. */
  pow(other: OtherOperand): this {
    return this.binary(ops.pow, other);
  }

  /** See Operations. */
  atan2(x: OtherOperand): this {
    return this.binary(ops.atan2, x);
  }

  /** See Operations. */
  minimum(other: OtherOperand): this {
    return this.binary(ops.minimum, other);
  }

  /** See Operations. */
  maximum(other: OtherOperand): this {
    return this.binary(ops.maximum, other);
  }

  /** See Operations. */
  squaredDifference(other: OtherOperand): this {
    return this.binary(ops.squaredDifference, other);
  }

  /** See Operations. */
  equal(other: OtherOperand): this {
    return this.binary(ops.equal, other);
  }

  /** See Operations. */
  notEqual(other: OtherOperand): this {
    return this.binary(ops.notEqual, other);
  }

  /** See Operations. */
  less(other: OtherOperand): this {
    return this.binary(ops.less, other);
  }

  /** See Operations. */
  lessEqual(other: OtherOperand): this {
    return this.binary(ops.lessEqual, other);
  }

  /** See Operations. */
  greater(other: OtherOperand): this {
    return this.binary(ops.greater, other);
  }

  /** See Operations. */
  greaterEqual(other: OtherOperand): this {
    return this.binary(ops.greaterEqual, other);
  }

  /** See Operations. */
  logicalAnd(other: OtherOperand): this {
    return this.binary(ops.logicalAnd, other);
  }

  /** See Operations. */
  logicalOr(other: OtherOperand): this {
    return this.binary(ops.logicalOr, other);
  }

  /** See Operations. */
  logicalXor(other: OtherOperand): this {
    return this.binary(ops.logicalXor, other);
  }

  /** See Operations. */
  bitwiseAnd(other: OtherOperand): this {
    return this.binary(ops.bitwiseAnd, other);
  }

  /** See Operations. */
  bitwiseOr(other: OtherOperand): this {
    return this.binary(ops.bitwiseOr, other);
  }

  /** See Operations. */
  bitwiseXor(other: OtherOperand): this {
    return this.binary(ops.bitwiseXor, other);
  }

  /** See Operations. */
  leftShift(other: OtherOperand): this {
    return this.binary(ops.leftShift, other);
  }

  /** See Operations. */
  rightShift(other: OtherOperand): this {
    return this.binary(ops.rightShift, other);
  }
}
