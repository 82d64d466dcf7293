/**
 * qr: A = Q R by elementary reflectors, in blocks (LAPACK's geqrf).
 *
 *     A   | panel | the other columns |     the panel column by column, then the others by one block reflector
 */
import type { Arithmetic } from "../dense/arithmetic.ts";
import type { Matrix } from "../dense/matrix.ts";
import { addAdjointTimes, addOuter, clear, copy, numberAt, partOf, scaleColumn, takeMatrix } from "../dense/matrix.ts";
import type { Steps } from "../dense/steps.ts";
import { applyBlock, joinMinusT, kBlock, writeMinusT } from "./block-reflector.ts";
import type { Reflectors } from "./block-reflector.ts";
import { reflect } from "./reflector.ts";

/** Overwrites A by R, with zeros below, and returns the reflectors of Q. Their memory is taken. */
export function* reduceToTriangle(by: Arithmetic, m: number, n: number, a: Matrix): Steps<Reflectors> {
  const isComplex = a.plane !== 0;
  const count = Math.min(m, n);
  const v = takeMatrix(by, m, count, isComplex);
  const tau = takeMatrix(by, count, 1, isComplex);
  const minusT = takeMatrix(by, kBlock, count, isComplex);
  for (let first = 0; first < count; first += kBlock) {
    const width = Math.min(kBlock, count - first);
    reducePanel(by, m, first, width, a, v, tau, minusT);
    const next = first + width;
    applyBlock(by, m - first, width, true, partOf(v, first, first), partOf(minusT, 0, first), n - next, partOf(a, first, next));
    yield 4 * (m - first) * width * (n - first);
  }
  return { rows: m, count, below: 0, v, tau, minusT };
}

/** Panels of more columns are halved: the reflectors of the first half are applied to the second by products. */
const kNarrow = 16;

/** Reduces `width` columns of A from `first` on, and writes -T of their reflectors. */
function reducePanel(by: Arithmetic, m: number, first: number, width: number, a: Matrix, v: Matrix, tau: Matrix, minusT: Matrix): void {
  const [block, t] = [partOf(v, first, first), partOf(minusT, first % kBlock, first)];
  if (width > kNarrow) {
    const half = width >> 1;
    const next = first + half;
    reducePanel(by, m, first, half, a, v, tau, minusT);
    applyBlock(by, m - first, half, true, block, t, width - half, partOf(a, first, next));
    reducePanel(by, m, next, width - half, a, v, tau, minusT);
    joinMinusT(by, m - first, half, width - half, block, t);
    return;
  }
  const mark = by.mark();
  const products = takeMatrix(by, width, 1, a.plane !== 0);
  for (let j = first; j < first + width; j++) {
    const [x, factor] = [partOf(v, j, j), partOf(tau, j, 0)];
    const column = partOf(a, j, j);
    copy(by, m - j, 1, column, x);
    const beta = reflect(by, m - j, x, factor);
    clear(by, m - j, 1, column);
    by.memory[column.at] = beta;
    const others = first + width - j - 1;
    if (others === 0) break;
    // The rest of the panel becomes A - v (tau A^H v)^H.
    clear(by, width, 1, products);
    const rest = partOf(a, j, j + 1);
    addAdjointTimes(by, m - j, others, 1, rest, x, products);
    scaleColumn(by, others, ...numberAt(by, factor), products);
    addOuter(by, m - j, others, -1, x, products, rest);
  }
  by.release(mark);
  writeMinusT(by, m - first, width, block, partOf(tau, first, 0), t);
}
