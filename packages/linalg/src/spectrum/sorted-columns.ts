/** sorted-columns: values in order, with the columns of matrices that belong to them. */
import type { Arithmetic } from "../dense/arithmetic.ts";
import type { Matrix } from "../dense/matrix.ts";
import { planesOf } from "../dense/matrix.ts";

/** Columns that belong to values, of so many rows. */
export interface Columns {
  readonly rows: number;
  readonly columns: Matrix;
}

/** Sorts values, and the columns of each matrix in the same way. */
export function sortColumns(by: Arithmetic, values: Float64Array, order: "ascending" | "descending", matrices: readonly Columns[]): void {
  const sign = order === "ascending" ? 1 : -1;
  const places = Array.from(values, (_, k) => k).sort((p, q) => sign * (values[p]! - values[q]!));
  if (places.every((place, k) => place === k)) return;
  values.set(places.map((place) => values[place]!));
  for (const { rows, columns } of matrices) {
    for (const at of planesOf(columns)) permuteColumns(by, rows, at, columns.ld, places);
  }
}

/** Moves column places[k] to k, through memory that is taken for all columns. */
function permuteColumns(by: Arithmetic, rows: number, at: number, ld: number, places: readonly number[]): void {
  const mark = by.mark();
  const moved = by.take(rows * places.length);
  const { memory } = by;
  places.forEach((place, k) => memory.copyWithin(moved + k * rows, at + place * ld, at + place * ld + rows));
  places.forEach((_, k) => memory.copyWithin(at + k * ld, moved + k * rows, moved + (k + 1) * rows));
  by.release(mark);
}
