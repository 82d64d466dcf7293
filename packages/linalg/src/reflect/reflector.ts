/**
 * reflector: elementary reflectors (Householder's; LAPACK's larfg).
 *
 *     H = I - tau v v^H, v[0] = 1        H^H x = (beta, 0, 0, …), beta real
 */
import type { Arithmetic } from "../dense/arithmetic.ts";
import type { Matrix } from "../dense/matrix.ts";
import { partOf, planesOf, scaleColumn } from "../dense/matrix.ts";

/** A sum of squares below this has lost digits to underflow. */
const kSmallSquares = 1e-280;
const kRescale = 2 ** 500;

/**
 * Overwrites the column x of n elements by v and stores tau, which has the planes of x. Returns beta. If everything but the first element
 * is zero, and that is real, tau is 0.
 */
export function reflect(by: Arithmetic, n: number, x: Matrix, tau: Matrix): number {
  const { memory } = by;
  const tail = partOf(x, 1, 0);
  const squares = planesOf(tail).reduce((sum, at) => sum + by.dot(n - 1, at, at), 0);
  const [re, im] = [memory[x.at]!, x.plane === 0 ? 0 : memory[x.at + x.plane]!];
  if (squares + re * re + im * im < kSmallSquares && !isZero(by, n, x)) {
    for (const at of planesOf(x)) for (let i = at; i < at + n; i++) memory[i]! *= kRescale;
    return reflect(by, n, x, tau) / kRescale;
  }
  memory[x.at] = 1;
  if (x.plane !== 0) memory[x.at + x.plane] = memory[tau.at + tau.plane] = 0;
  if (squares === 0 && im === 0) {
    memory[tau.at] = 0;
    return re;
  }
  const norm = Math.sqrt(squares + re * re + im * im);
  const beta = re > 0 ? -norm : norm;
  memory[tau.at] = (beta - re) / beta;
  if (x.plane !== 0) memory[tau.at + tau.plane] = -im / beta;
  // The elements behind the first are divided by alpha - beta.
  const [p, q] = [re - beta, im];
  const size = p * p + q * q;
  scaleColumn(by, n - 1, x.plane === 0 ? 1 / p : p / size, -q / size, tail);
  return beta;
}

/** Returns true if no element of a column is other than zero. */
function isZero({ memory }: Arithmetic, n: number, x: Matrix): boolean {
  for (const at of planesOf(x)) for (let i = at; i < at + n; i++) if (memory[i] !== 0) return false;
  return true;
}
