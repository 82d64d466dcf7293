/**
 * BfcQuarantine: freed memory under watch (no counterpart in TensorFlow; what a sanitizer's quarantine is).
 *
 * In `checked` mode a freed chunk is filled with a pattern and held back. Whoever still has a raw array over it and writes
 * changes the pattern; that is found when the chunk leaves, the oldest first, for the queue holds a bounded number of bytes.
 * Reads are not seen, but they see the pattern: every float32 in it is about -3.5e18, every int32 -606348325.
 */

import type { BfcArena } from "./bfc-chunk-list.ts";
import { kMinAllocationSize } from "./bfc-bins.ts";
import { kAddr, kRegion, kSize } from "./bfc-chunks.ts";
import { isMemoryGone } from "../allocator/buffer-memory.ts";
import { fillBytes } from "../allocator/fill-bytes.ts";

/** Every byte of freed memory in checked mode. */
export const kPoisonByte = 0xdb;
/** Four of them, as an int32. */
const kPoisonWord = 0xdbdbdbdb | 0;

/** A write to memory that was freed. */
export interface WriteAfterFree {
  /** The memory written to. */
  readonly memory: ArrayBufferLike;
  /** The first byte that changed. */
  readonly byteOffset: number;
  /** Where the freed allocation began. */
  readonly allocationOffset: number;
  /** What had been asked for it, in bytes. */
  readonly requestedSize: number;
  /** The number of that allocation. */
  readonly allocationId: number;
}

/** The freed chunks that are held back, oldest first. */
export class BfcQuarantine {
  readonly #arena: BfcArena;
  readonly #limitUnits: number;
  #queue: number[] = [];
  #head: number = 0;
  #units: number = 0;

  /** Holds up to `limitBytes` back. */
  constructor(arena: BfcArena, limitBytes: number) {
    this.#arena = arena;
    this.#limitUnits = Math.floor(limitBytes / kMinAllocationSize);
  }

  /** Whether nothing is held back. */
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

  /** Whether more is held back than may be. */
  get isOverfull(): boolean {
    return this.#units > this.#limitUnits;
  }

  /** The chunk held back longest, out of the queue. */
  shift(): number {
    const chunk = this.#queue[this.#head++]!;
    this.#units -= this.#arena.chunks.words[chunk + kSize]!;
    if (this.#head * 2 > this.#queue.length) {
      this.#queue = this.#queue.slice(this.#head);
      this.#head = 0;
    }
    return chunk;
  }

  /** The first write to a chunk since it was filled, or null. */
  inspect(chunk: number): WriteAfterFree | null {
    const bytes = this.#bytesOf(chunk);
    if (bytes === null) return null;
    const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
    // A loop, not findIndex: four times as fast, and most chunks are looked through to their ends.
    let word = 0;
    while (word < words.length && words[word] === kPoisonWord) word++;
    if (word === words.length) return null;
    const at = word * 4 + bytes.subarray(word * 4).findIndex((byte) => byte !== kPoisonByte);
    const { chunks } = this.#arena;
    return {
      memory: bytes.buffer,
      byteOffset: bytes.byteOffset + at,
      allocationOffset: bytes.byteOffset,
      requestedSize: chunks.requestedSize(chunk),
      allocationId: chunks.allocationId(chunk),
    };
  }

  /** The chunk's bytes, or null when its memory was detached or shrunk by its owner. */
  #bytesOf(chunk: number): Uint8Array | null {
    const { words } = this.#arena.chunks;
    const region = this.#arena.regions.get(words[chunk + kRegion]!);
    const byteOffset = region.byteOffset(words[chunk + kAddr]!);
    const length = words[chunk + kSize]! * kMinAllocationSize;
    return isMemoryGone(region.memory, byteOffset + length) ? null : new Uint8Array(region.memory, byteOffset, length);
  }
}
