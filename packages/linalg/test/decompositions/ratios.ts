// LAPACK's test ratios, in float64: how far a product of factors is from a matrix, and a matrix from orthonormal columns.
import type { Complex } from "@onebuffer/base";
import type { Rows } from "./matrix-kinds.ts";

/** Below this a ratio passes, as in LAPACK. */
export const kThreshold = 30;

/** Returns the largest magnitude of a part of an element; 0 if there is none. Of large matrices there are too many elements for Math.max(...). */
export function magnitudeOf(rows: Rows): number {
  let most = 0;
  for (const row of rows) for (const [re, im] of row) most = Math.max(most, Math.abs(re), Math.abs(im));
  return most;
}

/** Returns A times the first columns of B. The parts of B are laid out by columns first: pairs in rows take ten times as long to read. */
export function product(a: Rows, b: Rows, columns: number): Complex[][] {
  const depth = b.length;
  const [re, im] = [new Float64Array(depth * columns), new Float64Array(depth * columns)];
  for (let k = 0; k < depth; k++) for (let j = 0; j < columns; j++) setParts(re, im, j * depth + k, b[k]![j]!);
  return a.map((row) => {
    const [p, q] = [new Float64Array(row.length), new Float64Array(row.length)];
    for (let k = 0; k < row.length; k++) setParts(p, q, k, row[k]!);
    return Array.from({ length: columns }, (_, j) => dot(p, q, re, im, j * depth));
  });
}

function setParts(re: Float64Array, im: Float64Array, at: number, value: Complex): void {
  re[at] = value[0];
  im[at] = value[1];
}

/** Returns the sum of the products of p + i q and the elements of re + i im from `at` on. */
function dot(p: Float64Array, q: Float64Array, re: Float64Array, im: Float64Array, at: number): Complex {
  let [x, y] = [0, 0];
  for (let k = 0; k < p.length; k++) {
    x += p[k]! * re[at + k]! - q[k]! * im[at + k]!;
    y += p[k]! * im[at + k]! + q[k]! * re[at + k]!;
  }
  return [x, y];
}

export function adjoint(a: Rows, columns: number): Complex[][] {
  return Array.from({ length: columns }, (_, j) => a.map((row): Complex => [row[j]![0], -row[j]![1]]));
}

/** The largest sum of magnitudes in a column; NaN if there is one. */
export function norm1(a: Rows): number {
  const sums = (a[0] ?? []).map((_, j) => a.reduce((sum, row) => sum + Math.hypot(...row[j]!), 0));
  return sums.reduce((most, each) => (each > most || Number.isNaN(each) ? each : most), 0);
}

/** norm(A - B) / (size unit norm(A)), with both divided by the magnitude of A. */
export function differenceRatio(a: Rows, b: Rows, size: number, unit: number): number {
  const most = magnitudeOf(a);
  if (most === 0) return magnitudeOf(b) / unit;
  const differences = a.map((row, i) =>
    row.map(([re, im], j): Complex => [re / most - b[i]![j]![0] / most, im / most - b[i]![j]![1] / most]),
  );
  return norm1(differences) / (Math.max(1, size) * unit * norm1(a.map((row) => row.map(([re, im]): Complex => [re / most, im / most]))));
}

/** norm(I - Q^H Q) / (rows unit). */
export function orthogonalityRatio(q: Rows, columns: number, unit: number): number {
  const products = product(adjoint(q, columns), q, columns);
  const differences = products.map((row, i) => row.map(([re, im], j): Complex => [re - (i === j ? 1 : 0), im]));
  return norm1(differences) / (Math.max(1, q.length) * unit);
}
