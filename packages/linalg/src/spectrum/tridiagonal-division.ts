/**
 * tridiagonal-division: eigenvalues and vectors of a real symmetric tridiagonal matrix by divide and conquer (Cuppen; LAPACK's stedc).
 *
 *     T = | T1    | + rho u u'     T1 = Q1 D1 Q1', T2 = Q2 D2 Q2'       T = Q (D + rho z z') Q'
 *         |    T2 |
 *
 * The eigenvalues of D + rho z z' are roots of a secular equation, and its vectors follow from them (M. Gu and S. Eisenstat: of the z for
 * which the computed roots are exact, so that the vectors are orthogonal). Elements of z that are nearly 0 and poles that are nearly equal
 * are left out first: their vectors stay.
 */
import type { Arithmetic } from "../dense/arithmetic.ts";
import type { Matrix } from "../dense/matrix.ts";
import { copy, partOf, takeMatrix } from "../dense/matrix.ts";
import type { Steps } from "../dense/steps.ts";
import type { Deflated, Half, Poles } from "./division.ts";
import { addKept, deflate, exactWeights, inHalves } from "./division.ts";
import { solveSecular } from "./secular-equation.ts";
import { sortColumns } from "./sorted-columns.ts";
import { kNegligible, solveTridiagonal } from "./tridiagonal-ql.ts";

/** Matrices of at most so many rows are solved by QL. */
const kLeaf = 32;

/**
 * Overwrites d, the diagonal, by the eigenvalues, ascending, and the square matrix `q` of zeros by the vectors. `e` has one element more
 * than those beside the diagonal and is overwritten. Returns the number of eigenvalues that did not converge.
 */
export function* divideTridiagonal(by: Arithmetic, d: Float64Array, e: Float64Array, q: Matrix): Steps<number> {
  const n = d.length;
  if (n <= kLeaf) {
    for (let j = 0; j < n; j++) by.memory[q.at + j * (q.ld + 1)] = 1;
    return solveTridiagonal(by, d, e, n, q);
  }
  const upper = n >> 1;
  const rho = e[upper - 1]!;
  d[upper - 1]! -= Math.abs(rho);
  d[upper]! -= Math.abs(rho);
  let failures = yield* divideTridiagonal(by, d.subarray(0, upper), e.subarray(0, upper), q);
  failures += yield* divideTridiagonal(by, d.subarray(upper), e.subarray(upper), partOf(q, upper, upper));
  if (failures > 0) return failures;
  const mark = by.mark();
  yield* conquer(by, d, upper, rho, q);
  by.release(mark);
  return 0;
}

/** Joins the eigenvalues d and vectors q of both halves. */
function* conquer(by: Arithmetic, d: Float64Array, upper: number, signed: number, q: Matrix): Steps<void> {
  const n = d.length;
  const rho = 2 * Math.abs(signed);
  const z = new Float64Array(n);
  for (let j = 0; j < n; j++) {
    const row = j < upper ? upper - 1 : upper;
    z[j] = (by.memory[q.at + row + j * q.ld]! * (j >= upper && signed < 0 ? -1 : 1)) / Math.SQRT2;
  }
  const tolerance = 8 * Number.EPSILON * Math.max(largest(d), largest(z));
  const poles = { d, z, halves: Array.from(d, (_, j): Half => (j < upper ? 0 : 2)), pinned: -1 };
  const deflated = deflate(by, poles, rho < kNegligible ? 1 : tolerance / rho, tolerance, [{ rows: n, columns: q }]);
  const vectors = takeMatrix(by, n, n, false);
  const values = new Float64Array(n);
  yield* joinKept(by, poles, upper, rho, q, deflated, values, vectors);
  const { kept, left } = deflated;
  left.forEach((j, k) => {
    values[kept.length + k] = d[j]!;
    copy(by, n, 1, partOf(q, 0, j), partOf(vectors, 0, kept.length + k));
  });
  sortColumns(by, values, "ascending", [{ rows: n, columns: vectors }]);
  copy(by, n, n, vectors, q);
  d.set(values);
}

const largest = (list: Float64Array): number => list.reduce((most, each) => Math.max(most, Math.abs(each)), 0);

/** Finds the roots of the kept poles, and their vectors as the first columns of a matrix of zeros. */
function* joinKept(
  by: Arithmetic,
  { d, z }: Poles,
  upper: number,
  rho: number,
  q: Matrix,
  deflated: Deflated,
  values: Float64Array,
  vectors: Matrix,
): Steps<void> {
  const { kept } = deflated;
  const count = kept.length;
  if (count === 0) return;
  const x = Float64Array.from(kept, (j) => d[j]!);
  const weights = Float64Array.from(kept, (j) => z[j]!);
  const equation = { count, x, w: new Float64Array(count).fill(0.5), squares: weights.map((each) => each * each), rho };
  const differences = takeMatrix(by, count, count, false);
  for (let j = 0; j < count; j++) {
    const { pole, distance } = solveSecular(equation, j, by.memory.subarray(differences.at + j * count, differences.at + (j + 1) * count));
    values[j] = x[pole]! + distance;
  }
  yield 40 * count * count;
  const exact = exactWeights(by, equation, weights, differences);
  normalizeVectors(by, exact, differences, inHalves(deflated));
  addKept(by, deflated, { half: 0, row: 0, rows: upper }, q, differences, vectors);
  yield 2 * upper * count * count;
  addKept(by, deflated, { half: 2, row: upper, rows: d.length - upper }, q, differences, vectors);
  yield 2 * (d.length - upper) * count * count;
}

/** Replaces differences of poles and roots by the vectors of the roots, of norm 1, with their rows in the given order. */
function normalizeVectors({ memory }: Arithmetic, weights: Float64Array, { at, ld }: Matrix, order: readonly number[]): void {
  const column = new Float64Array(ld);
  for (let start = at; start < at + ld * ld; start += ld) {
    let squares = 0;
    for (let i = 0; i < ld; i++) {
      column[i] = weights[i]! / memory[start + i]!;
      squares += column[i]! ** 2;
    }
    const scale = 1 / Math.sqrt(squares);
    for (let k = 0; k < ld; k++) memory[start + k] = column[order[k]!]! * scale;
  }
}
