/**
 * tensorOf: `Tensor.evaluate` as a function, to stand at the end of a chain of thought: `tensorOf(a.matMul(b).add(c))`.
 *
 * TensorFlow's counterpart is `auto t = Tensor(…); t.tensor<T, N>() = expression`. It keeps nothing of the expression.
 */
import type { DType } from "@onebuffer/base";
import type { Operand } from "@onebuffer/eigen";
import type { AllocationOptions } from "../buffer/shape-and-buffer.ts";
import { Tensor } from "./tensor.ts";

/**
 * A fresh tensor of what an expression gives: dtype and shape are the expression's, the bytes the default allocator's or those of
 * `options.allocator`. The caller disposes it. Operands are maps of tensors, or of any memory.
 *
 * Throws what `assign` of a map throws, INVALID_ARGUMENT for what is no expression (a tensor itself is none, its maps are) and
 * RESOURCE_EXHAUSTED without room; nothing stays allocated then. Copies: never.
 *
 * @example
 * using a = Tensor.from([[1, 2], [3, 4]]);
 * using rows = tensorOf(a.matrix().softmax().sum([1]).cast("int32"));
 * [rows.dtype, rows.toArray()]; // => ["int32", [1, 1]]
 * a.assign(a.matrix().add(a.matrix().transpose()));
 * a.toArray(); // => [[2, 5], [5, 8]]
 * tensorOf(a as never); // throws INVALID_ARGUMENT
 */
export function tensorOf<D extends DType>(expression: Operand<D, number>, options: AllocationOptions = {}): Tensor<D> {
  return Tensor.evaluate(expression, options);
}
