/** hermitian-decomposition: A = V diag(e) V^H for a Hermitian A, of which only the lower triangle is used. */
import type { Arithmetic } from "../dense/arithmetic.ts";
import type { Matrix } from "../dense/matrix.ts";
import { copy, planesOf, takeMatrix } from "../dense/matrix.ts";
import { applyReflectors } from "../reflect/block-reflector.ts";
import { reduceToTridiagonal } from "../reflect/tridiagonal.ts";
import { divideTridiagonal } from "../spectrum/tridiagonal-division.ts";
import { solveTridiagonal } from "../spectrum/tridiagonal-ql.ts";

/** Eigenvalues, ascending, and vectors in columns. */
export interface HermitianDecomposition {
  readonly values: Float64Array;
  /** Null if they were not asked for. */
  readonly vectors: Matrix | null;
}

/** Decomposes A of n rows, with elements of moderate size, which is overwritten. Throws INVALID_ARGUMENT if an eigenvalue does not converge. */
export function decomposeHermitian(by: Arithmetic, n: number, a: Matrix, hasVectors: boolean): HermitianDecomposition {
  mirror(by, n, a);
  const { diagonal, beside, reflectors } = reduceToTridiagonal(by, n, a);
  const e = new Float64Array(n);
  e.set(beside);
  if (!hasVectors) {
    solveTridiagonal(by, diagonal, e, 0, null);
    return { values: diagonal, vectors: null };
  }
  const real = takeMatrix(by, n, n, false);
  divideTridiagonal(by, diagonal, e, real);
  const vectors = a.plane === 0 ? real : takeMatrix(by, n, n, true);
  if (vectors !== real) copy(by, n, n, real, vectors);
  applyReflectors(by, reflectors, false, n, vectors);
  return { values: diagonal, vectors };
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
