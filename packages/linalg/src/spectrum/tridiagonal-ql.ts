/**
 * tridiagonal-ql: eigenvalues, and on demand vectors, of a real symmetric tridiagonal matrix by implicit QL with Wilkinson's shift (LAPACK's
 * steqr).
 */
import type { Arithmetic } from "../dense/arithmetic.ts";
import type { Matrix } from "../dense/matrix.ts";
import { planeRotation } from "./plane-rotation.ts";
import { sortColumns } from "./sorted-columns.ts";

/** Steps per eigenvalue, as in LAPACK. */
const kStepsPerValue = 30;
/** Elements beside the diagonal of a matrix of norm 1 that are taken for 0: their squares would underflow. */
export const kNegligible = 1e-140;

/**
 * Overwrites d, the diagonal, by the eigenvalues, ascending, and e, which has one element more than those beside the diagonal, by anything.
 * The columns of `vectors`, of `rows` rows, are multiplied by the matrix of eigenvectors. Returns the number of eigenvalues that did not
 * converge.
 */
export function solveTridiagonal(by: Arithmetic, d: Float64Array, e: Float64Array, rows: number, vectors: Matrix | null): number {
  const n = d.length;
  let steps = kStepsPerValue * n;
  for (let l = 0; l < n; l++) {
    for (;;) {
      let m = l;
      while (m < n - 1 && !(Math.abs(e[m]!) <= Number.EPSILON * (Math.abs(d[m]!) + Math.abs(d[m + 1]!)) || Math.abs(e[m]!) < kNegligible))
        m++;
      if (m === l) break;
      if (steps-- === 0) return n - l;
      chase(by, d, e, l, m, rows, vectors);
    }
  }
  sortColumns(by, d, "ascending", vectors === null ? [] : [{ rows, columns: vectors }]);
  return 0;
}

/** Does one step of QL on rows l to m, which are a matrix of their own. */
function chase(by: Arithmetic, d: Float64Array, e: Float64Array, l: number, m: number, rows: number, vectors: Matrix | null): void {
  const ratio = (d[l + 1]! - d[l]!) / (2 * e[l]!);
  const size = Math.sqrt(ratio * ratio + 1);
  let g = d[m]! - d[l]! + e[l]! / (ratio + (ratio >= 0 ? size : -size));
  let [s, c, p] = [1, 1, 0];
  for (let i = m - 1; i >= l; i--) {
    const [f, b] = [s * e[i]!, c * e[i]!];
    let r: number;
    [c, s, r] = planeRotation(g, f);
    e[i + 1] = r;
    if (r === 0) {
      d[i + 1]! -= p;
      e[m] = 0;
      return;
    }
    g = d[i + 1]! - p;
    const t = (d[i]! - g) * s + 2 * c * b;
    p = s * t;
    d[i + 1] = g + p;
    g = c * t - b;
    if (vectors !== null) by.rotate(rows, vectors.at + (i + 1) * vectors.ld, vectors.at + i * vectors.ld, c, s);
  }
  d[l]! -= p;
  e[l] = g;
  e[m] = 0;
}
