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

/** Writes, for each row of `width` values, the indices within the row that sort it. */
export function argsortRows(read: Read, rows: number, width: number, descending: boolean, out: StoredValues): void {
  for (let row = 0; row < rows; row++) {
    orderOf(read, row * width, width, descending).forEach((place, k) => {
      out.write(row * width + k, place);
    });
  }
}

/** Writes each row of `width` values sorted. */
export function sortRows(read: Read, rows: number, width: number, descending: boolean, out: StoredValues): void {
  for (let row = 0; row < rows; row++) {
    orderOf(read, row * width, width, descending).forEach((place, k) => {
      out.write(row * width + k, read(row * width + place));
    });
  }
}

function orderOf(read: Read, start: number, width: number, descending: boolean): number[] {
  const values = Array.from({ length: width }, (_, k) => read(start + k));
  const sign = descending ? -1 : 1;
  return values.map((_, k) => k).sort((a, b) => compare(values[a] as Value, values[b] as Value, sign) || a - b);
}
