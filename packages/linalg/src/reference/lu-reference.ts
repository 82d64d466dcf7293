/** lu-reference: LU with partial pivoting, one element at a time (LAPACK's getf2), and the solutions of systems by its factors (getrs). */
import type { Numbers } from "./numbers.ts";
import { solveTriangle } from "./triangle-reference.ts";

/** What a factorization has besides the factors. */
export interface Pivots {
  /** Row i of L U is row order[i] of the matrix. */
  readonly order: number[];
  /** 1 or -1: the sign of the permutation. */
  readonly sign: number;
  /** The first pivot that is 0 or NaN; -1 if there is none. */
  readonly bad: number;
}

/** Factors a matrix of n rows in place: L, whose diagonal of ones is left out, is below the diagonal, U on and above it. */
export function factorLu<T>(numbers: Numbers<T>, a: T[], n: number): Pivots {
  const order = Array.from({ length: n }, (_, i) => i);
  let sign = 1;
  let bad = -1;
  for (let j = 0; j < n; j++) {
    let pivot = j;
    for (let i = j + 1; i < n; i++) if (numbers.size(a[i * n + j]!) > numbers.size(a[pivot * n + j]!)) pivot = i;
    if (pivot !== j) {
      sign = -sign;
      swapRows(a, n, j, pivot);
      swapRows(order, 1, j, pivot);
    }
    const size = numbers.size(a[j * n + j]!);
    if (bad < 0 && !(size > 0)) bad = j;
    for (let i = j + 1; i < n && size !== 0; i++) {
      const factor = numbers.div(a[i * n + j]!, a[j * n + j]!);
      a[i * n + j] = factor;
      for (let k = j + 1; k < n; k++) a[i * n + k] = numbers.sub(a[i * n + k]!, numbers.mul(factor, a[j * n + k]!));
    }
  }
  return { order, sign, bad };
}

function swapRows<T>(rows: T[], width: number, i: number, j: number): void {
  for (let k = 0; k < width; k++) {
    const held = rows[i * width + k]!;
    rows[i * width + k] = rows[j * width + k]!;
    rows[j * width + k] = held;
  }
}

/** Returns the solution x, of n rows and `columns`, of A x = b, or of A^H x = b, by the factors of A. */
export function solveByLu<T>(numbers: Numbers<T>, lu: readonly T[], order: readonly number[], b: readonly T[], adjoint: boolean): T[] {
  const n = order.length;
  const columns = n === 0 ? 0 : b.length / n;
  const unit = { lower: true, adjoint, isUnit: true };
  const other = { lower: false, adjoint, isUnit: false };
  if (adjoint) {
    const x = b.slice();
    solveTriangle(numbers, lu, x, n, other);
    solveTriangle(numbers, lu, x, n, unit);
    const placed = x.slice();
    order.forEach((row, i) => {
      for (let k = 0; k < columns; k++) placed[row * columns + k] = x[i * columns + k]!;
    });
    return placed;
  }
  const x = order.flatMap((row) => b.slice(row * columns, (row + 1) * columns));
  solveTriangle(numbers, lu, x, n, unit);
  solveTriangle(numbers, lu, x, n, other);
  return x;
}
