/**
 * merged-places: the stable order of a row, by merging: runs of two, four, eight … indices are merged from one array into another.
 */
import { ResourceExhaustedError } from "@onebuffer/base";

/** A row of numbers; bigints run through the same loops. */
type Row = ArrayLike<number>;

/** Indices within a row. */
type Places = Uint32Array<ArrayBuffer>;

/**
 * Returns the indices of a row in sorted order. NaN is set apart first, so that `<` can compare all
 * other elements.
 */
export function mergedPlaces(row: Row, descending: boolean): Places {
  const width = row.length;
  const [places, other] = allocatePlaces(width);
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

/** Returns two arrays for the indices of one row. Throws RESOURCE_EXHAUSTED if there is no room for them. */
function allocatePlaces(width: number): readonly [Places, Places] {
  try {
    return [new Uint32Array(width), new Uint32Array(width)];
  } catch (cause) {
    throw new ResourceExhaustedError(`no room for the indices of ${width} elements`, { cause });
  }
}

/** Merges two adjacent runs, the smaller element first. Of equal elements the left one comes first. */
function mergeUp(row: Row, from: Places, to: Places, start: number, middle: number, end: number): void {
  let [left, right] = [start, middle];
  for (let k = start; k < end; k++) {
    const takesRight = right < end && (left === middle || (row[from[right] as number] as number) < (row[from[left] as number] as number));
    to[k] = takesRight ? (from[right++] as number) : (from[left++] as number);
  }
}

/** Merges two adjacent runs, the larger element first. Of equal elements the left one comes first. */
function mergeDown(row: Row, from: Places, to: Places, start: number, middle: number, end: number): void {
  let [left, right] = [start, middle];
  for (let k = start; k < end; k++) {
    const takesRight = right < end && (left === middle || (row[from[right] as number] as number) > (row[from[left] as number] as number));
    to[k] = takesRight ? (from[right++] as number) : (from[left++] as number);
  }
}
