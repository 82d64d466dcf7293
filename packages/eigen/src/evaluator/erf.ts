/**
 * The error function, which JavaScript's Math does not have.
 *
 * Below 1 the Maclaurin series, whose terms do not cancel there; above it 1 - erfc by the continued fraction, whose error
 * vanishes beside the 1. Within 1 ulp of float64.
 */

/** Terms of the series: the first left out is below 2^-60 of the sum for x = 1. */
const kTerms = 22;

/** (-1)^n / (n! (2n + 1)), highest first. */
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
const kTail = 0.5641895835477563;
/** From here on 1 - erfc is 1. */
const kOne = 6;

/** erf(x); odd, NaN for NaN, 1 at infinity. */
export function erf(x: number): number {
  const size = Math.abs(x);
  if (size < 1) {
    const square = x * x;
    let sum = 0;
    for (const coefficient of coefficients) sum = sum * square + coefficient;
    return x * kScale * sum;
  }
  if (size >= kOne) return Math.sign(x);
  if (x !== x) return x;
  return Math.sign(x) * (1 - tail(size));
}

/** erfc(x) for x from 1 on: the fraction x + (1/2)/(x + 1/(x + (3/2)/(x + …))), from its far end. */
function tail(x: number): number {
  let fraction = x;
  for (let n = Math.ceil(160 / (x * x)) + 12; n > 0; n--) fraction = x + n / 2 / fraction;
  return (Math.exp(-x * x) * kTail) / fraction;
}
