// The values of one node, and nodes made anew of operands whose values are there.
import type { DType, RawDType, TypedArray } from "@onebuffer/base";
import { arraySlots, typedArrayConstructor } from "@onebuffer/base";
import { tensorMap } from "@onebuffer/eigen";
import type { ExpressionTree } from "@onebuffer/eigen";
import { compileTree } from "../../src/evaluator/compile-tree.ts";
import { arrayAccess } from "../../src/evaluator/element-access.ts";
import type { Read } from "../../src/evaluator/values.ts";
import { makeExpression } from "../../src/expression/methods/expression-node.ts";
import { product } from "./tree-spec.ts";

/** By how much another correct evaluation may differ, per element; null if not at all, Infinity for elements of which nothing is known. */
export type Errors = Float64Array | null;

/** The values of a node, and what they may be off by. */
export interface Step {
  readonly dtype: DType;
  readonly dimensions: readonly number[];
  readonly read: Read;
  readonly errors: Errors;
}

/** The elements of a dtype that store so many values. */
export function storedArray(dtype: RawDType, count: number, read: Read): TypedArray {
  const array = new (typedArrayConstructor(dtype))(count * arraySlots(dtype)) as TypedArray;
  const { write } = arrayAccess(array, dtype);
  for (let k = 0; k < count; k++) write(k, read(k));
  return array;
}

/** The elements of a leaf or a generator, of all its sizes or of others. */
export function storedElements(node: ExpressionTree, dtype: RawDType, dims: readonly number[] = node.dimensions): TypedArray {
  return storedArray(dtype, product(dims), compileTree(node));
}

/** Values stored in an array of a dtype, as an operand. */
export function storedOperand(
  dtype: RawDType,
  dims: readonly number[],
  read: Read,
): { readonly operand: ExpressionTree; readonly read: Read } {
  const array = storedArray(dtype, product(dims), read);
  const operand: unknown = tensorMap(dtype as DType, array as never, dims);
  return { operand: operand as ExpressionTree, read: arrayAccess(array, dtype).read };
}

/** An operation of given operands. */
export function operationOn(node: ExpressionTree, inputs: readonly ExpressionTree[], dtype: DType = node.dtype): ExpressionTree {
  return makeExpression({ op: node.op, inputs, attributes: node.attributes, dtype, dimensions: node.dimensions });
}
