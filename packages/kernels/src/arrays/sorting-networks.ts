/**
 * sorting-networks: sorts short rows, as many at a time as a vector has lanes, as WebAssembly. Vector k has the k-th elements of these rows.
 *
 *     rows       5 2 9    1 8 3    7 7 0    4 6 2
 *     vectors    x0 = 5 1 7 4    x1 = 2 8 7 6    x2 = 9 3 0 2
 *
 * A comparator puts the lesser elements of two vectors, lane by lane, into one of them and the others into the other one. Comparators in a
 * fixed order sort any rows, without a branch: here those of Batcher's merge exchange (The Art of Computer Programming, 5.2.2, algorithm M).
 *
 * Elements are compared as values: -0 and NaN have an order only as keys. A network stops at rows that have them, and sort-kernel.ts goes on.
 */
import type { DType } from "@onebuffer/base";
import { dtypeSize } from "@onebuffer/base";
import { isFloat, isInteger } from "@onebuffer/expression/internal";
import { arrayKernel, textFunction } from "../calls/array-kernel.ts";

/** The widest rows for a network. Each element of wider ones has more comparators, and a kernel with so many takes long to compile. */
const kWidestRow = 64;
/** The least number of rows that are worth the compilation of a kernel for their width. */
const kLeastRows = 256;
/** So many rows are sorted in another way where a network stops. */
const kRowsAtOnce = 32;
/** The widest elements that are integers for which there is an instruction for the lesser of two. */
const kWidestInteger = 4;

/** Returns true if rows are sorted by a network. */
export function suitsNetwork(dtype: DType, { rows, width }: { readonly rows: number; readonly width: number }): boolean {
  const isCompared = isFloat(dtype) || (isInteger(dtype) && dtypeSize(dtype) <= kWidestInteger);
  return isCompared && width > 1 && width <= kWidestRow && rows >= kLeastRows;
}

/** What a network does with rows. */
export interface NetworkRows {
  readonly width: number;
  readonly descending: boolean;
  /** True if it stores the elements at the places in a list, zeros as +0, and false if it stores all elements as they are. */
  readonly selects: boolean;
}

/**
 * Sorts rows at address `from` into those at `to`, which may be `from`. If it selects elements, their places are the words at address `list` up
 * to `listEnd`, and `scratch` has room for a vector for each element of a row. Returns the number of rows at the end that are left, 0 or less if
 * none are: the first of them or one of the next rows has NaN, or -0 where zeros keep their signs.
 */
export type NetworkSorter = (from: number, to: number, rows: number, list?: number, listEnd?: number, scratch?: number) => number;

/** Returns the function that sorts rows of float32, float64 or integers of up to 32 bits; null if the engine refuses the kernel. */
export function networkSorter(dtype: DType, order: NetworkRows): NetworkSorter | null {
  const { width, descending, selects } = order;
  const key = `${selects ? "select from" : "sort"} ${width} ${dtype} ${descending ? "descending" : "ascending"}`;
  const kernel = arrayKernel(key, (module) => {
    const numLanes = 16 / dtypeSize(dtype);
    const vectors = `${names("x", width, ":v128")} x:v128 zero:v128 signs:v128 special:v128`;
    const locals = `${names("row", numLanes)} ${names("out", numLanes)} last at ${vectors}`;
    textFunction(module, "rows", "from to rows list listEnd scratch", locals, rowsText(dtype, order));
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

/** Returns the places that are compared to sort so many elements, two at a time, in their order. */
export function comparators(count: number): [lower: number, upper: number][] {
  const pairs: [number, number][] = [];
  const top = 2 ** (Math.ceil(Math.log2(count)) - 1);
  for (let bit = top; bit >= 1; bit /= 2) {
    // First places without the bit are compared with those that have it, then those that have it with places behind that do not.
    for (let [span, value, distance] = [top, 0, bit]; span >= bit; [span, value, distance] = [span / 2, bit, span - bit]) {
      for (let lower = 0; lower + distance < count; lower++) if ((lower & bit) === value) pairs.push([lower, lower + distance]);
    }
  }
  return pairs;
}

/** Returns the words for each of the numbers from 0 to count - 1. */
const each = (count: number, words: (k: number) => string): string => Array.from({ length: count }, (_, k) => words(k)).join(" ");

const names = (name: string, count: number, type = ""): string => each(count, (k) => `${name}${k}${type}`);

/** Returns the words of the kernel. The lanes behind the last row have that row, too, and store the same elements again. */
function rowsText(dtype: DType, { width, descending, selects }: NetworkRows): string {
  const item = dtypeSize(dtype);
  const [numLanes, bits, step] = [16 / item, 8 * item, width * item];
  const shape = `${bits}x${numLanes}`;
  const isReal = isFloat(dtype);
  const numStored = selects ? "listEnd list - 2 >>" : String(width);
  const advance = (name: string, lane: number, distance: string): string =>
    `${name}${lane} row${lane} last < ${distance} * + ->${name}${lane + 1}`;
  const load = (k: number): string => `
    row0 v128.load${bits}_splat:${k * item} ->x
    ${each(numLanes - 1, (lane) => `row${lane + 1} x v128.load${bits}_lane:${k * item},${lane + 1} ->x`)}
    x ->x${k}`;
  const isSpecial = (k: number): string =>
    `x${k} x${k} f${shape}.ne ${selects ? "" : `x${k} signs i${shape}.eq v128.or`} special v128.or ->special`;
  return `
    rows 1 - ${step} * from + ->last
    ${isReal ? `i${bits}:${-(2n ** BigInt(bits - 1))} i${shape}.splat ->signs` : ""}
    block:stop
    loop
      from ->row0
      to ->out0
      ${each(numLanes - 1, (lane) => `${advance("out", lane, `${numStored} ${item} *`)} ${advance("row", lane, String(step))}`)}
      ${each(width, load)}
      ${isReal ? `zero ->special ${each(width, isSpecial)} special v128.any_true br_if:stop` : ""}
      ${comparatorsText(dtype, width, descending)}
      ${selects ? selectedText(dtype, width) : each(width, (k) => storeText(dtype, `x${k}`, k * item))}
      from+=${numLanes * step}
      to ${numStored} ${numLanes * item} * + ->to
      rows+=${-numLanes}
    rows 0 i32.gt_s while
    end
    rows`;
}

/** Returns the words that store the elements of a vector, each `offset` behind the address for its row. */
const storeText = (dtype: DType, vector: string, offset: number): string =>
  each(16 / dtypeSize(dtype), (lane) => `out${lane} ${vector} v128.store${8 * dtypeSize(dtype)}_lane:${offset},${lane}`);

/** Returns the words that store the vectors whose numbers are in the list. */
function selectedText(dtype: DType, width: number): string {
  const item = dtypeSize(dtype);
  return `
    ${each(width, (k) => `scratch x${k} v128.store:${16 * k}`)}
    list ->at
    loop
      at i32.load 4 << scratch + v128.load ${isFloat(dtype) ? `zero f${8 * item}x${16 / item}.add` : ""} ->x
      ${storeText(dtype, "x", 0)}
      ${each(16 / item, (lane) => `out${lane}+=${item}`)}
      at+=4
    at listEnd < while`;
}

/** Returns the words that sort vectors x0, x1 …, each lane alone. */
function comparatorsText(dtype: DType, width: number, descending: boolean): string {
  const shape = `${8 * dtypeSize(dtype)}x${16 / dtypeSize(dtype)}`;
  const sign = dtype.startsWith("u") ? "_u" : "_s";
  const named = (name: string): string => (isFloat(dtype) ? `f${shape}.p${name}` : `i${shape}.${name}${sign}`);
  const [first, second] = descending ? [named("max"), named("min")] : [named("min"), named("max")];
  return comparators(width)
    .map(([lower, upper]) => `x${lower} x${upper} ${first} x${lower} x${upper} ${second} ->x${upper} ->x${lower}`)
    .join(" ");
}
