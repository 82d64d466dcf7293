/** stop-gradient: values that count as constant, and gradients that the caller writes. */
import type { DType } from "@onebuffer/base";
import { InvalidArgumentError } from "@onebuffer/base";
import { checkCallback, isArray, shownValue } from "@onebuffer/base/internal";
import { sameSizes } from "@onebuffer/storage/internal";
import type { Expression, ExpressionTree, OperandLike } from "@onebuffer/expression";
import { checkTree, marked, shownOperand, sizesOf } from "@onebuffer/expression/internal";
import { checkVariables } from "./gradients.ts";
import type { GradientDType, GradientsOf, Variable } from "./gradients.ts";

/** No operands and no gradients. */
const kStop = { inputs: [], gradientsOf: (): readonly null[] => [] };

/**
 * Returns the same elements, which count as constant in `gradients` (`tf.stop_gradient`). Copies: nothing.
 *
 * Throws INVALID_ARGUMENT unless the argument is an expression, a map or a tensor.
 *
 * @example
 * const x = tensorMap("float32", Float32Array.of(1, 2), [2]);
 * evaluate(gradients(stopGradient(x).mul(x).sum(), [x])[0]).toArray(); // => [1, 2]
 */
export function stopGradient<D extends DType, R extends number>(value: OperandLike<D, R>): Expression<D, R> {
  return marked(checkTree("stopGradient", value), kStop) as unknown as Expression<D, R>;
}

/**
 * Returns the elements of `y`, whose gradients with respect to `xs` are what `gradientsOf` returns (`tf.custom_gradient`): for the gradient of
 * y, the gradient of each of `xs`, or null for 0. Nothing of y but `xs` gets a gradient from it. Copies: nothing.
 *
 * Throws INVALID_ARGUMENT unless y and `xs` are floats or complex numbers; `gradients` throws it if the function does not return a gradient of
 * the dtype and the sizes of each of `xs`.
 *
 * @example
 * const x = tensorMap("float32", Float32Array.of(-1, 2), [2]);
 * const clipped = customGradient(x.round(), [x], (g) => [g]);
 * evaluate(gradients(clipped.sum(), [x])[0]).toArray(); // => [1, 1]
 * customGradient(x, 3 as never, () => [] as never); // throws INVALID_ARGUMENT
 */
export function customGradient<D extends GradientDType, R extends number, const X extends readonly Variable[]>(
  y: OperandLike<D, R>,
  xs: X,
  gradientsOf: (g: Expression<D, R>) => { readonly [K in keyof X]: GradientsOf<X>[K] | null },
): Expression<D, R> {
  const inputs = checkVariables("customGradient", xs);
  checkCallback(gradientsOf, "a function that returns gradients");
  const rule = (g: ExpressionTree): readonly (ExpressionTree | null)[] => {
    const returned: unknown = gradientsOf(g as unknown as Expression<D, R>);
    return checkReturned(returned, inputs);
  };
  return marked(checkTree("customGradient", y), { inputs, gradientsOf: rule }) as unknown as Expression<D, R>;
}

/** Returns the gradients that a function returned as nodes. Throws INVALID_ARGUMENT unless they are those of `inputs`. */
function checkReturned(returned: unknown, inputs: readonly ExpressionTree[]): readonly (ExpressionTree | null)[] {
  if (!isArray(returned) || returned.length !== inputs.length) {
    throw new InvalidArgumentError(
      `customGradient: the function returns a list of ${inputs.length} gradients, got ${shownValue(returned)}`,
    );
  }
  return inputs.map((input, k) => {
    if (returned[k] === null) return null;
    const g = checkTree("customGradient", returned[k]);
    if (g.dtype === input.dtype && sameSizes(sizesOf(g), sizesOf(input))) return g;
    throw new InvalidArgumentError(
      `customGradient: gradient ${k}, ${shownOperand(g)}, must have the dtype and the sizes of ${shownOperand(input)}`,
    );
  });
}
