/** hermitian-decomposition: A = V diag(e) V^H for a Hermitian A, of which only the lower triangle is used. */
import { InvalidArgumentError } from "@onebuffer/base";
import type { Arithmetic } from "../dense/arithmetic.ts";
import type { Matrix } from "../dense/matrix.ts";
import { copy, planesOf, takeIdentity, takeMatrix } from "../dense/matrix.ts";
import type { Steps } from "../dense/steps.ts";
import { applyReflectors } from "../reflect/block-reflector.ts";
import { reduceToTridiagonal } from "../reflect/tridiagonal.ts";
import { divideTridiagonal } from "../spectrum/tridiagonal-division.ts";
import { solveTridiagonal } from "../spectrum/tridiagonal-ql.ts";
import type { DenseMatrix, Part } from "./packed-matrices.ts";
import { largestMagnitude, loadMatrix, scaleFor } from "./packed-matrices.ts";

/** Returns eigenvalues, and vectors if they are asked for. Throws INVALID_ARGUMENT for NaN, and if an eigenvalue does not converge. */
export function* eigenOfHermitian(by: Arithmetic, matrix: DenseMatrix, hasVectors: boolean, call: string, where: string): Steps<Part[]> {
  const n = matrix.rows;
  const magnitude = largestMagnitude(matrix, true);
  const fail = (reason: string): never => {
    throw new InvalidArgumentError(
      `${call}: Self-adjoint eigen decomposition was not successful. The input might not be valid. (${where}${reason})`,
    );
  };
  if (Number.isNaN(magnitude)) fail("an element is NaN");
  const part = (vectors: Matrix): Part => ({ matrix: vectors, rows: n, columns: n });
  if (magnitude === Infinity) {
    const values = new Float64Array(n).fill(NaN);
    return hasVectors ? [{ values }, part(takeIdentity(by, n, n, matrix.isComplex))] : [{ values }];
  }
  const scale = scaleFor(magnitude);
  const { values, vectors, failures } = yield* decomposeHermitian(by, n, loadMatrix(by, matrix, false, scale), hasVectors);
  if (failures > 0) fail(`${failures} eigenvalues did not converge`);
  for (let i = 0; i < n; i++) values[i]! /= scale;
  return vectors === null ? [{ values }] : [{ values }, part(vectors)];
}

/** Eigenvalues, ascending, and vectors in columns. */
interface HermitianDecomposition {
  /** The number of values that did not converge. */
  readonly failures: number;
  readonly values: Float64Array;
  /** Null if they were not asked for. */
  readonly vectors: Matrix | null;
}

/** Decomposes A of n rows, with elements of moderate size, which is overwritten. */
function* decomposeHermitian(by: Arithmetic, n: number, a: Matrix, hasVectors: boolean): Steps<HermitianDecomposition> {
  mirror(by, n, a);
  const { diagonal, beside, reflectors } = yield* reduceToTridiagonal(by, n, a);
  const e = new Float64Array(n);
  e.set(beside);
  if (!hasVectors) {
    return { failures: solveTridiagonal(by, diagonal, e, 0, null), values: diagonal, vectors: null };
  }
  const real = takeMatrix(by, n, n, false);
  const failures = yield* divideTridiagonal(by, diagonal, e, real);
  const vectors = a.plane === 0 ? real : takeMatrix(by, n, n, true);
  if (vectors !== real) copy(by, n, n, real, vectors);
  yield* applyReflectors(by, reflectors, false, n, vectors);
  return { failures, values: diagonal, vectors };
}

/** Makes a complex matrix Hermitian by its lower triangle. A real one is not read above the diagonal. */
function mirror({ memory }: Arithmetic, n: number, a: Matrix): void {
  if (a.plane === 0) return;
  const [re, im] = planesOf(a) as readonly [number, number];
  for (let j = 0; j < n; j++) {
    memory[im + j * (a.ld + 1)] = 0;
    for (let i = j + 1; i < n; i++) {
      memory[re + j + i * a.ld] = memory[re + i + j * a.ld]!;
      memory[im + j + i * a.ld] = -memory[im + i + j * a.ld]!;
    }
  }
}
