/**
 * nth-elements: the elements at some places of a sorted row, without sorting it (tensorflow/core/kernels/nth_element_op.cc).
 *
 *     counts of the highest digit      | 12 | 30 | 8 | …      place 40 is place 10 of the 30 keys in the second bucket:
 *     keys of that digit, collected    their next digits are counted, and so on, until all keys that are left are equal
 *
 * The keys are those of sort-kernel.ts. Short rows are sorted, many in one call: that takes less time than the counts of one row.
 */
import type { DType, RawDType } from "@onebuffer/base";
import { dtypeSize, typedArrayConstructor } from "@onebuffer/base";
import { isFloat } from "@onebuffer/expression/internal";
import { linearMemory } from "@onebuffer/wasm";
import { takeScratch, withScratch } from "../calls/scratch.ts";
import type { ArrayFunctions } from "../calls/array-kernel.ts";
import { kTableBytes, keyBytes, rowSorter, sortKernel, sortScratch } from "./sort-kernel.ts";
import { networkSorter, suitsNetwork, throughNetwork } from "./sorting-networks.ts";

/** The bits of a digit: short for few keys, because the table is read for each digit. */
const kLongDigit = 11;
const kShortDigit = 6;
const kManyKeys = 4096;
/** Rows of at most this many elements are sorted, about so many elements in one call. */
const kSortedWidth = 1024;
const kSortedElements = 8192;

/**
 * Stores the elements at the places `list`, ascending, of each sorted row at `to`. Zeros become +0. Returns false, with nothing done, if the
 * engine refuses the kernel.
 */
export function selectPlaces(
  dtype: DType,
  from: number,
  to: number,
  { rows, width }: { readonly rows: number; readonly width: number },
  list: readonly number[],
): boolean {
  const kernel = sortKernel(dtype, false);
  if (kernel === null) return false;
  if (width <= kSortedWidth) return selectFromSorted(dtype, from, to, { rows, width }, list);
  const [item, bytes] = [dtypeSize(dtype), keyBytes(dtype)];
  return withScratch(() => {
    const keys = takeScratch(width * bytes + 16);
    const picked = takeScratch(list.length * bytes + 16);
    const selection = new Selection(kernel, bytes, takeScratch(kTableBytes), picked);
    for (let row = 0; row < rows; row++) {
      selection.start(from + row * width * item, keys, width, list);
      kernel["values"]!(picked, to + row * list.length * item, list.length, 0);
    }
    return true;
  });
}

/** Does what `selectPlaces` does, by sorting all rows, by a network that stores only what is wanted or by keys. */
function selectFromSorted(
  dtype: DType,
  from: number,
  to: number,
  size: { readonly rows: number; readonly width: number },
  list: readonly number[],
): boolean {
  const { rows, width } = size;
  const network = suitsNetwork(dtype, size, "selected") ? networkSorter(dtype, { width, descending: false, stores: "selected" }) : null;
  if (network === null) return pickFromSorted(dtype, from, to, rows, width, list);
  const [step, stored] = [width * dtypeSize(dtype), list.length * dtypeSize(dtype)];
  return withScratch(() => {
    const vectors = takeScratch(width * 16);
    const words = new Uint32Array(linearMemory().buffer, takeScratch(list.length * 4), list.length);
    words.set(list);
    const listEnd = words.byteOffset + words.byteLength;
    return throughNetwork(
      (row, count) => network(from + row * step, to + row * stored, count, 0, words.byteOffset, listEnd, vectors),
      (row, count) => pickFromSorted(dtype, from + row * step, to + row * stored, count, width, list),
      rows,
    );
  });
}

/** Does what `selectPlaces` does, by sorting all rows by keys. */
function pickFromSorted(dtype: DType, from: number, to: number, rows: number, width: number, list: readonly number[]): boolean {
  const sort = rowSorter(dtype, false, { rows, width, kept: width, descending: false });
  if (sort === null) return false;
  const [step, result] = [width, list.length].map((size) => size * dtypeSize(dtype)) as [number, number];
  const numRows = Math.min(rows, Math.ceil(kSortedElements / width));
  return withScratch(() => {
    const at = takeScratch(numRows * step);
    // The target may be at any address, a typed array may not.
    const own = takeScratch(numRows * result);
    const scratch = takeScratch(sortScratch(dtype, width, false));
    const { buffer } = linearMemory();
    const bytes = new Uint8Array(buffer);
    const elements = typedArrayConstructor(dtype as RawDType);
    const sorted = new elements(buffer, at, numRows * width) as Float64Array;
    const picked = new elements(buffer, own, numRows * list.length) as Float64Array;
    const isReal = isFloat(dtype);
    for (let row = 0; row < rows; row += numRows) {
      const count = Math.min(numRows, rows - row);
      if (!sort(from + row * step, at, count, scratch)) return false;
      for (let start = 0, next = 0; start < count * width; start += width) {
        // The sum of -0 and +0 is +0.
        for (const place of list) picked[next++] = isReal ? sorted[start + place]! + 0 : sorted[start + place]!;
      }
      bytes.copyWithin(to + row * result, own, own + count * result);
    }
    return true;
  });
}

/** Keys that are equal but for their lowest `bits` bits; `first` is the place of the smallest of them in the sorted row. */
interface Bucket {
  readonly at: number;
  readonly count: number;
  readonly bits: number;
  readonly first: number;
}

/** The selection from rows, one after the other. */
class Selection {
  readonly #kernel: ArrayFunctions;
  readonly #bytes: number;
  readonly #table: Uint32Array<ArrayBufferLike>;
  readonly #picked: number;
  #list: readonly number[] = [];

  constructor(kernel: ArrayFunctions, bytes: number, table: number, picked: number) {
    this.#kernel = kernel;
    this.#bytes = bytes;
    this.#table = new Uint32Array(linearMemory().buffer, table, kTableBytes / 4);
    this.#picked = picked;
  }

  /** Makes the keys of a row and stores those at the places of the list. */
  start(from: number, at: number, count: number, list: readonly number[]): void {
    this.#list = list;
    const bits = this.#kernel["keys"]!(from, at, count, 0) & 255;
    this.#pick({ at, count, bits, first: 0 }, 0, list.length);
  }

  /** Stores the keys at the places begin to end - 1 of the list, all of which are in the bucket. */
  #pick({ at, count, bits, first }: Bucket, begin: number, end: number): void {
    if (begin === end) return;
    if (bits === 0 || count === 1) {
      for (let k = begin; k < end; k++) this.#kernel["collect"]!(at, 1, this.#picked + k * this.#bytes, 0, 0, 0);
      return;
    }
    const digit = count < kManyKeys ? kShortDigit : kLongDigit;
    const shift = Math.max(0, bits - digit);
    const mask = 2 ** (bits - shift) - 1;
    this.#kernel["count1"]!(at, count, this.#table.byteOffset, shift, mask);
    for (const [value, start, size, from, to] of this.#wanted(first, begin, end)) {
      withScratch(() => {
        const part = size === count ? at : takeScratch((size + 1) * this.#bytes);
        if (part !== at) this.#kernel["collect"]!(at, count, part, shift, mask, value * 4);
        this.#pick({ at: part, count: size, bits: shift, first: start }, from, to);
      });
    }
  }

  /** Returns the digits of the keys at some places, where their keys start in the sorted row, how many there are, and their places in the list. */
  #wanted(first: number, begin: number, end: number): readonly (readonly [number, number, number, number, number])[] {
    const wanted: [number, number, number, number, number][] = [];
    let start = first;
    for (let value = 0, from = begin; from < end; value++) {
      const size = this.#table[value] as number;
      let to = from;
      while (to < end && (this.#list[to] as number) < start + size) to++;
      if (to > from) wanted.push([value, start, size, from, to]);
      from = to;
      start += size;
    }
    return wanted;
  }
}
