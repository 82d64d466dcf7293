/** complex-lu: LU with partial pivoting of complex matrices, in planes, in blocks of columns (LAPACK's getrf). */
import type { Arithmetic } from "../dense/arithmetic.ts";
import type { Matrix } from "../dense/matrix.ts";
import { addOuter, addProduct, conjugateRow, copy, negate, numberAt, partOf, planesOf, takeMatrix } from "../dense/matrix.ts";
import type { Pivots } from "../reference/lu-reference.ts";
import { quotient } from "../spectrum/complex-numbers.ts";
import { solveComplexTriangle } from "./complex-triangle.ts";

/** The columns of a panel. */
const kPanel = 32;

/**
 * Factors A of n rows in place. The largest absolute value is the pivot, as in TensorFlow. Without `keep` the factorization ends at a pivot
 * that is 0 or NaN, which is on the diagonal then.
 */
export function factorComplexLu(by: Arithmetic, n: number, a: Matrix, keep: boolean): Pivots {
  const pivots = { order: Array.from({ length: n }, (_, i) => i), sign: 1, bad: -1 };
  const mark = by.mark();
  const row = takeMatrix(by, kPanel, 1, true);
  for (let first = 0; first < n; first += kPanel) {
    const width = Math.min(kPanel, n - first);
    for (let j = first; j < first + width; j++) {
      exchange(by, n, a, j, pivots);
      const [re, im] = numberAt(by, partOf(a, j, j));
      if (pivots.bad < 0 && !(Math.hypot(re, im) > 0)) {
        pivots.bad = j;
        if (!keep) return pivots;
      }
      if (re === 0 && im === 0) continue;
      const [rows, others] = [n - j - 1, first + width - j - 1];
      divideColumn(by, rows, partOf(a, j + 1, j), re, im);
      conjugateRow(by, others, partOf(a, j, j + 1), row);
      addOuter(by, rows, others, -1, partOf(a, j + 1, j), row, partOf(a, j + 1, j + 1));
    }
    const [next, left] = [first + width, n - first - width];
    if (left > 0)
      updateRight(by, left, width, partOf(a, first, first), partOf(a, first, next), partOf(a, next, first), partOf(a, next, next));
  }
  by.release(mark);
  return pivots;
}

/** Exchanges row j and the one with the largest element of column j from there on. */
function exchange(by: Arithmetic, n: number, a: Matrix, j: number, pivots: { order: number[]; sign: number }): void {
  const { memory } = by;
  const column = a.at + j * a.ld;
  let [pivot, most] = [j, Math.hypot(memory[column + j]!, memory[column + a.plane + j]!)];
  for (let i = j + 1; i < n; i++) {
    const size = Math.hypot(memory[column + i]!, memory[column + a.plane + i]!);
    if (size > most) [pivot, most] = [i, size];
  }
  if (pivot === j) return;
  pivots.sign = -pivots.sign;
  [pivots.order[j], pivots.order[pivot]] = [pivots.order[pivot]!, pivots.order[j]!];
  for (const at of planesOf(a)) {
    for (let k = at; k < at + n * a.ld; k += a.ld) [memory[k + j], memory[k + pivot]] = [memory[k + pivot]!, memory[k + j]!];
  }
}

function divideColumn({ memory }: Arithmetic, rows: number, { at, plane }: Matrix, re: number, im: number): void {
  for (let k = at; k < at + rows; k++) [memory[k], memory[k + plane]] = quotient(memory[k]!, memory[k + plane]!, re, im);
}

/** The rows to the right of a panel become U12 = L11^-1 A12, and the rest A22 - L21 U12. */
function updateRight(by: Arithmetic, left: number, width: number, panel: Matrix, right: Matrix, below: Matrix, rest: Matrix): void {
  solveComplexTriangle(by, width, panel, left, right, { lower: true, adjoint: false, isUnit: true });
  const mark = by.mark();
  const negated = takeMatrix(by, width, left, true);
  copy(by, width, left, right, negated);
  negate(by, width, left, negated);
  addProduct(by, left, left, width, [below, false], [negated, false], rest);
  by.release(mark);
}
