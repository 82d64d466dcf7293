/**
 * tridiagonal: A = Q T Q^H for a Hermitian A and a real tridiagonal T, by elementary reflectors in blocks (LAPACK's hetrd and latrd).
 *
 *     A   | panel |         |     the columns of a panel one by one, each from the lower triangle of A before the panel:
 *         |       | A later |     A - V W^H - W V^H; then the later A by one product of two
 */
import type { Arithmetic } from "../dense/arithmetic.ts";
import type { Matrix } from "../dense/matrix.ts";
import {
  addAdjointTimes,
  addHermitianTimes,
  addProduct,
  addTimes,
  clear,
  conjugateRow,
  copy,
  negate,
  numberAt,
  partOf,
  planesOf,
  scaleColumn,
  subtractLowRank,
  takeMatrix,
} from "../dense/matrix.ts";
import type { Steps } from "../dense/steps.ts";
import { kBlock } from "./block-reflector.ts";
import type { Reflectors } from "./block-reflector.ts";
import { reflect } from "./reflector.ts";

/** The diagonal and the elements beside it of a real tridiagonal or bidiagonal matrix. */
export interface TwoDiagonals {
  readonly diagonal: Float64Array;
  readonly beside: Float64Array;
}

/** A matrix as Q T Q^H. */
export interface Tridiagonalization extends TwoDiagonals {
  readonly reflectors: Reflectors;
}

/** How many columns of the lower triangle one product updates. The part above the diagonal that is computed in vain is half as wide. */
const kUpdatedColumns = 64;

/** Reduces A of n rows, which is overwritten. Of a real A only the lower triangle is read, a complex one has to be whole. */
export function* reduceToTridiagonal(by: Arithmetic, n: number, a: Matrix): Steps<Tridiagonalization> {
  const isComplex = a.plane !== 0;
  const count = Math.max(0, n - 1);
  const v = takeMatrix(by, n, count, isComplex);
  const tau = takeMatrix(by, count, 1, isComplex);
  const [diagonal, beside] = [new Float64Array(n), new Float64Array(count)];
  for (let first = 0; first < count; first += kBlock) {
    const width = Math.min(kBlock, count - first);
    const mark = by.mark();
    const w = takeMatrix(by, n, width, isComplex);
    for (let j = 0; j < width; j++) {
      reduceColumn(by, n, first, j, a, v, w, tau, beside);
      yield 2 * (n - first - j) ** 2;
    }
    const left = n - first - width;
    const later = partOf(a, first + width, first + width);
    updateLater(by, left, width, partOf(v, first + width, first), partOf(w, first + width, 0), later);
    for (let j = first; j < first + width; j++) diagonal[j] = by.memory[a.at + j * (a.ld + 1)]!;
    by.release(mark);
    yield 2 * left * left * width;
  }
  if (n > 0) diagonal[n - 1] = by.memory[a.at + (n - 1) * (a.ld + 1)]!;
  return { diagonal, beside, reflectors: { rows: n, count, below: 1, v, tau } };
}

/** Reduces column `first + j` of A, column j of the panel, and computes its column of W. */
function reduceColumn(
  by: Arithmetic,
  n: number,
  first: number,
  j: number,
  a: Matrix,
  v: Matrix,
  w: Matrix,
  tau: Matrix,
  beside: Float64Array,
): void {
  const mark = by.mark();
  const isComplex = a.plane !== 0;
  const at = first + j;
  const row = takeMatrix(by, Math.max(1, j), 1, isComplex);
  const column = partOf(a, at, at);
  conjugateRow(by, j, partOf(w, at, 0), row);
  addTimes(by, n - at, j, -1, partOf(v, at, first), row, column);
  conjugateRow(by, j, partOf(v, at, first), row);
  addTimes(by, n - at, j, -1, partOf(w, at, 0), row, column);
  const rows = n - at - 1;
  const [x, factor, y] = [partOf(v, at + 1, at), partOf(tau, at, 0), partOf(w, at + 1, j)];
  copy(by, rows, 1, partOf(column, 1, 0), x);
  beside[at] = reflect(by, rows, x, factor);
  addHermitianTimes(by, rows, partOf(a, at + 1, at + 1), x, y);
  const [vBefore, wBefore] = [partOf(v, at + 1, first), partOf(w, at + 1, 0)];
  subtractLowRank(by, j, rows, vBefore, rows, wBefore, x, y);
  subtractLowRank(by, j, rows, wBefore, rows, vBefore, x, y);
  const [re, im] = numberAt(by, factor);
  scaleColumn(by, rows, re, im, y);
  // w = y - tau (y^H v) v / 2
  clear(by, 1, 1, row);
  addAdjointTimes(by, rows, 1, 1, y, x, row);
  const [p, q] = numberAt(by, row);
  const [half, halfIm] = [-0.5 * (re * p - im * q), -0.5 * (re * q + im * p)];
  for (const [plane, place] of planesOf(row).entries()) by.memory[place] = plane === 0 ? half : halfIm;
  addTimes(by, rows, 1, 1, x, row, y);
  by.release(mark);
}

/** A -= V W^H + W V^H: all of it if it is complex, otherwise the lower triangle and some columns above it. */
function updateLater(by: Arithmetic, n: number, width: number, v: Matrix, w: Matrix, a: Matrix): void {
  if (n <= 0) return;
  const mark = by.mark();
  const isComplex = a.plane !== 0;
  const both = takeMatrix(by, n, 2 * width, isComplex);
  const mirrored = takeMatrix(by, n, 2 * width, isComplex);
  copy(by, n, width, v, both);
  copy(by, n, width, w, partOf(both, 0, width));
  copy(by, n, width, w, mirrored);
  copy(by, n, width, v, partOf(mirrored, 0, width));
  negate(by, n, 2 * width, mirrored);
  const step = isComplex ? n : kUpdatedColumns;
  for (let j = 0; j < n; j += step) {
    const columns = Math.min(step, n - j);
    addProduct(by, n - j, columns, 2 * width, [partOf(both, j, 0), false], [partOf(mirrored, j, 0), true], partOf(a, j, j));
  }
  by.release(mark);
}
