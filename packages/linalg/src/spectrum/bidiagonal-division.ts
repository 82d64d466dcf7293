/**
 * bidiagonal-division: singular values and vectors of a real upper bidiagonal matrix by divide and conquer (M. Gu and S. Eisenstat; LAPACK's
 * bdsdc).
 *
 *     B = | B1         |   B1 has one column more than rows: its vectors V1 have a last column with B1 v = 0
 *         |   a   b    |   the row between both
 *         |       B2   |   B2 has one column more than rows if B has
 *
 * With B1 = U1 D1 V1' and B2 = U2 D2 V2', B is U M V' with M = e z' + D, a diagonal and one row. The squares of its singular values are the roots
 * of a secular equation with the poles D^2, of which one is 0.
 */
import type { Arithmetic } from "../dense/arithmetic.ts";
import type { Matrix } from "../dense/matrix.ts";
import { copy, partOf, takeMatrix } from "../dense/matrix.ts";
import type { Steps } from "../dense/steps.ts";
import { clearColumn, kNegligible, solveBidiagonal } from "./bidiagonal-qr.ts";
import type { Deflated, Half } from "./division.ts";
import { addKept, deflate, exactWeights, inHalves } from "./division.ts";
import { solveSecular } from "./secular-equation.ts";
import type { Columns } from "./sorted-columns.ts";
import { sortColumns } from "./sorted-columns.ts";

/** Matrices of at most so many rows are solved by QR. */
const kLeaf = 32;

/** A part of the matrix with n rows, and n or n + 1 columns if `wide`, and the squares of zeros that get its vectors. */
interface Part {
  readonly d: Float64Array;
  /** The elements beside the diagonal, and one more. */
  readonly e: Float64Array;
  readonly wide: boolean;
  readonly u: Matrix;
  readonly v: Matrix;
}

/**
 * Overwrites d by the singular values, descending, and the square matrices u and v of zeros by the vectors. `e` has one element more than those
 * beside the diagonal, and is overwritten. Elements are at most about 1. Returns the number of values that did not converge.
 */
export function* divideBidiagonal(by: Arithmetic, d: Float64Array, e: Float64Array, u: Matrix, v: Matrix): Steps<number> {
  const failures = yield* divide(by, { d, e, wide: false, u, v });
  sortColumns(by, d, "descending", [columnsOf(d.length, u), columnsOf(d.length, v)]);
  return failures;
}

/** Overwrites d by singular values, ascending, and u and v by the vectors; the last column of v has no singular value if the part is wide. */
function* divide(by: Arithmetic, part: Part): Steps<number> {
  const { d, e, wide, u, v } = part;
  const n = d.length;
  if (n <= kLeaf) return solveLeaf(by, part);
  const row = n >> 1;
  const [alpha, beta] = [d[row]!, e[row]!];
  let failures = yield* divide(by, { d: d.subarray(0, row), e: e.subarray(0, row), wide: true, u, v });
  const next = row + 1;
  failures += yield* divide(by, { d: d.subarray(next), e: e.subarray(next), wide, u: partOf(u, next, next), v: partOf(v, next, next) });
  if (failures > 0) return failures;
  by.memory[u.at + row * (u.ld + 1)] = 1;
  const mark = by.mark();
  yield* conquer(by, part, row, alpha, beta);
  by.release(mark);
  return 0;
}

const columnsOf = (rows: number, columns: Matrix): Columns => ({ rows, columns });

function solveLeaf(by: Arithmetic, { d, e, wide, u, v }: Part): number {
  const n = d.length;
  const columns = wide ? n + 1 : n;
  for (let j = 0; j < n; j++) by.memory[u.at + j * (u.ld + 1)] = 1;
  for (let j = 0; j < columns; j++) by.memory[v.at + j * (v.ld + 1)] = 1;
  const matrix = { d, e, left: columnsOf(n, u), right: columnsOf(columns, v) };
  if (wide) clearColumn(by, matrix, 0, n - 1, n);
  const failures = solveBidiagonal(by, matrix);
  sortColumns(by, d, "ascending", [matrix.left, matrix.right]);
  return failures;
}

/** Joins both halves; `row` is the row between them, with `alpha` on the diagonal and `beta` beside it. */
function* conquer(by: Arithmetic, { d, wide, u, v }: Part, row: number, alpha: number, beta: number): Steps<void> {
  const n = d.length;
  const columns = wide ? n + 1 : n;
  const z = new Float64Array(n);
  for (let j = 0; j < n; j++) z[j] = j <= row ? alpha * by.memory[v.at + row + j * v.ld]! : beta * by.memory[v.at + row + 1 + j * v.ld]!;
  d[row] = 0;
  const scale = d.reduce((most, each) => Math.max(most, each), Math.max(Math.abs(alpha), Math.abs(beta)));
  if (scale < kNegligible) {
    d.fill(0);
    return;
  }
  // As in LAPACK's lasd2. A weight that is raised to it becomes a singular value, which a cutoff of n units takes for 0.
  const tolerance = 4 * Number.EPSILON * scale;
  const halves = Array.from(d, (_, j): Half => (j <= row ? 0 : 2));
  if (wide) {
    // Of the two columns without a singular value one remains.
    const other = beta * by.memory[v.at + row + 1 + n * v.ld]!;
    const size = Math.hypot(z[row]!, other);
    if (size > tolerance) by.rotate(columns, v.at + row * v.ld, v.at + n * v.ld, z[row]! / size, other / size);
    z[row] = size;
    halves[row] = 1;
  }
  if (Math.abs(z[row]!) <= tolerance) z[row] = tolerance;
  const bases = [columnsOf(n, u), columnsOf(columns, v)];
  const deflated = deflate(by, { d, z, halves, pinned: row }, tolerance, tolerance, bases);
  const { kept, left } = deflated;
  const values = new Float64Array(n);
  const [newU, newV] = [takeMatrix(by, n, n, false), takeMatrix(by, columns, n, false)];
  yield* joinKept(by, d, z, row, deflated, { wide, u, v }, values, newU, newV);
  left.forEach((j, k) => {
    values[kept.length + k] = d[j]!;
    copy(by, n, 1, partOf(u, 0, j), partOf(newU, 0, kept.length + k));
    copy(by, columns, 1, partOf(v, 0, j), partOf(newV, 0, kept.length + k));
  });
  sortColumns(by, values, "ascending", [columnsOf(n, newU), columnsOf(columns, newV)]);
  copy(by, n, n, newU, u);
  copy(by, columns, n, newV, v);
  d.set(values);
}

/** Finds the roots of the kept poles, and their vectors as the first columns of matrices of zeros. */
function* joinKept(
  by: Arithmetic,
  d: Float64Array,
  z: Float64Array,
  row: number,
  deflated: Deflated,
  { wide, u, v }: Pick<Part, "wide" | "u" | "v">,
  values: Float64Array,
  newU: Matrix,
  newV: Matrix,
): Steps<void> {
  const { kept } = deflated;
  const [n, count] = [d.length, kept.length];
  const x = Float64Array.from(kept, (j) => d[j]!);
  // A pole at the one that is 0 would leave no interval for a root.
  const least = 2 * Number.EPSILON * d.reduce((most, each) => Math.max(most, each), Math.abs(z[row]!));
  for (let k = 1; k < count; k++) x[k] = Math.max(x[k]!, least);
  const weights = Float64Array.from(kept, (j) => z[j]!);
  const equation = { count, x, w: x, squares: weights.map((each) => each * each), rho: 1 };
  const right = takeMatrix(by, count, count, false);
  for (let j = 0; j < count; j++) {
    const { pole, distance } = solveSecular(equation, j, by.memory.subarray(right.at + j * count, right.at + (j + 1) * count));
    const near = x[pole]!;
    values[j] = near + distance / (near + Math.sqrt(near * near + distance));
  }
  yield 40 * count * count;
  const left = takeMatrix(by, count, count, false);
  normalizeVectors(by, x, exactWeights(by, equation, weights, right), right, left, inHalves(deflated));
  addKept(by, deflated, { half: 0, row: 0, rows: row + 1 }, u, left, newU);
  addKept(by, deflated, { half: 2, row: row + 1, rows: n - row - 1 }, u, left, newU);
  yield 2 * n * count * count;
  addKept(by, deflated, { half: 0, row: 0, rows: row + 1 }, v, right, newV);
  addKept(by, deflated, { half: 2, row: row + 1, rows: (wide ? n + 1 : n) - row - 1 }, v, right, newV);
  yield 2 * n * count * count;
}

/** Replaces differences of squares by the right vectors and writes the left ones, of norm 1, with their rows in the given order. */
function normalizeVectors(
  { memory }: Arithmetic,
  x: Float64Array,
  weights: Float64Array,
  right: Matrix,
  left: Matrix,
  order: readonly number[],
): void {
  const count = x.length;
  const [ofRight, ofLeft] = [new Float64Array(count), new Float64Array(count)];
  for (let j = 0; j < count; j++) {
    const at = right.at + j * count;
    let [rightSquares, leftSquares] = [0, 0];
    for (let i = 0; i < count; i++) {
      ofRight[i] = weights[i]! / memory[at + i]!;
      ofLeft[i] = i === 0 ? -1 : x[i]! * ofRight[i]!;
      rightSquares += ofRight[i]! ** 2;
      leftSquares += ofLeft[i]! ** 2;
    }
    const [rightScale, leftScale] = [1 / Math.sqrt(rightSquares), 1 / Math.sqrt(leftSquares)];
    for (let k = 0; k < count; k++) {
      memory[at + k] = ofRight[order[k]!]! * rightScale;
      memory[left.at + j * count + k] = ofLeft[order[k]!]! * leftScale;
    }
  }
}
