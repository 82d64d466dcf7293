/**
 * radix-sort: sorts rows of up to 32 bits per element through the functions of radix-kernel.ts.
 *
 *     scratch memory    keys | places | keys | places | tables of counts
 *                       a pass moves from one half to the other; places are there for argsort only
 *
 * Narrow integers are widened to 32 bits; the passes over digits that all keys have in common are left out.
 */
import type { TypedArray } from "@onebuffer/base";
import { typedArrayConstructor } from "@onebuffer/base";
import { linearMemory } from "@onebuffer/wasm";
import { releaseScratch, scratchMark, takeScratch } from "../plan/scratch.ts";
import type { Numbers } from "./dense-array.ts";
import { radixKernel } from "./radix-kernel.ts";
import type { KeyKind, RadixKernel } from "./radix-kernel.ts";

/** Shorter rows are sorted faster by comparisons: of indices, of floats, and of integers, which the engine sorts fastest. */
const kLeastPlaces = 160;
const kLeastFloats = 256;
const kLeastIntegers = 768;
/** Digits of 8 bits are fastest for short rows, whose tables have to be small, 11 bits for long ones: three passes instead of four. */
const kLongRow = 16384;
/** Keys are addressed by 32-bit integers. */
const kLongestRow = 2 ** 26;

const kKinds: Readonly<Record<string, KeyKind>> = {
  "[object Float32Array]": "float32",
  "[object Int32Array]": "int32",
  "[object Int16Array]": "int32",
  "[object Int8Array]": "int32",
  "[object Uint32Array]": "uint32",
  "[object Uint16Array]": "uint32",
  "[object Uint8Array]": "uint32",
};

/** Sorts rows of one width. Takes its scratch memory when made; `release` gives it back. */
export class RadixSort {
  readonly #kernel: RadixKernel;
  readonly #kind: KeyKind;
  readonly #width: number;
  readonly #flip: number;
  readonly #bits: 8 | 11;
  #hasNegativeZero = false;
  /** The two halves, each with keys and, `#beside` bytes behind them, places. */
  readonly #halves: readonly [number, number];
  readonly #beside: number;
  readonly #tables: Uint32Array<ArrayBufferLike>;
  readonly #mark: ReturnType<typeof scratchMark>;

  private constructor(kernel: RadixKernel, kind: KeyKind, width: number, descending: boolean, hasPlaces: boolean) {
    this.#mark = scratchMark();
    this.#kernel = kernel;
    this.#kind = kind;
    this.#width = width;
    this.#flip = descending ? -1 : 0;
    this.#bits = width < kLongRow ? 8 : 11;
    this.#beside = width * 4;
    const half = this.#beside * (hasPlaces ? 2 : 1);
    this.#halves = [takeScratch(half), takeScratch(half)];
    const words = Math.ceil(32 / this.#bits) << this.#bits;
    this.#tables = new Uint32Array(linearMemory().buffer, takeScratch(words * 4), words);
  }

  /**
   * Returns the sort for rows of an array; null if they are too short or too long, or have elements of 64 bits, or the engine refuses the
   * kernel. Throws RESOURCE_EXHAUSTED if the linear memory has no room.
   */
  static make(rows: TypedArray, width: number, descending: boolean, hasPlaces: boolean): RadixSort | null {
    const kind = kKinds[Object.prototype.toString.call(rows)];
    if (kind === undefined || width > kLongestRow || !linearMemory().isAvailable) return null;
    if (width < (hasPlaces ? kLeastPlaces : kind === "float32" ? kLeastFloats : kLeastIntegers)) return null;
    const kernel = radixKernel();
    return kernel === null ? null : new RadixSort(kernel, kind, width, descending, hasPlaces);
  }

  /** Sorts a row in place. Zeros of both signs are equal, and keep their order. */
  sort(row: Numbers): void {
    const at = this.#sorted(row, this.#kernel.move);
    this.#kernel.values[this.#kind](at, this.#width, this.#flip);
    const zeros = this.#hasNegativeZero && this.#kind === "float32" ? row.filter((value) => value === 0) : null;
    row.set(this.#words(at, this.#kind));
    if (zeros !== null) row.set(zeros, row.indexOf(0));
  }

  /** Returns the indices that the sorted elements of a row come from, as an array over scratch memory. */
  order(row: Numbers): Numbers {
    const places = this.#words(this.#halves[0] + this.#beside, "int32");
    for (let k = 0; k < places.length; k++) places[k] = k;
    return this.#words(this.#sorted(row, this.#kernel.movePairs) + this.#beside, "int32");
  }

  /** Releases the scratch memory. */
  release(): void {
    releaseScratch(this.#mark);
  }

  /** Returns the address of the sorted keys of a row. */
  #sorted(row: Numbers, move: RadixKernel["movePairs"]): number {
    const { keys, count } = this.#kernel;
    const width = this.#width;
    const tables = this.#tables;
    let [from, to] = this.#halves;
    this.#words(from, this.#kind).set(row);
    this.#hasNegativeZero = keys[this.#kind](from, width, this.#flip) !== 0;
    tables.fill(0);
    count[this.#bits](from, width, tables.byteOffset);
    const digits = 1 << this.#bits;
    for (let shift = 0, table = 0; shift < 32; shift += this.#bits, table += digits) {
      if (!startsOf(tables, table, digits, width)) continue;
      move(from, to, width, tables.byteOffset + 4 * table, shift, digits - 1, this.#beside);
      [from, to] = [to, from];
    }
    return from;
  }

  #words(address: number, kind: KeyKind): Numbers {
    return new (typedArrayConstructor(kind))(linearMemory().buffer, address, this.#width) as unknown as Numbers;
  }
}

/** Replaces the counts of digits by the byte offsets where their keys go. Returns false if all keys have the same digit. */
function startsOf(tables: Uint32Array<ArrayBufferLike>, table: number, digits: number, width: number): boolean {
  let start = 0;
  for (let digit = table; digit < table + digits; digit++) {
    const count = tables[digit] as number;
    if (count === width) return false;
    tables[digit] = start * 4;
    start += count;
  }
  return true;
}
