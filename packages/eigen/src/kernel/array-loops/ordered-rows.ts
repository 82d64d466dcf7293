/**
 * ordered-rows: sorts along the last axis, and finds the indices that sorted elements come from (as TensorFlow's tf.sort and
 * tf.argsort do by TopK), as loops over typed arrays.
 *
 * The order is the plain evaluator's: it is stable, NaN comes last in both directions, and zeros of both signs are equal. The
 * engine sorts short rows and elements of 64 bits, a radix sort the others. The engine takes -0 for less than +0, and the radix sort makes
 * zeros alike, so the zeros are afterwards put back in their original order. Indices of short rows are merge-sorted: runs of two, four,
 * eight … are merged from one array of indices into another.
 */
import { ResourceExhaustedError } from "@onebuffer/base";
import type { TypedArray } from "@onebuffer/base";
import type { Numbers } from "./dense-array.ts";
import { RadixSort } from "./radix-sort.ts";

/** Sorts each row of `to`, which holds the operand. */
export function sortRows(to: TypedArray, width: number, descending: boolean): void {
  const isFloat = /Float/.test(Object.prototype.toString.call(to));
  const radix = RadixSort.make(to, width, descending, false);
  try {
    for (let start = 0; start < to.length; start += width) {
      const row = to.subarray(start, start + width) as Numbers;
      const signs = isFloat ? zeroSigns(row) : null;
      if (radix !== null) radix.sort(row);
      else {
        row.sort();
        if (descending) reverseNumbers(row);
      }
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
 * Writes, for each row of `from`, the indices within the row that its sorted elements come from. Throws RESOURCE_EXHAUSTED if
 * there is no room for the indices.
 */
export function argsortRows(from: TypedArray, to: TypedArray, width: number, descending: boolean): void {
  const radix = RadixSort.make(from, width, descending, true);
  if (radix === null) {
    const [places, other] = allocatePlaces(width);
    for (let start = 0; start < from.length; start += width) {
      const row = from.subarray(start, start + width) as Numbers;
      (to as Numbers).set(sortedPlaces(row, places, other, descending), start);
    }
    return;
  }
  try {
    for (let start = 0; start < from.length; start += width) {
      (to as Numbers).set(radix.order(from.subarray(start, start + width) as Numbers), start);
    }
  } finally {
    radix.release();
  }
}

/** Indices within a row. */
type Places = Uint32Array<ArrayBuffer>;

/** Returns two arrays for the indices of one row. Throws RESOURCE_EXHAUSTED if there is no room for them. */
function allocatePlaces(width: number): readonly [Places, Places] {
  try {
    return [new Uint32Array(width), new Uint32Array(width)];
  } catch (cause) {
    throw new ResourceExhaustedError(`no room for the indices of ${width} elements`, { cause });
  }
}

/**
 * Returns the indices of a row in sorted order, in one of the two arrays. NaN is set apart first, so that `<` can compare all
 * other elements.
 */
function sortedPlaces(row: Numbers, places: Places, other: Places, descending: boolean): Places {
  const width = row.length;
  let count = 0;
  for (let k = 0; k < width; k++) if (row[k] === row[k]) places[count++] = k;
  let at = count;
  for (let k = 0; at < width; k++) if (row[k] !== row[k]) places[at++] = k;
  other.set(places.subarray(count), count);
  let [from, to] = [places, other];
  for (let length = 1; length < count; length *= 2) {
    for (let start = 0; start < count; start += 2 * length) {
      const middle = Math.min(start + length, count);
      const end = Math.min(middle + length, count);
      if (descending) mergeDown(row, from, to, start, middle, end);
      else mergeUp(row, from, to, start, middle, end);
    }
    [from, to] = [to, from];
  }
  return from;
}

/** Merges two adjacent runs, the smaller element first. Of equal elements the left one comes first. */
function mergeUp(row: Numbers, from: Places, to: Places, start: number, middle: number, end: number): void {
  let [left, right] = [start, middle];
  for (let k = start; k < end; k++) {
    const takesRight = right < end && (left === middle || (row[from[right] as number] as number) < (row[from[left] as number] as number));
    to[k] = takesRight ? (from[right++] as number) : (from[left++] as number);
  }
}

/** Merges two adjacent runs, the larger element first. Of equal elements the left one comes first. */
function mergeDown(row: Numbers, from: Places, to: Places, start: number, middle: number, end: number): void {
  let [left, right] = [start, middle];
  for (let k = start; k < end; k++) {
    const takesRight = right < end && (left === middle || (row[from[right] as number] as number) > (row[from[left] as number] as number));
    to[k] = takesRight ? (from[right++] as number) : (from[left++] as number);
  }
}
