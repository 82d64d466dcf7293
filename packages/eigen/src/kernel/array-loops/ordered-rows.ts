/**
 * ordered-rows: sorts along the last axis, and finds the indices that sorted elements come from (as TensorFlow's tf.sort and
 * tf.argsort do by TopK), as loops over typed arrays.
 *
 * The order is the plain evaluator's: it is stable, NaN comes last in both directions, and zeros of both signs are equal. The
 * engine sorts short rows and elements of 64 bits, a radix sort the others. The engine takes -0 for less than +0, so
 * the zeros are afterwards put back in their original order. Indices of short rows are merge-sorted (merged-places.ts), and the first few
 * of a long row are selected (select-places.ts).
 */
import type { TypedArray } from "@onebuffer/base";
import type { Numbers } from "./dense-array.ts";
import { mergedPlaces } from "./merged-places.ts";
import { RadixSort } from "./radix-sort.ts";
import { selectPlaces } from "./select-places.ts";

/** Sorts each row of `to`, which holds the operand. */
export function sortRows(to: TypedArray, width: number, descending: boolean): void {
  const isFloat = /Float/.test(Object.prototype.toString.call(to));
  const radix = RadixSort.make(to, width, descending, false);
  try {
    for (let start = 0; start < to.length; start += width) {
      const row = to.subarray(start, start + width) as Numbers;
      if (radix !== null) {
        radix.sort(row);
        continue;
      }
      const signs = isFloat ? zeroSigns(row) : null;
      row.sort();
      if (descending) reverseNumbers(row);
      if (signs !== null) putZerosBack(row, signs);
    }
  } finally {
    radix?.release();
  }
}

/** Returns the zeros of a row in their order, or null if none of them is -0. */
function zeroSigns(row: Numbers): number[] | null {
  const zeros: number[] = [];
  let hasNegative = false;
  for (let k = 0; k < row.length; k++) {
    if (row[k] !== 0) continue;
    hasNegative ||= Object.is(row[k], -0);
    zeros.push(row[k] as number);
  }
  return hasNegative ? zeros : null;
}

/** Overwrites the zeros of a sorted row with those of the original row. */
function putZerosBack(row: Numbers, zeros: readonly number[]): void {
  row.set(zeros, row.indexOf(0));
}

/** Reverses a sorted row; NaN stays at the end. */
function reverseNumbers(row: Numbers): void {
  let end = row.length;
  while (end > 0 && row[end - 1] !== row[end - 1]) end--;
  row.subarray(0, end).reverse();
}

/**
 * Calls `write` for each row of `from` with the first `kept` indices within the row that its sorted elements come from. Throws
 * RESOURCE_EXHAUSTED if there is no room for the indices.
 */
export function orderRows(
  from: TypedArray,
  { width, kept, descending }: RowOrder,
  write: (places: ArrayLike<number>, row: number, values: Numbers) => void,
): void {
  let radix: RadixSort | null | undefined;
  try {
    for (let row = 0; row * width < from.length; row++) {
      const values = from.subarray(row * width, (row + 1) * width) as Numbers;
      let places: ArrayLike<number> | null = kept < width ? selectPlaces(values, kept, descending) : null;
      if (places === null) {
        if (radix === undefined) radix = RadixSort.make(from, width, descending, true);
        places = (radix === null ? mergedPlaces(values, descending) : radix.order(values)).subarray(0, kept);
      }
      write(places, row, values);
    }
  } finally {
    radix?.release();
  }
}

/** The sizes of rows, how many elements of each are wanted, and their order. */
export interface RowOrder {
  readonly width: number;
  readonly kept: number;
  readonly descending: boolean;
}
