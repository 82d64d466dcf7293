/**
 * complex-schur: the Schur form, an upper triangle, of a complex Hessenberg matrix by QR with single shifts (LAPACK's lahqr). Matrices are
 * rows of n numbers, real and imaginary parts apart: h becomes the form T, and the columns of z, of any number of rows, are multiplied by
 * the rotations. Elements are at most about 1.
 */
import type { Steps } from "../dense/steps.ts";
import { squareRoot } from "./complex-numbers.ts";

/** Real and imaginary parts. */
export interface ComplexRows {
  readonly re: Float64Array;
  readonly im: Float64Array;
}

/** A rotation: x' = c x + s y, y' = c y - conj(s) x. */
interface Rotation {
  readonly c: number;
  readonly re: number;
  readonly im: number;
}

/** Steps per eigenvalue, as in LAPACK. */
const kStepsPerValue = 30;
/** Elements of a matrix of norm 1 that are taken for 0: products of two would underflow. */
export const kNegligible = 1e-140;
/** After so many steps without an eigenvalue the shift is another, and elements are compared with the norm instead of their neighbors. */
const kExceptional = 10;

/** Overwrites h by its Schur form. Returns the number of eigenvalues that did not converge. */
export function* reduceToComplexSchur(n: number, h: ComplexRows, z: ComplexRows): Steps<number> {
  let norm = 0;
  for (let at = 0; at < n * n; at++) norm = Math.max(norm, sizeAt(h, at));
  let total = kStepsPerValue * Math.max(10, n);
  let steps = 0;
  for (let last = n - 1; last >= 0; ) {
    const first = startOfBlock(n, h, last, steps > kExceptional ? Number.EPSILON * norm : kNegligible);
    if (first === last) {
      last--;
      steps = 0;
      continue;
    }
    if (total-- === 0) return last + 1;
    step(n, h, z, first, last, shiftOf(n, h, last, ++steps));
    yield 12 * (last - first) * n;
  }
  return 0;
}

const sizeAt = ({ re, im }: ComplexRows, at: number): number => Math.abs(re[at]!) + Math.abs(im[at]!);

/** Returns the first row of the block that ends with row `last`: the element beside the diagonal before it is nearly 0, and set to 0. */
function startOfBlock(n: number, h: ComplexRows, last: number, negligible: number): number {
  for (let k = last; k > 0; k--) {
    const around = sizeAt(h, (k - 1) * (n + 1)) + sizeAt(h, k * (n + 1));
    if (sizeAt(h, k * n + k - 1) > Math.max(negligible, Number.EPSILON * around)) continue;
    h.re[k * n + k - 1] = h.im[k * n + k - 1] = 0;
    return k;
  }
  return 0;
}

/** Returns the eigenvalue of the last two rows that is nearer to the last element. */
function shiftOf(n: number, h: ComplexRows, last: number, steps: number): readonly [number, number] {
  const at = (i: number, j: number): [number, number] => [h.re[(last + i) * n + last + j]!, h.im[(last + i) * n + last + j]!];
  const [[ar, ai], [br, bi], [cr, ci], [dr, di]] = [at(-1, -1), at(-1, 0), at(0, -1), at(0, 0)];
  if (steps % kExceptional === 0) return [dr + 0.75 * (Math.abs(cr) + Math.abs(ci)), di];
  const [hr, hi] = [(ar - dr) / 2, (ai - di) / 2];
  const [pr, pi] = [br * cr - bi * ci, br * ci + bi * cr];
  const [rr, ri] = squareRoot(hr * hr - hi * hi + pr, 2 * hr * hi + pi);
  // d - product / (half + root) with the root that makes the denominator large.
  const sign = hr * rr + hi * ri < 0 ? -1 : 1;
  const [er, ei] = [hr + sign * rr, hi + sign * ri];
  const size = er * er + ei * ei;
  return size === 0 ? [dr, di] : [dr - (pr * er + pi * ei) / size, di - (pi * er - pr * ei) / size];
}

/** Does one step of QR on rows `first` to `last`. */
function step(n: number, h: ComplexRows, z: ComplexRows, first: number, last: number, [shiftRe, shiftIm]: readonly [number, number]): void {
  for (let k = first; k < last; k++) {
    const at = k > first ? k * n + k - 1 : k * n + k;
    const [fr, fi] = k > first ? [h.re[at]!, h.im[at]!] : [h.re[at]! - shiftRe, h.im[at]! - shiftIm];
    const rotation = rotationOf(fr, fi, h.re[at + n]!, h.im[at + n]!);
    for (let j = Math.max(first, k - 1); j < n; j++) rotate(h, k * n + j, (k + 1) * n + j, rotation);
    if (k > first) h.re[at + n] = h.im[at + n] = 0;
    const adjoint = { ...rotation, im: -rotation.im };
    for (let i = 0; i <= Math.min(k + 2, last); i++) rotate(h, i * n + k, i * n + k + 1, adjoint);
    for (let at = k; at < z.re.length; at += n) rotate(z, at, at + 1, adjoint);
  }
}

/** Returns the rotation that makes the second of two numbers 0. Negligible ones count as 0: the product of both sizes could be 0. */
function rotationOf(fr: number, fi: number, gr: number, gi: number): Rotation {
  const [f, g] = [Math.hypot(fr, fi), Math.hypot(gr, gi)];
  if (g < kNegligible) return { c: 1, re: 0, im: 0 };
  if (f < kNegligible) return { c: 0, re: gr / g, im: -gi / g };
  const size = Math.hypot(f, g);
  // s = (f / |f|) conj(g) / size
  return { c: f / size, re: (fr * gr + fi * gi) / (f * size), im: (fi * gr - fr * gi) / (f * size) };
}

function rotate({ re, im }: ComplexRows, x: number, y: number, { c, re: sr, im: si }: Rotation): void {
  const [xr, xi, yr, yi] = [re[x]!, im[x]!, re[y]!, im[y]!];
  re[x] = c * xr + sr * yr - si * yi;
  im[x] = c * xi + sr * yi + si * yr;
  re[y] = c * yr - sr * xr - si * xi;
  im[y] = c * yi - sr * xi + si * xr;
}
