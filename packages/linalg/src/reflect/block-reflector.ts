/**
 * block-reflector: products with Q = H_0 H_1 … of many elementary reflectors, kBlock at a time (LAPACK's larft and larfb: compact WY form).
 *
 *     H_0 … H_(b-1) = I - V T V^H, T upper triangular        two products with V and a small one with T
 */
import type { Arithmetic } from "../dense/arithmetic.ts";
import type { Matrix } from "../dense/matrix.ts";
import { addProduct, addTimes, numberAt, partOf, scaleColumn, takeMatrix } from "../dense/matrix.ts";
import type { Steps } from "../dense/steps.ts";

/** How many reflectors are applied by one product. */
export const kBlock = 32;

/** Elementary reflectors: v of reflector j is column j of `v`, with zeros above row j + `below` and 1 there. */
export interface Reflectors {
  readonly rows: number;
  readonly count: number;
  /** The distance of the ones from the diagonal. */
  readonly below: number;
  readonly v: Matrix;
  readonly tau: Matrix;
  /** -T of each block of kBlock reflectors, at its first column, if they are known. */
  readonly minusT?: Matrix;
}

/**
 * C = Q C, or Q^H C if `adjoint`, for C of `columns` columns. With `grows`, column j of C is zero but for row j if j < `below` + `count`, as
 * in an identity, and the reflectors before column j do not touch it.
 */
export function* applyReflectors(
  by: Arithmetic,
  { rows, count, below, v, tau, minusT }: Reflectors,
  adjoint: boolean,
  columns: number,
  c: Matrix,
  grows: boolean = false,
): Steps<void> {
  const blocks = Math.ceil(count / kBlock);
  for (let n = 0; n < blocks; n++) {
    const first = (adjoint ? n : blocks - 1 - n) * kBlock;
    const [row, column] = [first + below, grows ? first + below : 0];
    const width = Math.min(kBlock, count - first);
    const mark = by.mark();
    const block = partOf(v, row, first);
    const t = minusT === undefined ? blockFactor(by, rows - row, width, block, partOf(tau, first, 0)) : partOf(minusT, 0, first);
    applyBlock(by, rows - row, width, adjoint, block, t, columns - column, partOf(c, row, column));
    by.release(mark);
    yield 4 * (rows - row) * width * (columns - column);
  }
}

/** C = (I - V T V^H) C, or the product with the adjoint, for V of m rows and `width` columns, by -T. */
export function applyBlock(
  by: Arithmetic,
  m: number,
  width: number,
  adjoint: boolean,
  v: Matrix,
  minusT: Matrix,
  columns: number,
  c: Matrix,
): void {
  if (columns <= 0 || width <= 0) return;
  const mark = by.mark();
  const isComplex = v.plane !== 0 || c.plane !== 0;
  const products = takeMatrix(by, width, columns, isComplex);
  const factors = takeMatrix(by, width, columns, isComplex);
  addProduct(by, width, columns, m, [v, true], [c, false], products);
  addProduct(by, width, columns, width, [minusT, adjoint], [products, false], factors);
  addProduct(by, m, columns, width, [v, false], [factors, false], c);
  by.release(mark);
}

/** Returns -T of reflectors in memory that is taken. */
function blockFactor(by: Arithmetic, m: number, width: number, v: Matrix, tau: Matrix): Matrix {
  const t = takeMatrix(by, width, width, v.plane !== 0);
  writeMinusT(by, m, width, v, tau, t);
  return t;
}

/** Writes -T into a matrix of zeros: column j is -tau_j (e_j - T V^H v_j). */
export function writeMinusT(by: Arithmetic, m: number, width: number, v: Matrix, tau: Matrix, t: Matrix): void {
  const mark = by.mark();
  const isComplex = v.plane !== 0;
  const inner = takeMatrix(by, width, width, isComplex);
  addProduct(by, width, width, m, [v, true], [v, false], inner);
  for (let j = 0; j < width; j++) {
    const column = partOf(t, 0, j);
    const [re, im] = numberAt(by, partOf(tau, j, 0));
    addTimes(by, j, j, 1, t, partOf(inner, 0, j), column);
    scaleColumn(by, j, -re, -im, column);
    by.memory[column.at + j] = -re;
    if (isComplex) by.memory[column.at + column.plane + j] = -im;
  }
  by.release(mark);
}

/**
 * Writes the upper right part of -T of reflectors in two parts, of which both have theirs: T1 V1^H V2 T2. V2 has zeros above its first row, which
 * is row `half` of V1.
 */
export function joinMinusT(by: Arithmetic, m: number, half: number, rest: number, v: Matrix, t: Matrix): void {
  const mark = by.mark();
  const isComplex = v.plane !== 0;
  const [inner, right] = [takeMatrix(by, half, rest, isComplex), takeMatrix(by, half, rest, isComplex)];
  addProduct(by, half, rest, m - half, [partOf(v, half, 0), true], [partOf(v, half, half), false], inner);
  addProduct(by, half, rest, rest, [inner, false], [partOf(t, half, half), false], right);
  addProduct(by, half, rest, half, [t, false], [right, false], partOf(t, 0, half));
  by.release(mark);
}
