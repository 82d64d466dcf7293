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

/** Returns the sum of (base / (x + k))^s over k = 0, 1, 2, … for s > 1 and x >= base > 0. */
function hurwitzZeta(s: number, x: number, base: number): number {
  const power = (k: number): number => Math.exp(-s * Math.log1p((x - base + k) / base));
  let sum = 0;
  let k = 0;
  // For large s the series needs large arguments, or the first terms are all that counts.
  for (; x + k < kFar + s; k++) {
    const term = power(k);
    sum += term;
    if (term <= sum * 2 ** -60) return sum;
  }
  const at = x + k;
  let others = at / (s - 1) + 0.5;
  let factor = s / at / 2;
  for (const [j, number] of bernoulli.entries()) {
    others += number * factor;
    factor *= ((s + 2 * j + 1) / at / (2 * j + 3)) * ((s + 2 * j + 2) / at / (2 * j + 4));
  }
  return sum + power(k) * others;
}

/** (ζ(k) - 1) / k with the sign (-1)^k, highest k first, down to k = 2. */
const zetas: readonly number[] = Array.from({ length: kTerms }, (_, i) => {
  const k = kTerms + 1 - i;
  return ((k % 2 === 0 ? 1 : -1) * hurwitzZeta(k, 2, 1)) / k;
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
  if (x === Number.NEGATIVE_INFINITY || fraction(x) === 0) return Number.POSITIVE_INFINITY;
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

/** From this order on, n! is infinite. */
const kLargeOrder = 171;

/** For s up to it, e^(s / 4) times the fourth root of any number is a number. */
const kHighOrder = 2000;

/** Returns (s / (e x))^(s / 2). The power multiplies the rounding errors of its base by s / 2. */
function rootOfPower(s: number, x: number): number {
  // Of 24 bits, so that its products with the halves of x are exact, and with them what it is short of.
  const quotient = Math.fround(s / x);
  const high = Math.fround(x);
  const short = (s - quotient * high - quotient * (x - high)) / (quotient * x);
  if (s > kHighOrder || short !== short) return (s / (Math.E * x)) ** (s / 2);
  return (quotient ** (s / 4) * Math.exp(-s / 4) * Math.exp((s / 4) * Math.log1p(short))) ** 2;
}

/** Returns n! x^-(n + 1) in two factors, the first of which counts twice: where the result is a number, the factors are. */
function factorialOverPower(n: number, x: number): readonly [root: number, factor: number] {
  const s = n + 1;
  if (n < kLargeOrder) {
    let factorial = 1;
    for (let k = 2; k <= n; k++) factorial *= k;
    return [x ** (-s / 2), factorial];
  }
  // Stirling's series.
  const series = (1 - (1 - 2 / (7 * s * s)) / (30 * s * s)) / (12 * s);
  return [rootOfPower(s, x), Math.sqrt((2 * Math.PI) / s) * Math.exp(series)];
}

/**
 * Returns the n-th derivative of ψ(x). NaN if n is no whole number from 0 on. Negative integers, 0 and -Infinity give Infinity if n is odd,
 * otherwise NaN.
 */
export function polygamma(n: number, x: number): number {
  if (!(n >= 0 && n < Number.POSITIVE_INFINITY && Math.floor(n) === n) || x !== x) return Number.NaN;
  if (n === 0) return digamma(x);
  const s = n + 1;
  // The parity is that of s in float64: huge orders are odd.
  const sign = s % 2 === 0 ? 1 : -1;
  if (x === Number.POSITIVE_INFINITY) return sign * 0;
  const part = fraction(x);
  if (x === Number.NEGATIVE_INFINITY || (x <= 0 && part === 0)) return sign < 0 ? Number.NaN : Number.POSITIVE_INFINITY;
  // Between two integers derivatives of even orders are those at 1 - x, because those of the cotangent are 0.
  if (x < 0 && sign < 0 && Math.abs(part) === 0.5) return polygamma(n, 1 - x);
  const base = x > 0 ? x : Math.abs(part);
  let sum = hurwitzZeta(s, base, base);
  if (x < 0) {
    // The terms above 0 begin at the one distance to an integer, and those below 0 at the other; these end at x.
    const other = hurwitzZeta(s, 1 - base, base);
    const [above, below] = part > 0 ? [sum, other] : [other, sum];
    sum = above + sign * (below - hurwitzZeta(s, 1 - x, base));
  }
  const [root, factor] = factorialOverPower(n, base);
  return sign * (root * sum) * (root * factor);
}
