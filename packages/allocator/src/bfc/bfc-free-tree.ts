/**
 * BfcFreeTree: the free chunks, ordered by size and then address (the free_chunks of all bins in tsl/framework/bfc_allocator.h).
 *
 *     bins     01000010000000000001    a bit for each of the 21 bins that has a chunk
 *     roots     |    |            |
 *               o    o            o    a treap by (size, address) below each
 *              / \  /
 *
 * As in TensorFlow there is one ordered set per bin, so that a large request never visits small chunks. Each set is a treap: a search
 * tree in which every chunk has a random priority and parents have higher priorities than their children. Its depth is about 2 ln n in
 * any sequence of insertions and removals. The links are words of the chunk records. A link is identified by the index of its
 * word (`slot`); the roots are words at the head of the table, so they need no special cases.
 */
import { binNumForUnits } from "./bfc-bins.ts";
import type { BfcChunks } from "./bfc-chunks.ts";
import { kAddr, kLeft, kPriority, kRight, kSize } from "./bfc-chunks.ts";

// Local copies of imported constants: engines inline these, but load an imported constant at every use (a fifth of the time of an
// allocation).
const SIZE = kSize;
const ADDR = kAddr;
const LEFT = kLeft;
const RIGHT = kRight;
const PRIORITY = kPriority;

/** The ordered set of free chunks. */
export class BfcFreeTree {
  readonly #chunks: BfcChunks;
  /** Bit k is set if bin k has a chunk. */
  #bins: number = 0;
  #seed: number = 0x2545f491;

  /** The roots are the words 0 to 20 of `chunks`, which are not part of a chunk record. */
  constructor(chunks: BfcChunks) {
    this.#chunks = chunks;
  }

  /** Inserts a chunk, which must not be in the tree. */
  insert(chunk: number): void {
    const { words } = this.#chunks;
    const size = words[chunk + SIZE]!;
    const addr = words[chunk + ADDR]!;
    // A xorshift random number generator.
    let seed = this.#seed;
    seed ^= seed << 13;
    seed ^= seed >>> 17;
    seed ^= seed << 5;
    this.#seed = seed;
    words[chunk + PRIORITY] = seed;
    let slot = binNumForUnits(size);
    this.#bins |= 1 << slot;
    let node = words[slot]!;
    while (node !== 0 && words[node + PRIORITY]! >= seed) {
      slot = node + (isBefore(words, size, addr, node) ? LEFT : RIGHT);
      node = words[slot]!;
    }
    words[slot] = chunk;
    // Splits the subtree at this slot: smaller chunks go to the left of the new one, larger ones to its right.
    let smaller = chunk + LEFT;
    let larger = chunk + RIGHT;
    while (node !== 0) {
      if (isBefore(words, size, addr, node)) {
        words[larger] = node;
        larger = node + LEFT;
        node = words[larger]!;
      } else {
        words[smaller] = node;
        smaller = node + RIGHT;
        node = words[smaller]!;
      }
    }
    words[smaller] = 0;
    words[larger] = 0;
  }

  /** Removes a chunk. It must be in the tree, with its size and address unchanged since it was inserted. */
  remove(chunk: number): void {
    const { words } = this.#chunks;
    const size = words[chunk + SIZE]!;
    const addr = words[chunk + ADDR]!;
    const bin = binNumForUnits(size);
    let slot = bin;
    for (let node = words[slot]!; node !== chunk; node = words[slot]!) slot = node + (isBefore(words, size, addr, node) ? LEFT : RIGHT);
    this.#unlink(chunk, slot, bin);
  }

  /**
   * Changes a chunk in the tree to a larger size and to the same or a lower address. If it stays before the next chunk in order, as it
   * mostly does, its position in the tree does not change.
   */
  grow(chunk: number, newSize: number, newAddr: number): void {
    const { words } = this.#chunks;
    const size = words[chunk + SIZE]!;
    const addr = words[chunk + ADDR]!;
    const bin = binNumForUnits(size);
    let slot = bin;
    let next = 0;
    for (let node = words[slot]!; node !== chunk; node = words[slot]!) {
      if (isBefore(words, size, addr, node)) {
        next = node;
        slot = node + LEFT;
      } else slot = node + RIGHT;
    }
    const right = words[chunk + RIGHT]!;
    if (right !== 0) {
      next = right;
      for (let left = words[next + LEFT]!; left !== 0; left = words[next + LEFT]!) next = left;
    }
    const stays = binNumForUnits(newSize) === bin && (next === 0 || isBefore(words, newSize, newAddr, next));
    if (!stays) this.#unlink(chunk, slot, bin);
    words[chunk + SIZE] = newSize;
    words[chunk + ADDR] = newAddr;
    if (!stays) this.insert(chunk);
  }

  /**
   * Removes `units` units from the front of a chunk in the tree. `isFirst` says that it is the first chunk of at least `units` units. If
   * its remainder then has at least `units` units too, its position does not change, because all chunks before it are smaller.
   */
  cutFront(chunk: number, units: number, isFirst: boolean): void {
    const { words } = this.#chunks;
    const size = words[chunk + SIZE]!;
    const remainder = size - units;
    const stays = isFirst && remainder >= units && binNumForUnits(remainder) === binNumForUnits(size);
    if (!stays) this.remove(chunk);
    words[chunk + SIZE] = remainder;
    words[chunk + ADDR] = words[chunk + ADDR]! + units;
    if (!stays) this.insert(chunk);
  }

  /** Returns the first chunk of at least `size` units, or 0. */
  firstOfSize(size: number): number {
    const bin = binNumForUnits(size);
    return this.#firstInBin(bin, size, -1) || this.#firstAbove(bin);
  }

  /** Returns the chunk that follows `chunk` in the order, or 0. */
  after(chunk: number): number {
    const { words } = this.#chunks;
    const size = words[chunk + SIZE]!;
    const bin = binNumForUnits(size);
    return this.#firstInBin(bin, size, words[chunk + ADDR]!) || this.#firstAbove(bin);
  }

  /** Returns the largest chunk, or 0. Among several it is the one at the highest address. */
  largest(): number {
    if (this.#bins === 0) return 0;
    const { words } = this.#chunks;
    let node = words[31 - Math.clz32(this.#bins)]!;
    for (let right = words[node + RIGHT]!; right !== 0; right = words[node + RIGHT]!) node = right;
    return node;
  }

  /** Removes the chunk that the link `chunkSlot` refers to: merges its two subtrees and links the result there. */
  #unlink(chunk: number, chunkSlot: number, bin: number): void {
    const { words } = this.#chunks;
    let slot = chunkSlot;
    let left = words[chunk + LEFT]!;
    let right = words[chunk + RIGHT]!;
    while (left !== 0 && right !== 0) {
      if (words[left + PRIORITY]! >= words[right + PRIORITY]!) {
        words[slot] = left;
        slot = left + RIGHT;
        left = words[slot]!;
      } else {
        words[slot] = right;
        slot = right + LEFT;
        right = words[slot]!;
      }
    }
    words[slot] = left + right; // one of them is 0
    if (words[bin] === 0) this.#bins &= ~(1 << bin);
  }

  /** Returns the first chunk of a bin that is larger than `size`, or has that size and an address above `addr`; or 0. */
  #firstInBin(bin: number, size: number, addr: number): number {
    const { words } = this.#chunks;
    let best = 0;
    for (let node = words[bin]!; node !== 0; ) {
      if (isBefore(words, size, addr, node)) {
        best = node;
        node = words[node + LEFT]!;
      } else node = words[node + RIGHT]!;
    }
    return best;
  }

  /** Returns the first chunk of the bins above `bin`, or 0. */
  #firstAbove(bin: number): number {
    const above = this.#bins & (-2 << bin);
    if (above === 0) return 0;
    const { words } = this.#chunks;
    let node = words[31 - Math.clz32(above & -above)]!; // the lowest set bit
    for (let left = words[node + LEFT]!; left !== 0; left = words[node + LEFT]!) node = left;
    return node;
  }
}

/** Returns true if (size, addr) comes before a chunk in the order. */
function isBefore(words: Int32Array, size: number, addr: number, chunk: number): boolean {
  const other = words[chunk + SIZE]!;
  return size < other || (size === other && addr < words[chunk + ADDR]!);
}
