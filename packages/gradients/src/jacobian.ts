/** jacobian: the derivatives of every element of an expression. */
import { InvalidArgumentError } from "@onebuffer/base";
import { product } from "@onebuffer/storage/internal";
import type { Expression, ExpressionTree, OperandLike } from "@onebuffer/expression";
import { checkTree, joined, reshaped, partAlong, filled, shownOperand, sizesOf } from "@onebuffer/expression/internal";
import { checkVariables, gradientTrees } from "./gradients.ts";
import type { GradientDType, Variable } from "./gradients.ts";

/** Each element takes a walk through the tree: more of them are surely a mistake. */
const kMaxRows = 10_000;

/**
 * The Jacobian of each variable of a list: an expression of its dtype.
 *
 * @example
 * const x = tensorMap("float32", Float32Array.of(1, 2), [2]);
 * const [dx]: JacobiansOf<readonly [typeof x]> = jacobian(x.square(), [x]);
 * dx.dimensions; // => [2, 2]
 */
export type JacobiansOf<X extends readonly Variable[]> = {
  readonly [K in keyof X]: X[K] extends OperandLike<infer D, number> ? Expression<D, number> : never;
};

/**
 * Returns the derivatives of each element of y with respect to each element of each of `xs`: of sizes [...y, ...x] (`tape.jacobian`). A
 * gradient is made for each element of y. Copies and computes nothing.
 *
 * Throws as `gradients` does, and INVALID_ARGUMENT for a y with more than 10,000 elements. A variable that y does not depend on gets zeros.
 *
 * @example
 * const x = tensorMap("float32", Float32Array.of(1, 2, 3), [3]);
 * evaluate(jacobian(x.square(), [x])[0]).toArray(); // => [[2, 0, 0], [0, 4, 0], [0, 0, 6]]
 */
export function jacobian<D extends GradientDType, R extends number, const X extends readonly Variable[]>(
  y: OperandLike<D, R>,
  xs: X,
): JacobiansOf<X> {
  const root = checkTree("jacobian", y);
  const variables = checkVariables("jacobian", xs);
  const count = product(sizesOf(root));
  if (count > kMaxRows) throw new InvalidArgumentError(`jacobian: ${shownOperand(root)} has more than ${kMaxRows} elements`);
  const flat = reshaped(root, [count]);
  const one = filled(root.dtype, 1, [1]);
  const rows: (readonly ExpressionTree[])[] = [];
  for (let k = 0; k < count; k++) {
    const options = { outputGradients: one as never, unconnected: "zero" } as const;
    rows.push(gradientTrees("jacobian", partAlong(flat, 0, k, k + 1), variables, options));
  }
  return variables.map((variable, k) => {
    const sizes = sizesOf(variable);
    const each = rows.map((row) => reshaped(row[k]!, [1, ...sizes]));
    const all = each.length === 0 ? filled(variable.dtype, 0, [0, ...sizes]) : joined(each, 0);
    return reshaped(all, [...sizesOf(root), ...sizes]);
  }) as unknown as JacobiansOf<X>;
}
