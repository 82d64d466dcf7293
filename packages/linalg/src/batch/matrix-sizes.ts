/** matrix-sizes: the sizes of batches of matrices, which are the last two axes of an operand, and the dtypes of linear algebra. */
import { InvalidArgumentError } from "@onebuffer/base";
import type { DType } from "@onebuffer/base";
import { shownCall, sizesOf } from "@onebuffer/expression/internal";
import type { ExpressionTree } from "@onebuffer/expression";
import { product } from "@onebuffer/storage/internal";

/** The dtypes whose matrices are factored. */
export type MatrixDType = "float32" | "float64" | "complex64" | "complex128";

/** The dtypes whose matrices are factored, in the order of the pages. */
export const matrixDTypes: readonly DType[] = ["float32", "float64", "complex64", "complex128"];

/** The sizes of a batch of matrices. */
export interface MatrixSizes {
  readonly batch: readonly number[];
  /** The number of matrices. */
  readonly count: number;
  readonly rows: number;
  readonly columns: number;
}

/** Returns the sizes of an operand's matrices. The operand has at least two dimensions. */
export function matrixSizes(dimensions: readonly number[]): MatrixSizes {
  const batch = dimensions.slice(0, -2);
  const [rows, columns] = dimensions.slice(-2) as [number, number];
  return { batch, count: product(batch), rows, columns };
}

/** Throws INVALID_ARGUMENT unless an operand has at least two dimensions. */
export function checkMatrix(call: string, matrix: ExpressionTree): void {
  if (sizesOf(matrix).length >= 2) return;
  throw new InvalidArgumentError(`${shownCall(call, [matrix])}: the operand must have rank >= 2, got ${sizesOf(matrix).length}`);
}

/** Throws INVALID_ARGUMENT unless an operand is square matrices of a dtype that is factored. */
export function checkSquare(call: string, matrix: ExpressionTree): void {
  checkMatrix(call, matrix);
  checkMatrixDType(call, matrix);
  const { rows, columns } = matrixSizes(sizesOf(matrix));
  if (rows === columns) return;
  throw new InvalidArgumentError(`${shownCall(call, [matrix])}: Input matrix must be square, got ${rows} x ${columns}`);
}

/** Throws INVALID_ARGUMENT for a dtype whose matrices are not factored. */
export function checkMatrixDType(call: string, matrix: ExpressionTree): void {
  if (matrixDTypes.includes(matrix.dtype)) return;
  throw new InvalidArgumentError(
    `${shownCall(call, [matrix])}: matrices of ${matrixDTypes.join(", ")}, not of ${matrix.dtype}: cast("float32") first`,
  );
}
