/**
 * secular-equation: the roots of 1 / rho + sum z_i^2 / (p_i - x) = 0 for ascending poles p and rho > 0 (LAPACK's laed4 and lasd4).
 *
 *     p_0 < x_0 < p_1 < x_1 < … < p_last < x_last < p_last + rho sum z_i^2        one root behind each pole
 *
 * A root is found as its distance from the nearer pole, so that p_i - root has nearly all digits of float64 for each i. Steps solve an
 * equation with the two poles beside the root that has the value and the derivatives of both parts of the sum (the middle way of R.-C. Li),
 * and stay in an interval that has the root.
 */

/** An equation. p_i - p_j is (x_i - x_j) (w_i + w_j): for poles themselves w is 1/2 everywhere, for squares of x it is x. */
export interface SecularEquation {
  readonly count: number;
  readonly x: Float64Array;
  readonly w: Float64Array;
  readonly squares: Float64Array;
  readonly rho: number;
}

/** A root: the pole that it is near, and its distance from it. */
export interface SecularRoot {
  readonly pole: number;
  readonly distance: number;
}

/** A step halves the interval if nothing else does, and the numbers near a pole are reached by factors: 200 steps are always enough. */
const kMostSteps = 200;
/** The factor by which an interval that begins at a pole becomes shorter. */
const kShrink = 1 / 64;

/** Finds root j, and writes p_i - root for each i. */
export function solveSecular(equation: SecularEquation, j: number, deltas: Float64Array): SecularRoot {
  const { count, x, w, squares, rho } = equation;
  const difference = (i: number, k: number): number => (x[i]! - x[k]!) * (w[i]! + w[k]!);
  const isLast = j === count - 1;
  let total = 0;
  for (let i = 0; i < count; i++) total += squares[i]!;
  const gap = isLast ? rho * total : difference(j + 1, j);
  const half = gap / 2;
  let value = 1 / rho;
  for (let i = 0; i < count; i++) value += squares[i]! / (difference(i, j) - half);
  const isLeft = value >= 0;
  const pole = isLeft || isLast ? j : j + 1;
  let [low, high] = pole === j ? (isLeft ? [0, half] : [half, gap]) : [-half, 0];
  const offsets = new Float64Array(count);
  for (let i = 0; i < count; i++) offsets[i] = difference(i, pole);
  let distance = firstGuess(equation, j, offsets, pole === j ? half : -half, value);
  if (!(distance > low && distance < high)) distance = between(low, high);
  for (let step = 0; step < kMostSteps; step++) {
    let [left, leftSlope, right, rightSlope] = [0, 0, 0, 0];
    for (let i = 0; i < count; i++) {
      const delta = offsets[i]! - distance;
      const term = squares[i]! / delta;
      deltas[i] = delta;
      if (i <= j) {
        left += term;
        leftSlope += term / delta;
      } else {
        right += term;
        rightSlope += term / delta;
      }
    }
    const sum = 1 / rho + left + right;
    const error = 8 * (right - left) + 1 / rho + Math.abs(distance) * (leftSlope + rightSlope);
    if (!(Math.abs(sum) > Number.EPSILON * error)) break;
    if (sum < 0) low = distance;
    else high = distance;
    let next = distance + middleWay(sum, leftSlope, rightSlope, deltas[j]!, isLast ? null : deltas[j + 1]!);
    if (!(next > low && next < high)) next = between(low, high);
    if (next === distance || next === low || next === high) break;
    distance = next;
  }
  for (let i = 0; i < count; i++) deltas[i] = offsets[i]! - distance;
  return { pole, distance };
}

/** Returns a number inside an interval: its geometric mean, or, if it begins or ends at the pole, a number nearer to the pole. */
function between(low: number, high: number): number {
  if (low === 0) return high * kShrink;
  if (high === 0) return low * kShrink;
  const mean = Math.sqrt(Math.abs(low)) * Math.sqrt(Math.abs(high));
  return low > 0 ? mean : -mean;
}

/** Returns the root of the equation in which all poles but the two beside the root have the terms that they have in the middle. */
function firstGuess({ squares }: SecularEquation, j: number, offsets: Float64Array, half: number, value: number): number {
  const near = j + 1 < offsets.length ? j + 1 : j;
  let rest = value;
  for (const i of new Set([j, near])) rest -= squares[i]! / (offsets[i]! - half);
  if (near === j) return offsets[j]! + squares[j]! / rest;
  const [p, q] = [offsets[j]!, offsets[near]!];
  return rootBetween(rest, rest * (p + q) + squares[j]! + squares[near]!, rest * p * q + squares[j]! * q + squares[near]! * p);
}

/** Returns the step to the root of c + s / (p - x) + t / (q - x), which has the value and slopes of the sum. */
function middleWay(sum: number, leftSlope: number, rightSlope: number, p: number, q: number | null): number {
  if (q === null) {
    const rest = sum - p * leftSlope;
    return p + (p * p * leftSlope) / rest;
  }
  const step = rootBetween(sum - p * leftSlope - q * rightSlope, (p + q) * sum - p * q * (leftSlope + rightSlope), p * q * sum);
  return step * sum < 0 ? step : -sum / (leftSlope + rightSlope);
}

/** Returns the root of c x^2 - a x + b = 0 that lies between the poles. */
function rootBetween(c: number, a: number, b: number): number {
  const root = Math.sqrt(Math.max(0, a * a - 4 * b * c));
  return a <= 0 ? (a - root) / (2 * c) : (2 * b) / (a + root);
}
