/**
 * qr: A = Q R by elementary reflectors, in blocks (LAPACK's geqrf).
 *
 *     A   | panel | the other columns |     the panel column by column, then the others by one block reflector
 */
import type { Arithmetic } from "../dense/arithmetic.ts";
import type { Matrix } from "../dense/matrix.ts";
import { addAdjointTimes, addOuter, clear, copy, partOf, planesOf, scaleColumn, takeMatrix } from "../dense/matrix.ts";
import { applyBlock, kBlock } from "./block-reflector.ts";
import type { Reflectors } from "./block-reflector.ts";
import { reflect } from "./reflector.ts";

/** Overwrites A by R, with zeros below, and returns the reflectors of Q. Their memory is taken. */
export function reduceToTriangle(with_: Arithmetic, m: number, n: number, a: Matrix): Reflectors {
  const isComplex = a.plane !== 0;
  const count = Math.min(m, n);
  const v = takeMatrix(with_, m, count, isComplex);
  const tau = takeMatrix(with_, count, 1, isComplex);
  for (let first = 0; first < count; first += kBlock) {
    const width = Math.min(kBlock, count - first);
    reducePanel(with_, m, first, width, a, v, tau);
    const next = first + width;
    applyBlock(with_, m - first, width, true, partOf(v, first, first), partOf(tau, first, 0), n - next, partOf(a, first, next));
  }
  return { rows: m, count, below: 0, v, tau };
}

/** Reduces `width` columns of A from `first` on. */
function reducePanel(with_: Arithmetic, m: number, first: number, width: number, a: Matrix, v: Matrix, tau: Matrix): void {
  const mark = with_.mark();
  const products = takeMatrix(with_, width, 1, a.plane !== 0);
  for (let j = first; j < first + width; j++) {
    const [x, factor] = [partOf(v, j, j), partOf(tau, j, 0)];
    const column = partOf(a, j, j);
    copy(with_, m - j, 1, column, x);
    const beta = reflect(with_, m - j, x, factor);
    clear(with_, m - j, 1, column);
    with_.memory[column.at] = beta;
    const others = first + width - j - 1;
    if (others === 0) break;
    // The rest of the panel becomes A - v (tau A^H v)^H.
    clear(with_, width, 1, products);
    const rest = partOf(a, j, j + 1);
    addAdjointTimes(with_, m - j, others, 1, rest, x, products);
    scaleColumn(with_, others, ...numberAt(with_, factor), products);
    addOuter(with_, m - j, others, -1, x, products, rest);
  }
  with_.release(mark);
}

/** Returns the real and imaginary part of the first element of a column. */
export function numberAt({ memory }: Arithmetic, x: Matrix): [re: number, im: number] {
  const [re, im] = planesOf(x).map((at) => memory[at]!);
  return [re!, im ?? 0];
}
