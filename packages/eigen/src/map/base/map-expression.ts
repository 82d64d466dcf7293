/**
 * TensorMapExpression and StridedMapExpression: the parents of TensorMapBase and StridedMapBase, which make maps operands of expressions
 * and targets of assignments.
 *
 * A map is a leaf of an expression tree: its op is "map", it has no operands, and its depth is 0. These values are on the prototype, not in
 * fields, so that a map's hidden class depends only on its own constructor. Both parents are the same class at run time. They differ in
 * type because methods such as `slice` and `reshape` are views on a StridedMap and operations on a TensorMap.
 */
import type { DType, ElementOf } from "@onebuffer/base";
import { assignExpression } from "../../assign/assign.ts";
import { prefetchKernels } from "../../assign/loaded-kernels.ts";
import { TensorDevice } from "../../device/tensor-device.ts";
import type { AssignTarget } from "@onebuffer/evaluator/internal";
import { flatClass, kCode, kNoCode, NodeMethods, noAttributes } from "@onebuffer/expression/internal";
import type { OtherOperand } from "@onebuffer/expression/internal";
import type { Assignments, Device, ExpressionTree, Movements, OpAttributes, Operand, Operations, OpName } from "@onebuffer/expression";
import { defineAdvice, defineNumberAdvice } from "@onebuffer/base/internal";
import { checkOneElement } from "@onebuffer/storage/internal";

/**
 * A map as a node of an expression tree. Values that are the same for all maps are plain properties of the prototype, because a getter
 * costs a call where maps of many classes meet.
 */
abstract class MapNode extends NodeMethods {
  declare readonly op: OpName;
  declare readonly inputs: readonly ExpressionTree[];
  declare readonly attributes: OpAttributes;
  declare readonly depth: number;

  static {
    const values = { op: "map", inputs: Object.freeze([]), attributes: noAttributes, depth: 0 };
    Object.assign(values, { rawInputs: values.inputs, rawAttributes: noAttributes });
    for (const [name, value] of Object.entries(values)) Object.defineProperty(this.prototype, name, { value });
    defineNumberAdvice(this.prototype, "a map is not a number: map.at(i) is an element, map.mul(2) computes with all of them");
    defineAdvice(this.prototype, ["dispose"], () => "a map owns nothing and is not disposed; dispose of the tensor that it shows");
    // Where there are maps, there will be assignments.
    prefetchKernels();
  }

  /** The node code of a map that kernels cannot read as contiguous elements; classes of other maps override it (see node-code.ts). */
  get [kCode](): number {
    return kNoCode;
  }

  get rawDimensions(): readonly number[] {
    return this.dimensions;
  }

  abstract at(...indices: readonly number[]): unknown;

  /** See ConstTensorMap. */
  item(): unknown {
    checkOneElement(this);
    return this.at(...this.dimensions.map(() => 0));
  }

  /** See Assignments. */
  assign(source: OtherOperand): void {
    assignExpression(this as unknown as AssignTarget, source, null);
  }

  /** See Assignments. */
  addAssign(source: OtherOperand): void {
    assignExpression(this as unknown as AssignTarget, source, "add");
  }

  /** See Assignments. */
  subAssign(source: OtherOperand): void {
    assignExpression(this as unknown as AssignTarget, source, "sub");
  }

  /** See Assignments. */
  mulAssign(source: OtherOperand): void {
    assignExpression(this as unknown as AssignTarget, source, "mul");
  }

  /** See Assignments. */
  divAssign(source: OtherOperand): void {
    assignExpression(this as unknown as AssignTarget, source, "div");
  }

  /** See Assignments. */
  device(device: Device): TensorDevice<DType> {
    return new TensorDevice(this as unknown as AssignTarget, device);
  }
}

/** MapNode with all the operations, as one class. */
const FlatMapNode = /* @__PURE__ */ flatClass(MapNode);

/** `item` of all maps. */
interface OneElement<D extends DType> {
  item(): ElementOf<D>;
}

/** The parent of the dense maps. */
export const TensorMapExpression: abstract new <D extends DType, R extends number>() => Operand<D, R> &
  Operations &
  Movements &
  OneElement<D> &
  Assignments<D> = FlatMapNode as never;

/** The parent of the strided maps, which replace the methods of Movements by views. */
export const StridedMapExpression: abstract new <D extends DType, R extends number>() => Operand<D, R> &
  Operations &
  OneElement<D> &
  Assignments<D> = FlatMapNode as never;
