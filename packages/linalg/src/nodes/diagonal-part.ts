/** diagonal-part: diagonals of matrices, as nodes. */
import { InvalidArgumentError } from "@onebuffer/base";
import type { ExpressionTree } from "@onebuffer/expression";
import { made, partAlong, reshaped, shownCall, sizesOf, sliceFields } from "@onebuffer/expression/internal";
import type { GradientValue } from "@onebuffer/expression/internal";

/**
 * Returns a diagonal of the last two axes of `matrix`: 0 is the main one, 1 the one above it. Throws INVALID_ARGUMENT for fewer than two
 * dimensions and for a diagonal beyond the matrix.
 */
export function diagonalPart(call: string, matrix: ExpressionTree, k: number = 0): GradientValue {
  const sizes = sizesOf(matrix);
  if (sizes.length < 2) throw new InvalidArgumentError(`${shownCall(call, [matrix])}: a matrix has at least 2 dimensions`);
  const [rows, columns] = sizes.slice(-2) as [number, number];
  const batch = sizes.slice(0, -2);
  if (k !== 0 && (k >= columns || k <= -rows)) {
    throw new InvalidArgumentError(`${shownCall(call, [matrix])}: there is no diagonal ${k} in ${rows} x ${columns}`);
  }
  const length = Math.min(rows + Math.min(k, 0), columns - Math.max(k, 0));
  const begin = k > 0 ? k : -k * columns;
  // The elements of the diagonal are columns + 1 apart in the row-major order.
  const count = length === 0 ? 0 : (length - 1) * (columns + 1) + 1;
  const between = partAlong(reshaped(matrix, [...batch, rows * columns]), batch.length, begin, begin + count);
  return made(sliceFields(between, [...batch.map(() => null), [0, count, columns + 1]]));
}
