/** diagonal-part: the main diagonal of matrices, as a node. */
import { InvalidArgumentError } from "@onebuffer/base";
import type { ExpressionTree } from "@onebuffer/expression";
import { made, partAlong, reshaped, shownCall, sizesOf, sliceFields } from "@onebuffer/expression/internal";
import type { GradientValue } from "@onebuffer/expression/internal";

/** Returns the main diagonal of the last two axes of `matrix`. Throws INVALID_ARGUMENT for fewer than two dimensions. */
export function diagonalPart(call: string, matrix: ExpressionTree): GradientValue {
  const sizes = sizesOf(matrix);
  if (sizes.length < 2) throw new InvalidArgumentError(`${shownCall(call, [matrix])}: a matrix has at least 2 dimensions`);
  const [rows, columns] = sizes.slice(-2) as [number, number];
  const batch = sizes.slice(0, -2);
  const length = Math.min(rows, columns);
  // The elements of the diagonal are columns + 1 apart in the row-major order.
  const end = length === 0 ? 0 : (length - 1) * (columns + 1) + 1;
  const upTo = partAlong(reshaped(matrix, [...batch, rows * columns]), batch.length, 0, end);
  return made(sliceFields(upTo, [...batch.map(() => null), [0, end, columns + 1]]));
}
