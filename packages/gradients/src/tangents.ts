/**
 * tangents: derivatives along a direction, from gradients of gradients. The gradient of y is linear in the gradient u that y is given, so that
 * the gradient of its product with a direction, with respect to u, is the change of y along the direction; u itself is never read.
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { isArray, shownValue } from "@onebuffer/base/internal";
import { sameSizes } from "@onebuffer/storage/internal";
import type { Expression, ExpressionTree, FloatDType, OperandLike } from "@onebuffer/expression";
import { checkTree, conjugate, filled, isComplexDType, made, reshapeFields, shownOperand, sizesOf } from "@onebuffer/expression/internal";
import type { GradientValue } from "@onebuffer/expression/internal";
import { checkVariables, gradientTrees } from "./gradients.ts";
import type { GradientDType, GradientsOf, OneElement, Variable } from "./gradients.ts";

/**
 * Returns the change of y if each of `xs` changes along its tangent: the product of y's Jacobian with the tangents (`jax.jvp`). Tangents have
 * the dtypes and the sizes of their variables. Copies and computes nothing.
 *
 * Throws as `gradients` does, and INVALID_ARGUMENT for tangents that do not fit. A variable that y does not depend on is no error.
 *
 * @example
 * const x = tensorMap("float32", Float32Array.of(1, 2, 3), [3]);
 * const along = tensorMap("float32", Float32Array.of(1, 0, 10), [3]);
 * evaluate(jvp(x.square(), [x], [along])).toArray(); // => [2, 0, 60]
 * jvp(x.square(), [x], [] as never); // throws INVALID_ARGUMENT
 */
export function jvp<D extends GradientDType, R extends number, const X extends readonly Variable[]>(
  y: OperandLike<D, R>,
  xs: X,
  tangents: { readonly [K in keyof X]: OperandLike<GradientDType, number> },
): Expression<D, R> {
  const root = checkTree("jvp", y);
  const directions = checkDirections("jvp", xs, tangents);
  // Not a constant, although it is never read: rules look at constants.
  const given = made(reshapeFields(filled(root.dtype, 0, sizesOf(root)), sizesOf(root)));
  const gradients = gradientTrees("jvp", root, xs, { outputGradients: given as never, unconnected: "zero" });
  const change = alongDirections(gradients, directions);
  return gradientTrees("jvp", change, [given], { unconnected: "zero" })[0] as unknown as Expression<D, R>;
}

/**
 * Returns the product of the Hessian of y, the matrix of its second derivatives, with vectors: one for each variable, of its dtype and sizes.
 * Copies and computes nothing; the Hessian is never made.
 *
 * Throws as `gradients` does, and INVALID_ARGUMENT for vectors that do not fit. What y does not depend on twice gets zeros.
 *
 * @example
 * const x = tensorMap("float64", Float64Array.of(1, 2), [2]);
 * const [product] = hessianVectorProduct(x.square().mul(x).sum(), [x], [constant("float64", 1, [2])]);
 * evaluate(product).toArray(); // => [6, 12]
 */
export function hessianVectorProduct<D extends FloatDType, R extends number, const X extends readonly Variable[]>(
  y: OperandLike<D, R> & OneElement<R>,
  xs: X,
  vectors: { readonly [K in keyof X]: OperandLike<GradientDType, number> },
): GradientsOf<X> {
  const call = "hessianVectorProduct";
  const directions = checkDirections(call, xs, vectors);
  const gradients = gradientTrees(call, y, xs, { unconnected: "zero" });
  return gradientTrees(call, alongDirections(gradients, directions), xs, { unconnected: "zero" }) as unknown as GradientsOf<X>;
}

/** Returns the nodes of directions. Throws INVALID_ARGUMENT unless there is one for each variable, of its dtype and sizes. */
function checkDirections(call: string, xs: unknown, given: unknown): readonly ExpressionTree[] {
  const variables = checkVariables(call, xs);
  if (!isArray(given) || given.length !== variables.length) {
    throw new InvalidArgumentError(`${call}: one direction for each of ${variables.length} variables, got ${shownValue(given)}`);
  }
  return variables.map((variable, k) => {
    const direction = checkTree(call, given[k]);
    if (direction.dtype === variable.dtype && sameSizes(sizesOf(direction), sizesOf(variable))) return direction;
    throw new InvalidArgumentError(
      `${call}: direction ${k}, ${shownOperand(direction)}, must have the dtype and the sizes of ${shownOperand(variable)}`,
    );
  });
}

/** Returns the sum of the products of gradients and directions, as one real number. */
function alongDirections(gradients: readonly ExpressionTree[], directions: readonly ExpressionTree[]): ExpressionTree {
  let sum: GradientValue | null = null;
  for (const [k, g] of (gradients as readonly GradientValue[]).entries()) {
    const products = conjugate(g).mul(directions[k] as GradientValue);
    const real = isComplexDType(products.dtype) ? products.real() : products;
    const part = (real as unknown as { sum(): GradientValue }).sum();
    const same: GradientValue = sum === null || part.dtype === sum.dtype ? part : part.cast(sum.dtype);
    sum = sum === null ? same : sum.add(same);
  }
  return sum ?? filled("float32", 0, []);
}
