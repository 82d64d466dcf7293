// Matrices of the kinds that LAPACK's tests have, as rows of [re, im], from a seed.
import type { Complex } from "@onebuffer/base";
import type { MatrixDType } from "@onebuffer/linalg";

export type Rows = readonly (readonly Complex[])[];

/** Numbers between 0 and 1 from a seed. */
export class Numbers {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed * 2654435761 + 1) >>> 0;
  }

  uniform(): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return (this.#state + 0.5) / 2 ** 32;
  }

  normal(): number {
    return Math.sqrt(-2 * Math.log(this.uniform())) * Math.cos(2 * Math.PI * this.uniform());
  }
}

/** The unit of a dtype: the distance from 1 to the next number. */
export const unitOf = (dtype: MatrixDType): number => (dtype === "float32" || dtype === "complex64" ? 2 ** -23 : 2 ** -52);

export const isComplex = (dtype: MatrixDType): boolean => dtype.startsWith("complex");

const filled = (m: number, n: number, of: (i: number, j: number) => Complex): Complex[][] =>
  Array.from({ length: m }, (_, i) => Array.from({ length: n }, (_, j) => of(i, j)));

const real = (of: (i: number, j: number) => number) => (m: number, n: number) => filled(m, n, (i, j) => [of(i, j), 0]);

/** Applies a random reflector from the left, or from the right. */
function reflected(rows: Complex[][], numbers: Numbers, complex: boolean, fromLeft: boolean): void {
  const [m, n] = [rows.length, rows[0]?.length ?? 0];
  const size = fromLeft ? m : n;
  const v = Array.from({ length: size }, (): Complex => [numbers.normal(), complex ? numbers.normal() : 0]);
  const norm = v.reduce((sum, [re, im]) => sum + re * re + im * im, 0);
  for (let k = 0; k < (fromLeft ? n : m); k++) {
    let [re, im] = [0, 0];
    for (let i = 0; i < size; i++) {
      const [p, q] = fromLeft ? rows[i]![k]! : rows[k]![i]!;
      const [a, b] = v[i]!;
      re += p * a + q * b;
      im += q * a - p * b;
    }
    for (let i = 0; i < size; i++) {
      const [p, q] = fromLeft ? rows[i]![k]! : rows[k]![i]!;
      const [a, b] = v[i]!;
      const moved: Complex = [p - (2 * (re * a - im * b)) / norm, q - (2 * (re * b + im * a)) / norm];
      if (fromLeft) rows[i]![k] = moved;
      else rows[k]![i] = moved;
    }
  }
}

/** Returns a matrix with given singular values: a diagonal one between two random reflectors on each side. */
function withValues(m: number, n: number, values: (k: number, count: number) => number, numbers: Numbers, complex: boolean): Complex[][] {
  const count = Math.min(m, n);
  const rows = filled(m, n, (i, j) => [i === j ? values(i, count) : 0, 0]);
  if (count > 0) for (const fromLeft of [true, false, true, false]) reflected(rows, numbers, complex, fromLeft);
  return rows;
}

const geometric =
  (cond: number) =>
  (k: number, count: number): number =>
    cond ** (count < 2 ? 0 : -k / (count - 1));

const times = ([re, im]: Complex, factor: number): Complex => [re * factor, im * factor];

/** Returns 1 in one of three cases, otherwise a power of ten down to the least number of a dtype. */
function tinyFactor(dtype: MatrixDType, numbers: Numbers): number {
  const isOne = numbers.uniform() < 1 / 3;
  return isOne ? 1 : 10 ** -Math.floor(numbers.uniform() * (unitOf(dtype) > 1e-10 ? 45 : 323));
}

/** The kinds by name: each makes a matrix of m rows and n columns. */
export const kinds: Readonly<Record<string, (m: number, n: number, dtype: MatrixDType, numbers: Numbers) => Rows>> = {
  normal: (m, n, dtype, numbers) => filled(m, n, () => [numbers.normal(), isComplex(dtype) ? numbers.normal() : 0]),
  zero: real(() => 0),
  identity: real((i, j) => (i === j ? 1 : 0)),
  ones: real(() => 1),
  rankOne: (m, n, dtype, numbers) => withValues(m, n, (k) => (k === 0 ? 1 : 0), numbers, isComplex(dtype)),
  rankLess: (m, n, dtype, numbers) => withValues(m, n, (k, count) => (k === count - 1 ? 0 : 1 + k), numbers, isComplex(dtype)),
  oneLarge: (m, n, dtype, numbers) => withValues(m, n, (k) => (k === 0 ? 1 : 0.1 * unitOf(dtype)), numbers, isComplex(dtype)),
  oneSmall: (m, n, dtype, numbers) =>
    withValues(m, n, (k, count) => (k === count - 1 ? 0.1 * unitOf(dtype) : 1), numbers, isComplex(dtype)),
  cond2: (m, n, dtype, numbers) => withValues(m, n, geometric(2), numbers, isComplex(dtype)),
  condRoot: (m, n, dtype, numbers) => withValues(m, n, geometric(Math.sqrt(0.1 / unitOf(dtype))), numbers, isComplex(dtype)),
  condInverse: (m, n, dtype, numbers) => withValues(m, n, geometric(0.1 / unitOf(dtype)), numbers, isComplex(dtype)),
  arithmetic: (m, n, dtype, numbers) => withValues(m, n, (k, count) => 1 - k / count, numbers, isComplex(dtype)),
  clusters: (m, n, dtype, numbers) => withValues(m, n, (k) => 1 / (1 + (k % 3)), numbers, isComplex(dtype)),
  nearOverflow: (m, n, dtype, numbers) => scaled(kinds["cond2"]!(m, n, dtype, numbers), unitOf(dtype) > 1e-10 ? 1e37 : 1e306),
  nearUnderflow: (m, n, dtype, numbers) => scaled(kinds["cond2"]!(m, n, dtype, numbers), unitOf(dtype) > 1e-10 ? 1e-30 : 1e-290),
  halfZero: (m, n, dtype, numbers) =>
    kinds["normal"]!(m, n, dtype, numbers).map((row) => row.map((value, j): Complex => (j < n / 2 ? value : [0, 0]))),
  graded: real((i, j) => 10 ** (-(i + j) / 4) * (1 + ((i * 7 + j * 3) % 5))),
  hilbert: real((i, j) => 1 / (i + j + 1)),
  kahan: real((i, j) => (j < i ? 0 : Math.sin(1.2) ** i * (i === j ? 1 : -Math.cos(1.2)))),
  wilkinson: real((i, j) => (i === j ? Math.abs(10 - i) : Math.abs(i - j) === 1 ? 1 : 0)),
  toeplitz: real((i, j) => (i === j ? 2 : Math.abs(i - j) === 1 ? -1 : 0)),
  frank: real((i, j) => (j < i - 1 ? 0 : 1 + Math.min(30, Math.max(i, j)))),
  companion: real((i, j) => (j === i + 1 ? 1 : i === 0 ? 1 + j : 0)),
  jordan: real((i, j) => (i === j ? 1 : j === i + 1 ? 1 : 0)),
  permutation: real((i, j) => (j === (i * 3 + 1) % 7 ? 1 : 0)),
  // Elements from 1 down to the least number, whose squares are 0 or have few digits.
  allSizes: (m, n, dtype, numbers) =>
    kinds["normal"]!(m, n, dtype, numbers).map((row) => row.map((value): Complex => times(value, tinyFactor(dtype, numbers)))),
  bandOfAllSizes: (m, n, dtype, numbers) =>
    kinds["normal"]!(m, n, dtype, numbers).map((row, i) =>
      row.map((value, j): Complex => (Math.abs(i - j) < 2 ? times(value, tinyFactor(dtype, numbers)) : [0, 0])),
    ),
};

const scaled = (rows: Rows, factor: number): Rows => rows.map((row) => row.map(([re, im]): Complex => [re * factor, im * factor]));

/** Returns (A + A^H) / 2 of a square matrix. */
export function hermitianOf(rows: Rows): Rows {
  return rows.map((row, i) =>
    row.map(([re, im], j): Complex => [re / 2 + rows[j]![i]![0] / 2, i === j ? 0 : im / 2 - rows[j]![i]![1] / 2]),
  );
}
