/**
 * bidiagonal: A = U B V^H for a real upper bidiagonal B, by elementary reflectors in blocks (LAPACK's gebrd and labrd).
 *
 *     A - L Y^H - X R^H     A after the first columns and rows of a panel: L has the reflectors of the columns, R those of the rows
 *
 * A column and a row of a panel are computed from A before the panel, whose later part is updated by two products.
 */
import type { Arithmetic } from "../dense/arithmetic.ts";
import type { Matrix } from "../dense/matrix.ts";
import {
  addAdjointTimes,
  addProduct,
  addTimes,
  conjugateRow,
  copy,
  negate,
  numberAt,
  partOf,
  scaleColumn,
  subtractLowRank,
  takeMatrix,
} from "../dense/matrix.ts";
import type { Steps } from "../dense/steps.ts";
import { kBlock } from "./block-reflector.ts";
import type { Reflectors } from "./block-reflector.ts";
import { reflect } from "./reflector.ts";
import type { TwoDiagonals } from "./tridiagonal.ts";

/** A matrix as U B V^H. */
export interface Bidiagonalization extends TwoDiagonals {
  /** The reflectors of U. */
  readonly left: Reflectors;
  /** The reflectors of V. */
  readonly right: Reflectors;
}

/** The matrices of a reduction. */
interface Reduction {
  readonly a: Matrix;
  readonly left: Reflectors;
  readonly right: Reflectors;
  /** Products of A with the reflectors of the columns and of the rows of the panel. */
  readonly y: Matrix;
  readonly x: Matrix;
}

/** Reduces A of m rows and n <= m columns, which is overwritten. */
export function* reduceToBidiagonal(by: Arithmetic, m: number, n: number, a: Matrix): Steps<Bidiagonalization> {
  const isComplex = a.plane !== 0;
  const reflectors = (rows: number, count: number, below: number): Reflectors => ({
    rows,
    count,
    below,
    v: takeMatrix(by, rows, count, isComplex),
    tau: takeMatrix(by, count, 1, isComplex),
  });
  const left = reflectors(m, n, 0);
  const right = reflectors(n, Math.max(0, n - 1), 1);
  const [diagonal, beside] = [new Float64Array(n), new Float64Array(right.count)];
  for (let first = 0; first < n; first += kBlock) {
    const width = Math.min(kBlock, n - first);
    const mark = by.mark();
    const y = takeMatrix(by, n, width, isComplex);
    const x = takeMatrix(by, m, width, isComplex);
    const reduction = { a, left, right, y, x };
    for (let j = 0; j < width; j++) {
      diagonal[first + j] = reduceColumn(by, m, n, first, j, reduction);
      if (first + j < n - 1) beside[first + j] = reduceRow(by, m, n, first, j, reduction);
      yield 4 * (m - first - j) * (n - first - j);
    }
    updateLater(by, m, n, first, width, reduction);
    by.release(mark);
    yield 4 * (m - first) * (n - first) * width;
  }
  return { diagonal, beside, left, right };
}

/** Reduces column `first + j` of A and computes its column of Y. Returns the element on the diagonal. */
function reduceColumn(by: Arithmetic, m: number, n: number, first: number, j: number, { a, left, right, y, x }: Reduction): number {
  const mark = by.mark();
  const at = first + j;
  const rows = m - at;
  const row = takeMatrix(by, Math.max(1, j), 1, a.plane !== 0);
  const [column, v, factor] = [partOf(a, at, at), partOf(left.v, at, at), partOf(left.tau, at, 0)];
  copy(by, rows, 1, column, v);
  conjugateRow(by, j, partOf(y, at, 0), row);
  addTimes(by, rows, j, -1, partOf(left.v, at, first), row, v);
  conjugateRow(by, j, partOf(right.v, at, first), row);
  addTimes(by, rows, j, -1, partOf(x, at, 0), row, v);
  const beta = reflect(by, rows, v, factor);
  const later = n - at - 1;
  const product = partOf(y, at + 1, j);
  addAdjointTimes(by, rows, later, 1, partOf(a, at, at + 1), v, product);
  subtractLowRank(by, j, later, partOf(y, at + 1, 0), rows, partOf(left.v, at, first), v, product);
  subtractLowRank(by, j, later, partOf(right.v, at + 1, first), rows, partOf(x, at, 0), v, product);
  scaleColumn(by, later, ...numberAt(by, factor), product);
  by.release(mark);
  return beta;
}

/** Reduces row `first + j` of A behind the diagonal and computes its column of X. Returns the element beside the diagonal. */
function reduceRow(by: Arithmetic, m: number, n: number, first: number, j: number, { a, left, right, y, x }: Reduction): number {
  const mark = by.mark();
  const at = first + j;
  const columns = n - at - 1;
  const row = takeMatrix(by, j + 1, 1, a.plane !== 0);
  const [v, factor] = [partOf(right.v, at + 1, at), partOf(right.tau, at, 0)];
  conjugateRow(by, columns, partOf(a, at, at + 1), v);
  conjugateRow(by, j + 1, partOf(left.v, at, first), row);
  addTimes(by, columns, j + 1, -1, partOf(y, at + 1, 0), row, v);
  conjugateRow(by, j, partOf(x, at, 0), row);
  addTimes(by, columns, j, -1, partOf(right.v, at + 1, first), row, v);
  const beta = reflect(by, columns, v, factor);
  const rows = m - at - 1;
  const product = partOf(x, at + 1, j);
  addTimes(by, rows, columns, 1, partOf(a, at + 1, at + 1), v, product);
  subtractLowRank(by, j + 1, rows, partOf(left.v, at + 1, first), columns, partOf(y, at + 1, 0), v, product);
  subtractLowRank(by, j, rows, partOf(x, at + 1, 0), columns, partOf(right.v, at + 1, first), v, product);
  scaleColumn(by, rows, ...numberAt(by, factor), product);
  by.release(mark);
  return beta;
}

/** Updates the part of A behind the panel: A -= L Y^H + X R^H. */
function updateLater(by: Arithmetic, m: number, n: number, first: number, width: number, { a, left, right, y, x }: Reduction): void {
  const next = first + width;
  const [rows, columns] = [m - next, n - next];
  if (columns <= 0) return;
  negate(by, columns, width, partOf(y, next, 0));
  negate(by, rows, width, partOf(x, next, 0));
  const later = partOf(a, next, next);
  addProduct(by, rows, columns, width, [partOf(left.v, next, first), false], [partOf(y, next, 0), true], later);
  addProduct(by, rows, columns, width, [partOf(x, next, 0), false], [partOf(right.v, next, first), true], later);
}
