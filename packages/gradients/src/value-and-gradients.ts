/** value-and-gradients: a number and its gradients, computed at once. */
import type { FloatDType, OperandLike } from "@onebuffer/expression";
import { tensorsOf } from "@onebuffer/core";
import type { Tensor, TensorsOf } from "@onebuffer/core";
import { gradients } from "./gradients.ts";
import type { OneElement, Variable } from "./gradients.ts";

/**
 * A value and its gradients, which the caller disposes.
 *
 * @example
 * using x = Tensor.from([3]);
 * const result: ValueAndGradients<"float32", readonly [typeof x]> = valueAndGradients(x.vec().square().sum(), [x]);
 * result.value.item(); // => 9
 * for (const tensor of [result.value, ...result.gradients]) tensor.dispose();
 */
export interface ValueAndGradients<D extends FloatDType, X extends readonly Variable[]> {
  readonly value: Tensor<D>;
  readonly gradients: TensorsOf<X>;
}

/**
 * Computes y and its gradients with respect to each of `xs` together, into fresh tensors (`jax.value_and_grad`). The caller disposes them. In
 * a loop, make the expressions once and assign them to tensors that stay (`assignTogether`).
 *
 * Throws as `gradients` and `tensorsOf` do; nothing stays allocated then.
 *
 * @example
 * using x = Tensor.from([1, 2]);
 * const { value, gradients: [dx] } = valueAndGradients(x.vec().square().sum(), [x]);
 * [value.item(), dx.toArray()]; // => [5, [2, 4]]
 * for (const tensor of [value, dx]) tensor.dispose();
 */
export function valueAndGradients<D extends FloatDType, R extends number, const X extends readonly Variable[]>(
  y: OperandLike<D, R> & OneElement<R>,
  xs: X,
): ValueAndGradients<D, X> {
  const [value, ...rest] = tensorsOf([y, ...(gradients(y as never, xs) as readonly OperandLike<D, number>[])]);
  return { value: value as unknown as Tensor<D>, gradients: rest as unknown as TensorsOf<X> };
}
