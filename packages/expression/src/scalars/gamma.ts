/**
 * The logarithm of the gamma function and its derivatives, which JavaScript's Math does not have, in float64.
 *
 * Large arguments have asymptotic series: Stirling's, and for Hurwitz's zeta function, which the derivatives are, that of Euler and Maclaurin.
 * Small positive ones are moved up to them by recurrences. Near 1 and 2, the zeros of the logarithm, it is a power series around 2. Negative
 * arguments are reflected.
 */

/** Bernoulli's numbers B(2), B(4), … */
const bernoulli: readonly number[] = [1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510, 43867 / 798, -174611 / 330];

/** From this argument on the asymptotic series are exact to 2^-53. */
const kFar = 10;
/** The least argument from which the recurrence leads to the power series around 2. */
const kNear = 0.5;
const kEuler = 0.5772156649015329;
/** The terms of the power series: 4^-kTerms is below 2^-56. */
const kTerms = 28;

/** Returns the sum of (x + k)^-s over k = 0, 1, 2, … for s > 1 and x > 0. */
function hurwitzZeta(s: number, x: number): number {
  let sum = 0;
  let at = x;
  // For large s the series needs large arguments, or the first terms are all that counts.
  for (const far = kFar + s; at < far; at++) {
    const term = at ** -s;
    sum += term;
    // Terms that are 0 are those of large x and s, which a step might not change.
    if (term <= sum * 2 ** -60) return sum;
  }
  let correction = 0;
  let factor = s / 2;
  for (const [j, number] of bernoulli.entries()) {
    correction += number * factor * at ** (-2 * j - 2);
    factor *= ((s + 2 * j + 1) / (2 * j + 3)) * ((s + 2 * j + 2) / (2 * j + 4));
  }
  return sum + at ** -s * (at * (1 / (s - 1) + correction) + 0.5);
}

/** (ζ(k) - 1) / k with the sign (-1)^k, highest k first, down to k = 2. */
const zetas: readonly number[] = Array.from({ length: kTerms }, (_, i) => {
  const k = kTerms + 1 - i;
  return ((k % 2 === 0 ? 1 : -1) * hurwitzZeta(k, 2)) / k;
});

/** Returns the product of x and the series of the logarithm of the gamma function at 2 + x, for |x| <= 1/2. */
function aroundTwo(x: number): number {
  let sum = 0;
  for (const zeta of zetas) sum = sum * x + zeta;
  return x * (1 - kEuler + x * sum);
}

/** Returns the logarithm of the gamma function for x > 0. */
function positiveLogGamma(x: number): number {
  if (x >= kFar) {
    let sum = 0;
    for (let j = bernoulli.length; j > 0; j--) sum = sum / (x * x) + bernoulli[j - 1]! / (2 * j * (2 * j - 1));
    return (x - 0.5) * (Math.log(x) - 1) + (Math.log(2 * Math.PI) - 1) / 2 + sum / x;
  }
  if (x < kNear) return aroundTwo(x) - Math.log(x * (x + 1));
  if (x < 1.5) return aroundTwo(x - 1) - Math.log(x);
  let product = 1;
  let at = x;
  for (; at >= 2.5; at--) product *= at - 1;
  return aroundTwo(at - 2) + Math.log(product);
}

/** Returns the distance from x to the nearest integer, with its sign. */
const fraction = (x: number): number => x - Math.round(x);

/** Returns log|Γ(x)|. Negative integers, 0 and the infinities give Infinity. */
export function logGamma(x: number): number {
  if (x > 0) return positiveLogGamma(x);
  if (x === Number.NEGATIVE_INFINITY || x === 0) return Number.POSITIVE_INFINITY;
  // Below this the product of x and its sine could underflow.
  if (x > -kNear) return aroundTwo(x) - Math.log(-x * (x + 1));
  return Math.log(Math.PI / (-x * Math.abs(Math.sin(Math.PI * fraction(x))))) - positiveLogGamma(-x);
}

/** Returns ψ(x), the derivative of log Γ(x). Negative integers, 0 and -Infinity give NaN. */
export function digamma(x: number): number {
  if (x === Number.POSITIVE_INFINITY) return x;
  const part = fraction(x);
  if (x <= 0) return part === 0 || x === Number.NEGATIVE_INFINITY ? Number.NaN : digamma(1 - x) - Math.PI / Math.tan(Math.PI * part);
  const steps = Math.max(Math.ceil(kFar - x), 0);
  const at = x + steps;
  let series = 0;
  for (let j = bernoulli.length; j > 0; j--) series = (series + bernoulli[j - 1]! / (2 * j)) / (at * at);
  let sum = Math.log(at);
  // The rounding errors of the differences, which count near the zeros.
  let lost = -series - 0.5 / at;
  for (let k = steps - 1; k >= 0; k--) {
    const term = 1 / (x + k);
    const next = sum - term;
    lost += Math.abs(sum) > term ? sum - next - term : sum - (next + term);
    sum = next;
  }
  return sum + (lost === lost ? lost : 0);
}

/** Returns n!. */
function factorial(n: number): number {
  let product = 1;
  for (let k = 2; k <= n && product < Number.POSITIVE_INFINITY; k++) product *= k;
  return product;
}

/**
 * Returns the n-th derivative of ψ(x). NaN if n is no whole number from 0 on. Negative integers, 0 and -Infinity give Infinity if n is odd,
 * otherwise NaN.
 */
export function polygamma(n: number, x: number): number {
  if (!(n >= 0 && n < Number.POSITIVE_INFINITY && Math.floor(n) === n) || x !== x) return Number.NaN;
  if (n === 0) return digamma(x);
  const s = n + 1;
  const sign = n % 2 === 0 ? -1 : 1;
  if (x === Number.POSITIVE_INFINITY) return sign * 0;
  if (x > 0) return sign * factorial(n) * hurwitzZeta(s, x);
  const low = x - Math.floor(x);
  if (x === Number.NEGATIVE_INFINITY || low === 0) return sign < 0 ? Number.NaN : Number.POSITIVE_INFINITY;
  // The terms of x, x + 1, … below 0 are those above 0 of the reflected argument, up to 1 - x.
  return sign * factorial(n) * (hurwitzZeta(s, low) + sign * (hurwitzZeta(s, 1 - low) - hurwitzZeta(s, 1 - x)));
}
