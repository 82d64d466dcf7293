/** singular-value-decomposition: A = U diag(s) V^H. */
import { InvalidArgumentError } from "@onebuffer/base";
import type { Arithmetic } from "../dense/arithmetic.ts";
import type { Matrix } from "../dense/matrix.ts";
import { copy, takeIdentity, takeMatrix } from "../dense/matrix.ts";
import type { Steps } from "../dense/steps.ts";
import { reduceToBidiagonal } from "../reflect/bidiagonal.ts";
import { applyReflectors } from "../reflect/block-reflector.ts";
import type { Reflectors } from "../reflect/block-reflector.ts";
import { reduceToTriangle } from "../reflect/qr.ts";
import { divideBidiagonal } from "../spectrum/bidiagonal-division.ts";
import { solveBidiagonal } from "../spectrum/bidiagonal-qr.ts";
import { sortColumns } from "../spectrum/sorted-columns.ts";
import type { DenseMatrix, Part } from "./packed-matrices.ts";
import { largestMagnitude, loadMatrix, scaleFor } from "./packed-matrices.ts";

/**
 * Returns the singular values, and both matrices of vectors if they are asked for, square ones if `isFull`. NaN and infinities give NaN. Throws
 * INVALID_ARGUMENT if a singular value does not converge.
 */
export function* singularValuesOf(
  by: Arithmetic,
  matrix: DenseMatrix,
  hasVectors: boolean,
  isFull: boolean,
  call: string,
  where: string,
): Steps<Part[]> {
  const { rows, columns } = matrix;
  const isWide = rows < columns;
  const [m, n] = isWide ? [columns, rows] : [rows, columns];
  const leftCount = isFull ? m : n;
  const magnitude = largestMagnitude(matrix, false);
  if (!Number.isFinite(magnitude)) {
    const lengths = !hasVectors ? [n] : isWide ? [n, n * n, m * leftCount] : [n, m * leftCount, n * n];
    return lengths.map((length) => ({ values: new Float64Array(length).fill(NaN) }));
  }
  const scale = scaleFor(magnitude);
  const { values, vectors, failures } = yield* decomposeSingularValues(
    by,
    m,
    n,
    loadMatrix(by, matrix, isWide, scale),
    hasVectors ? leftCount : null,
  );
  if (failures > 0) {
    throw new InvalidArgumentError(
      `${call}: the singular value decomposition was not successful (${where}${failures} values did not converge)`,
    );
  }
  for (let i = 0; i < n; i++) values[i]! /= scale;
  if (vectors === null) return [{ values }];
  const left = { matrix: vectors[0], rows: m, columns: leftCount };
  const right = { matrix: vectors[1], rows: n, columns: n };
  return isWide ? [{ values }, right, left] : [{ values }, left, right];
}

/** From this ratio of rows to columns on, a QR factorization first makes the matrix square. */
const kTall = 1.6;

/** Singular values, descending, and vectors in columns. */
interface SingularValueDecomposition {
  /** The number of values that did not converge. */
  readonly failures: number;
  readonly values: Float64Array;
  /** The left and right vectors; null if they were not asked for. */
  readonly vectors: readonly [u: Matrix, v: Matrix] | null;
}

/**
 * Decomposes A of m rows and n <= m columns, with elements of moderate size, which is overwritten. There are `leftCount` left vectors, from n to
 * m.
 */
function* decomposeSingularValues(
  by: Arithmetic,
  m: number,
  n: number,
  a: Matrix,
  leftCount: number | null,
): Steps<SingularValueDecomposition> {
  const isComplex = a.plane !== 0;
  const triangle = m >= kTall * n && n > 0 ? yield* reduceToTriangle(by, m, n, a) : null;
  const rows = triangle === null ? m : n;
  const { diagonal, beside, left, right } = yield* reduceToBidiagonal(by, rows, n, a);
  const e = new Float64Array(n);
  e.set(beside);
  const none = { rows: 0, columns: a };
  if (leftCount === null) {
    const failures = solveBidiagonal(by, { d: diagonal, e, left: none, right: none });
    sortColumns(by, diagonal, "descending", []);
    return { failures, values: diagonal, vectors: null };
  }
  const [u, v] = [takeMatrix(by, n, n, false), takeMatrix(by, n, n, false)];
  const failures = yield* divideBidiagonal(by, diagonal, e, u, v);
  const vectors = function* (real: Matrix, size: number, count: number, reflectors: readonly Reflectors[]): Steps<Matrix> {
    const made = takeIdentity(by, size, count, isComplex);
    copy(by, n, n, real, made);
    for (const each of reflectors) yield* applyReflectors(by, each, false, count, made);
    return made;
  };
  const ofLeft = triangle === null ? [left] : [left, triangle];
  return { failures, values: diagonal, vectors: [yield* vectors(u, m, leftCount, ofLeft), yield* vectors(v, n, n, [right])] };
}
