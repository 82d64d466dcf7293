/**
 * Stable sorting along the last axis: equal values keep their order, NaN comes last in both directions, zeros of both signs are
 * equal. Quirk, not followed: TensorFlow's sort leaves a row that contains a NaN unordered.
 */
import type { Read, Value } from "./values.ts";
import type { StoredValues } from "./stored-values.ts";

/** Compares two values for Array.sort: the result is negative if x comes first. */
function compare(x: Value, y: Value, sign: 1 | -1): number {
  if (x !== x || y !== y) return (x !== x ? 1 : 0) - (y !== y ? 1 : 0);
  return x < y ? -sign : x > y ? sign : 0;
}

/** Rows of `width` values, of which the first `kept` in sorted order are wanted. */
export interface OrderedRows {
  readonly rows: number;
  readonly width: number;
  readonly kept: number;
}

/** Writes, for each row, the indices within the row that sort it. */
export function argsortRows(read: Read, { rows, width, kept }: OrderedRows, descending: boolean, out: StoredValues): void {
  for (let row = 0; row < rows; row++) {
    const places = orderOf(read, row * width, width, descending);
    for (let k = 0; k < kept; k++) out.write(row * kept + k, places[k] as number);
  }
}

/** Writes each row sorted. */
export function sortRows(read: Read, { rows, width, kept }: OrderedRows, descending: boolean, out: StoredValues): void {
  for (let row = 0; row < rows; row++) {
    const places = orderOf(read, row * width, width, descending);
    for (let k = 0; k < kept; k++) out.write(row * kept + k, read(row * width + (places[k] as number)));
  }
}

/** Writes, for each row, the elements at some places of the sorted row. Their zeros are +0. */
export function nthOfRows(read: Read, { rows, width, kept }: OrderedRows, places: readonly number[], out: StoredValues): void {
  for (let row = 0; row < rows; row++) {
    const order = orderOf(read, row * width, width, false);
    places.forEach((place, k) => {
      const value = read(row * width + (order[place] as number));
      out.write(row * kept + k, value === 0 ? 0 : value);
    });
  }
}

function orderOf(read: Read, start: number, width: number, descending: boolean): number[] {
  const values = Array.from({ length: width }, (_, k) => read(start + k));
  const sign = descending ? -1 : 1;
  return values.map((_, k) => k).sort((a, b) => compare(values[a] as Value, values[b] as Value, sign) || a - b);
}
