/**
 * distinct-columns: numbers the distinct columns of a matrix in the order of their first appearance, with a hash table of integers.
 *
 *     words      the bits of the elements as int32, with +0 for -0          one or more words a column
 *     codes      the word, or a mixture of the words of a column            equal columns have equal codes
 *     table      for each slot: 1 + the number of a distinct column, or 0   a column that finds another in its slot tries the next one
 *
 * A Map of numbers takes ten times as long: it has a key object for most of them.
 */
import type { DType } from "@onebuffer/base";
import { dtypeSize } from "@onebuffer/base";
import { evaluate } from "./evaluate.ts";
import { castFields, isComplexDType, isFloat, kCode, kConstantCodes, makeExpression } from "@onebuffer/expression/internal";
import type { CodedTree } from "@onebuffer/expression/internal";
import type { ExpressionTree } from "@onebuffer/expression";
import type { StridedMapBase } from "./map/base/strided-map-base.ts";

/** The distinct columns of a matrix. */
export interface DistinctColumns {
  /** For each distinct column: the first column with its elements. */
  readonly firsts: Int32Array<ArrayBuffer>;
  /** For each distinct column: how often it appears. */
  readonly counts: Int32Array<ArrayBuffer>;
  /** For each column: the number of the distinct column that is equal to it. */
  readonly indices: Int32Array<ArrayBuffer>;
}

/** The columns of a matrix as words. */
interface Columns {
  /** All words, row after row. */
  readonly words: Int32Array;
  /** The number of words of an element. */
  readonly size: number;
  readonly rows: number;
  readonly width: number;
  /** For each column: 1 if it has a NaN. Null if there is no NaN. */
  readonly nans: Uint8Array | null;
}

/** The words that are looked at to guess the range of all. */
const kSampled = 512;
/** The slots of the smallest table, a power of 2. */
const kLeastSlots = 4096;
/** The slots per column: with as many, most columns find their slot empty, or an equal column in it. */
const kSlotsPerColumn = 4;

/**
 * Computes a matrix of `rows` by `width` elements and numbers its distinct columns. A column with a NaN differs from all columns, also from
 * itself. -0 and +0 are equal. Throws as `evaluate` does.
 */
export function distinctColumns(matrix: ExpressionTree, rows: number, width: number): DistinctColumns {
  const columns = columnsOf(matrix, rows, width);
  if (columns.size * rows !== 1) return numberByHash(columns, codesOf(columns));
  const { words, nans } = columns;
  if (nans !== null) return numberByHash(columns, words);
  const most = kSlotsPerColumn * width;
  // Nearly all sequences are numbered in one go, with room for the first words' span again on both sides of it.
  const sample = rangeOf(words.subarray(0, kSampled));
  const { low, span } = width > kSampled ? widened(sample) : sample;
  const distinct = span <= most ? numberByTable(words, low, span) : null;
  if (distinct !== null) return distinct;
  const range = rangeOf(words);
  return (range.span <= most ? numberByTable(words, range.low, range.span) : null) ?? numberByHash(columns, words);
}

/** Numbers columns of one word in a small range, from `low` on: each word has a slot of its own. Returns null if a word is outside the range. */
function numberByTable(words: Int32Array, low: number, span: number): DistinctColumns | null {
  const width = words.length;
  const most = Math.min(width, span);
  const [firsts, counts, indices] = [new Int32Array(most), new Int32Array(most), new Int32Array(width)];
  const table = new Int32Array(span);
  let count = 0;
  for (let k = 0; k < width; k++) {
    // As `low + span` is at most 2^31, no word outside the range has a slot inside after the difference has wrapped around.
    const slot = ((words[k] as number) - low) | 0;
    if (slot < 0 || slot >= span) return null;
    let number = table[slot] as number;
    if (number === 0) {
      firsts[count] = k;
      number = table[slot] = ++count;
    }
    indices[k] = number - 1;
    counts[number - 1] = (counts[number - 1] as number) + 1;
  }
  return { firsts: firsts.slice(0, count), counts: counts.slice(0, count), indices };
}

/** Numbers any columns. Those that are not alone in their slot are compared: by their codes, and by all their words if there are several. */
function numberByHash(columns: Columns, codes: Int32Array): DistinctColumns {
  const { words, nans } = columns;
  const width = codes.length;
  const [firsts, counts, indices] = [new Int32Array(width), new Int32Array(width), new Int32Array(width)];
  let table = new Int32Array(kLeastSlots);
  let mask = table.length - 1;
  let count = 0;
  for (let k = 0; k < width; k++) {
    const code = codes[k] as number;
    const isAlone = nans !== null && nans[k] === 1;
    let slot = mixed(code) & mask;
    let number = isAlone ? 0 : (table[slot] as number);
    while (number !== 0) {
      const first = firsts[number - 1] as number;
      if (codes[first] === code && (codes === words || areEqual(columns, first, k))) break;
      slot = (slot + 1) & mask;
      number = table[slot] as number;
    }
    if (number === 0) {
      firsts[count] = k;
      number = ++count;
      if (!isAlone) table[slot] = number;
      if (kSlotsPerColumn * count > mask) {
        table = largerTable(codes, firsts.subarray(0, count), nans);
        mask = table.length - 1;
      }
    }
    indices[k] = number - 1;
    counts[number - 1] = (counts[number - 1] as number) + 1;
  }
  return { firsts: firsts.slice(0, count), counts: counts.slice(0, count), indices };
}

/** The smallest of some words, and the distance from it to behind the largest: 0 if there are no words. */
interface WordRange {
  readonly low: number;
  readonly span: number;
}

/** Returns a range three times as long as another one around it, as far as there are such integers. */
function widened({ low, span }: WordRange): WordRange {
  const first = Math.max(low - span, -(2 ** 31));
  return { low: first, span: Math.min(low + 2 * span, 2 ** 31) - first };
}

/** Returns the range of some words. */
function rangeOf(words: Int32Array): WordRange {
  let [low, high] = [2 ** 31 - 1, -(2 ** 31)];
  for (let k = 0; k < words.length; k++) {
    const word = words[k] as number;
    if (word < low) low = word;
    if (word > high) high = word;
  }
  return { low, span: Math.max(0, high - low + 1) };
}

/** Returns a table with twice the slots that the distinct columns `firsts` need. Those with a NaN are left out. */
function largerTable(codes: Int32Array, firsts: Int32Array, nans: Uint8Array | null): Int32Array<ArrayBuffer> {
  const table = new Int32Array(2 * kSlotsPerColumn * 2 ** Math.ceil(Math.log2(firsts.length)));
  const mask = table.length - 1;
  for (let n = 0; n < firsts.length; n++) {
    const first = firsts[n] as number;
    if (nans !== null && nans[first] === 1) continue;
    let slot = mixed(codes[first] as number) & mask;
    while (table[slot] !== 0) slot = (slot + 1) & mask;
    table[slot] = n + 1;
  }
  return table;
}

/** Returns bits each of which depends on all bits of a code: the lowest choose its slot. The constants are those of MurmurHash3. */
function mixed(code: number): number {
  let bits = Math.imul(code ^ (code >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}

/** Returns the elements as words: the map's own of 32-bit integers, others computed into new memory. Narrower elements are widened. */
function columnsOf(matrix: ExpressionTree, rows: number, width: number): Columns {
  const { dtype } = matrix;
  const code = (matrix as CodedTree)[kCode];
  if ((dtype === "int32" || dtype === "uint32") && code >= 0 && code < kConstantCodes) {
    const { buffer, byteOffset } = (matrix as unknown as StridedMapBase<"int32", number>).rawPlaces()!;
    return { words: new Int32Array(buffer, byteOffset, rows * width), size: 1, rows, width, nans: null };
  }
  const isFloating = isFloat(dtype) || isComplexDType(dtype);
  const wide: DType = dtypeSize(dtype) >= 4 ? dtype : isFloating ? "float32" : "int32";
  const numbers = evaluate(makeExpression(castFields(matrix, wide, false))).data as Float64Array;
  const nans = isFloating ? removeZeroSigns(numbers, rows, width) : null;
  return { words: new Int32Array(numbers.buffer), size: dtypeSize(wide) / 4, rows, width, nans };
}

/** Replaces -0 by +0, and returns which columns have a NaN; null if none has. */
function removeZeroSigns(numbers: Float64Array, rows: number, width: number): Uint8Array | null {
  const parts = numbers.length / (rows * width);
  let nans: Uint8Array | null = null;
  for (let i = 0; i < numbers.length; i++) {
    const number = numbers[i] as number;
    numbers[i] = number + 0;
    if (number === number) continue;
    nans ??= new Uint8Array(width);
    nans[Math.floor(i / parts) % width] = 1;
  }
  return nans;
}

/** Returns a number for each column that depends on all its words and their order. */
function codesOf({ words, size, rows, width }: Columns): Int32Array {
  const codes = new Int32Array(width);
  for (let row = 0, at = 0; row < rows; row++) {
    for (let k = 0; k < width; k++) {
      let code = codes[k] as number;
      for (let j = 0; j < size; j++) code = mixed(code) ^ (words[at++] as number);
      codes[k] = code;
    }
  }
  return codes;
}

/** Returns true if two columns have the same words. */
function areEqual({ words, size, rows, width }: Columns, a: number, b: number): boolean {
  for (let row = 0; row < rows; row++) {
    const start = row * width;
    for (let j = 0; j < size; j++) if (words[(start + a) * size + j] !== words[(start + b) * size + j]) return false;
  }
  return true;
}
