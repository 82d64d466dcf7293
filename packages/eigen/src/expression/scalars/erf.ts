/**
 * The error function, which JavaScript's Math does not have.
 *
 * For |x| < 1 the Maclaurin series, whose terms do not cancel there. For larger |x| 1 - erfc, with erfc from its continued fraction, whose
 * error is negligible relative to 1. Within 1 ulp of float64.
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
/** 1 / sqrt(π). */
const kInverseSqrtPi = 0.5641895835477563;
/** From this |x| on, erf(x) rounds to ±1. */
const kSaturated = 6;

/** Returns erf(x). The function is odd; NaN gives NaN, ±Infinity gives ±1. */
export function erf(x: number): number {
  const size = Math.abs(x);
  if (size < 1) {
    const square = x * x;
    let sum = 0;
    for (const coefficient of coefficients) sum = sum * square + coefficient;
    return x * kScale * sum;
  }
  if (size >= kSaturated) return Math.sign(x);
  if (x !== x) return x;
  return Math.sign(x) * (1 - erfc(size));
}

/** Returns erfc(x) for x >= 1: the continued fraction x + (1/2)/(x + 1/(x + (3/2)/(x + …))), computed from its innermost term. */
function erfc(x: number): number {
  let fraction = x;
  for (let n = Math.ceil(160 / (x * x)) + 12; n > 0; n--) fraction = x + n / 2 / fraction;
  return (Math.exp(-x * x) * kInverseSqrtPi) / fraction;
}
