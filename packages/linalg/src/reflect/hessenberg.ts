/** hessenberg: A = Q H Q^H with zeros in H below the elements beside the diagonal, by elementary reflectors (LAPACK's gehrd). */
import type { Arithmetic } from "../dense/arithmetic.ts";
import type { Matrix } from "../dense/matrix.ts";
import { addAdjointTimes, addOuter, addTimes, clear, copy, numberAt, partOf, scaleColumn, takeMatrix } from "../dense/matrix.ts";
import type { Steps } from "../dense/steps.ts";
import type { Reflectors } from "./block-reflector.ts";
import { reflect } from "./reflector.ts";

/** Overwrites A of n rows by H, and returns the reflectors of Q. Their memory is taken. */
export function* reduceToHessenberg(by: Arithmetic, n: number, a: Matrix): Steps<Reflectors> {
  const isComplex = a.plane !== 0;
  const count = Math.max(0, n - 1);
  const v = takeMatrix(by, n, count, isComplex);
  const tau = takeMatrix(by, count, 1, isComplex);
  for (let j = 0; j < count; j++) {
    const mark = by.mark();
    const rows = n - j - 1;
    const [x, factor, column] = [partOf(v, j + 1, j), partOf(tau, j, 0), partOf(a, j + 1, j)];
    copy(by, rows, 1, column, x);
    const beta = reflect(by, rows, x, factor);
    clear(by, rows, 1, column);
    by.memory[column.at] = beta;
    const [re, im] = numberAt(by, factor);
    // A = (1 - conj(tau) v v^H) A (1 - tau v v^H)
    const left = takeMatrix(by, rows, 1, isComplex);
    const later = partOf(a, j + 1, j + 1);
    addAdjointTimes(by, rows, rows, 1, later, x, left);
    scaleColumn(by, rows, re, im, left);
    addOuter(by, rows, rows, -1, x, left, later);
    const right = takeMatrix(by, n, 1, isComplex);
    const all = partOf(a, 0, j + 1);
    addTimes(by, n, rows, 1, all, x, right);
    scaleColumn(by, n, re, im, right);
    addOuter(by, n, rows, -1, right, x, all);
    by.release(mark);
    yield 4 * rows * (rows + n);
  }
  return { rows: n, count, below: 1, v, tau };
}
