/** lu-factors: the parts of a packed LU factorization (lu-node.ts), as slices of it. */
import type { ExpressionTree } from "@onebuffer/expression";
import { isComplexDType, partAlong, reshaped, sizesOf } from "@onebuffer/expression/internal";
import type { GradientValue } from "@onebuffer/expression/internal";
import { matrixSizes } from "../batch/matrix-sizes.ts";

/** The parts of a packed factorization. */
export interface Factors {
  /** L without its ones, and U. */
  readonly lu: GradientValue;
  /** For each row of L U its row in the matrix, as int32. */
  readonly order: GradientValue;
  /** The sign of the permutation. */
  readonly sign: GradientValue;
}

/** Returns the parts of the packed factorization of matrices of some sizes. */
export function factorsOf(packed: ExpressionTree, dimensions: readonly number[]): Factors {
  const { batch, rows: n } = matrixSizes(dimensions);
  const part = (begin: number, end: number): GradientValue => partAlong(packed, sizesOf(packed).length - 1, begin, end);
  const order = part(n * n, n * n + n);
  return {
    lu: reshaped(part(0, n * n), [...batch, n, n]),
    order: (isComplexDType(order.dtype) ? order.real() : order).cast("int32"),
    sign: reshaped(part(n * n + n, n * n + n + 1), batch),
  };
}
