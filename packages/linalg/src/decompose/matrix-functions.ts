/**
 * matrix-functions: the principal square root and logarithm of a square matrix by its complex Schur form.
 *
 *     A = Z T Z^H  ->  f(A) = Z f(T) Z^H
 *
 * Of a real matrix they are real unless an eigenvalue is negative.
 */
import { InvalidArgumentError } from "@onebuffer/base";
import type { Arithmetic } from "../dense/arithmetic.ts";
import { addProduct, takeMatrix } from "../dense/matrix.ts";
import type { Steps } from "../dense/steps.ts";
import type { ComplexRows } from "../spectrum/complex-schur.ts";
import { reduceToComplexSchur } from "../spectrum/complex-schur.ts";
import { logarithmOfTriangle, rootOfTriangle } from "../spectrum/triangular-functions.ts";
import { startsPair } from "../spectrum/triangular-vectors.ts";
import type { DenseMatrix, Part } from "./packed-matrices.ts";
import { largestMagnitude } from "./packed-matrices.ts";
import { matrixOfRows, schurFormOf } from "./schur-form.ts";

/** The name of a function of matrices. */
export type MatrixFunction = "sqrtm" | "logm";

/** The functions, by name, of a triangle that is given times a power of two, the scale. They overwrite it. */
const kFunctions: Readonly<Record<MatrixFunction, (n: number, t: ComplexRows, scale: number) => Steps<ComplexRows>>> = {
  sqrtm: rootOfScaled,
  logm: (n, t, scale) => logarithmOfTriangle(n, divided(t, scale)),
};

/**
 * Returns the function of a matrix; NaN everywhere if an element is not finite, and for a real matrix with a negative eigenvalue, whose function
 * is not real. Throws INVALID_ARGUMENT if an eigenvalue does not converge.
 */
export function* functionOf(by: Arithmetic, matrix: DenseMatrix, name: MatrixFunction, where: string): Steps<Part[]> {
  const { rows: n, isComplex } = matrix;
  const lost = [{ values: new Float64Array(n * n).fill(NaN) }];
  if (!Number.isFinite(largestMagnitude(matrix, false))) return lost;
  const fail = (reason: string): never => {
    throw new InvalidArgumentError(`${name}: Schur decomposition was not successful. The input might not be valid. (${where}${reason})`);
  };
  const { t, z, scale } = yield* schurFormOf(by, matrix, true, fail);
  if (!isComplex) {
    if (!clipEigenvalues(n, t)) return lost;
    const failures = yield* reduceToComplexSchur(n, t, z);
    if (failures > 0) fail(`${failures} eigenvalues did not converge`);
  }
  const vectors = matrixOfRows(by, n, z, true);
  const inner = matrixOfRows(by, n, yield* kFunctions[name](n, t, scale), true);
  const [half, whole] = [takeMatrix(by, n, n, true), takeMatrix(by, n, n, true)];
  addProduct(by, n, n, n, [vectors, false], [inner, false], half);
  addProduct(by, n, n, n, [half, false], [vectors, true], whole);
  yield 16 * n ** 3;
  return [{ matrix: isComplex ? whole : { ...whole, plane: 0 }, rows: n, columns: n }];
}

/** Returns the square root of T for T times the scale. The root is that of T times a power of four, so that eigenvalues cannot overflow. */
function* rootOfScaled(n: number, t: ComplexRows, scale: number): Steps<ComplexRows> {
  const half = 2 ** Math.floor(Math.log2(scale) / 2);
  return divided(yield* rootOfTriangle(n, divided(t, scale / half ** 2)), half);
}

/** Divides all elements by a number, in place. */
function divided(t: ComplexRows, divisor: number): ComplexRows {
  for (const list of [t.re, t.im]) for (let at = 0; at < list.length; at++) list[at]! /= divisor;
  return t;
}

/** Sets real eigenvalues of a real form that are negative by rounding to 0. Returns whether no other is negative. */
function clipEigenvalues(n: number, { re }: ComplexRows): boolean {
  const norm = re.reduce((most, each) => Math.max(most, Math.abs(each)), 0);
  for (let k = 0; k < n; k++) {
    if (startsPair(n, re, k)) k++;
    else if (re[k * (n + 1)]! < -n * Number.EPSILON * norm) return false;
    else re[k * (n + 1)] = Math.max(0, re[k * (n + 1)]!);
  }
  return true;
}
