/**
 * expm-reference: the exponential of a matrix by a Pade approximant of degree 13 of A / 2^s, squared s times (Higham 2005).
 *
 *     exp(A / 2^s) = (V - U)^-1 (V + U)      U: the odd powers, V: the even ones
 */
import { factorLu, solveByLu } from "./lu-reference.ts";
import type { Numbers } from "./numbers.ts";

/** The coefficients of the approximant, from the power 0. */
const kPade: readonly number[] = [
  64764752532480000, 32382376266240000, 7771770303897600, 1187353796428800, 129060195264000, 10559470521600, 670442572800, 33522128640,
  1323241920, 40840800, 960960, 16380, 182, 1,
];
/** The largest 1-norm for which the approximant is exact in float64. */
const kTheta = 5.371920351148152;

/** Returns the exponential of a matrix of n rows; NaN everywhere if an element is not finite. */
export function exponential<T>(numbers: Numbers<T>, a: readonly T[], n: number): T[] {
  const norm = Math.max(0, ...Array.from({ length: n }, (_, j) => sumOver(n, (i) => numbers.size(a[i * n + j]!))));
  if (!(norm < Infinity)) return a.map(() => numbers.of(NaN));
  const halvings = norm <= kTheta ? 0 : Math.ceil(Math.log2(norm / kTheta));
  const scaled = a.map((value) => numbers.mul(value, numbers.of(2 ** -halvings)));
  const times = (x: readonly T[], y: readonly T[]): T[] => multiplied(numbers, x, y, n);
  const combined = (...terms: readonly (readonly [number, readonly T[]])[]): T[] =>
    a.map((_, k) => terms.reduce((sum, [factor, x]) => numbers.add(sum, numbers.mul(numbers.of(factor), x[k]!)), numbers.of(0)));
  const one = a.map((_, k) => numbers.of(k % (n + 1) === 0 ? 1 : 0));
  const a2 = times(scaled, scaled);
  const a4 = times(a2, a2);
  const a6 = times(a4, a2);
  const part = (first: number): T[] => {
    const c = (k: number): number => kPade[first + 2 * k]!;
    const high = times(a6, combined([c(6), a6], [c(5), a4], [c(4), a2]));
    return combined([1, high], [c(3), a6], [c(2), a4], [c(1), a2], [c(0), one]);
  };
  const [odd, even] = [times(scaled, part(1)), part(0)];
  const factors = combined([1, even], [-1, odd]);
  const { order } = factorLu(numbers, factors, n);
  let result = solveByLu(numbers, factors, order, combined([1, even], [1, odd]), false);
  for (let k = 0; k < halvings; k++) result = times(result, result);
  return result;
}

const sumOver = (n: number, of: (i: number) => number): number => Array.from({ length: n }, (_, i) => of(i)).reduce((x, y) => x + y, 0);

function multiplied<T>(numbers: Numbers<T>, x: readonly T[], y: readonly T[], n: number): T[] {
  return x.map((_, k) => {
    const [i, j] = [Math.floor(k / n), k % n];
    let sum = numbers.of(0);
    for (let l = 0; l < n; l++) sum = numbers.add(sum, numbers.mul(x[i * n + l]!, y[l * n + j]!));
    return sum;
  });
}
