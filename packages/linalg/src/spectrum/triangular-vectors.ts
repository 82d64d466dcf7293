/**
 * triangular-vectors: eigenvalues and vectors of a Schur form (LAPACK's trevc): an upper triangle, which may have blocks of 2 x 2 with a
 * conjugate pair if it is real.
 */
import type { Steps } from "../dense/steps.ts";
import { quotient } from "./complex-numbers.ts";
import type { ComplexRows } from "./complex-schur.ts";

/** A vector larger than this is scaled while it is computed. */
const kLarge = 1e150;

/** Returns the eigenvalues in the order of the diagonal. Of a pair, the one with the positive imaginary part is first. */
export function valuesOfSchur(n: number, { re, im }: ComplexRows): ComplexRows {
  const values = { re: new Float64Array(n), im: new Float64Array(n) };
  for (let k = 0; k < n; k++) {
    const at = k * (n + 1);
    values.re[k] = re[at]!;
    values.im[k] = im[at]!;
    if (!startsPair(n, re, k)) continue;
    const part = Math.sqrt(Math.abs(re[at + 1]!)) * Math.sqrt(Math.abs(re[at + n]!));
    [values.re[k + 1], values.im[k], values.im[k + 1]] = [re[at]!, part, -part];
    k++;
  }
  return values;
}

/** Calls `store` with the vector of each eigenvalue. Elements behind the eigenvalue's rows are 0; the vector has no particular norm. */
export function* eachVector(n: number, t: ComplexRows, values: ComplexRows, store: (k: number, x: ComplexRows) => void): Steps<void> {
  const norm = [...t.re, ...t.im].reduce((most, each) => Math.max(most, Math.abs(each)), 0);
  const least = Math.max(Number.EPSILON * norm, Number.MIN_VALUE / Number.EPSILON);
  for (let k = 0; k < n; k++) {
    const x = { re: new Float64Array(n), im: new Float64Array(n) };
    const isPair = startsPair(n, t.re, k);
    const [re, im] = [values.re[k]!, values.im[k]!];
    if (isPair) startPair(n, t, x, k, im);
    else x.re[k] = 1;
    substituteBack(n, t, x, k, re, im, least);
    store(k, x);
    yield k * k;
    if (!isPair) continue;
    store(k + 1, { re: x.re, im: x.im.map((each) => -each) });
    k++;
  }
}

/** Returns whether a block of 2 x 2 with a conjugate pair begins in a row of a Schur form. */
export const startsPair = (n: number, re: Float64Array, k: number): boolean => k < n - 1 && re[(k + 1) * n + k] !== 0;

/** Sets the last two elements of the vector of a pair: those of its block [a b; c a], for the eigenvalue a + i w. */
function startPair(n: number, { re }: ComplexRows, x: ComplexRows, k: number, w: number): void {
  const [b, c] = [re[k * n + k + 1]!, re[(k + 1) * n + k]!];
  if (Math.abs(b) >= Math.abs(c)) {
    x.re[k] = 1;
    x.im[k + 1] = w / b;
  } else {
    x.im[k] = w / c;
    x.re[k + 1] = 1;
  }
}

/** Solves the rows above row `k` of (T - lambda) x = 0. */
function substituteBack(n: number, t: ComplexRows, x: ComplexRows, k: number, re: number, im: number, least: number): void {
  for (let i = k - 1; i >= 0; i--) {
    const isPair = i > 0 && startsPair(n, t.re, i - 1);
    const [rightRe, rightIm] = rightSide(n, t, x, i, i + 1);
    const at = i * (n + 1);
    const [dr, di] = [t.re[at]! - re, t.im[at]! - im];
    if (!isPair) {
      [x.re[i], x.im[i]] = quotient(rightRe, rightIm, ...atLeast([dr, di], least));
      scaleDown(x, i);
      continue;
    }
    const [aboveRe, aboveIm] = rightSide(n, t, x, i - 1, i + 1);
    const [above, own] = [
      [
        [t.re[at - n - 1]! - re, t.im[at - n - 1]! - im],
        [t.re[at - n]!, 0],
      ],
      [
        [t.re[at - 1]!, 0],
        [dr, di],
      ],
    ] as const;
    const [first, second] = solvePair(
      [above, own],
      [
        [aboveRe, aboveIm],
        [rightRe, rightIm],
      ],
      least,
    );
    [x.re[i - 1], x.im[i - 1]] = first;
    [x.re[i], x.im[i]] = second;
    scaleDown(x, i - 1);
    i--;
  }
}

type Complex = readonly [re: number, im: number];

type Pair = readonly [Complex, Complex];

/**
 * Solves two equations by elimination with the largest element as the pivot. What is left of the other row is taken for `least` if it is
 * smaller: the block is singular up to rounding. By Cramer's rule a block would count as singular, too, if its elements are of different sizes.
 */
function solvePair(rows: readonly [Pair, Pair], right: Pair, least: number): Pair {
  const sizes = rows.flat().map(([re, im]) => Math.abs(re) + Math.abs(im));
  const place = Math.max(0, sizes.indexOf(Math.max(...sizes)));
  const [r, s] = [place >> 1, place & 1];
  const [own, other] = [rows[r]!, rows[1 - r]!];
  const pivot = atLeast(own[s]!, least);
  const factor = quotient(...other[s]!, ...pivot);
  const rest = atLeast(lessProduct(other[1 - s]!, factor, own[1 - s]!), least);
  const y = quotient(...lessProduct(right[1 - r]!, factor, right[r]!), ...rest);
  const x = quotient(...lessProduct(right[r]!, own[1 - s]!, y), ...pivot);
  return s === 0 ? [x, y] : [y, x];
}

/** Returns a number, or `least` if it is smaller. */
const atLeast = ([re, im]: Complex, least: number): Complex => (Math.abs(re) + Math.abs(im) < least ? [least, 0] : [re, im]);

/** Returns x - p q. */
const lessProduct = (x: Complex, p: Complex, q: Complex): Complex => [
  x[0] - (p[0] * q[0] - p[1] * q[1]),
  x[1] - (p[0] * q[1] + p[1] * q[0]),
];

/** Returns -(row i of T, from a column on) times x. */
function rightSide(n: number, t: ComplexRows, x: ComplexRows, i: number, from: number): readonly [number, number] {
  let [re, im] = [0, 0];
  for (let j = from; j < n; j++) {
    const [p, q] = [t.re[i * n + j]!, t.im[i * n + j]!];
    re -= p * x.re[j]! - q * x.im[j]!;
    im -= p * x.im[j]! + q * x.re[j]!;
  }
  return [re, im];
}

/** Divides a vector by its element i and the one behind it if they are large. */
function scaleDown(x: ComplexRows, i: number): void {
  const most = Math.max(Math.abs(x.re[i]!), Math.abs(x.im[i]!), Math.abs(x.re[i + 1] ?? 0), Math.abs(x.im[i + 1] ?? 0));
  if (most < kLarge) return;
  for (const list of [x.re, x.im]) for (let j = 0; j < list.length; j++) list[j]! /= most;
}
