/** schur-form: A = Z T Z^H with a unitary Z: T is an upper triangle, which has blocks of 2 x 2 for conjugate pairs if A is real (LAPACK's gees). */
import type { Arithmetic } from "../dense/arithmetic.ts";
import type { Matrix } from "../dense/matrix.ts";
import { planesOf, takeIdentity, takeMatrix } from "../dense/matrix.ts";
import type { Steps } from "../dense/steps.ts";
import { applyReflectors } from "../reflect/block-reflector.ts";
import { reduceToHessenberg } from "../reflect/hessenberg.ts";
import type { ComplexRows } from "../spectrum/complex-schur.ts";
import { reduceToComplexSchur } from "../spectrum/complex-schur.ts";
import { reduceToRealSchur } from "../spectrum/real-schur.ts";
import type { DenseMatrix } from "./packed-matrices.ts";
import { largestMagnitude, loadMatrix, scaleFor } from "./packed-matrices.ts";

/** The parts of a Schur form, as rows. */
export interface SchurForm {
  /** T times the scale. */
  readonly t: ComplexRows;
  /** Z; without elements if it was not asked for. */
  readonly z: ComplexRows;
  /** The power of two by which the matrix was multiplied. */
  readonly scale: number;
}

/** Returns the Schur form of a square matrix. Calls `fail` for NaN and infinities, and if eigenvalues do not converge. */
export function* schurFormOf(by: Arithmetic, matrix: DenseMatrix, hasVectors: boolean, fail: (reason: string) => never): Steps<SchurForm> {
  const n = matrix.rows;
  const magnitude = largestMagnitude(matrix, false);
  if (!Number.isFinite(magnitude)) fail(`an element is ${Number.isNaN(magnitude) ? "NaN" : "infinite"}`);
  const scale = scaleFor(magnitude);
  const mark = by.mark();
  const a = loadMatrix(by, matrix, false, scale);
  const reflectors = yield* reduceToHessenberg(by, n, a);
  const q = takeIdentity(by, n, hasVectors ? n : 0, matrix.isComplex);
  if (hasVectors) yield* applyReflectors(by, reflectors, false, n, q);
  const [t, z] = [rowsOf(by, n, n, a), rowsOf(by, hasVectors ? n : 0, n, q)];
  by.release(mark);
  const failures = yield* matrix.isComplex ? reduceToComplexSchur(n, t, z) : reduceToRealSchur(n, t.re, z.re);
  if (failures > 0) fail(`${failures} eigenvalues did not converge`);
  return { t, z, scale };
}

/** Returns a matrix as rows of numbers; of a real one, the imaginary parts are 0. */
function rowsOf({ memory }: Arithmetic, rows: number, columns: number, a: Matrix): ComplexRows {
  const made = { re: new Float64Array(rows * columns), im: new Float64Array(rows * columns) };
  planesOf(a).forEach((at, p) => {
    const list = p === 0 ? made.re : made.im;
    for (let i = 0; i < rows; i++) for (let j = 0; j < columns; j++) list[i * columns + j] = memory[at + i + j * a.ld]!;
  });
  return made;
}

/** Returns n rows divided by a factor as a matrix in memory that is taken. Of a real matrix only the real parts are used. */
export function matrixOfRows(by: Arithmetic, n: number, { re, im }: ComplexRows, isComplex: boolean, factor: number = 1): Matrix {
  const made = takeMatrix(by, n, n, isComplex);
  planesOf(made).forEach((at, p) => {
    const list = p === 0 ? re : im;
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) by.memory[at + i + j * made.ld] = list[i * n + j]! / factor;
  });
  return made;
}
