/**
 * ElementwiseBase: makes the nodes of elementwise operations. OperationMethods, which is generated, has a method for each of them.
 *
 * ElementwiseBase, OperationMethods, MovementBase, ProductBase, MatrixBase and CompositeBase extend each other in this order; the class of
 * nodes and the map classes extend the last. None of the six has a field, so only a map's own constructor shapes its hidden class. The
 * types here are loose: `this` stands for any operand. The interfaces in expression.ts have the exact types of operands and results.
 */
import { sameSizes } from "@onebuffer/storage/internal";
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
import type { ElementwiseOp } from "./elementwise-op.ts";
import { codedDTypes, dtypeNumberOf, kCode } from "../tree/node-code.ts";
import type { CodedTree } from "../tree/node-code.ts";
import type { ExpressionFields, ExpressionTree, OpAttributes, StoredTree } from "../tree/op-attributes.ts";
import type { OperandSource } from "../tree/operand.ts";
import type { OpName, OpNameOf } from "../tree/op-table.ts";

/** The second operand of an operation: a node, an object that stands for one, or a plain value. */
export type OtherOperand = ExpressionTree | OperandSource<DType, number> | PlainValue;

/** The number of bool, the dtype of comparisons, in node codes. */
const kBool = codedDTypes.indexOf("bool");

/** What the methods for elementwise operations share, and those with rules of their own: casts and `select`. */
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
  /** Makes one node of what `make` makes of `from` and `numbers`, as deferred-node.ts describes. Typed as `this`, like `node`. */
  protected abstract makeDeferred(
    name: string,
    from: readonly ExpressionTree[],
    numbers: readonly number[],
    make: () => ExpressionTree,
  ): this;

  /** Makes a node with these fields. Typed as `this`, so that methods can be chained. */
  protected node(fields: ExpressionFields): this {
    return this.makeNode(fields) as this;
  }

  /** Returns the second operand of `op` as a node; a plain value becomes a constant of `dtype`. */
  protected operand(op: string, other: OtherOperand, dtype: DType = this.dtype): ExpressionTree {
    return operandTree(op, other) ?? this.node(scalarFields(op, dtype, other));
  }

  /** Makes a node of an operation on this. */
  protected unary(op: ElementwiseOp<OpNameOf<"unary">>): this {
    const number = dtypeNumberOf((this as unknown as CodedTree)[kCode]);
    // The slow path handles all other dtypes and throws the errors.
    if (number < 0 || ((op.accepts >> number) & 1) === 0) return this.node(unaryFields(op.name, this));
    return this.makeElementwise(
      op.name,
      [this],
      (this as StoredTree).rawDimensions!,
      this.depth + 1,
      op.code + (op.isBool ? kBool : number),
    ) as this;
  }

  /** Makes a node of an operation on this and another operand. */
  protected binary(op: ElementwiseOp<OpNameOf<"binary">>, other: OtherOperand): this {
    // Nearly always a node of this copy of the package; `operand` handles nodes of other copies and plain values.
    const isNode = typeof other === "object" && other !== null && (other as CodedTree)[kCode] !== undefined;
    const right = (isNode ? other : this.operand(op.name, other)) as CodedTree;
    const number = dtypeNumberOf((this as unknown as CodedTree)[kCode]);
    // The slow path, as in #unary. A node of another copy has the code undefined, hence no number.
    if (number < 0 || dtypeNumberOf(right[kCode]) !== number || ((op.accepts >> number) & 1) === 0)
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
}
