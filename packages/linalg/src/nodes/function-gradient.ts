/**
 * function-gradient: the gradient of a function of square matrices that is a power series, such as exp, by the function of a matrix of twice
 * the size.
 *
 *     f([[A^H, G], [0, A^H]])  has the gradient in its upper right part
 */
import { filled, joined, partAlong, sizesOf } from "@onebuffer/expression/internal";
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
  const rows = [joined([own, g], axis), joined([filled(g.dtype, 0, sizes), own], axis)];
  return partAlong(partAlong(ofMatrix(joined(rows, axis - 1)), axis - 1, 0, n), axis, n, 2 * n);
}
