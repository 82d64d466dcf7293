/**
 * bidiagonal-qr: singular values, and on demand vectors, of a real upper bidiagonal matrix by implicitly shifted QR (Golub and Kahan; LAPACK's
 * bdsqr).
 */
import type { Arithmetic } from "../dense/arithmetic.ts";
import { negate, partOf } from "../dense/matrix.ts";
import { planeRotation } from "./plane-rotation.ts";
import type { Columns } from "./sorted-columns.ts";

/** Steps per singular value, as in LAPACK. */
const kStepsPerValue = 30;
/** Elements of a matrix of norm 1 that are taken for 0: their squares would underflow. */
export const kNegligible = 1e-140;

/** A matrix on the way to a diagonal one. `e` has one element more than those beside the diagonal, which is 0. */
export interface Bidiagonal {
  readonly d: Float64Array;
  readonly e: Float64Array;
  /** The columns that are multiplied by the left vectors; none if they have no rows. */
  readonly left: Columns;
  readonly right: Columns;
}

/** Overwrites d by the singular values, in no order. Returns the number of those that did not converge. */
export function solveBidiagonal(by: Arithmetic, matrix: Bidiagonal): number {
  const { d, e, right } = matrix;
  let steps = kStepsPerValue * d.length;
  for (let last = d.length - 1; last >= 0; ) {
    let first = last;
    while (first > 0 && !isNegligible(e[first - 1]!, d[first - 1]!, d[first]!)) first--;
    if (first > 0) e[first - 1] = 0;
    if (first === last) {
      if (d[last]! < 0 || Object.is(d[last], -0)) {
        d[last] = -d[last]!;
        negate(by, right.rows, 1, partOf(right.columns, 0, last));
      }
      last--;
      continue;
    }
    if (steps-- <= 0) return last + 1;
    const zero = zeroBetween(d, e, first, last);
    if (zero === last) clearColumn(by, matrix, first, last - 1, last);
    else if (zero >= 0) clearRow(by, matrix, zero, last);
    else chase(by, matrix, first, last);
  }
  return 0;
}

const isNegligible = (x: number, p: number, q: number): boolean =>
  Math.abs(x) <= Number.EPSILON * (Math.abs(p) + Math.abs(q)) || Math.abs(x) < kNegligible;

/** Returns the place of a last element on the diagonal that is nearly 0; -1 if there is none. It is set to 0. */
function zeroBetween(d: Float64Array, e: Float64Array, first: number, last: number): number {
  for (let k = last; k >= first; k--) {
    if (!isNegligible(d[k]!, k < last ? e[k]! : 0, k > first ? e[k - 1]! : 0)) continue;
    d[k] = 0;
    return k;
  }
  return -1;
}

/** Removes the elements of column `column` above the diagonal, from row `row` on upwards, by rotations of columns. */
export function clearColumn(by: Arithmetic, { d, e, right }: Bidiagonal, first: number, row: number, column: number): void {
  let f = e[row]!;
  e[row] = 0;
  for (let j = row; j >= first && f !== 0; j--) {
    const [c, s, r] = planeRotation(d[j]!, f);
    d[j] = r;
    if (j > first) {
      f = -s * e[j - 1]!;
      e[j - 1]! *= c;
    }
    rotate(by, right, j, column, c, s);
  }
}

/** Removes the element beside a 0 of the diagonal, and those that it becomes, by rotations of rows. */
function clearRow(by: Arithmetic, { d, e, left }: Bidiagonal, row: number, last: number): void {
  let f = e[row]!;
  e[row] = 0;
  for (let j = row + 1; j <= last && f !== 0; j++) {
    const [c, s, r] = planeRotation(d[j]!, f);
    d[j] = r;
    f = -s * e[j]!;
    e[j]! *= c;
    rotate(by, left, j, row, c, s);
  }
}

/** Does one step of QR on rows `first` to `last`, which are a matrix of their own. */
function chase(by: Arithmetic, { d, e, left, right }: Bidiagonal, first: number, last: number): void {
  const scale = Math.max(Math.abs(d[last]!), Math.abs(d[last - 1]!), Math.abs(e[last - 1]!), Math.abs(d[first]!), Math.abs(e[first]!));
  const [p, q, b, r, t] = [d[last]!, d[last - 1]!, e[last - 1]!, d[first]!, e[first]!].map((each) => each / scale) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const half = ((q + p) * (q - p) + b * b) / 2;
  const product = (p * b) ** 2;
  const root = Math.sqrt(half * half + product);
  const shift = product === 0 ? 0 : product / (half + (half < 0 ? -root : root));
  let [f, g] = [(r + p) * (r - p) + shift, r * t];
  for (let j = first; j < last; j++) {
    let [c, s, size] = planeRotation(f, g);
    if (j > first) e[j - 1] = size;
    f = c * d[j]! + s * e[j]!;
    e[j] = c * e[j]! - s * d[j]!;
    g = s * d[j + 1]!;
    d[j + 1]! *= c;
    rotate(by, right, j, j + 1, c, s);
    [c, s, size] = planeRotation(f, g);
    d[j] = size;
    f = c * e[j]! + s * d[j + 1]!;
    d[j + 1] = c * d[j + 1]! - s * e[j]!;
    if (j < last - 1) {
      g = s * e[j + 1]!;
      e[j + 1]! *= c;
    }
    rotate(by, left, j, j + 1, c, s);
  }
  e[last - 1] = f;
}

function rotate(by: Arithmetic, { rows, columns }: Columns, x: number, y: number, c: number, s: number): void {
  if (rows > 0) by.rotate(rows, columns.at + x * columns.ld, columns.at + y * columns.ld, c, s);
}
