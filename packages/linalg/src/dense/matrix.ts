/**
 * matrix: products of real and complex matrices with columns, with rows and with each other, by the arithmetic on columns of float64.
 *
 *     a complex matrix has two planes    real parts at `at`, imaginary parts at `at + plane`
 *     a real matrix has one              `plane` is 0
 *
 * So each complex product is four real ones, and rotations by real numbers are those of both planes. A column is a matrix whose `ld` is not
 * used.
 */
import type { Arithmetic, Strided } from "./arithmetic.ts";

/** A matrix stored by columns in the memory of an Arithmetic, or a column. */
export interface Matrix {
  readonly at: number;
  /** The distance from one column to the next. */
  readonly ld: number;
  /** The distance from real to imaginary parts; 0 for a real matrix. */
  readonly plane: number;
}

/** The places of the planes of a matrix. */
export const planesOf = ({ at, plane }: Matrix): readonly number[] => (plane === 0 ? [at] : [at, at + plane]);

/** Returns the matrix that begins at a row and a column. */
export function partOf({ at, ld, plane }: Matrix, row: number, column: number): Matrix {
  return { at: at + row + column * ld, ld, plane };
}

/** Returns the real and imaginary part of the first element. */
export function numberAt({ memory }: Arithmetic, { at, plane }: Matrix): [re: number, im: number] {
  return [memory[at]!, plane === 0 ? 0 : memory[at + plane]!];
}

/** Takes memory for a matrix of zeros. */
export function takeMatrix(by: Arithmetic, rows: number, columns: number, isComplex: boolean): Matrix {
  const size = rows * columns;
  return { at: by.take(isComplex ? 2 * size : size), ld: Math.max(1, rows), plane: isComplex ? size : 0 };
}

/** Takes memory for an identity, of which there may be more rows or columns than the others. */
export function takeIdentity(by: Arithmetic, rows: number, columns: number, isComplex: boolean): Matrix {
  const made = takeMatrix(by, rows, columns, isComplex);
  for (let j = 0; j < Math.min(rows, columns); j++) by.memory[made.at + j * (made.ld + 1)] = 1;
  return made;
}

/** Sets a part of a matrix to zero. */
export function clear({ memory }: Arithmetic, rows: number, columns: number, a: Matrix): void {
  for (const at of planesOf(a)) for (let j = 0; j < columns; j++) memory.fill(0, at + j * a.ld, at + j * a.ld + rows);
}

/** Copies a part of a matrix to another. */
export function copy({ memory }: Arithmetic, rows: number, columns: number, from: Matrix, to: Matrix): void {
  planesOf(from).forEach((at, p) => {
    const target = to.at + p * to.plane;
    for (let j = 0; j < columns; j++) memory.copyWithin(target + j * to.ld, at + j * from.ld, at + j * from.ld + rows);
  });
}

/** Copies the first `count` elements of a row to another. */
export function copyRow({ memory }: Arithmetic, count: number, from: Matrix, to: Matrix): void {
  planesOf(from).forEach((at, p) => {
    const target = to.at + p * to.plane;
    for (let j = 0; j < count; j++) memory[target + j * to.ld] = memory[at + j * from.ld]!;
  });
}

/** Changes the signs of a part of a matrix. */
export function negate({ memory }: Arithmetic, rows: number, columns: number, a: Matrix): void {
  for (const at of planesOf(a)) {
    for (let j = 0; j < columns; j++) for (let i = at + j * a.ld; i < at + j * a.ld + rows; i++) memory[i] = -memory[i]!;
  }
}

/** Writes the conjugates of the first `count` elements of a row as a column. */
export function conjugateRow({ memory }: Arithmetic, count: number, row: Matrix, to: Matrix): void {
  for (let j = 0; j < count; j++) memory[to.at + j] = memory[row.at + j * row.ld]!;
  if (row.plane !== 0) for (let j = 0; j < count; j++) memory[to.at + to.plane + j] = -memory[row.at + row.plane + j * row.ld]!;
}

/** x *= (re + i im). The imaginary part is not used for a real column. */
export function scaleColumn(by: Arithmetic, n: number, re: number, im: number, { at, plane }: Matrix): void {
  if (plane !== 0) by.rotate(n, at, at + plane, re, -im);
  else for (let i = at; i < at + n; i++) by.memory[i]! *= re;
}

/** y += alpha A x. */
export function addTimes(by: Arithmetic, m: number, n: number, alpha: number, a: Matrix, x: Matrix, y: Matrix): void {
  by.times(m, n, alpha, a.at, a.ld, x.at, y.at);
  if (a.plane === 0) return;
  const [ai, xi, yi] = [a.at + a.plane, x.at + x.plane, y.at + y.plane];
  by.times(m, n, -alpha, ai, a.ld, xi, y.at);
  by.times(m, n, alpha, a.at, a.ld, xi, yi);
  by.times(m, n, alpha, ai, a.ld, x.at, yi);
}

/** y += alpha A^H x, for A of m rows and n columns. */
export function addAdjointTimes(by: Arithmetic, m: number, n: number, alpha: number, a: Matrix, x: Matrix, y: Matrix): void {
  by.transposed(m, n, alpha, a.at, a.ld, x.at, y.at);
  if (a.plane === 0) return;
  const [ai, xi, yi] = [a.at + a.plane, x.at + x.plane, y.at + y.plane];
  by.transposed(m, n, alpha, ai, a.ld, xi, y.at);
  by.transposed(m, n, alpha, a.at, a.ld, xi, yi);
  by.transposed(m, n, -alpha, ai, a.ld, x.at, yi);
}

/** y -= A (B^H x), for A of `rows` rows, B of `inner` rows, both of `rank` columns. */
export function subtractLowRank(
  by: Arithmetic,
  rank: number,
  rows: number,
  a: Matrix,
  inner: number,
  b: Matrix,
  x: Matrix,
  y: Matrix,
): void {
  if (rank === 0) return;
  const mark = by.mark();
  const products = takeMatrix(by, rank, 1, a.plane !== 0);
  addAdjointTimes(by, inner, rank, 1, b, x, products);
  addTimes(by, rows, rank, -1, a, products, y);
  by.release(mark);
}

/** y += A x, for a Hermitian A. Of a real one only the lower triangle is read. */
export function addHermitianTimes(by: Arithmetic, n: number, a: Matrix, x: Matrix, y: Matrix): void {
  if (a.plane === 0) by.symmetric(n, a.at, a.ld, x.at, y.at);
  else addTimes(by, n, n, 1, a, x, y);
}

/** A += alpha x y^H, for A of m rows and n columns. */
export function addOuter(by: Arithmetic, m: number, n: number, alpha: number, x: Matrix, y: Matrix, a: Matrix): void {
  by.rankOne(m, n, alpha, x.at, y.at, a.at, a.ld);
  if (a.plane === 0) return;
  const [ai, xi, yi] = [a.at + a.plane, x.at + x.plane, y.at + y.plane];
  by.rankOne(m, n, alpha, xi, yi, a.at, a.ld);
  by.rankOne(m, n, alpha, xi, y.at, ai, a.ld);
  by.rankOne(m, n, -alpha, x.at, yi, ai, a.ld);
}

/** An operand of a product: as it is, or its conjugate transpose. */
export type Operand = readonly [matrix: Matrix, adjoint: boolean];

/** C += A B, for C of m rows and n columns and operands with k columns and rows. A real operand may be multiplied with a complex one. */
export function addProduct(
  by: Arithmetic,
  m: number,
  n: number,
  k: number,
  [a, aAdjoint]: Operand,
  [b, bAdjoint]: Operand,
  c: Matrix,
): void {
  const imaginary = c.at + c.plane;
  const parts = (x: Matrix, adjoint: boolean): Strided[] => planesOf(x).map((at) => strided(at, x.ld, adjoint));
  const [[ar, ai], [br, bi]] = [parts(a, aAdjoint), parts(b, bAdjoint)];
  const add = (left: Strided, right: Strided, isPositive: boolean, to: number): void => {
    const mark = by.mark();
    by.product(m, n, k, left, isPositive ? right : negated(by, k, n, right), to, c.ld);
    by.release(mark);
  };
  add(ar!, br!, true, c.at);
  if (ai !== undefined && bi !== undefined) add(ai, bi, aAdjoint !== bAdjoint, c.at);
  if (bi !== undefined) add(ar!, bi, !bAdjoint, imaginary);
  if (ai !== undefined) add(ai, br!, !aAdjoint, imaginary);
}

const strided = (at: number, ld: number, adjoint: boolean): Strided => (adjoint ? { at, row: ld, column: 1 } : { at, row: 1, column: ld });

/** Returns a copy of a matrix with the opposite signs, in memory that is taken for it. */
function negated(by: Arithmetic, rows: number, columns: number, { at, row, column }: Strided): Strided {
  const to = by.take(rows * columns);
  const { memory } = by;
  for (let j = 0; j < columns; j++) for (let i = 0; i < rows; i++) memory[to + j * rows + i] = -memory[at + i * row + j * column]!;
  return { at: to, row: 1, column: rows };
}
