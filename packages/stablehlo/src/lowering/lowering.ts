/**
 * Lowering: the function that writes one operation of an expression as operations of StableHLO (a pattern of XLA's legalization passes).
 *
 * The value of a float16 or bfloat16 node is f32, as inside our evaluators. It is rounded when it is stored and before a cast.
 */
import type { DType } from "@onebuffer/base";
import type { ExpressionTree } from "@onebuffer/eigen";
import type { Builder, Value } from "../text/builder.ts";
import type { ElementType } from "../text/tensor-type.ts";
import { elementTypeOf } from "../text/tensor-type.ts";

/**
 * The errors that elements can cause. StableHLO cannot throw, so a module made with checks has a bool result for each kind.
 *
 * @example
 * const kind: FaultKind = "divisionByZero";
 * kind.length; // => 14
 */
export type FaultKind = "divisionByZero" | "negativePower" | "indexOutOfRange";

/** What a lowering gets: the node, the values of its operands, and a place to report elements that are errors. */
export interface Site {
  readonly b: Builder;
  readonly node: ExpressionTree;
  readonly inputs: readonly Value[];
  /** Reports the elements of the result, as i1 with its sizes, that are errors. */
  report(kind: FaultKind, where: Value): void;
}

/** Writes a node and returns its value. */
export type Lowering = (site: Site) => Value;

/** Returns the element type of values of a dtype inside an expression. */
export function computedType(dtype: DType): ElementType {
  return dtype === "float16" || dtype === "bfloat16" ? "f32" : elementTypeOf(dtype);
}

/** Returns operand `k`. */
export function operand({ inputs }: Site, k: number = 0): Value {
  return inputs[k] as Value;
}

/** Returns operand `k` broadcast to the sizes of the node. */
export function operandAt({ b, node, inputs }: Site, k: number): Value {
  return b.broadcast(inputs[k] as Value, node.dimensions);
}

/** Returns the tree of operand `k`. */
export function inputAt({ node }: Site, k: number = 0): ExpressionTree {
  return node.inputs[k] as ExpressionTree;
}
