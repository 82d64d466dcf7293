/**
 * tensorOf: `Tensor.evaluate` as a function, to wrap around a finished expression: `tensorOf(a.matMul(b).add(c))`.
 *
 * TensorFlow's counterpart is `auto t = Tensor(…); t.tensor<T, N>() = expression`. It keeps no reference to the expression.
 */
import type { DType } from "@onebuffer/base";
import type { OperandLike } from "@onebuffer/eigen";
import type { AllocationOptions, TensorParts } from "../buffer/shape-and-buffer.ts";
import { noOptions } from "../buffer/shape-and-buffer.ts";
import { evaluatedParts } from "./evaluate-into-tensor.ts";
import { Tensor } from "./tensor.ts";

/** Tensor's private function that makes a tensor of its shape and buffer. */
type TensorClass = { made<D extends DType>(parts: TensorParts): Tensor<D> };

/**
 * Returns a fresh tensor with the values of an expression. Dtype and shape are the expression's; the bytes come from the default
 * allocator or from `options.allocator`. The caller disposes the tensor. Operands are tensors, their maps, or maps of any memory.
 *
 * Throws as `assign` of a map does; INVALID_ARGUMENT if the argument is not an expression, a map or a tensor;
 * RESOURCE_EXHAUSTED without room. Nothing stays allocated then. Copies: a map or tensor,
 * if that is all there is to the expression.
 *
 * @example
 * using a = Tensor.from([[1, 2], [3, 4]]);
 * using rows = tensorOf(a.matrix().softmax().sum([1]).cast("int32"));
 * [rows.dtype, rows.toArray()]; // => ["int32", [1, 1]]
 * a.assign(a.matrix().transpose().add(a));
 * a.toArray(); // => [[2, 5], [5, 8]]
 * tensorOf([[1, 2]] as never); // throws INVALID_ARGUMENT
 */
export function tensorOf<D extends DType>(expression: OperandLike<D, number>, options: AllocationOptions = noOptions): Tensor<D> {
  return (Tensor as unknown as TensorClass).made(evaluatedParts(expression, options, "tensorOf"));
}
