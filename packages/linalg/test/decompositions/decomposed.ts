// Matrices of rows as tensors, and parts of decompositions as rows, computed by kernels or by the evaluator.
import type { Complex } from "@onebuffer/base";
import { Tensor } from "@onebuffer/core";
import { item } from "@onebuffer/eigen";
import { assignByReference } from "@onebuffer/eigen/internal";
import type { Expression, OperandLike } from "@onebuffer/expression";
import type { MatrixDType } from "@onebuffer/linalg";
import type { Rows } from "./matrix-kinds.ts";
import { isComplex } from "./matrix-kinds.ts";

export type By = "kernel" | "evaluator";

/** Returns a tensor of one matrix of m rows and n columns. */
export function matrixTensor(rows: Rows, m: number, n: number, dtype: MatrixDType): Tensor {
  if (m === 0 || n === 0) return Tensor.zeros([m, n], { dtype });
  const elements = isComplex(dtype) ? rows : rows.map((row) => row.map(([re]) => re));
  return Tensor.from(elements as number[][], { dtype: dtype as "float64" });
}

/** Returns a tensor of one matrix as an operand of any of the dtypes. */
export const operand = (tensor: Tensor): OperandLike<MatrixDType, 2> => tensor.matrix() as never;

/** Returns the rows of a tensor, as they were rounded. */
export function storedRows(tensor: Tensor): Complex[][] {
  return (tensor.toArray() as unknown as (number | Complex)[][]).map((row) => row.map(complexOf));
}

/** Returns the elements of a matrix expression as rows; those of a vector as one row. */
export function rowsOf(part: Expression<MatrixDType, number>, by: By): Complex[][] {
  const dims = part.dimensions as unknown as readonly number[];
  using target = Tensor.zeros([...dims], { dtype: part.dtype });
  const map = target.tensor(dims.length) as never;
  if (by === "evaluator") assignByReference(map, part as never);
  else (map as { assign(part: unknown): void }).assign(part);
  const list = target.toArray() as unknown as (number | Complex)[][];
  return (dims.length === 1 ? [list as unknown as (number | Complex)[]] : list).map((row) => row.map(complexOf));
}

const complexOf = (value: number | Complex): Complex => (typeof value === "number" ? [value, 0] : value);

/** Expressions of float64 whose types are not followed. */
type Any = ReturnType<typeof JSON.parse>;

/** Returns the largest magnitude of the elements of an expression of float64. */
export const largestOf = (expression: unknown): number => item((expression as Any).abs().max()) as number;

/** Returns how far Q' Q is from the identity, for the n columns of an expression of float64. */
export function distanceFromOrthonormal(q: unknown, n: number): number {
  using one = Tensor.eye(n, { dtype: "float64" });
  return largestOf((q as Any).transpose().matMul(q).sub(one.matrix()));
}
