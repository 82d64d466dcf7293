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
}

/**
 * C = Q C, or Q^H C if `adjoint`, for C of `columns` columns. With `grows`, column j of C is zero but for row j if j < `below` + `count`, as
 * in an identity, and the reflectors before column j do not touch it.
 */
export function* applyReflectors(
  by: Arithmetic,
  { rows, count, below, v, tau }: Reflectors,
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
    applyBlock(by, rows - row, width, adjoint, partOf(v, row, first), partOf(tau, first, 0), columns - column, partOf(c, row, column));
    yield 4 * (rows - row) * width * (columns - column);
  }
}

/** C = (I - V T V^H) C, or the product with the adjoint, for V of m rows and `width` columns. */
export function applyBlock(
  by: Arithmetic,
  m: number,
  width: number,
  adjoint: boolean,
  v: Matrix,
  tau: Matrix,
  columns: number,
  c: Matrix,
): void {
  if (columns <= 0 || width <= 0) return;
  const mark = by.mark();
  const isComplex = v.plane !== 0;
  const t = takeMatrix(by, width, width, isComplex);
  minusT(by, m, width, v, tau, t);
  const products = takeMatrix(by, width, columns, isComplex || c.plane !== 0);
  const factors = takeMatrix(by, width, columns, isComplex || c.plane !== 0);
  addProduct(by, width, columns, m, [v, true], [c, false], products);
  addProduct(by, width, columns, width, [t, adjoint], [products, false], factors);
  addProduct(by, m, columns, width, [v, false], [factors, false], c);
  by.release(mark);
}

/** Writes -T into a matrix of zeros: column j is -tau_j (e_j - T V^H v_j). */
function minusT(by: Arithmetic, m: number, width: number, v: Matrix, tau: Matrix, t: Matrix): void {
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
