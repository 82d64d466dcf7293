/**
 * ExpressionNode: the class behind Expression: one operation, its operands, and what comes out.
 *
 *     op  inputs  attributes  dtype  dimensions  depth  code        in this order; nothing changes afterwards
 *
 * Nodes are made in loops that run for nanoseconds, so they are not frozen: Object.freeze would take longer than everything else. Whoever makes
 * the fields copies what comes from a caller.
 */
import type { DType } from "@onebuffer/base";
import { InvalidArgumentError } from "@onebuffer/base";
import { product } from "../../geometry/map-geometry.ts";
import { shownCall } from "../inference/broadcast-dims.ts";
import { CompositeBase } from "./composite-base.ts";
import type { Expression } from "../tree/expression.ts";
import { codedDTypes, codeOf, kCode, kDTypeBits } from "../tree/node-code.ts";
import type { ExpressionFields, ExpressionTree, OpAttributes } from "../tree/op-attributes.ts";
import { noAttributes } from "../tree/op-attributes.ts";
import type { OpName } from "../tree/op-table.ts";

/** Deeper trees are refused: a program that never assigns what it adds up would only be found out by running out of memory. */
export const kMaxDepth = 100_000;

/** A node. */
class ExpressionNode extends CompositeBase {
  declare readonly op: OpName;
  declare readonly inputs: readonly ExpressionTree[];
  declare readonly attributes: OpAttributes;
  declare readonly dtype: DType;
  declare readonly dimensions: readonly number[];
  declare readonly depth: number;
  declare readonly [kCode]: number;

  /** One argument a field: an object of them would cost as much as the node. */
  constructor(
    op: OpName,
    inputs: readonly ExpressionTree[],
    attributes: OpAttributes,
    dtype: DType,
    dimensions: readonly number[],
    depth: number,
    code: number,
  ) {
    super();
    if (depth > kMaxDepth) throw depthError(op, inputs);
    this.op = op;
    this.inputs = inputs;
    this.attributes = attributes;
    this.dtype = dtype;
    this.dimensions = dimensions;
    this.depth = depth;
    this[kCode] = code;
  }

  /** The number of dimensions. */
  get rank(): number {
    return this.dimensions.length;
  }

  /** The number of elements. */
  get size(): number {
    return product(this.dimensions);
  }

  protected override makeNode(fields: ExpressionFields): ExpressionTree {
    return makeExpression(fields);
  }

  protected override makeElementwise(
    op: OpName,
    inputs: readonly ExpressionTree[],
    dimensions: readonly number[],
    depth: number,
    code: number,
  ): ExpressionTree {
    return makeElementwise(op, inputs, dimensions, depth, code);
  }

  /** `Expression<add, float32, [2, 3]>`. */
  override toString(): string {
    return `Expression<${this.op}, ${this.dtype}, [${this.dimensions.join(", ")}]>`;
  }
}

/** Apart from the constructor, which stays small enough to be inlined. */
function depthError(op: OpName, inputs: readonly ExpressionTree[]): InvalidArgumentError {
  return new InvalidArgumentError(`${shownCall(op, inputs)}: more than ${kMaxDepth} operations on top of each other, assign some of them`);
}

/** The expression with these fields, which are inferred and checked. */
export function makeExpression<D extends DType, R extends number>(fields: ExpressionFields): Expression<D, R> {
  const { op, inputs, attributes, dtype, dimensions } = fields;
  let depth = 0;
  for (const input of inputs) if (input.depth >= depth) depth = input.depth + 1;
  const node: unknown = new ExpressionNode(op, inputs, attributes, dtype, dimensions, depth, codeOf(op, dtype, attributes));
  return node as Expression<D, R>;
}

/** The expression of an elementwise operation without attributes, whose code is known and has the dtype. */
export function makeElementwise(
  op: OpName,
  inputs: readonly ExpressionTree[],
  dimensions: readonly number[],
  depth: number,
  code: number,
): ExpressionTree {
  return new ExpressionNode(op, inputs, noAttributes, codedDTypes[code & kDTypeBits] as DType, dimensions, depth, code);
}
