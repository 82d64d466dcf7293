/**
 * plain-nodes: makes nodes for the lowering, which expresses some operations by others. Nothing is checked; a plain node has the
 * sizes of its first operand.
 */
import type { DType } from "@onebuffer/base";
import type { ExpressionTree, OpAttributes, OpName } from "@onebuffer/expression";
import { attributesOf, noAttributes } from "@onebuffer/expression/internal";
import { stageDType } from "./kernel-support.ts";

/** Returns a node over at least one operand. */
export function treeNode(
  op: OpName,
  inputs: readonly ExpressionTree[],
  dimensions: readonly number[],
  attributes: OpAttributes = noAttributes,
  dtype: DType = inputs[0]!.dtype,
): ExpressionTree {
  return { op, inputs, attributes, dtype, dimensions, depth: 1 + Math.max(...inputs.map(({ depth }) => depth)) };
}

/** Returns an elementwise node without attributes. */
export function plainNode(op: OpName, dtype: DType, ...inputs: readonly ExpressionTree[]): ExpressionTree {
  return treeNode(op, inputs, inputs[0]!.dimensions, noAttributes, dtype);
}

/** Returns a scalar constant. */
export function plainConstant(dtype: DType, value: number | bigint): ExpressionTree {
  return { op: "constant", inputs: [], attributes: { value }, dtype, dimensions: [], depth: 0 };
}

/** Returns a node cast to a dtype; the node itself if it has that dtype already. */
export function castTo(dtype: DType, input: ExpressionTree): ExpressionTree {
  return input.dtype === dtype ? input : treeNode("cast", [input], input.dimensions, { saturate: false }, dtype);
}

/** An operation without operands that kernels compute as a tree of others. */
interface Composition {
  readonly tree: (node: ExpressionTree) => ExpressionTree;
  /** The number of operands and constants of the tree. */
  readonly operands: number;
  /** Returns the constants of the tree, which are of float64. */
  readonly constants: (node: ExpressionTree) => readonly number[];
}

/** Returns the constants of a linspace's tree: start, stop, stop - start, the last index, and the divisor of the index. */
function linspaceConstants(node: ExpressionTree): readonly [number, number, number, number, number] {
  const { start, stop } = attributesOf(node, "linspace");
  const last = (node.dimensions[0] as number) - 1;
  return [start, stop, stop - start, last, Math.max(last, 1)];
}

/**
 * Returns the tree that computes a linspace, in float32 for small floats: start + i * (stop - start) / last in float64; the last element is
 * exactly stop.
 */
function linspaceTree(node: ExpressionTree): ExpressionTree {
  const { dimensions } = node;
  const dtype = stageDType(node.dtype);
  const [start, stop, range, last, divisor] = linspaceConstants(node);
  const constant = (value: number): ExpressionTree => plainConstant("float64", value);
  const place: ExpressionTree = { op: "iota", inputs: [], attributes: { axis: 0 }, dtype: "float64", dimensions, depth: 0 };
  const distance = plainNode("mul", "float64", place, constant(range));
  const element = plainNode("add", "float64", plainNode("div", "float64", distance, constant(divisor)), constant(start));
  const atEnd = plainNode("equal", "bool", place, constant(last));
  return castTo(dtype, last > 0 ? plainNode("select", "float64", atEnd, constant(stop), element) : element);
}

/** The operations that are computed as trees of others: generators, whose constants plans list (run/plan-subject.ts). */
export const compositions: Readonly<Partial<Record<OpName, Composition>>> = {
  linspace: { tree: linspaceTree, operands: 6, constants: linspaceConstants },
};
