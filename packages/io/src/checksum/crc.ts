/** A 32-bit cyclic redundancy check: long messages are shortened by a kernel first (fold-kernel.ts), the rest goes through tables. */
import { linearMemory } from "@onebuffer/wasm";
import { crcTables, extendRemainder } from "./crc-slices.ts";
import type { FoldKernel } from "./fold-kernel.ts";
import { kFewestBytes, newFoldKernel } from "./fold-kernel.ts";

/** The checksum of one polynomial. Its remainder starts as all ones and is inverted at the end. */
export class Crc {
  readonly #tables: Int32Array<ArrayBuffer>;
  readonly #distances: readonly number[];
  /** Undefined before the first long message, null where there is no kernel. */
  #kernel: FoldKernel | null | undefined;

  /** `polynomial` is as for `crcTables`; `distances` are those of a multiple with few terms, see fold-kernel.ts. */
  constructor(polynomial: number, distances: readonly number[], kernel?: null) {
    this.#tables = crcTables(polynomial);
    this.#distances = distances;
    this.#kernel = kernel;
  }

  /** Returns the checksum after `bytes`, from that of the bytes before them. */
  extend(bytes: Uint8Array<ArrayBufferLike>, previous: number): number {
    const tables = this.#tables;
    if (bytes.length < kFewestBytes) return ~extendRemainder(tables, ~previous, bytes) >>> 0;
    if (this.#kernel === undefined) this.#kernel = newFoldKernel(linearMemory(), this.#distances);
    if (this.#kernel === null) return ~extendRemainder(tables, ~previous, bytes) >>> 0;
    const { folded, rest } = this.#kernel.shorten(bytes, ~previous);
    const remainder = extendRemainder(tables, 0, folded);
    return ~extendRemainder(tables, remainder, bytes.subarray(bytes.length - rest)) >>> 0;
  }
}
