/** eigen-decomposition: A V = V diag(e) of any square matrix, by its Schur form. Values and vectors are complex. */
import { InvalidArgumentError } from "@onebuffer/base";
import type { Arithmetic } from "../dense/arithmetic.ts";
import type { Matrix } from "../dense/matrix.ts";
import { addProduct, planesOf, takeMatrix } from "../dense/matrix.ts";
import type { Steps } from "../dense/steps.ts";
import type { ComplexRows } from "../spectrum/complex-schur.ts";
import { eachVector, valuesOfSchur } from "../spectrum/triangular-vectors.ts";
import type { DenseMatrix, Part } from "./packed-matrices.ts";
import { matrixOfRows, schurFormOf } from "./schur-form.ts";

/**
 * Returns the eigenvalues in the order in which they are found, and the vectors, of norm 1, if they are asked for. Throws INVALID_ARGUMENT
 * for NaN and infinities, and if an eigenvalue does not converge.
 */
export function* eigenOf(by: Arithmetic, matrix: DenseMatrix, hasVectors: boolean, call: string, where: string): Steps<Part[]> {
  const n = matrix.rows;
  const fail = (reason: string): never => {
    throw new InvalidArgumentError(`${call}: Eigen decomposition was not successful. The input might not be valid. (${where}${reason})`);
  };
  const { t, z, scale } = yield* schurFormOf(by, matrix, hasVectors, fail);
  const values = valuesOfSchur(n, t);
  const list = takeMatrix(by, n, 1, true);
  for (let i = 0; i < n; i++) {
    by.memory[list.at + i] = values.re[i]! / scale;
    by.memory[list.at + list.plane + i] = values.im[i]! / scale;
  }
  const parts: Part[] = [{ matrix: list, rows: n, columns: 1 }];
  if (!hasVectors) return parts;
  return [...parts, { matrix: yield* vectorsOf(by, n, t, values, matrixOfRows(by, n, z, matrix.isComplex)), rows: n, columns: n }];
}

/** Returns Z X for the vectors X of the Schur form, with columns of norm 1. */
function* vectorsOf(by: Arithmetic, n: number, t: ComplexRows, values: ComplexRows, z: Matrix): Steps<Matrix> {
  const ofSchur = takeMatrix(by, n, n, true);
  yield* eachVector(n, t, values, (k, x) => {
    by.memory.set(x.re, ofSchur.at + k * n);
    by.memory.set(x.im, ofSchur.at + ofSchur.plane + k * n);
  });
  const vectors = takeMatrix(by, n, n, true);
  // Columns of moderate norm, so that no product overflows.
  normalizeColumns(by, n, ofSchur);
  addProduct(by, n, n, n, [z, false], [ofSchur, false], vectors);
  normalizeColumns(by, n, vectors);
  return vectors;
}

function normalizeColumns(by: Arithmetic, n: number, a: Matrix): void {
  const { memory } = by;
  for (let j = 0; j < n; j++) {
    const columns = planesOf(a).map((at) => at + j * a.ld);
    let most = 0;
    for (const at of columns) for (let i = at; i < at + n; i++) most = Math.max(most, Math.abs(memory[i]!));
    if (most === 0) continue;
    for (const at of columns) for (let i = at; i < at + n; i++) memory[i]! /= most;
    const norm = Math.sqrt(columns.reduce((sum, at) => sum + by.dot(n, at, at), 0));
    for (const at of columns) for (let i = at; i < at + n; i++) memory[i]! /= norm;
  }
}
