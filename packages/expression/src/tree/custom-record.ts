/**
 * custom-record: the record of an operation that belongs to a package above this one (in XLA: a custom call). A node of the op "customCall"
 * carries its record among its attributes, so that the code of the operation is loaded with the package that makes such nodes, and nothing
 * has to be registered here.
 *
 *     customCall { record: lu, …}        the evaluator asks the record for elements, plans ask it for a kernel, gradients for a rule, and
 *      └ a  float64 [512, 512]           StableHLO for a lowering; plans are kept by the record, the other attributes and the sizes
 *
 * An operation with several results is one node with all of them in one tensor, of which they are slices and reshapes: a node that several
 * others read is computed once.
 */
import type { Complex, DType } from "@onebuffer/base";
import type { GradientStep, OperandGradients } from "./gradient-step.ts";
import { attributesOf } from "./op-attributes.ts";
import type { ExpressionTree } from "./op-attributes.ts";

/** An element as the evaluator has it: bool as 0 or 1, integers of 64 bits as bigint. */
export type CustomValue = number | bigint | Complex;

/** Dtype and sizes of an operand or a result. */
export interface CustomType {
  readonly dtype: DType;
  readonly dimensions: readonly number[];
}

/** What a kernel is made for: a node without its operands' elements. Plans keep it, and it keeps no memory alive. */
export interface CustomCall<A extends object = object> extends CustomType {
  readonly inputs: readonly CustomType[];
  readonly attributes: A;
}

/**
 * Computes the result from dense operands in the linear memory into dense memory there, which overlaps none of them. Numbers are byte
 * addresses. Scratch memory may be taken (compiler's takeScratch); the caller releases it. Returns false, with the target as it was or to be
 * written again, if the evaluator has to compute it. Throws INVALID_ARGUMENT for invalid elements before the target is written.
 */
export type CustomKernel = (target: number, operands: readonly number[]) => boolean;

/** What a lowering to StableHLO writes with. `V` is the writer's own type of values. */
export interface CustomWriter<V> {
  /** Writes an operation in MLIR's generic form, `"stablehlo.fft"(…) <{attributes}>`, and returns its results. */
  operation(name: string, inputs: readonly V[], attributes: string, results: readonly CustomType[]): readonly V[];
  reshape(x: V, dims: readonly number[]): V;
  transpose(x: V, permutation: readonly number[]): V;
  slice(x: V, begin: readonly number[], end: readonly number[]): V;
  concatenate(parts: readonly V[], axis: number): V;
}

/** The record of an operation. `A` is the type of its attributes besides the record: numbers, booleans, texts and lists of numbers. */
export interface CustomRecord<A extends object = object> {
  /** The name, as the function that makes the node has it. It is shown in messages, `explain` and consoles. */
  readonly name: string;
  /** The dtypes of the first operand. float16 and bfloat16 cannot be among them, because kernels hold their elements as float32. */
  readonly dtypes: readonly DType[];
  /** The name below `tf` of the function that has the same arguments, and that of NumPy's or SciPy's; null if there is none. */
  readonly tensorflow: string | null;
  readonly numpy: string | null;
  /** Returns dtype and sizes of the result. Throws INVALID_ARGUMENT for operands that do not fit. */
  infer(inputs: readonly ExpressionTree[], attributes: A): CustomType;
  /** The number of operations on elements, for `explain`. */
  flops(call: CustomCall<A>): number;
  /**
   * The reference: reads operands' elements by their row-major index and writes every element of the result, one element at a time. Elements
   * are rounded to the dtype when they are written. Throws INVALID_ARGUMENT for invalid elements.
   */
  evaluate(
    call: CustomCall<A>,
    operands: readonly ((index: number) => CustomValue)[],
    write: (index: number, value: CustomValue) => void,
  ): void;
  /** Returns the kernel for operands of some sizes, which plans keep; null if the evaluator has to compute it. */
  kernel(call: CustomCall<A>): CustomKernel | null;
  /** For records of this package: the name of a kernel of the compiler and a lowering of stablehlo. Then `kernel` and `stableHLO` are not asked. */
  readonly named?: "sharedExtremes";
  /** The rule of the gradient; "none" if the result does not change smoothly with any operand. */
  readonly gradient: "none" | ((step: GradientStep<"customCall"> & { readonly attributes: A }) => OperandGradients);
  /** Writes the operation in StableHLO. A text instead is the reason why it has no form there. */
  readonly stableHLO: string | (<V>(call: CustomCall<A>, inputs: readonly V[], b: CustomWriter<V>) => V);
}

/** Returns the record that a node of the op "customCall" carries. */
export function recordOf(node: ExpressionTree): CustomRecord {
  return attributesOf(node, "customCall").record as CustomRecord;
}

/** Returns the name of a node's operation: that of its record if it carries one. */
export function operationName(node: ExpressionTree): string {
  return node.op === "customCall" ? recordOf(node).name : node.op;
}

/** Returns what a kernel may keep of a node. */
export function customCallOf({ dtype, dimensions, inputs, attributes }: ExpressionTree): CustomCall {
  const types = inputs.map((input): CustomType => ({ dtype: input.dtype, dimensions: input.dimensions }));
  return { dtype, dimensions, inputs: types, attributes };
}
