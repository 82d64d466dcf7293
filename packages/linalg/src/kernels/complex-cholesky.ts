/** complex-cholesky: the Cholesky factor of complex matrices, in planes, in blocks of columns (LAPACK's potrf). */
import type { Arithmetic } from "../dense/arithmetic.ts";
import type { Matrix } from "../dense/matrix.ts";
import { addOuter, addProduct, clear, copy, negate, partOf, planesOf, takeMatrix } from "../dense/matrix.ts";

/** The columns of a panel. */
const kPanel = 32;
/** How many columns behind a panel one product updates. The part above the diagonal that is computed in vain is half as wide. */
const kUpdatedColumns = 64;

/**
 * Replaces A of n rows by L, with zeros above the diagonal. Only the lower triangle is read. Returns the first pivot that is not positive;
 * -1 if there is none.
 */
export function factorComplexCholesky(by: Arithmetic, n: number, a: Matrix): number {
  const { memory } = by;
  for (let first = 0; first < n; first += kPanel) {
    const width = Math.min(kPanel, n - first);
    for (let j = first; j < first + width; j++) {
      const at = a.at + j * (a.ld + 1);
      const root = Math.sqrt(memory[at]!);
      if (!(root > 0)) return j;
      [memory[at], memory[at + a.plane]] = [root, 0];
      clear(by, j, 1, partOf(a, 0, j));
      const [rows, column] = [n - j - 1, partOf(a, j + 1, j)];
      for (const plane of planesOf(column)) for (let k = plane; k < plane + rows; k++) memory[k]! /= root;
      addOuter(by, rows, first + width - j - 1, -1, column, column, partOf(a, j + 1, j + 1));
    }
    updateLater(by, n - first - width, width, partOf(a, first + width, first), partOf(a, first + width, first + width));
  }
  return -1;
}

/** A -= L L^H, of the lower triangle and some columns above it. */
function updateLater(by: Arithmetic, n: number, width: number, l: Matrix, a: Matrix): void {
  if (n <= 0) return;
  const mark = by.mark();
  const negated = takeMatrix(by, n, width, true);
  copy(by, n, width, l, negated);
  negate(by, n, width, negated);
  for (let j = 0; j < n; j += kUpdatedColumns) {
    const columns = Math.min(kUpdatedColumns, n - j);
    addProduct(by, n - j, columns, width, [partOf(negated, j, 0), false], [partOf(l, j, 0), true], partOf(a, j, j));
  }
  by.release(mark);
}
