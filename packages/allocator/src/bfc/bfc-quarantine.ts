/**
 * BfcQuarantine: holds freed chunks back to detect writes to freed memory (no counterpart in TensorFlow; AddressSanitizer has a
 * quarantine like it).
 *
 * In checked mode a freed chunk is filled with a pattern and put into a queue of limited size, which the oldest chunks leave first. A write
 * through an old typed array changes the pattern; this is detected when the chunk leaves the queue. A read is not detected, but it
 * returns the pattern: about -1.2e17 as a float32, -606348325 as an int32.
 */

import type { BfcArena } from "./bfc-chunk-list.ts";
import { kMinAllocationSize } from "./bfc-bins.ts";
import { kAddr, kRegion, kSize } from "./bfc-chunks.ts";
import { isMemoryGone } from "../allocator/buffer-memory.ts";
import { fillBytes } from "../allocator/fill-bytes.ts";

/** The value of every byte of freed memory in checked mode. */
export const kPoisonByte = 0xdb;
/** Eight poison bytes as a float64, the widest word that compares without making an object. */
const kPoisonWord = -3.1638862116397002e134;

/** A write to freed memory. */
export interface WriteAfterFree {
  /** The memory that was written. */
  readonly memory: ArrayBufferLike;
  /** The offset of the first byte that changed. */
  readonly byteOffset: number;
  /** The offset of the freed allocation. */
  readonly allocationOffset: number;
  /** The requested bytes of the freed allocation. */
  readonly requestedSize: number;
  /** The id of the freed allocation. */
  readonly allocationId: number;
}

/** The freed chunks that are held back, oldest first. */
export class BfcQuarantine {
  readonly #arena: BfcArena;
  readonly #limitUnits: number;
  #queue: number[] = [];
  #head: number = 0;
  #units: number = 0;

  /** `limitBytes` is the largest number of bytes that are held back. */
  constructor(arena: BfcArena, limitBytes: number) {
    this.#arena = arena;
    this.#limitUnits = Math.floor(limitBytes / kMinAllocationSize);
  }

  /** True if no chunk is held back. */
  get isEmpty(): boolean {
    return this.#head === this.#queue.length;
  }

  /** Fills a chunk with the pattern and holds it back. */
  add(chunk: number): void {
    const bytes = this.#bytesOf(chunk);
    if (bytes !== null) fillBytes(bytes, kPoisonByte);
    this.#queue.push(chunk);
    this.#units += this.#arena.chunks.words[chunk + kSize]!;
  }

  /** True if more bytes are held back than the limit. */
  get isOverfull(): boolean {
    return this.#units > this.#limitUnits;
  }

  /** Removes the oldest chunk from the queue and returns it. */
  shift(): number {
    const chunk = this.#queue[this.#head++]!;
    this.#units -= this.#arena.chunks.words[chunk + kSize]!;
    if (this.#head * 2 > this.#queue.length) {
      this.#queue = this.#queue.slice(this.#head);
      this.#head = 0;
    }
    return chunk;
  }

  /** Returns the first write to a chunk since it was filled, or null. */
  inspect(chunk: number): WriteAfterFree | null {
    const bytes = this.#bytesOf(chunk);
    if (bytes === null) return null;
    const words = new Float64Array(bytes.buffer, bytes.byteOffset, bytes.length / 8);
    // A loop is four times as fast as findIndex, and most chunks are searched to the end.
    let word = 0;
    while (word < words.length && words[word] === kPoisonWord) word++;
    if (word === words.length) return null;
    const at = word * 8 + bytes.subarray(word * 8).findIndex((byte) => byte !== kPoisonByte);
    const { chunks } = this.#arena;
    return {
      memory: bytes.buffer,
      byteOffset: bytes.byteOffset + at,
      allocationOffset: bytes.byteOffset,
      requestedSize: chunks.requestedSize(chunk),
      allocationId: chunks.allocationId(chunk),
    };
  }

  /** Returns the bytes of a chunk, or null if its memory was detached or shrunk. */
  #bytesOf(chunk: number): Uint8Array | null {
    const { words } = this.#arena.chunks;
    const region = this.#arena.regions.get(words[chunk + kRegion]!);
    const byteOffset = region.byteOffset(words[chunk + kAddr]!);
    const length = words[chunk + kSize]! * kMinAllocationSize;
    return isMemoryGone(region.memory, byteOffset + length) ? null : new Uint8Array(region.memory, byteOffset, length);
  }
}
