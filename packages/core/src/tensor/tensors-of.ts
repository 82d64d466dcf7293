/**
 * tensorsOf: computes several expressions into fresh tensors, together where that saves reading memory twice. TensorFlow's
 * counterpart are operations with several outputs, such as tf.nn.moments.
 *
 * Like tensorOf, it keeps no reference to the expressions.
 */
import type { DType } from "@onebuffer/base";
import { dtypeOf } from "@onebuffer/base";
import type { OperandLike } from "@onebuffer/eigen";
import { evaluatedTogether } from "./evaluate-into-tensor.ts";
import type { AllocationOptions } from "../buffer/shape-and-buffer.ts";
import { noOptions } from "../buffer/shape-and-buffer.ts";
import { Tensor } from "./tensor.ts";

/**
 * The tensors for a list of expressions: one for each, of the expression's dtype.
 *
 * @example
 * using x = Tensor.from([1, 2, 3]);
 * const extremes: TensorsOf<[Expression<"float32", 0>, Expression<"float32", 0>]> = tensorsOf([x.vec().min(), x.vec().max()]);
 * extremes.map((each) => each.toArray()); // => [1, 3]
 * for (const each of extremes) each.dispose();
 */
export type TensorsOf<E extends readonly OperandLike<DType, number>[]> = {
  readonly [K in keyof E]: E[K] extends OperandLike<infer D, number> ? Tensor<D> : never;
};

/**
 * Returns `tensorOf` of each expression. Reductions of the same rows to one value per row, of one dtype, are computed by one kernel
 * (a mean and a variance, a minimum and a maximum). The caller disposes every tensor.
 *
 * Throws as `tensorOf` does, and INVALID_ARGUMENT if `expressions` is not an array; nothing stays allocated then. Copies: never.
 *
 * @example
 * using x = Tensor.from([[1, 2, 3], [5, 5, 5]]);
 * const [mean, variance] = tensorsOf([x.matrix().mean(1), x.matrix().variance(1)]);
 * [mean.toArray(), variance.toArray()]; // => [[2, 5], [Math.fround(2 / 3), 0]]
 * for (const tensor of [mean, variance]) tensor.dispose();
 * tensorsOf([3 as never]); // throws INVALID_ARGUMENT
 */
export function tensorsOf<const E extends readonly OperandLike<DType, number>[]>(
  expressions: E,
  options: AllocationOptions = noOptions,
): TensorsOf<E> {
  const tensors = evaluatedTogether(expressions, options).map(({ shape, buffer }): Tensor => {
    const tensor = Tensor.fromBuffer(dtypeOf(shape.dataType), shape, buffer);
    buffer?.unref();
    return tensor;
  });
  return tensors as unknown as TensorsOf<E>;
}
