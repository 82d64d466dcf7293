// LAPACK's ratios of random decompositions and solutions of random kinds, sizes and dtypes: 10,000 in `npm run long`, with another seed each time.
import { expect, test } from "@jest/globals";
import type { Complex } from "@onebuffer/base";
import { cholesky, eig, eigh, qr, schur, solve, svd } from "@onebuffer/linalg";
import type { MatrixDType } from "@onebuffer/linalg";
import { isLong } from "@onebuffer/test-support";
import { dtypes } from "./cases.ts";
import { matrixTensor, rowsOf, storedRows } from "./decomposed.ts";
import type { Rows } from "./matrix-kinds.ts";
import { hermitianOf, kinds, Numbers, unitOf } from "./matrix-kinds.ts";
import { adjoint, differenceRatio, kThreshold, magnitudeOf, norm1, orthogonalityRatio, product } from "./ratios.ts";

/** A matrix as it is stored, and how its parts are computed. */
interface Subject {
  readonly rows: Rows;
  readonly m: number;
  readonly n: number;
  readonly unit: number;
  /** Returns the rows of expressions of the matrix. */
  readonly partsOf: (make: (a: never) => object) => Complex[][][];
}

const times = (rows: Rows, factor: number): Complex[][] => rows.map((row) => row.map(([re, im]): Complex => [re * factor, im * factor]));

/** Returns rows divided by a number, whose inverse may be infinite. */
const over = (rows: Rows, divisor: number): Complex[][] => rows.map((row) => row.map(([re, im]): Complex => [re / divisor, im / divisor]));
const columnsTimes = (rows: Rows, values: readonly Complex[]): Complex[][] =>
  rows.map((row) => row.map(([re, im], j): Complex => [re * values[j]![0] - im * values[j]![1], re * values[j]![1] + im * values[j]![0]]));
const magnitude = (rows: Rows): number => magnitudeOf(rows) || 1;

/** Of each function, the ratios for a matrix. Products are those of the matrix with moderate elements. */
const ratios: Readonly<Record<string, (subject: Subject) => number[]>> = {
  qr({ rows, m, n, unit, partsOf }) {
    const [q, r] = partsOf((a) => qr(a)) as [Complex[][], Complex[][]];
    const k = Math.min(m, n);
    return [differenceRatio(rows, product(q, r, n), Math.max(m, n), unit), orthogonalityRatio(q, k, unit)];
  },
  svd({ rows, m, n, unit, partsOf }) {
    const [s, u, v] = partsOf((a) => svd(a)) as [Complex[][], Complex[][], Complex[][]];
    const [k, most] = [Math.min(m, n), magnitude(rows)];
    const made = product(columnsTimes(u, over(s, most)[0] ?? []), adjoint(v, k), n);
    const sorted = (s[0] ?? []).every(([each], i, all) => each >= 0 && (i === 0 || each <= all[i - 1]![0]));
    return [
      differenceRatio(rows, times(made, most), Math.max(m, n), unit),
      orthogonalityRatio(u, k, unit),
      orthogonalityRatio(v, k, unit),
      sorted ? 0 : Infinity,
    ];
  },
  eigh({ rows, n, unit, partsOf }) {
    const [e, v] = partsOf((a) => eigh(a)) as [Complex[][], Complex[][]];
    const most = magnitude(rows);
    const made = product(columnsTimes(v, over(e, most)[0] ?? []), adjoint(v, n), n);
    return [differenceRatio(rows, times(made, most), n, unit), orthogonalityRatio(v, n, unit)];
  },
  eig({ rows, n, unit, partsOf }) {
    const [e, v] = partsOf((a) => eig(a)) as [Complex[][], Complex[][]];
    const most = magnitude(rows);
    const small = over(rows, most);
    const left = product(small, v, n);
    const right = columnsTimes(v, over(e, most)[0] ?? []);
    const off = left.map((row, i) => row.map(([re, im], j): Complex => [re - right[i]![j]![0], im - right[i]![j]![1]]));
    return [norm1(off) / (Math.max(1, n) * unit * (norm1(small) || 1))];
  },
  schur({ rows, n, unit, partsOf }) {
    const [t, z] = partsOf((a) => schur(a)) as [Complex[][], Complex[][]];
    const most = magnitude(rows);
    const made = product(product(z, over(t, most), n), adjoint(z, n), n);
    return [differenceRatio(rows, times(made, most), n, unit), orthogonalityRatio(z, n, unit)];
  },
  solve({ rows, n, unit, partsOf }) {
    const [x] = partsOf((a) => ({ x: solve(a, a) })) as [Complex[][]];
    const product1 = norm1(rows) * norm1(x!) || 1;
    const off = product(rows, x!, n).map((row, i) => row.map(([re, im], j): Complex => [re - rows[i]![j]![0], im - rows[i]![j]![1]]));
    return [norm1(off) / (Math.max(1, n) * unit * product1)];
  },
  cholesky({ rows, n, unit, partsOf }) {
    const [l] = partsOf((a) => ({ l: cholesky(a) })) as [Complex[][]];
    return [differenceRatio(rows, product(l!, adjoint(l!, n), n), n, unit)];
  },
};

/** The kinds of which every matrix is far from singular. */
const kRegular = ["normal", "cond2", "condRoot", "arithmetic", "clusters", "kahan", "toeplitz", "identity"];

/** Returns the matrix of a function's case. */
function matrixFor(name: string, kind: string, m: number, n: number, dtype: MatrixDType, numbers: Numbers): Rows {
  const rows = kinds[kind]!(m, n, dtype, numbers);
  if (name === "eigh") return hermitianOf(rows);
  if (name !== "cholesky") return rows;
  return product(rows, adjoint(rows, n), n).map((row, i) => row.map(([re, im], j): Complex => [re + (i === j ? 1 : 0), i === j ? 0 : im]));
}

const seed = isLong ? Date.now() % 1e6 : 7;
const [count, most] = isLong ? [10_000, 40] : [25, 9];

test(`${count} random matrices (seed ${seed})`, () => {
  const numbers = new Numbers(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(numbers.uniform() * list.length)]!;
  const failures: unknown[] = [];
  for (let k = 0; k < count; k++) {
    const name = pick(Object.keys(ratios));
    const dtype = pick(dtypes);
    const size = (): number => Math.floor((most + 1) * numbers.uniform() ** 2);
    const n = size();
    const m = name === "qr" || name === "svd" ? size() : n;
    const kind = pick(name === "solve" || name === "cholesky" ? kRegular : Object.keys(kinds));
    const by = m * n <= 36 && k % 5 === 0 ? "evaluator" : "kernel";
    using tensor = matrixTensor(matrixFor(name, kind, m, n, dtype, numbers), m, n, dtype);
    const rows = m === 0 || n === 0 ? [] : storedRows(tensor);
    const partsOf = (make: (a: never) => object): Complex[][][] =>
      Object.values(make(tensor.matrix() as never)).map((part) => rowsOf(part as never, by));
    if (m === 0 || n === 0) continue;
    const found = ratios[name]!({ rows, m, n, unit: unitOf(dtype), partsOf });
    if (!found.every((each) => each < kThreshold)) failures.push([name, kind, dtype, m, n, by, found]);
  }
  expect(failures).toEqual([]);
});
