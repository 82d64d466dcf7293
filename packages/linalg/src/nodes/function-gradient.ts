/**
 * function-gradient: the gradient of a function of square matrices that is a power series, such as exp, by the function of a matrix of twice
 * the size.
 *
 *     f([[A^H, G / s], [0, A^H]])  has the gradient, divided by s, in its upper right part; s is the largest magnitude in G
 *
 * Functions scale a matrix by its norm: without s, a large G would cost the digits of A.
 */
import { chosen, filled, isComplexDType, joined, made, marked, partAlong, reduceFields, sizesOf } from "@onebuffer/expression/internal";
import type { GradientValue } from "@onebuffer/expression/internal";
import { adjointOf } from "./matrix-nodes.ts";

/** Returns the gradient of the matrices, of the function as nodes and the gradient of its result. */
export function functionGradient(
  ofMatrix: (matrix: GradientValue) => GradientValue,
  matrix: GradientValue,
  g: GradientValue,
): GradientValue {
  const sizes = sizesOf(g);
  const [n, axis] = [sizes.at(-1)!, sizes.length - 1];
  const own = adjointOf(matrix);
  const scale = scaleOf(g);
  const rows = [joined([own, g.div(scale)], axis), joined([filled(g.dtype, 0, sizes), own], axis)];
  return partAlong(partAlong(ofMatrix(joined(rows, axis - 1)), axis - 1, 0, n), axis, n, 2 * n).mul(scale);
}

/** Returns the largest magnitude in each matrix, 1 for zeros. It counts as constant: the product with it does not depend on it. */
function scaleOf(g: GradientValue): GradientValue {
  const largest = made(reduceFields("max", g.abs(), [-2, -1], true));
  const scale = chosen(largest.equal(0), 1, largest);
  const ofDType = isComplexDType(g.dtype) ? scale.cast(g.dtype) : scale;
  return marked(ofDType, { inputs: [], gradientsOf: () => [] }) as GradientValue;
}
