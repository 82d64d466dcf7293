/**
 * real-schur: the Schur form of a real Hessenberg matrix by QR with double shifts (J. Francis; LAPACK's lahqr). The result is triangular but for
 * blocks of 2 x 2 with a conjugate pair of eigenvalues.
 *
 * The matrices are rows of n numbers: h becomes the form T, and the columns of z, of any number of rows, are multiplied by the
 * rotations and reflectors.
 */
import type { Steps } from "../dense/steps.ts";
import { kNegligible } from "./complex-schur.ts";
import { raiseOf } from "./plane-rotation.ts";
import { standardize } from "./standard-block.ts";

/** Steps per eigenvalue, as in LAPACK. */
const kStepsPerValue = 30;
/** After so many steps without an eigenvalue the shifts are others, and elements are compared with the norm instead of their neighbors. */
const kExceptional = 10;

/** Shifts: two real ones, or a conjugate pair. */
interface Shifts {
  readonly re1: number;
  readonly re2: number;
  readonly im: number;
}

/** Overwrites h by its Schur form. Returns the number of eigenvalues that did not converge. */
export function* reduceToRealSchur(n: number, h: Float64Array, z: Float64Array): Steps<number> {
  const norm = h.reduce((most, each) => Math.max(most, Math.abs(each)), 0);
  let total = kStepsPerValue * Math.max(10, n);
  let steps = 0;
  for (let last = n - 1; last >= 0; ) {
    const first = startOfBlock(n, h, last, steps > kExceptional ? Number.EPSILON * norm : kNegligible);
    if (first >= last - 1) {
      if (first === last - 1) standardize(n, h, z, first);
      last = first - 1;
      steps = 0;
      continue;
    }
    if (total-- === 0) return last + 1;
    steps++;
    step(n, h, z, first, last, shiftsOf(n, h, first, last, steps));
    yield 20 * (last - first) * n;
  }
  return 0;
}

/** Returns the first row of the block that ends with row `last`: the element beside the diagonal before it is nearly 0, and set to 0. */
function startOfBlock(n: number, h: Float64Array, last: number, negligible: number): number {
  for (let k = last; k > 0; k--) {
    const around = Math.abs(h[(k - 1) * n + k - 1]!) + Math.abs(h[k * n + k]!);
    if (Math.abs(h[k * n + k - 1]!) > Math.max(negligible, Number.EPSILON * around)) continue;
    h[k * n + k - 1] = 0;
    return k;
  }
  return 0;
}

/** Returns the eigenvalues of the last two rows of a block as shifts: the pair, or the real one that is nearer to the last element, twice. */
function shiftsOf(n: number, h: Float64Array, first: number, last: number, steps: number): Shifts {
  const at = (i: number, j: number): number => h[i * n + j]!;
  let [a, b, c, d] = [at(last - 1, last - 1), at(last - 1, last), at(last, last - 1), at(last, last)];
  if (steps % kExceptional === 0) {
    const atTop = steps % (2 * kExceptional) !== 0;
    const size = atTop
      ? Math.abs(at(first + 1, first)) + Math.abs(at(first + 2, first + 1))
      : Math.abs(at(last, last - 1)) + Math.abs(at(last - 1, last - 2));
    a = 0.75 * size + (atTop ? at(first, first) : at(last, last));
    [b, c, d] = [-0.4375 * size, size, a];
  }
  const scale = Math.abs(a) + Math.abs(b) + Math.abs(c) + Math.abs(d);
  if (scale === 0) return { re1: 0, re2: 0, im: 0 };
  const mean = (a / scale + d / scale) / 2;
  const determinant = (a / scale - mean) * (d / scale - mean) - (b / scale) * (c / scale);
  const root = Math.sqrt(Math.abs(determinant));
  if (determinant >= 0) return { re1: mean * scale, re2: mean * scale, im: root * scale };
  const [p, q] = [(mean + root) * scale, (mean - root) * scale];
  const nearer = Math.abs(p - d) <= Math.abs(q - d) ? p : q;
  return { re1: nearer, re2: nearer, im: 0 };
}

/** Returns the first column of (H - shift 1) (H - shift 2) from row m on, scaled. */
function firstColumn(n: number, h: Float64Array, m: number, { re1, re2, im }: Shifts): [number, number, number] {
  const at = (i: number, j: number): number => h[(m + i) * n + m + j]!;
  const scale = Math.abs(at(0, 0) - re2) + Math.abs(im) + Math.abs(at(1, 0));
  const below = at(1, 0) / scale;
  const v = [
    below * at(0, 1) + (at(0, 0) - re1) * ((at(0, 0) - re2) / scale) + im * (im / scale),
    below * (at(0, 0) + at(1, 1) - re1 - re2),
    below * at(2, 1),
  ] as [number, number, number];
  const size = Math.abs(v[0]) + Math.abs(v[1]) + Math.abs(v[2]);
  return v.map((each) => each / size) as [number, number, number];
}

/** Does one step of QR on rows `first` to `last`, from the last row on at which it may begin. */
function step(n: number, h: Float64Array, z: Float64Array, first: number, last: number, shifts: Shifts): void {
  const at = (i: number, j: number): number => h[i * n + j]!;
  let m = last - 2;
  let v = firstColumn(n, h, m, shifts);
  while (m > first) {
    const around = Math.abs(at(m - 1, m - 1)) + Math.abs(at(m, m)) + Math.abs(at(m + 1, m + 1));
    if (Math.abs(at(m, m - 1)) * (Math.abs(v[1]) + Math.abs(v[2])) <= Number.EPSILON * Math.abs(v[0]) * around) break;
    m--;
    v = firstColumn(n, h, m, shifts);
  }
  for (let k = m; k < last; k++) {
    const size = Math.min(3, last - k + 1);
    if (k > m) v = [at(k, k - 1), at(k + 1, k - 1), size === 3 ? at(k + 2, k - 1) : 0];
    const { beta, tau, p, q } = reflectorOf(v);
    if (k > m) {
      h[k * n + k - 1] = beta;
      h[(k + 1) * n + k - 1] = 0;
      if (size === 3) h[(k + 2) * n + k - 1] = 0;
    } else if (m > first) h[k * n + k - 1]! *= 1 - tau;
    reflectRows(n, h, k, size, tau, p, q);
    reflectColumns(n, h, k, size, tau, p, q, Math.min(k + 3, last) + 1);
    reflectColumns(n, z, k, size, tau, p, q, z.length / n);
  }
}

/** The matrix 1 - tau u u', u = (1, p, q), which maps a vector to (beta, 0, 0). */
interface Reflector {
  readonly beta: number;
  readonly tau: number;
  readonly p: number;
  readonly q: number;
}

function reflectorOf(v: readonly [number, number, number]): Reflector {
  const raise = raiseOf(Math.max(Math.abs(v[0]), Math.abs(v[1]), Math.abs(v[2])));
  const [x, y, z] = [v[0] * raise, v[1] * raise, v[2] * raise];
  const tail = y * y + z * z;
  if (tail === 0) return { beta: v[0], tau: 0, p: 0, q: 0 };
  const beta = -Math.sign(x || 1) * Math.sqrt(x * x + tail);
  return { beta: beta / raise, tau: (beta - x) / beta, p: y / (x - beta), q: z / (x - beta) };
}

/** Multiplies rows k to k + size by 1 - tau v v', v = (1, p, q), from column k on. */
function reflectRows(n: number, h: Float64Array, k: number, size: number, tau: number, p: number, q: number): void {
  for (let at = k * n + k; at < (k + 1) * n; at++) {
    const sum = tau * (h[at]! + p * h[at + n]! + (size === 3 ? q * h[at + 2 * n]! : 0));
    h[at]! -= sum;
    h[at + n]! -= sum * p;
    if (size === 3) h[at + 2 * n]! -= sum * q;
  }
}

/** Multiplies columns k to k + size of the first rows by 1 - tau v v'. */
function reflectColumns(n: number, h: Float64Array, k: number, size: number, tau: number, p: number, q: number, rows: number): void {
  for (let i = 0, at = k; i < rows; i++, at += n) {
    const sum = tau * (h[at]! + p * h[at + 1]! + (size === 3 ? q * h[at + 2]! : 0));
    h[at]! -= sum;
    h[at + 1]! -= sum * p;
    if (size === 3) h[at + 2]! -= sum * q;
  }
}
