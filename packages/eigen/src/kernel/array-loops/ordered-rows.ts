/**
 * ordered-rows: the last axis sorted, or the places that sorted elements come from (what TensorFlow's tf.sort makes of TopK), as
 * loops over arrays.
 *
 * The order is the plain evaluator's: stable, NaN last in both directions, zeros of both signs equal. Values are sorted by the
 * engine, which takes -0 for less than 0: the zeros are put back in the order in which they came. Places are merged, runs of
 * two, four, eight …, from one array of places to another.
 */
import { ResourceExhaustedError } from "@onebuffer/base";
import type { TypedArray } from "@onebuffer/base";
import type { Numbers } from "./dense-array.ts";

/** Sorts each row of `to`, which holds the operand. */
export function sortRows(to: TypedArray, width: number, descending: boolean): void {
  const isFloat = /Float/.test(Object.prototype.toString.call(to));
  for (let start = 0; start < to.length; start += width) {
    const row = to.subarray(start, start + width) as Numbers;
    const signs = isFloat ? zeroSigns(row) : null;
    row.sort();
    if (descending) reverseNumbers(row);
    if (signs !== null) putZerosBack(row, signs);
  }
}

/** The zeros of a row in their order; null if there are not both. */
function zeroSigns(row: Numbers): number[] | null {
  const zeros: number[] = [];
  let both = false;
  for (let k = 0; k < row.length; k++) {
    if (row[k] !== 0) continue;
    both ||= zeros.length > 0 && !Object.is(zeros[0], row[k]);
    zeros.push(row[k] as number);
  }
  return both ? zeros : null;
}

function putZerosBack(row: Numbers, zeros: readonly number[]): void {
  row.set(zeros, row.indexOf(0));
}

/** Turns the order round, but for NaN at the end. */
function reverseNumbers(row: Numbers): void {
  let end = row.length;
  while (end > 0 && row[end - 1] !== row[end - 1]) end--;
  row.subarray(0, end).reverse();
}

/** Writes, for each row of `from`, the places within it that its sorted elements come from. */
export function argsortRows(from: TypedArray, to: TypedArray, width: number, descending: boolean): void {
  const [places, other] = roomFor(width);
  for (let start = 0; start < from.length; start += width) {
    const row = from.subarray(start, start + width) as Numbers;
    (to as Numbers).set(sortedPlaces(row, places, other, descending), start);
  }
}

type Places = Uint32Array<ArrayBuffer>;

function roomFor(width: number): readonly [Places, Places] {
  try {
    return [new Uint32Array(width), new Uint32Array(width)];
  } catch (cause) {
    throw new ResourceExhaustedError(`no room for ${width} places`, { cause });
  }
}

/** The places of a row in order; one of the two arrays. NaN is set apart first, so that elements can be compared by `<`. */
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

/** Two neighbouring runs made one, the smaller element first, of equal ones the left. */
function mergeUp(row: Numbers, from: Places, to: Places, start: number, middle: number, end: number): void {
  let [left, right] = [start, middle];
  for (let k = start; k < end; k++) {
    const takesRight = right < end && (left === middle || (row[from[right] as number] as number) < (row[from[left] as number] as number));
    to[k] = takesRight ? (from[right++] as number) : (from[left++] as number);
  }
}

/** The same, the larger element first. */
function mergeDown(row: Numbers, from: Places, to: Places, start: number, middle: number, end: number): void {
  let [left, right] = [start, middle];
  for (let k = start; k < end; k++) {
    const takesRight = right < end && (left === middle || (row[from[right] as number] as number) > (row[from[left] as number] as number));
    to[k] = takesRight ? (from[right++] as number) : (from[left++] as number);
  }
}
