/**
 * sorting-networks: sorts short rows, as many at a time as a vector has lanes, as WebAssembly. Vector k has the k-th elements of these rows.
 *
 *     rows       5 2 9    1 8 3    7 7 0    4 6 2
 *     vectors    x0 = 5 1 7 4    x1 = 2 8 7 6    x2 = 9 3 0 2
 *
 * A comparator puts the lesser elements of two vectors, lane by lane, into one of them and the others into the other one. Comparators in a
 * fixed order sort any rows, without a branch (network-text.ts).
 *
 * Elements are compared as values: NaN, and the signs of zeros, have an order only as keys. A network stops at rows that have them, and
 * sort-kernel.ts goes on.
 */
import type { DType } from "@onebuffer/base";
import { dtypeSize } from "@onebuffer/base";
import { isFloat, isInteger } from "@onebuffer/expression/internal";
import { arrayKernel, textFunction } from "../calls/array-kernel.ts";
import { NetworkText } from "./network-text.ts";
import type { NetworkRows } from "./network-text.ts";

/** The widest rows for a network. Each element of wider ones has more comparators, and a kernel with so many takes long to compile. */
const kWidestRow = 64;
/** The widest rows for a network of places: a comparator has eleven instructions instead of two, and the vectors are twice as many. */
const kWidestWithPlaces = 28;
/** The least number of rows that are worth the compilation of a kernel for their width. */
const kLeastRows = 256;
/** So many rows are sorted in another way where a network stops. */
const kRowsAtOnce = 32;
/** The widest elements that are integers for which there is an instruction for the lesser of two. */
const kWidestInteger = 4;

/** Returns true if rows are sorted by a network. */
export function suitsNetwork(
  dtype: DType,
  { rows, width }: { readonly rows: number; readonly width: number },
  stores: NetworkRows["stores"],
): boolean {
  const isCompared = isFloat(dtype) || (isInteger(dtype) && dtypeSize(dtype) <= kWidestInteger);
  return isCompared && width > 1 && rows >= kLeastRows && (stores === "places" ? width <= kWidestWithPlaces : width <= kWidestRow);
}

/**
 * Sorts rows at address `from` and stores what is wanted of them in rows at `to`, which may be `from` if they have the same bytes: the first
 * `kept` elements or places. If elements are selected instead, their places are the words at address `list` up to `listEnd`, and `scratch`
 * has room for a vector for each element of a row. Returns the number of rows at the end that are left, 0 or less if none are: the first of
 * them or one of the next rows has NaN, or -0 where zeros keep their signs.
 */
export type NetworkSorter = (
  from: number,
  to: number,
  rows: number,
  kept: number,
  list?: number,
  listEnd?: number,
  scratch?: number,
) => number;

/** Returns the function that sorts rows of float32, float64 or integers of up to 32 bits; null if the engine refuses the kernel. */
export function networkSorter(dtype: DType, order: NetworkRows): NetworkSorter | null {
  const { width, descending, stores } = order;
  const key = `sorted ${stores} ${width} ${dtype} ${descending ? "descending" : "ascending"}`;
  const kernel = arrayKernel(key, (module) => {
    const text = new NetworkText(dtype, order);
    textFunction(module, "rows", "from to rows kept list listEnd scratch", text.locals, text.rows);
  });
  return (kernel?.["rows"] as NetworkSorter | undefined) ?? null;
}

/**
 * Runs a network over rows, and `rest` over those before which it stops, from `row` on: where one row has NaN, the next ones often do.
 * Returns false as soon as `rest` does.
 */
export function throughNetwork(
  network: (row: number, count: number) => number,
  rest: (row: number, count: number) => boolean,
  rows: number,
): boolean {
  for (let left = network(0, rows); left > 0; left = network(rows - left, left)) {
    const count = Math.min(left, kRowsAtOnce);
    if (!rest(rows - left, count)) return false;
    left -= count;
    if (left === 0) break;
  }
  return true;
}
