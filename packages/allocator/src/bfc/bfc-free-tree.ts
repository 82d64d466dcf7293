/**
 * BfcFreeTree: the free chunks in order of size, then address (the free_chunks of all bins in tsl/framework/bfc_allocator.h).
 *
 *     bins     01000010000000000001    a bit for each of the 21 bins that has a chunk
 *     roots     |    |            |
 *               o    o            o    a treap by (size, address) below each
 *              / \  /
 *
 * As in TensorFlow there is one ordered set per bin, so that a large request never walks through small chunks. Each is a treap:
 * a search tree whose parents have higher priorities than their children, the priorities being random, which keeps it about
 * 2 ln n deep whatever comes and goes. Links live in the chunk records; a link is named by the index of its word (`slot`),
 * so that a root, which is a word of the head of the table, needs no cases of its own.
 */
import { binNumForUnits } from "./bfc-bins.ts";
import type { BfcChunks } from "./bfc-chunks.ts";
import { kAddr, kLeft, kPriority, kRight, kSize } from "./bfc-chunks.ts";

// An engine folds a module's own constants into its code but loads imported ones at every use: a fifth of an allocation.
const SIZE = kSize;
const ADDR = kAddr;
const LEFT = kLeft;
const RIGHT = kRight;
const PRIORITY = kPriority;

/** The ordered set of free chunks. */
export class BfcFreeTree {
  readonly #chunks: BfcChunks;
  /** Bit k is set when bin k has a chunk. */
  #bins: number = 0;
  #seed: number = 0x2545f491;

  /** The roots are the words 0 to 20, which `chunks` keeps free. */
  constructor(chunks: BfcChunks) {
    this.#chunks = chunks;
  }

  /** Puts a chunk in. It must not be in. */
  insert(chunk: number): void {
    const { words } = this.#chunks;
    const size = words[chunk + SIZE]!;
    const addr = words[chunk + ADDR]!;
    // Random enough: xorshift, three shifts of one word.
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
    // What hung there goes below the chunk: the smaller ones left, the larger ones right.
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

  /** Takes a chunk out. It must be in, with the size and address it was put in with. */
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
   * Gives a chunk that is in a larger size, and a lower address or the same. Mostly it stays between the same neighbours, and then
   * its place in the tree stays too.
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
   * Cuts `units` off the front of a chunk that is in. `isFirst` says that it is the first chunk of that size or more: then, as long as
   * the rest has that size as well, it keeps its place, for what comes before it is smaller.
   */
  cutFront(chunk: number, units: number, isFirst: boolean): void {
    const { words } = this.#chunks;
    const size = words[chunk + SIZE]!;
    const rest = size - units;
    const stays = isFirst && rest >= units && binNumForUnits(rest) === binNumForUnits(size);
    if (!stays) this.remove(chunk);
    words[chunk + SIZE] = rest;
    words[chunk + ADDR] = words[chunk + ADDR]! + units;
    if (!stays) this.insert(chunk);
  }

  /** The first chunk of at least `size` units, or 0. */
  firstOfSize(size: number): number {
    const bin = binNumForUnits(size);
    return this.#firstInBin(bin, size, -1) || this.#firstAbove(bin);
  }

  /** The chunk behind one that is in, in the order of the set, or 0. */
  after(chunk: number): number {
    const { words } = this.#chunks;
    const size = words[chunk + SIZE]!;
    const bin = binNumForUnits(size);
    return this.#firstInBin(bin, size, words[chunk + ADDR]!) || this.#firstAbove(bin);
  }

  /** The largest chunk, the one at the highest address if there are several, or 0. */
  largest(): number {
    if (this.#bins === 0) return 0;
    const { words } = this.#chunks;
    let node = words[31 - Math.clz32(this.#bins)]!;
    for (let right = words[node + RIGHT]!; right !== 0; right = words[node + RIGHT]!) node = right;
    return node;
  }

  /** Takes out the chunk that `place` leads to: its two subtrees become one there. */
  #unlink(chunk: number, place: number, bin: number): void {
    const { words } = this.#chunks;
    let slot = place;
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

  /** The first chunk of a bin that is larger than `size`, or of that size and beyond `addr`; or 0. */
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

  /** The first chunk of the bins above `bin`, or 0. */
  #firstAbove(bin: number): number {
    const above = this.#bins & (-2 << bin);
    if (above === 0) return 0;
    const { words } = this.#chunks;
    let node = words[31 - Math.clz32(above & -above)]!; // the lowest set bit
    for (let left = words[node + LEFT]!; left !== 0; left = words[node + LEFT]!) node = left;
    return node;
  }
}

/** Whether (size, addr) comes before a chunk in the order. */
function isBefore(words: Int32Array, size: number, addr: number, chunk: number): boolean {
  const other = words[chunk + SIZE]!;
  return size < other || (size === other && addr < words[chunk + ADDR]!);
}
