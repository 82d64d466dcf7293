/**
 * Sorting along the last axis, stably: equal values keep their order, NaN comes last in both directions, zeros of both signs are
 * equal. Quirk, not followed: TensorFlow's sort leaves rows that hold a NaN in no order at all.
 */
import type { Read, Value } from "./values.ts";
import type { StoredValues } from "./stored-values.ts";

/** The order of two values: below 0 if x comes first. */
function compare(x: Value, y: Value, sign: 1 | -1): number {
  if (x !== x || y !== y) return (x !== x ? 1 : 0) - (y !== y ? 1 : 0);
  return x < y ? -sign : x > y ? sign : 0;
}

/** Writes the places, within each row of `width` values, that the sorted values come from. */
export function argsortRows(read: Read, rows: number, width: number, descending: boolean, out: StoredValues): void {
  for (let row = 0; row < rows; row++) {
    orderOf(read, row * width, width, descending).forEach((place, k) => {
      out.write(row * width + k, place);
    });
  }
}

/** Writes each row sorted. */
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
