/**
 * select-kernel: the first k elements of rows in sorted order, or their places, without sorting the rows (TensorFlow's topk_op.cc), as
 * WebAssembly.
 *
 *     row      | 64 bytes | 64 bytes | …        each piece is compared with the last element of the list, all at once
 *     list     -2  3  5  9      insert 4        the best elements so far, in order
 *              -2  3  5  9      keep what is not larger than 4
 *                 -2  3  5  9   elsewhere the element before, or 4 if that is not larger than 4:  -2 3 4 5; the 9 falls out
 *
 * So an insertion has no branch that depends on an element. Of 1,000 random elements about 55 enter a list of 10. A later element loses
 * against an equal one, so the order is that of the stable sort; zeros of both signs are equal. The list begins filled with the last value
 * of the order. That value and NaN are never better, so they enter no list.
 */
import type { DType } from "@onebuffer/base";
import { dtypeSize } from "@onebuffer/base";
import { integerRange } from "@onebuffer/expression/internal";
import { arrayKernel, integerAccess, raised, textFunction } from "../calls/array-kernel.ts";
import type { RowOrder } from "./sort-kernel.ts";

/** The bytes that are compared at a time. */
const kPiece = 64;
/** An insertion takes as long as this many elements of the list, and one more for each element. */
const kInsertion = 8;
/** Selecting from a row takes as long as sorting it if its insertions take as long as this many elements of the list per element. */
const kSpentPerElement = 16;

/**
 * Returns true if selecting is expected to be faster than sorting, for elements in random order: k elements fill the list, and then about
 * k log(width / k) are better than its last.
 */
export function suitsSelection({ width, kept }: RowOrder): boolean {
  return kept < width && kept * (1 + Math.log(width / kept)) * (kept + kInsertion) <= kSpentPerElement * width;
}

/** Returns the bytes of scratch memory that `selectRows` needs. */
export function selectScratch({ kept }: RowOrder): number {
  return kPiece + 2 * listBytes(kept);
}

/** Returns the bytes of a list of elements or places of up to 8 bytes, with a vector before the first and behind the last. */
const listBytes = (kept: number): number => Math.ceil(kept / 2) * 16 + 32;

/**
 * Stores the first `kept` elements of sorted rows, or with `hasPlaces` their places as int32. Returns the number of rows that are done. It
 * stops at a row that has to be sorted: one whose elements are better and better, because sorting it is faster, or one with fewer than
 * `kept` elements that are not NaN or the last value of the order. Returns 0 if the engine refuses the kernel.
 */
export function selectRows(dtype: DType, hasPlaces: boolean, from: number, to: number, order: RowOrder, scratch: number): number {
  const { rows, width, kept, descending } = order;
  const kernel = arrayKernel(`select ${hasPlaces} ${dtype} ${descending}`, (module) => {
    textFunction(module, "rows", kParams, kLocals, rowsText(dtype, hasPlaces, descending));
  });
  if (kernel === null) return 0;
  return kernel["rows"]!(from, to, rows, width * dtypeSize(dtype), kept, scratch, listBytes(kept), 2 * kSpentPerElement * width);
}

const kParams = "from to rows width kept scratch list spendable";
const kLocals =
  "at left spent done origin source stop first slot top spot last element bits:i64 " +
  "flips:v128 limit:v128 new:v128 place:v128 old:v128 before:v128 keeps:v128 moves:v128";

/** Returns the text of the function that selects from rows of `width` bytes. Its scratch memory has a piece, the list, and its places. */
function rowsText(dtype: DType, hasPlaces: boolean, descending: boolean): string {
  const item = dtypeSize(dtype);
  // The list and the places beside it have at least 32 bits.
  const bytes = Math.max(item, 4);
  // Unsigned integers are compared as signed ones with the highest bit inverted: there is no unsigned comparison of 64 bits.
  const isUnsigned = dtype.startsWith("u");
  const range = integerRange((isUnsigned ? dtype.slice(1) : dtype) as DType);
  const [low, high] = range ?? [-Infinity, Infinity];
  const [kind, sign] = range === null ? ["f", ""] : ["i", "_s"];
  const type = kind + 8 * bytes;
  const [, load, store] = integerAccess(item, "s");
  const [narrow, wide] = [item, bytes].map((size) => `${kind}${8 * size}x${16 / size}`) as [string, string];
  const [best, worst] = (descending ? [high, low] : [low, high]).map((value) => `${type}:${value}`);
  const bitmask = `${narrow.replace("f", "i")}.bitmask i64.extend_i32_u`;
  const flip = isUnsigned ? "flips v128.xor" : "";
  const pieces = (write: (offset: number) => string): string => [0, 16, 32, 48].map(write).join(" ");
  const isBetter = (offset: number): string => `source v128.load:${offset} ${flip} limit ${narrow}.${descending ? "gt" : "lt"}${sign}`;
  const isNotWorse = `new ${wide}.${descending ? "ge" : "le"}${sign}`;
  const setLimit = `last v128.load${8 * item}_splat:16 ->limit`;
  // Whole vectors are loaded, as they were stored: a vector that overlaps two recent stores would have to wait for both.
  const insert = (slot: string, value: string, decide: string): string => `
    ${slot} v128.load:16 ->old
    ${slot} v128.load old ${raised(bytes)} ->before
    ${decide}
    ${slot} old ${value} before moves v128.bitselect keeps v128.bitselect v128.store:16`;
  return `
    scratch ${kPiece} + ->first
    kept 1 - ${bytes} * first + ->last
    last last first - 15 & - ->top
    ${isUnsigned ? `${type}:${low} ${narrow}.splat ->flips` : ""}
    block:stopped
    loop
      first ${best} ${wide}.splat v128.store
      first ->slot
      loop
        slot ${worst} ${wide}.splat v128.store:16
        slot+=16
      slot last i32.le_u while
      ${setLimit}
      spendable ->spent
      width ->left
      from ->at
      loop
        at ->source
        from ->origin
        left ${kPiece} i32.lt_s if
          ${pieces((offset) => `scratch limit ${flip} v128.store:${offset}`)}
          scratch at left memory.copy
          scratch ->source
          scratch at - from + ->origin
        end
        ${pieces((offset) => isBetter(offset) + (offset > 0 ? " v128.or" : ""))} v128.any_true if
          ${pieces((offset) => `${isBetter(offset)} ${bitmask} ${offset > 0 ? `i64:${offset / item} i64.shl i64.or` : ""}`)} ->bits
          loop
            source bits i64.ctz i32.wrap_i64 ${item} * + ->element
            bits bits i64:1 i64.sub i64.and ->bits
            element ${range === null ? `${type}.load` : load} ${wide}.splat ${isUnsigned ? `${type}:${low} ${wide}.splat v128.xor` : ""} ->new
            element origin - ${Math.log2(item)} >> ${bytes === 8 ? "i64.extend_i32_u i64x2" : "i32x4"}.splat ->place
            top ->slot
            loop
              ${insert("slot", "new", `old ${isNotWorse} ->keeps before ${isNotWorse} ->moves`)}
              slot list + ->spot
              ${insert("spot", "place", "")}
              slot+=-16
            slot first i32.ge_u while
            spent kept - ${kInsertion} - ->spent
          bits i64:0 i64.ne while
          ${setLimit}
          spent 0 i32.lt_s br_if:stopped
        end
        at+=${kPiece}
        left+=${-kPiece}
      left 0 i32.gt_s while
      last ${type}.load:16 ${worst} ${type}.eq br_if:stopped
      first list + ->slot
      last list + ->stop
      loop
        to
        slot i32.load:16 ${hasPlaces ? "i32.store" : `${item} * from + ${load} ${store}`}
        to+=${hasPlaces ? 4 : item}
        slot+=${bytes}
      slot stop i32.le_u while
      from+=width
      done+=1
    done rows < while
    end
    done`;
}
