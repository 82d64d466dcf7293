/**
 * MapExpression: what makes maps operands of expressions, and targets: the parent of TensorMapBase and StridedMapBase.
 *
 * A map is a leaf of the tree: op "map", no operands, depth 0. It has no field for that, and the class below has none
 * either, so that the maps' hidden classes stay what their constructors make them. One class at run time has two faces for the
 * compiler, because a StridedMap's movements are views.
 */
import type { DType } from "@onebuffer/base";
import { assignExpression } from "../../kernel/run/assign.ts";
import type { AssignTarget } from "../../evaluator/assignable.ts";
import { CompositeBase } from "../../expression/methods/composite-base.ts";
import type { PlainValue } from "../../expression/inference/elementwise-inference.ts";
import type { Movements, Operations } from "../../expression/tree/expression.ts";
import type { Assignments, Operand } from "../../expression/tree/operand.ts";
import { makeElementwise, makeExpression } from "../../expression/methods/expression-node.ts";
import { kCode, kNoCode } from "../../expression/tree/node-code.ts";
import type { ExpressionFields, ExpressionTree, OpAttributes } from "../../expression/tree/op-attributes.ts";
import { noAttributes } from "../../expression/tree/op-attributes.ts";
import type { OpName } from "../../expression/tree/op-table.ts";

/** A map as a node. What is the same for all maps stands on the prototype as plain values: getters cost a call where maps of many classes meet. */
abstract class MapNode extends CompositeBase {
  declare readonly op: OpName;
  declare readonly inputs: readonly ExpressionTree[];
  declare readonly attributes: OpAttributes;
  declare readonly depth: number;

  static {
    const values = { op: "map", inputs: Object.freeze([]), attributes: noAttributes, depth: 0 };
    for (const [name, value] of Object.entries(values)) Object.defineProperty(this.prototype, name, { value });
  }

  /** Maps whose elements do not lie side by side, or do not compute, have none. */
  get [kCode](): number {
    return kNoCode;
  }

  /** See Assignments. */
  assign(source: ExpressionTree | PlainValue): void {
    assignExpression(this as unknown as AssignTarget, source, null);
  }

  /** See Assignments. */
  addAssign(source: ExpressionTree | PlainValue): void {
    assignExpression(this as unknown as AssignTarget, source, "add");
  }

  /** See Assignments. */
  subAssign(source: ExpressionTree | PlainValue): void {
    assignExpression(this as unknown as AssignTarget, source, "sub");
  }

  /** See Assignments. */
  mulAssign(source: ExpressionTree | PlainValue): void {
    assignExpression(this as unknown as AssignTarget, source, "mul");
  }

  /** See Assignments. */
  divAssign(source: ExpressionTree | PlainValue): void {
    assignExpression(this as unknown as AssignTarget, source, "div");
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
}

/** The parent of the maps without strides. */
export const TensorMapExpression: abstract new <D extends DType, R extends number>() => Operand<D, R> &
  Operations &
  Movements &
  Assignments<D> = MapNode as never;

/** The parent of the strided maps, whose movements are views. */
export const StridedMapExpression: abstract new <D extends DType, R extends number>() => Operand<D, R> & Operations & Assignments<D> =
  MapNode as never;
