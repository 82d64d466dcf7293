// Step: the values of one node and their error bounds. Also functions that make operands from stored values.
import type { DType, RawDType, TypedArray } from "@onebuffer/base";
import { arraySlots, typedArrayConstructor } from "@onebuffer/base";
import { tensorMap } from "@onebuffer/eigen";
import type { ExpressionTree } from "@onebuffer/eigen";
import { compileTree } from "@onebuffer/evaluator/src/compile-tree";
import { arrayAccess } from "@onebuffer/evaluator/src/element-access";
import type { Read } from "@onebuffer/evaluator/src/values";
import { makeExpression } from "@onebuffer/expression/src/methods/expression-node";
import { product } from "../row-major.ts";

/** Per element, the bound for the difference to another correct evaluation. Null means none; Infinity means unknown. */
export type Errors = Float64Array | null;

/** The values of a node and their error bounds. */
export interface Step {
  readonly dtype: DType;
  readonly dimensions: readonly number[];
  readonly read: Read;
  readonly errors: Errors;
}

/** Stores `count` values in a new array of a dtype. */
export function storedArray(dtype: RawDType, count: number, read: Read): TypedArray {
  const array = new (typedArrayConstructor(dtype))(count * arraySlots(dtype)) as TypedArray;
  const { write } = arrayAccess(array, dtype);
  for (let k = 0; k < count; k++) write(k, read(k));
  return array;
}

/** Returns the elements of a leaf or a generator as an array; `dims` may be given to read fewer. */
export function storedElements(node: ExpressionTree, dtype: RawDType, dims: readonly number[] = node.dimensions): TypedArray {
  return storedArray(dtype, product(dims), compileTree(node));
}

/** Stores values in a new array of a dtype and returns it as an operand. */
export function storedOperand(
  dtype: RawDType,
  dims: readonly number[],
  read: Read,
): { readonly operand: ExpressionTree; readonly read: Read } {
  const array = storedArray(dtype, product(dims), read);
  const operand: unknown = tensorMap(dtype as DType, array as never, dims);
  return { operand: operand as ExpressionTree, read: arrayAccess(array, dtype).read };
}

/** Returns the operation of a node on other operands. */
export function operationOn(node: ExpressionTree, inputs: readonly ExpressionTree[], dtype: DType = node.dtype): ExpressionTree {
  return makeExpression({ op: node.op, inputs, attributes: node.attributes, dtype, dimensions: node.dimensions });
}
