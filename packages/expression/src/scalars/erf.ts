/**
 * The error function, its complement and its inverse, which JavaScript's Math does not have, within 2 ulp of float64.
 *
 * For |x| < 1 the Maclaurin series of erf, whose terms do not cancel there. For x from 1/2 the sum of trapezoids for
 * erfc(x) = 2x / pi e^(-x^2) (integral of e^(-t^2) / (x^2 + t^2) over t > 0), whose only error besides rounding is known: the residue at ix
 * (Chiarella and Reichel), which counts for x < pi / kStep.
 */

/** The number of terms of the series. For x = 1 the first omitted term is below 2^-60 of the sum. */
const kTerms = 22;

/** The coefficients (-1)^n / (n! (2n + 1)), highest n first. */
const coefficients: readonly number[] = (() => {
  const list: number[] = [];
  let factorial = 1;
  for (let n = 0; n < kTerms; n++) {
    if (n > 0) factorial *= n;
    list.unshift((n % 2 === 0 ? 1 : -1) / (factorial * (2 * n + 1)));
  }
  return list;
})();

/** 2 / sqrt(π). */
const kScale = 1.1283791670955126;
/** From this |x| on, erf(x) rounds to ±1. */
const kSaturated = 6;
/** From this x on, erfc(x) is 0. */
const kVanished = 27.3;
/** The width of a trapezoid. The error that remains is e^(-π^2 / kStep^2), below 2^-56. */
const kStep = 0.5;
/** The number of trapezoids: e^-(kStep n)^2 of the next is below 2^-60. */
const kTrapezoids = 13;

/** Returns erf(x). The function is odd; NaN gives NaN, ±Infinity gives ±1. */
export function erf(x: number): number {
  const size = Math.abs(x);
  if (size < 1) return series(x);
  if (size >= kSaturated) return Math.sign(x);
  return x > 0 ? 1 - complement(x) : complement(-x) - 1;
}

/** Returns erfc(x) = 1 - erf(x); NaN gives NaN, Infinity gives 0, -Infinity gives 2. */
export function erfc(x: number): number {
  if (x >= kVanished) return 0;
  if (x <= -kSaturated) return 2;
  if (Math.abs(x) < 0.5) return 1 - series(x);
  return x < 0 ? 2 - complement(-x) : complement(x);
}

/** Returns erf(x) for |x| < 1; a zero stays as it is. */
function series(x: number): number {
  const square = x * x;
  let sum = 0;
  for (const coefficient of coefficients) sum = sum * square + coefficient;
  return x * kScale * sum;
}

/** Returns erfc(x) for x from 1/2 to kVanished. */
function complement(x: number): number {
  let sum = 0;
  for (let n = kTrapezoids; n > 0; n--) {
    const t = n * kStep;
    sum += Math.exp(-t * t) / (t * t + x * x);
  }
  // x^2 in two parts, of which the first is exact.
  const high = Math.round(x * 64) / 64;
  const power = Math.exp(-(x - high) * (x + high)) * ((kStep / Math.PI) * x * (1 / (x * x) + 2 * sum));
  const value = Math.exp(-high * high) * power;
  return x < Math.PI / kStep ? value - 2 / Math.expm1((2 * Math.PI * x) / kStep) : value;
}

/** Returns the number of which erf is y; ±1 gives ±Infinity, a larger |y| gives NaN. */
export function erfInverse(y: number): number {
  const size = Math.abs(y);
  if (!(size < 1)) return size === 1 ? y * Number.POSITIVE_INFINITY : Number.NaN;
  // Steps of Newton's method from below, where erf is concave and the steps cannot pass the root; of erfc for its relative error.
  let x = 0;
  for (let step = 0; step < 100; step++) {
    const off = size < 0.5 ? (size - erf(x)) / kScale : (erfc(x) - (1 - size)) / kScale;
    const next = x + off * Math.exp(x * x);
    if (!(next > x)) break;
    x = next;
  }
  return y < 0 || Object.is(y, -0) ? -x : x;
}
