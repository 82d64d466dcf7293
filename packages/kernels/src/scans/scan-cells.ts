/**
 * scan-cells: how scans load, combine and store elements (scan-kernel.ts): one at a time, or the adjacent ones of a vector.
 *
 *     float32 sums     one     f32.load, as float64                  vector   v128.load, as two vectors of float64: two parts
 *     int8 maxima      one     i32.load8_s, compared                 vector   v128.load, i8x16.max_s
 *     complex64        one     [re, im] as a vector of float64       the same
 *
 * Sums and products of floats are accumulated in float64. Integers wrap around, and only their width matters for sums and products.
 */
import type { DType } from "@onebuffer/base";
import { dtypeSize } from "@onebuffer/base";
import { combinations, extremes, integerRange, isComplexDType, isFloat } from "@onebuffer/expression/internal";
import type { OpNameOf } from "@onebuffer/expression/internal";
import { integerAccess } from "../calls/array-kernel.ts";
import { combiningWords } from "./combining-words.ts";

/** How the elements of a step are loaded, accumulated and stored, as words of text. */
export interface Cell {
  /** The type of a total. */
  readonly type: string;
  /** The bytes in memory. */
  readonly bytes: number;
  /** Push the total of no elements. */
  readonly neutral: string;
  /** Replace an address on the stack by what is in memory there. */
  readonly load: string;
  /** For each total: replace the address by the elements of one part. */
  readonly parts: readonly string[];
  /** Replace the total and the elements on the stack by the new total. `total` is its local; there is one named `value`. */
  combine(total: string): string;
  /** What a scan of three operands does with its totals. */
  readonly follows?: Follows;
  /** Replace a total by what is stored of it. */
  readonly narrow: string;
  /** Store what is on the stack for each part at the address below. */
  readonly store: string;
}

/** How a scan of three operands sets the locals `given`, what a step gives, and how it changes the totals after that, part by part. */
export interface Follows {
  gives(cell: Cell): string;
  after(cell: Cell): string;
}

/** Returns the words that push each total and the elements of its part, which are at the address that words push, and then run those of `use`. */
export function ofParts({ parts }: Cell, address: string, use: (part: number) => string): string {
  return parts.map((words, k) => `total${k} ${address} ${words} ${use(k)}`).join(" ");
}

/** A scan of elements of a dtype, one at a time and in vectors of adjacent ones; null if there are no instructions for vectors. */
export interface Scan {
  readonly line: Cell;
  readonly row: Cell | null;
}

/** Returns how a scan of a dtype is computed. */
export function scanOf(op: OpNameOf<"scan">, dtype: DType): Scan {
  const bytes = dtypeSize(dtype);
  const combined = combinations[op];
  if (isComplexDType(dtype)) {
    const cell = complexCell(combined === "add", dtype === "complex64");
    return { line: cell, row: cell };
  }
  const [low, high] = integerRange(dtype) ?? [-Infinity, Infinity];
  const neutral = { add: 0, mul: 1, maximum: low, minimum: high, logicalOr: 0, logicalAnd: 1 }[combined];
  const { name, chooses, vector } = combiningWords(combined, dtype);
  if (isFloat(dtype)) {
    const accumulates = extremes[op] === undefined;
    const type = accumulates ? "f64" : `f${8 * bytes}`;
    const lanes = type === "f64" ? "f64x2" : "f32x4";
    const [load, store] = [`f${8 * bytes}.load`, `f${8 * bytes}.store`];
    const rounds = accumulates && bytes === 4;
    const [widen, narrow] = rounds ? ["f64.promote_f32", "f32.demote_f64"] : ["", ""];
    const line: Cell = {
      type,
      bytes,
      neutral: `${type}:${neutral}`,
      load,
      parts: [`${load} ${widen}`],
      combine: () => `${type}.${name}`,
      narrow,
      store,
    };
    return { line, row: rowCell(line, lanes, `${lanes}.${name}`, rounds) };
  }
  const sign = dtype.startsWith("u") ? "u" : "s";
  const [type, load, store] = integerAccess(bytes, sign);
  const combine = (total: string): string => (chooses === null ? `${type}.${name}` : `->value value ${total} value ${chooses} select`);
  const line: Cell = { type, bytes, neutral: `${type}:${neutral}`, load, parts: [load], combine, narrow: "", store };
  return { line, row: vector === null ? null : rowCell(line, `i${8 * bytes}x${16 / bytes}`, vector, false) };
}

/** The bytes of two vectors of float64: the second of one of them twice, and the first of both. */
const kSecond = "shuffle:8,9,10,11,12,13,14,15,8,9,10,11,12,13,14,15";
const kFirstOfBoth = "shuffle:0,1,2,3,4,5,6,7,16,17,18,19,20,21,22,23";

/** Returns the cell of vectors, whose totals are combined by an instruction. Those that are rounded are two vectors of float64. */
function rowCell(line: Cell, lanes: string, combine: string, rounds: boolean): Cell {
  const cell: Cell = {
    type: "v128",
    bytes: 16,
    neutral: `${line.neutral} ${lanes}.splat`,
    load: "v128.load",
    parts: ["v128.load"],
    combine: () => combine,
    narrow: "",
    store: "v128.store",
  };
  if (!rounds) return cell;
  // A load of each half takes less than to move the second half of a vector to where it is widened.
  const parts = [0, 8].map((offset) => `v128.load64_zero:${offset} f64x2.promote_low_f32x4`);
  return { ...cell, parts, narrow: "f32x4.demote_f64x2_zero", store: `${kFirstOfBoth} v128.store` };
}

/** The bytes of a pair of float64 with its halves exchanged, and with its first half twice. */
const kSwapped = "shuffle:8,9,10,11,12,13,14,15,0,1,2,3,4,5,6,7";
const kFirst = "shuffle:0,1,2,3,4,5,6,7,0,1,2,3,4,5,6,7";

function complexCell(isSum: boolean, isSingle: boolean): Cell {
  // A product is [re, im] * re of the value, plus [-im, re] * its imaginary part.
  const product = (total: string): string => `
    ->value value value ${kFirst} f64x2.mul
    ${total} ${total} ${kSwapped} value value ${kSecond} f64x2.mul
    f64:-0 f64x2.splat f64:0 f64x2.replace_lane:1 v128.xor f64x2.add`;
  return {
    type: "v128",
    bytes: isSingle ? 8 : 16,
    neutral: `f64:0 f64x2.splat ${isSum ? "" : "f64:1 f64x2.replace_lane:0"}`,
    load: isSingle ? "v128.load64_zero" : "v128.load",
    parts: [isSingle ? "v128.load64_zero f64x2.promote_low_f32x4" : "v128.load"],
    combine: isSum ? () => "f64x2.add" : product,
    narrow: isSingle ? "f32x4.demote_f64x2_zero" : "",
    store: isSingle ? "f64x2.extract_lane:0 f64.store" : "v128.store",
  };
}
