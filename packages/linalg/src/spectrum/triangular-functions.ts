/**
 * triangular-functions: square roots and logarithms of complex upper triangles, as rows of n numbers.
 *
 *     R R = T            r[i, j] = (t[i, j] - sum of r[i, k] r[k, j] between) / (r[i, i] + r[j, j])      (Bjorck, Hammarling 1983)
 *     log T              2^s log(T^(1 / 2^s)), by a Pade approximant near the identity                    (Kenney, Laub 1989)
 */
import type { Steps } from "../dense/steps.ts";
import { exponentialLessOne, logarithm, quotient, squareRoot } from "./complex-numbers.ts";
import type { ComplexRows } from "./complex-schur.ts";

/** The distance from the identity up to which the approximant of degree 7 has all digits of float64. */
const kNear = 0.25;
/** More roots than any triangle of finite elements needs. */
const kMostRoots = 1100;
/** Nodes and weights of Gauss's quadrature with 7 points on [0, 1]: the approximant as partial fractions. */
const kNodes = [
  -0.9491079123427585, -0.7415311855993945, -0.4058451513773972, 0, 0.4058451513773972, 0.7415311855993945, 0.9491079123427585,
].map((x) => (1 + x) / 2);
const kWeights = [
  0.1294849661688697, 0.2797053914892766, 0.3818300505051189, 0.4179591836734694, 0.3818300505051189, 0.2797053914892766,
  0.1294849661688697,
].map((w) => w / 2);

const zeros = (n: number): ComplexRows => ({ re: new Float64Array(n * n), im: new Float64Array(n * n) });

/**
 * Returns the square root of a triangle. An element that is rounding in the triangle, between two eigenvalues that are, is 0 in the root; where
 * there is no root elements are infinite or NaN.
 */
export function* rootOfTriangle(n: number, t: ComplexRows): Steps<ComplexRows> {
  const r = zeros(n);
  const rounding = n * Number.EPSILON * normOf(n, t);
  for (let j = 0; j < n; j++) {
    const diagonal = j * n + j;
    [r.re[diagonal], r.im[diagonal]] = squareRoot(t.re[diagonal]!, t.im[diagonal]!);
    for (let i = j - 1; i >= 0; i--) {
      const [sumRe, sumIm] = between(n, r, r, i, j, i + 1, j);
      const [re, im] = [t.re[i * n + j]! - sumRe, t.im[i * n + j]! - sumIm];
      const [p, q] = [r.re[i * n + i]! + r.re[diagonal]!, r.im[i * n + i]! + r.im[diagonal]!];
      if (Math.abs(re) + Math.abs(im) <= rounding && p * p + q * q <= rounding) continue;
      [r.re[i * n + j], r.im[i * n + j]] = quotient(re, im, p, q);
    }
    yield j * j;
  }
  return r;
}

/** Returns the logarithm of a triangle; infinite or NaN where an eigenvalue is 0. */
export function* logarithmOfTriangle(n: number, t: ComplexRows): Steps<ComplexRows> {
  const diagonal = Array.from({ length: n }, (_, i) => logarithm(t.re[i * n + i]!, t.im[i * n + i]!));
  let x = lessIdentity(n, t, diagonal, 1);
  let power = 1;
  for (let roots = 0, root = t; normOf(n, x) > kNear && roots < kMostRoots; roots++) {
    root = yield* rootOfTriangle(n, root);
    power /= 2;
    x = lessIdentity(n, root, diagonal, power);
  }
  const log = zeros(n);
  for (const [k, node] of kNodes.entries()) yield* addFraction(n, x, node, kWeights[k]! / power, log);
  diagonal.forEach(([re, im], i) => {
    log.re[i * n + i] = re;
    log.im[i * n + i] = im;
  });
  return log;
}

/** Returns a root of the triangle less the identity. The diagonal is that of exp(power log), which does not cancel. */
function lessIdentity(n: number, root: ComplexRows, diagonal: readonly (readonly [number, number])[], power: number): ComplexRows {
  const x = { re: root.re.slice(), im: root.im.slice() };
  diagonal.forEach(([re, im], i) => {
    [x.re[i * n + i], x.im[i * n + i]] = exponentialLessOne(re * power, im * power);
  });
  return x;
}

/** sum += weight X (1 + node X)^-1, for the elements above the diagonal. */
function* addFraction(n: number, x: ComplexRows, node: number, weight: number, sum: ComplexRows): Steps<void> {
  const y = zeros(n);
  for (let j = 0; j < n; j++) {
    for (let i = j; i >= 0; i--) {
      const at = i * n + j;
      const [re, im] = between(n, x, y, i, j, i + 1, j + 1);
      const diagonal = i * n + i;
      [y.re[at], y.im[at]] = quotient(x.re[at]! - node * re, x.im[at]! - node * im, 1 + node * x.re[diagonal]!, node * x.im[diagonal]!);
      sum.re[at]! += weight * y.re[at]!;
      sum.im[at]! += weight * y.im[at]!;
    }
    yield j * j;
  }
}

/** Returns the sum of a[i, k] b[k, j] for k from `from` to before `to`. */
function between(n: number, a: ComplexRows, b: ComplexRows, i: number, j: number, from: number, to: number): [re: number, im: number] {
  let [re, im] = [0, 0];
  for (let k = from; k < to; k++) {
    const [p, q, r, s] = [a.re[i * n + k]!, a.im[i * n + k]!, b.re[k * n + j]!, b.im[k * n + j]!];
    re += p * r - q * s;
    im += p * s + q * r;
  }
  return [re, im];
}

/** Returns the largest sum of magnitudes in a row; NaN if there is one. */
function normOf(n: number, a: ComplexRows): number {
  let most = 0;
  for (let i = 0; i < n; i++) {
    let sum = 0;
    for (let at = i * n; at < (i + 1) * n; at++) sum += Math.abs(a.re[at]!) + Math.abs(a.im[at]!);
    if (!(sum <= most)) most = sum;
  }
  return most;
}
