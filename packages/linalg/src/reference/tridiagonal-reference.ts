/** tridiagonal-reference: systems with a tridiagonal matrix by elimination with partial pivoting (LAPACK's gtsv). */
import type { Numbers } from "./numbers.ts";

/** The diagonals of a matrix of n rows: element i of each is in row i. The last of `upper` and the first of `lower` are not read. */
export interface Diagonals<T> {
  readonly upper: readonly T[];
  readonly main: readonly T[];
  readonly lower: readonly T[];
}

/** Solves in place of b, whose rows are x's. Returns the first pivot that is 0 or NaN; -1 if there is none. */
export function solveTridiagonal<T>(numbers: Numbers<T>, { upper, main, lower }: Diagonals<T>, b: T[]): number {
  const n = main.length;
  const columns = n === 0 ? 0 : b.length / n;
  const zero = numbers.of(0);
  // Row i of U: its element on the diagonal, and the two to the right.
  const rows = main.map((value, i): [T, T, T] => [value, i + 1 < n ? upper[i]! : zero, zero]);
  for (let i = 0; i + 1 < n; i++) {
    let [row, next]: [[T, T, T], [T, T, T]] = [rows[i]!, [lower[i + 1]!, rows[i + 1]![0], rows[i + 1]![1]]];
    if (numbers.size(next[0]) > numbers.size(row[0])) {
      [row, next] = [next, row];
      for (let k = 0; k < columns; k++) {
        const held = b[i * columns + k]!;
        b[i * columns + k] = b[(i + 1) * columns + k]!;
        b[(i + 1) * columns + k] = held;
      }
    }
    if (!(numbers.size(row[0]) > 0)) return i;
    const factor = numbers.div(next[0], row[0]);
    rows[i] = row;
    rows[i + 1] = [numbers.sub(next[1], numbers.mul(factor, row[1])), numbers.sub(next[2], numbers.mul(factor, row[2])), zero];
    for (let k = 0; k < columns; k++)
      b[(i + 1) * columns + k] = numbers.sub(b[(i + 1) * columns + k]!, numbers.mul(factor, b[i * columns + k]!));
  }
  if (n > 0 && !(numbers.size(rows[n - 1]![0]) > 0)) return n - 1;
  for (let i = n - 1; i >= 0; i--) {
    for (let k = 0; k < columns; k++) {
      let sum = b[i * columns + k] as T;
      for (let j = 1; j <= 2 && i + j < n; j++) sum = numbers.sub(sum, numbers.mul(rows[i]![j]!, b[(i + j) * columns + k]!));
      b[i * columns + k] = numbers.div(sum, rows[i]![0]);
    }
  }
  return -1;
}
