// Matrices for tests, as formulas: LAPACK's kinds for systems (TESTING/LIN), and ratios of errors as its tests have them.
import type { Complex } from "@onebuffer/base";

/** A pseudo-random stream: mulberry32, with normal numbers by Box and Muller. */
export function stream(seed: number): { uniform(): number; normal(): number } {
  let state = seed | 0;
  const uniform = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  return { uniform, normal };
}

/** The kinds of square matrices. Those that are singular in float32 or float64 are not among them. */
export const kinds = ["random", "upper", "lower", "diagonal", "graded", "cond1e4", "huge", "tiny", "wilkinson", "orthogonal"] as const;
export type Kind = (typeof kinds)[number];

/** Returns a matrix of n x n numbers of a kind, in row-major order; imaginary parts too if it is complex. `top` is near the largest number. */
export function matrixOf(kind: Kind, n: number, isComplex: boolean, top: number): Float64Array {
  const { normal } = stream(n * 31 + kinds.indexOf(kind) + (isComplex ? 1000 : 0));
  const size = isComplex ? 2 : 1;
  const at = (make: (i: number, j: number) => number): Float64Array => {
    const out = new Float64Array(n * n * size);
    for (let k = 0; k < out.length; k++) out[k] = make(Math.floor(k / size / n), Math.floor(k / size) % n);
    return out;
  };
  const scales = (i: number): number => 10 ** ((-4 * i) / Math.max(1, n - 1));
  switch (kind) {
    case "random":
      return at(normal);
    case "upper":
      return at((i, j) => (i < j ? normal() / n : i === j ? 1 + Math.abs(normal()) : 0));
    case "lower":
      return at((i, j) => (i > j ? normal() / n : i === j ? 1 + Math.abs(normal()) : 0));
    case "diagonal":
      return at((i, j) => (i === j ? 1 + Math.abs(normal()) : 0));
    case "graded":
      return at((i) => normal() * scales(i));
    case "cond1e4":
      return at((_, j) => normal() * scales(j));
    case "huge":
      return at(() => (normal() * top) / (10 * Math.max(1, n)));
    case "tiny":
      return at(() => (normal() * 1e4 * Math.max(1, n)) / top);
    case "wilkinson":
      return at((i, j) => (Math.abs(i - j) === 1 ? 1 : i === j ? Math.abs(i - (n - 1) / 2) + 2.5 : 0));
    case "orthogonal": {
      const v = Array.from({ length: n }, normal);
      const norm = v.reduce((sum, x) => sum + x * x, 0);
      return at((i, j) => (i === j ? 1 : 0) - (2 * v[i]! * v[j]!) / norm).map((x, k) => (isComplex && k % 2 === 1 ? 0 : x));
    }
  }
}

/** Elements of results as numbers: pairs become two. */
export function numbersIn(values: unknown): number[] {
  const numbers: number[] = [];
  const take = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(take);
    else numbers.push(Number(value));
  };
  take(values);
  return numbers;
}

/** The largest sum of absolute values of a row of an m x n matrix. */
export function normOf(a: Float64Array, m: number, n: number, isComplex: boolean): number {
  const size = isComplex ? 2 : 1;
  let most = 0;
  for (let i = 0; i < m; i++) {
    let sum = 0;
    for (let j = 0; j < n; j++) sum += isComplex ? Math.hypot(a[(i * n + j) * size]!, a[(i * n + j) * size + 1]!) : Math.abs(a[i * n + j]!);
    // Not Math.max: NaN must not be lost.
    if (!(sum <= most)) most = sum;
  }
  return most;
}

/** Adds a row of n complex numbers of b, times x, to one of `out`. */
function addScaledRow(b: Float64Array, from: number, [re, im]: Complex, out: Float64Array, to: number, n: number): void {
  for (let j = 0; j < n; j++) {
    const [x, y] = [b[(from + j) * 2]!, b[(from + j) * 2 + 1]!];
    out[(to + j) * 2]! += re * x - im * y;
    out[(to + j) * 2 + 1]! += re * y + im * x;
  }
}

/** Returns the product of an m x k and a k x n matrix. */
export function productOf(
  a: Float64Array,
  b: Float64Array,
  [m, k, n]: readonly [number, number, number],
  isComplex: boolean,
): Float64Array {
  const size = isComplex ? 2 : 1;
  const out = new Float64Array(m * n * size);
  for (let i = 0; i < m; i++)
    for (let l = 0; l < k; l++) {
      const re = a[(i * k + l) * size]!;
      const im = isComplex ? a[(i * k + l) * 2 + 1]! : 0;
      if (re === 0 && im === 0) continue;
      if (isComplex) addScaledRow(b, l * n, [re, im], out, i * n, n);
      else for (let j = 0; j < n; j++) out[i * n + j]! += re * b[l * n + j]!;
    }
  return out;
}

/** Returns the transpose, of complex numbers the conjugate transpose, of an n x n matrix. */
export function adjointIn(a: Float64Array, n: number, isComplex: boolean): Float64Array {
  const size = isComplex ? 2 : 1;
  const out = new Float64Array(a.length);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) {
      out[(i * n + j) * size] = a[(j * n + i) * size]!;
      if (isComplex) out[(i * n + j) * 2 + 1] = -a[(j * n + i) * 2 + 1]!;
    }
  return out;
}

/** Returns the differences of the elements of two matrices. */
export function differenceIn(a: Float64Array, b: Float64Array): Float64Array {
  const out = new Float64Array(a.length);
  for (let k = 0; k < out.length; k++) out[k] = a[k]! - b[k]!;
  return out;
}
