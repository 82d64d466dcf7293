/**
 * complex-triangle: systems with a triangular matrix of complex numbers, in planes, in blocks of rows.
 *
 *     | T11     |      the rows of a block one by one, each from those after it in the block;
 *     | T21 T22 |      then the rows after the block by one product: X2 -= T21 X1
 */
import type { Arithmetic } from "../dense/arithmetic.ts";
import type { Matrix } from "../dense/matrix.ts";
import { addOuter, addProduct, conjugateRow, copy, negate, numberAt, partOf, takeMatrix } from "../dense/matrix.ts";
import type { Triangle } from "../reference/triangle-reference.ts";
import { quotient } from "../spectrum/complex-numbers.ts";

/** The rows of a block. */
const kBlock = 32;

/** Solves T x = b, or a system of the adjoint, in place of b of `columns` columns. The other triangle of T is not read. */
export function solveComplexTriangle(by: Arithmetic, n: number, t: Matrix, columns: number, b: Matrix, which: Triangle): void {
  if (columns === 0) return;
  const isForward = which.lower !== which.adjoint;
  const mark = by.mark();
  const [column, row] = [takeMatrix(by, kBlock, 1, true), takeMatrix(by, columns, 1, true)];
  for (let done = 0; done < n; done += kBlock) {
    const width = Math.min(kBlock, n - done);
    const [first, left] = [isForward ? done : n - done - width, n - done - width];
    for (let step = 0; step < width; step++) {
      const i = isForward ? first + step : first + width - 1 - step;
      if (!which.isUnit) divideRow(by, columns, partOf(b, i, 0), numberAt(by, partOf(t, i, i)), which.adjoint);
      const [from, count] = isForward ? [i + 1, first + width - i - 1] : [first, i - first];
      if (count === 0) continue;
      if (which.adjoint) conjugateRow(by, count, partOf(t, i, from), column);
      else copy(by, count, 1, partOf(t, from, i), column);
      conjugateRow(by, columns, partOf(b, i, 0), row);
      addOuter(by, count, columns, -1, column, row, partOf(b, from, 0));
    }
    if (left === 0) break;
    const others = isForward ? first + width : 0;
    const solved = takeMatrix(by, width, columns, true);
    copy(by, width, columns, partOf(b, first, 0), solved);
    negate(by, width, columns, solved);
    const block = which.adjoint ? partOf(t, first, others) : partOf(t, others, first);
    addProduct(by, left, columns, width, [block, which.adjoint], [solved, false], partOf(b, others, 0));
  }
  by.release(mark);
}

/** Divides a row by a number, or by its conjugate. */
function divideRow({ memory }: Arithmetic, columns: number, { at, ld, plane }: Matrix, [re, im]: [number, number], adjoint: boolean): void {
  for (let k = at; k < at + columns * ld; k += ld)
    [memory[k], memory[k + plane]] = quotient(memory[k]!, memory[k + plane]!, re, adjoint ? -im : im);
}
