/**
 * gradients: the gradients of any expression, as expressions (in TensorFlow: tf.gradients).
 *
 *     const loss = x.matMul(w).add(b).sub(t).square().mean();
 *     const [dw, db] = gradients(loss, [w, b]);          nothing is computed yet: dw and db are trees over x, w, b and t
 *
 * What computes expressions computes gradients: kernels, a pool of threads, XLA. Gradients have gradients, and parts that they have in common
 * with the expression are computed once if all are assigned together (`assignTogether`, `updateTogether`, `tensorsOf`).
 */
import type { DType } from "@onebuffer/base";
import { InvalidArgumentError } from "@onebuffer/base";
import { checkOptions, isArray, shownValue } from "@onebuffer/base/internal";
import { product, sameSizes } from "@onebuffer/storage/internal";
import type { ComplexDType, Expression, ExpressionTree, FloatDType, OperandLike } from "@onebuffer/expression";
import { checkTree, filled, isFloat, isMap, made, reshapeFields, shownOperand, sizesOf } from "@onebuffer/expression/internal";
import { unconnectedError } from "./unconnected-error.ts";
import { Variables } from "./variables.ts";
import { isSmooth, walk } from "./walk.ts";

/** The dtypes that have gradients. */
export type GradientDType = FloatDType | ComplexDType;

/**
 * What gradients may be taken of: a tensor, a map, or an expression inside the other one.
 *
 * @example
 * const w: Variable = tensorMap("float32", Float32Array.of(1, 2), [2]);
 * w.dtype; // => "float32"
 */
export type Variable = OperandLike<GradientDType, number>;

/**
 * The gradient of each variable of a list: an expression of its dtype and rank.
 *
 * @example
 * const w = tensorMap("float32", Float32Array.of(1, 2), [2]);
 * const [dw]: GradientsOf<readonly [typeof w]> = gradients(w.square().sum(), [w]);
 * evaluate(dw).toArray(); // => [2, 4]
 */
export type GradientsOf<X extends readonly Variable[]> = {
  readonly [K in keyof X]: X[K] extends OperandLike<infer D, infer R> ? Expression<D, R> : never;
};

/**
 * Options of `gradients`. `outputGradients` is the gradient of y, with the dtype and the sizes of y (TensorFlow's grad_ys); without it y has
 * one element, and its gradient is 1. `unconnected` says what the gradient of a variable is on which y does not depend: an error
 * INVALID_ARGUMENT, the default, or zeros.
 *
 * @example
 * const x = tensorMap("float32", Float32Array.of(1, 2), [2]);
 * const y = x.mul(x);
 * evaluate(gradients(y, [x], { outputGradients: constant("float32", 10, [2]) })[0]).toArray(); // => [20, 40]
 * const options: GradientsOptions = { unconnected: "zero" };
 * evaluate(gradients(constant("float32", 1), [x], options)[0]).toArray(); // => [0, 0]
 */
export interface GradientsOptions {
  readonly outputGradients?: OperandLike<GradientDType, number>;
  readonly unconnected?: "error" | "zero";
}

/** A y whose rank is known must have rank 0. The name of the property that is missing otherwise is what TypeScript prints. */
export type OneElement<R extends number> = number extends R
  ? unknown
  : R extends 0
    ? unknown
    : { readonly "y.sum() and y.mean() have one element": never };

/**
 * Returns the gradients of y with respect to each of `xs`. A tensor or a map stands for every leaf of y that reads its memory, also through
 * views of it, whose gradients are added at their places; an expression inside y stands for itself. Each gradient has the dtype and the
 * sizes of its variable. What happens at special points (relu at 0, equal maxima) is in docs/gradients.md. Copies and computes nothing.
 *
 * Throws INVALID_ARGUMENT if y has not one element and no `outputGradients` are given, for variables or a y that are not floats (y may be
 * complex with `outputGradients`), if y does not depend on a variable that has elements (the message says which operation ends the way), and
 * if y reads memory of a variable and memory beside it through one map.
 *
 * @example
 * using w = Tensor.from([1, 2, 3]);
 * const [dw] = gradients(w.vec().square().sum(), [w]);
 * evaluate(dw).toArray(); // => [2, 4, 6]
 * const [twice] = gradients(dw.sum(), [w]);
 * evaluate(twice).toArray(); // => [2, 2, 2]
 * gradients(w.vec().square() as never, [w]); // throws INVALID_ARGUMENT
 */
export function gradients<D extends FloatDType, R extends number, const X extends readonly Variable[]>(
  y: OperandLike<D, R> & OneElement<R>,
  xs: X,
  options?: Pick<GradientsOptions, "unconnected">,
): GradientsOf<X>;
/**
 * Returns the gradients of a y of any sizes, of its gradient.
 *
 * @example
 * const x = tensorMap("float32", Float32Array.of(1, 2), [2]);
 * const [dx] = gradients(x.exp(), [x], { outputGradients: constant("float32", 0, [2]) });
 * evaluate(dx).toArray(); // => [0, 0]
 */
export function gradients<D extends GradientDType, const X extends readonly Variable[]>(
  y: OperandLike<D, number>,
  xs: X,
  options: GradientsOptions & { readonly outputGradients: OperandLike<NoInfer<D>, number> },
): GradientsOf<X>;
export function gradients(y: unknown, xs: unknown, options: GradientsOptions = {}): readonly Expression<DType, number>[] {
  return gradientTrees("gradients", y, xs, options) as unknown as readonly Expression<DType, number>[];
}

/** Returns the gradients as nodes. `call` is the name of the function that was called. */
export function gradientTrees(call: string, y: unknown, xs: unknown, options: GradientsOptions): readonly ExpressionTree[] {
  checkOptions(call, options, ["outputGradients", "unconnected"]);
  const { unconnected = "error" } = options;
  if (unconnected !== "error" && unconnected !== "zero") {
    throw new InvalidArgumentError(`${call}: unconnected is "error" or "zero", got ${shownValue(unconnected)}`);
  }
  const root = checkTree(call, y);
  const start = outputGradient(call, root, options.outputGradients);
  const variables = new Variables(checkVariables(call, xs));
  const { results, flat } = walk(call, root, variables, start);
  return results.map((g, k) => {
    const variable = variables.nodes[k]!;
    if (g !== null) return isMap(g) ? made(reshapeFields(g, sizesOf(g))) : g;
    // Where nothing is, nothing can be missing: memory without elements has no place by which it could be found.
    if (unconnected === "error" && product(sizesOf(variable)) > 0) throw unconnectedError(call, k, root, variables, flat);
    return filled(variable.dtype, 0, sizesOf(variable));
  });
}

/** Returns the nodes of variables. Throws INVALID_ARGUMENT unless `xs` is a list of floats or complex numbers. */
export function checkVariables(call: string, xs: unknown): readonly ExpressionTree[] {
  if (!isArray(xs)) throw new InvalidArgumentError(`${call}: ${shownValue(xs)} is not a list of variables, such as [w, b]`);
  const nodes: ExpressionTree[] = [];
  // The first hole of a list of billions ends the loop.
  for (let k = 0; k < xs.length; k++) {
    const node = checkTree(call, xs[k]);
    if (!isSmooth(node))
      throw new InvalidArgumentError(`${call}: variable ${k}, ${shownOperand(node)}, has no gradients: floats and complex numbers have`);
    nodes.push(node);
  }
  return nodes;
}

/** Returns the gradient of the root. Throws INVALID_ARGUMENT if there is none. */
function outputGradient(call: string, root: ExpressionTree, given: unknown): ExpressionTree {
  if (!isSmooth(root)) throw new InvalidArgumentError(`${call}: ${shownOperand(root)} has no gradients: floats and complex numbers have`);
  if (given !== undefined) {
    const start = checkTree(call, given);
    if (start.dtype === root.dtype && sameSizes(sizesOf(start), sizesOf(root))) return start;
    throw new InvalidArgumentError(
      `${call}: outputGradients, ${shownOperand(start)}, must have the dtype and the sizes of ${shownOperand(root)}`,
    );
  }
  if (!isFloat(root.dtype)) {
    throw new InvalidArgumentError(
      `${call}: the gradient of ${shownOperand(root)} is not determined: take .real() first, or give outputGradients`,
    );
  }
  if (sizesOf(root).length === 0) return filled(root.dtype, 1, []);
  throw new InvalidArgumentError(
    `${call}: ${shownOperand(root)} is not one number: reduce it, such as by .sum() or .mean(), or give outputGradients`,
  );
}
