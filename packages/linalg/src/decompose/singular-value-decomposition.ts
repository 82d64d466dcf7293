/** singular-value-decomposition: A = U diag(s) V^H. */
import type { Arithmetic } from "../dense/arithmetic.ts";
import type { Matrix } from "../dense/matrix.ts";
import { copy, takeIdentity, takeMatrix } from "../dense/matrix.ts";
import { reduceToBidiagonal } from "../reflect/bidiagonal.ts";
import { applyReflectors } from "../reflect/block-reflector.ts";
import type { Reflectors } from "../reflect/block-reflector.ts";
import { reduceToTriangle } from "../reflect/qr.ts";
import { divideBidiagonal } from "../spectrum/bidiagonal-division.ts";
import { solveBidiagonal } from "../spectrum/bidiagonal-qr.ts";
import { sortColumns } from "../spectrum/sorted-columns.ts";

/** From this ratio of rows to columns on, a QR factorization first makes the matrix square. */
const kTall = 1.6;

/** Singular values, descending, and vectors in columns. */
export interface SingularValueDecomposition {
  readonly values: Float64Array;
  /** The left and right vectors; null if they were not asked for. */
  readonly vectors: readonly [u: Matrix, v: Matrix] | null;
}

/**
 * Decomposes A of m rows and n <= m columns, with elements of moderate size, which is overwritten. There are `leftCount` left vectors, from n to
 * m. Throws INVALID_ARGUMENT if a singular value does not converge.
 */
export function decomposeSingularValues(
  by: Arithmetic,
  m: number,
  n: number,
  a: Matrix,
  leftCount: number | null,
): SingularValueDecomposition {
  const isComplex = a.plane !== 0;
  const triangle = m >= kTall * n && n > 0 ? reduceToTriangle(by, m, n, a) : null;
  const rows = triangle === null ? m : n;
  const { diagonal, beside, left, right } = reduceToBidiagonal(by, rows, n, a);
  const e = new Float64Array(n);
  e.set(beside);
  const none = { rows: 0, columns: a };
  if (leftCount === null) {
    solveBidiagonal(by, { d: diagonal, e, left: none, right: none });
    sortColumns(by, diagonal, "descending", []);
    return { values: diagonal, vectors: null };
  }
  const [u, v] = [takeMatrix(by, n, n, false), takeMatrix(by, n, n, false)];
  divideBidiagonal(by, diagonal, e, u, v);
  const vectors = (real: Matrix, size: number, count: number, reflectors: readonly Reflectors[]): Matrix => {
    const made = takeIdentity(by, size, count, isComplex);
    copy(by, n, n, real, made);
    for (const each of reflectors) applyReflectors(by, each, false, count, made);
    return made;
  };
  const ofLeft = triangle === null ? [left] : [left, triangle];
  return { values: diagonal, vectors: [vectors(u, m, leftCount, ofLeft), vectors(v, n, n, [right])] };
}
