/** triangle-reference: systems with a triangular matrix, one element at a time (LAPACK's trtrs). */
import type { Numbers } from "./numbers.ts";

/** Which triangle of a matrix is read, and how. */
export interface Triangle {
  readonly lower: boolean;
  /** True for the conjugate transpose of the triangle. */
  readonly adjoint: boolean;
  /** True if the diagonal is taken as ones. */
  readonly isUnit: boolean;
}

/** Solves T x = b in place of b, whose rows are x's. T has n rows; its other triangle is not read. */
export function solveTriangle<T>(numbers: Numbers<T>, matrix: readonly T[], b: T[], n: number, { lower, adjoint, isUnit }: Triangle): void {
  const columns = n === 0 ? 0 : b.length / n;
  const at = (i: number, j: number): T => (adjoint ? numbers.conj(matrix[j * n + i]!) : matrix[i * n + j]!);
  const isForward = lower !== adjoint;
  for (let step = 0; step < n; step++) {
    const i = isForward ? step : n - 1 - step;
    for (let k = 0; k < columns; k++) {
      let sum = b[i * columns + k] as T;
      for (let before = 0; before < step; before++) {
        const j = isForward ? before : n - 1 - before;
        sum = numbers.sub(sum, numbers.mul(at(i, j), b[j * columns + k]!));
      }
      b[i * columns + k] = isUnit ? sum : numbers.div(sum, at(i, i));
    }
  }
}
