/**
 * sort-kernel: sorts rows, finds the places that sorted elements come from, and counts digits of keys, as WebAssembly. The order is the plain
 * evaluator's: stable, NaN last in both directions, zeros of both signs equal.
 *
 *     value      float32    -2     -1      0      1      NaN
 *     key        uint32     3ff…   407…    800…   bf8…   fff…     unsigned order is the order of the values
 *
 * Keys of a descending sort are inverted, but for that of NaN. Those of integers become distances from the least of them, if these have fewer
 * bits. Equal bits at the top of all keys are left out. The next bits, as many as tell most elements apart, are sorted by digits, the lowest
 * digit first (a radix sort); what is still out of order is inserted at its place. If that takes too many moves, all bits are sorted by
 * digits. Many short rows are sorted by sorting-networks.ts.
 *
 *     scratch    keys | keys | places | places | table of counts      a pass moves from one half to the other; places for argsort only
 */
import type { DType } from "@onebuffer/base";
import { dtypeSize } from "@onebuffer/base";
import { arrayKernel, textFunction } from "../calls/array-kernel.ts";
import type { ArrayFunctions } from "../calls/array-kernel.ts";
import { besideOf, writeCollect, writeCount, writeInsert, writeMove, writeStarts } from "./sort-digits.ts";
import { keysOf, writeKeys, writeRange, writeValues, writeZeros } from "./sort-keys.ts";
import type { Keys } from "./sort-keys.ts";
import { networkSorter, suitsNetwork, throughNetwork } from "./sorting-networks.ts";

/** The bits of a digit: two digits have the wanted bits of a short row, whose tables have to be small. */
const kLongDigit = 11;
const kShortDigit = 8;
/** Rows of at most this many elements are sorted by insertion alone. */
const kInsertedRow = 28;
/** Bits of the keys that are sorted by digits, beyond the logarithm of the width. */
const kSpareBits = 8;
/** Insertion may move each element this often on average, and a short row as often as it has to. */
const kMovesPerElement = 3;
const kLeastMoves = (kInsertedRow * kInsertedRow) / 2;
/** The bytes of a table of counts. */
export const kTableBytes: number = 4 << kLongDigit;

/** How rows are sorted. */
export interface RowOrder {
  readonly rows: number;
  readonly width: number;
  /** How many elements of each row are wanted. */
  readonly kept: number;
  readonly descending: boolean;
}

/** Returns the bytes of the key of an element. */
export const keyBytes = (dtype: DType): number => Math.max(4, dtypeSize(dtype));

/** Returns the bytes of scratch memory that the function of `rowSorter` needs. */
export function sortScratch(dtype: DType, width: number, hasPlaces: boolean): number {
  return halfBytes(dtype, width) * (hasPlaces ? 4 : 2) + 2 * kTableBytes;
}

/** Returns the bytes of the keys of a row, with room for a whole vector behind the last. */
const halfBytes = (dtype: DType, width: number): number => Math.ceil((width * keyBytes(dtype) + 16) / 256) * 256;

/** Sorts rows at address `from` into those at `to`, with scratch memory. Returns false if the engine refuses a kernel. */
export type RowSorter = (from: number, to: number, rows: number, scratch: number) => boolean;

/**
 * Returns the function that sorts rows, or with `hasPlaces` stores the places within the row that sorted elements come from as int32. `to`
 * may be `from` if a row of the result has as many bytes. Returns null if the engine refuses the kernel.
 */
export function rowSorter(dtype: DType, hasPlaces: boolean, order: RowOrder): RowSorter | null {
  const { width, kept, descending } = order;
  const stores = storedBy(hasPlaces);
  if (!suitsNetwork(dtype, order, stores)) return keySorter(dtype, hasPlaces, order);
  const network = networkSorter(dtype, { width, descending, stores });
  if (network === null) return keySorter(dtype, hasPlaces, order);
  const step = width * dtypeSize(dtype);
  const stored = kept * (hasPlaces ? 4 : dtypeSize(dtype));
  return (from, to, rows, scratch) =>
    throughNetwork(
      (row, count) => network(from + row * step, to + row * stored, count, kept),
      // The kernel for keys is compiled when a network first stops.
      (row, count) => keySorter(dtype, hasPlaces, order)?.(from + row * step, to + row * stored, count, scratch) ?? false,
      rows,
    );
}

/** Returns what networks store. */
const storedBy = (hasPlaces: boolean): "places" | "elements" => (hasPlaces ? "places" : "elements");

/** Returns true if the function of `rowSorter` sorts rows by a network, which takes less time than to select some elements of them. */
export const sortsByNetwork = (dtype: DType, hasPlaces: boolean, order: RowOrder): boolean =>
  suitsNetwork(dtype, order, storedBy(hasPlaces));

/** Returns the function that sorts rows by keys, as `rowSorter` does. */
function keySorter(dtype: DType, hasPlaces: boolean, { width, kept, descending }: RowOrder): RowSorter | null {
  const sort = sortKernel(dtype, hasPlaces)?.["rows"];
  if (sort === undefined) return null;
  const half = halfBytes(dtype, width);
  const wanted = width <= kInsertedRow ? 0 : Math.ceil(Math.log2(width)) + kSpareBits;
  const bits = Math.max(kShortDigit, Math.min(kLongDigit, Math.ceil(wanted / 2)));
  return (from, to, rows, scratch) => {
    sort(from, to, rows, width, kept, descending ? -1 : 0, scratch, half, bits, wanted);
    return true;
  };
}

/** Returns the functions for a dtype; null if the engine refuses them. */
export function sortKernel(dtype: DType, hasPlaces: boolean): ArrayFunctions | null {
  return arrayKernel(`${hasPlaces ? "argsort" : "sort"} ${dtype}`, (module) => {
    const keys = keysOf(dtype);
    const { bytes } = keys;
    writeKeys(module, keys);
    writeCount(module, keys, kTableBytes);
    writeStarts(module, keys);
    writeMove(module, keys, hasPlaces);
    writeInsert(module, keys, hasPlaces);
    writeValues(module, keys);
    if (keys.float !== null) writeZeros(module, keys);
    else writeRange(module, keys);
    if (!hasPlaces) writeCollect(module, keys);
    const params = "from to rows width kept flip scratch half bits wanted";
    const locals = `a b table counts mask beside top low shift digit zeros stop zero:${keys.float ?? "f32"} base:${keys.type} none:${keys.type}`;
    textFunction(
      module,
      "rows",
      params,
      locals,
      // The place beside the key at an address is at the distance `beside` from the address, or from half of it.
      `scratch half ${hasPlaces ? 4 : 2} * + ->table
      1 bits << 1 - ->mask
      half 1 << ${bytes === 8 ? "scratch + scratch 1 >> -" : ""} ->beside
      loop
        scratch ->a
        scratch half + ->b
        from a width flip call:keys ->top
        top 256 & ->zeros
        top 255 & ->top
        ${keys.float === null ? kLowerText : ""}
        ${hasPlaces ? iotaText(keys) : ""}
        ${kDigitsText}
        ${keys.float === null && !hasPlaces ? `a kept none base ${keys.type}.sub call:lower drop` : ""}
        ${hasPlaces ? `to ${besideOf(keys, "a")} kept 4 * memory.copy to kept 4 * + ->to` : valuesText(keys)}
        from width ${keys.item} * + ->from
        rows+=-1
      rows while
      0`,
    );
  });
}

/** The words that replace keys by their distances from `base`, the least of them, if these have fewer bits; otherwise `base` is 0, as `none` is. */
const kLowerText = `
  none ->base
  wanted if
    a width call:range ->digit ->base
    digit top < if
      digit ->top
      a width base call:lower drop
    else
      none ->base
    end
  end`;

/** Returns the words that store the numbers from 0 beside the keys. */
const iotaText = (keys: Keys): string => `
  ${besideOf(keys, "a")} ->stop
  0 ->digit
  loop
    stop digit i32.store
    stop+=4
    digit+=1
  digit width < while`;

/**
 * The words that sort the keys at `a`, which end there. The lowest digit may have bits in common with the next one. Digits are counted two
 * at a time, the lowest of an odd number alone.
 */
const kDigitsText = `
  top wanted - ->low
  block:sorted
  loop:again
    low low 0 i32.gt_s * ->low
    top low - bits + 1 - bits i32.div_u ->digit
    top digit bits * - ->low
    low ->shift
    digit if
      loop
        shift shift 0 i32.gt_s * ->stop
        table ->counts
        digit 1 & if
          shift low == if
            a width table stop mask 0 call:count1 drop
          else
            counts+=${kTableBytes}
          end
        else
          a width table stop mask shift bits + stop - call:count2 drop
        end
        counts mask b call:starts drop
        a width counts stop mask beside call:move drop
        a b ->a ->b
        shift+=bits
        digit+=-1
      digit while
    end
    low 0 i32.le_s br_if:sorted
    a width width ${kMovesPerElement} * ${kLeastMoves} + beside call:insert 0 i32.ge_s br_if:sorted
    0 ->low
    br:again
  end
  end`;

/** Returns the words that store the sorted values. The zeros among them are put back in their order, with their signs. */
function valuesText({ item, float }: Keys): string {
  const ifZeros = (words: string): string => (float === null ? "" : `zeros if ${words} end`);
  return `
    ${ifZeros("from width b call:zeros b - ->zeros")}
    a to kept flip call:values drop
    to ->a
    to kept ${item} * + ->to
    ${ifZeros(`
      block:found
      loop:next
        a to == br_if:found
        a ${float}.load zero ${float}.eq br_if:found
        a+=${item}
        br:next
      end
      end
      to a - ->stop
      a b stop zeros stop zeros < select memory.copy
    `)}`;
}
