/**
 * BfcGrowth: how an arena takes regions and gives them back (Extend and DeallocateFreeRegions in
 * tsl/framework/bfc_allocator.cc).
 *
 * Each region is twice as long as the one before, the first 2 MiB, all together at most the limit. When the sub-allocator has no
 * region of that length, shorter ones are tried, each nine tenths of the last, down to what is needed.
 *
 * An arena that does not double takes only what a request lacks, so that the free end of a region is not lost to the next request:
 *
 *     request   ==========                 the free end is too short by `missing`
 *     memory    [ in use | free ]         -> [ in use | free + missing, rounded up to slabs ]
 *
 * Where that memory is another's, it takes a new region of 2 MiB, or as long as the request. What is free of its own but too short is given
 * back first: regions without a chunk in use at once, other pieces when there is no room otherwise. Together with what others have
 * given back they may make a run that is long enough.
 */
import { InvalidArgumentError, shownValue } from "@onebuffer/base";
import type { AdoptedAllocation, BfcArena } from "./bfc-chunk-list.ts";
import { kMinAllocationSize, roundedBytes } from "./bfc-bins.ts";
import { kAddr, kFree, kRegion, kSize, kState } from "./bfc-chunks.ts";
import type { BfcRegion } from "./bfc-region.ts";
import { disposeAll } from "../refs/dispose-all.ts";
import type { Pointer } from "../allocator/pointer.ts";
import type { SubAllocation, SubAllocator } from "../allocator/sub-allocator.ts";

const kFirstRegionBytes = 2 * 1048576;
/** 0.9f: TensorFlow multiplies in single precision. */
const kBackpedalFactor = Math.fround(0.9);

/** The regions an arena has, and may have. */
export class BfcGrowth {
  /** Where the regions come from. */
  readonly subAllocator: SubAllocator;
  /** The most bytes the arena may take. */
  readonly limit: number;
  readonly #arena: BfcArena;
  readonly #doubles: boolean;
  #regionBytes: number;
  #pool: number = 0;
  #peakPool: number = 0;

  /** Throws INVALID_ARGUMENT for a limit that is no size. */
  constructor(arena: BfcArena, subAllocator: SubAllocator, totalMemory: number, allowGrowth: boolean, doubles: boolean) {
    if (!Number.isSafeInteger(totalMemory) || totalMemory < 0)
      throw new InvalidArgumentError(`total memory must be an integer in [0, 2^53), got ${shownValue(totalMemory)}`);
    this.#arena = arena;
    this.subAllocator = subAllocator;
    this.limit = totalMemory;
    this.#regionBytes = roundedBytes(allowGrowth ? Math.min(totalMemory, kFirstRegionBytes) : totalMemory);
    this.#doubles = doubles;
  }

  /** Bytes taken from the sub-allocator, in use or not. */
  get poolBytes(): number {
    return this.#pool;
  }

  /** The highest `poolBytes` there was. */
  get peakPoolBytes(): number {
    return this.#peakPool;
  }

  /** The least length of the next region that does not lengthen another. */
  get currRegionAllocationBytes(): number {
    return this.#regionBytes;
  }

  /**
   * Takes memory so that there is a free chunk of `bytes`, a multiple of 256, if there may be as much and there is. Returns true if it
   * did.
   */
  extend(bytes: number): boolean {
    if (this.#doubles) return this.#extendDoubling(bytes);
    // A region that nothing is in and that does not suffice would only divide the memory that is left.
    this.#giveBackAll(this.#freeRegions());
    if (this.#extendTightly(bytes)) return true;
    const grain = this.subAllocator.pieceBytes();
    return grain > 0 && this.deallocateFreePieces(grain) > 0 && this.#extendTightly(bytes);
  }

  /** TensorFlow's Extend: a region of at least `bytes`. */
  #extendDoubling(bytes: number): boolean {
    const available = this.#availableBytes();
    if (bytes > available) return false;
    let doubled = false;
    while (bytes > this.#regionBytes) {
      this.#regionBytes *= 2;
      doubled = true;
    }
    const given = this.#takeRegion(Math.min(this.#regionBytes, available), bytes);
    if (given === null) return false;
    if (!doubled) this.#regionBytes *= 2;
    return this.#enter(given);
  }

  /** Lengthens a region by what is missing, or takes a new one. */
  #extendTightly(bytes: number): boolean {
    const available = this.#availableBytes();
    if (this.#lengthen(bytes, available)) return true;
    if (bytes > available) return false;
    const given = this.#takeRegion(Math.min(Math.max(bytes, this.#regionBytes), available), bytes);
    return given !== null && this.#enter(given);
  }

  /** Takes the memory behind a region that ends with a free chunk: where the least is missing first, and no more than `available`. */
  #lengthen(bytes: number, available: number): boolean {
    const arena = this.#arena;
    const { subAllocator } = this;
    if (!subAllocator.supportsCoalescing()) return false;
    const ends: { pointer: Pointer; missing: number }[] = [];
    for (const region of arena.regions.all) {
      const byteOffset = region.byteOffset(region.end);
      const missing = bytes - arena.freeAtEnd(region) * kMinAllocationSize;
      if (missing >= bytes || missing > available || byteOffset !== region.pointer.byteOffset + region.bytesReceived) continue;
      ends.push({ pointer: { buffer: region.memory, byteOffset }, missing });
    }
    ends.sort((a, b) => a.missing - b.missing);
    for (const { pointer, missing } of ends) {
      const given = subAllocator.allocAt(pointer, missing);
      if (given !== null) return this.#enter(given);
    }
    return false;
  }

  /** Enters what the sub-allocator gave into the books; false, and it goes back, when they have no room for it. */
  #enter(given: SubAllocation): boolean {
    const arena = this.#arena;
    const { subAllocator } = this;
    const before = unitsIn(arena);
    const coalesces = subAllocator.supportsCoalescing();
    if (!arena.addRegion(given, coalesces, coalesces && !this.#doubles)) {
      subAllocator.free(given.pointer, given.bytesReceived);
      return false;
    }
    this.#pool += (unitsIn(arena) - before) * kMinAllocationSize;
    this.#peakPool = Math.max(this.#peakPool, this.#pool);
    return true;
  }

  /** What the limit leaves, in whole units. */
  #availableBytes(): number {
    return Math.floor((this.limit - this.#pool) / kMinAllocationSize) * kMinAllocationSize;
  }

  /**
   * Enters a region that was taken by somebody else, with what is allocated in it; it may go beyond the limit, for the bytes are
   * taken already. The units in use, or -1 (see BfcArena).
   */
  adopt(given: SubAllocation, live: readonly AdoptedAllocation[], firstId: number): number {
    const before = unitsIn(this.#arena);
    const used = this.#arena.adoptRegion(given, live, firstId);
    this.#pool += (unitsIn(this.#arena) - before) * kMinAllocationSize;
    this.#peakPool = Math.max(this.#peakPool, this.#pool);
    return used;
  }

  /**
   * Gives back every region whose chunks are all free, if there is one and the limit then allows a region of `bytes`. Whether it
   * did.
   */
  deallocateFreeRegions(bytes: number): boolean {
    const free = this.#freeRegions();
    const freeBytes = free.reduce((sum, region) => sum + region.units * kMinAllocationSize, 0);
    if (freeBytes === 0 || bytes > this.limit - this.#pool + freeBytes) return false;
    this.#giveBackAll(free);
    return true;
  }

  /**
   * Gives back every free piece of memory that begins and ends at a multiple of `grainBytes` in its memory, out of the middle of a
   * region, too: how many bytes. The sub-allocator must take such pieces one by one.
   */
  deallocateFreePieces(grainBytes: number): number {
    const arena = this.#arena;
    const { subAllocator } = this;
    const grain = grainBytes / kMinAllocationSize;
    const { chunks, regions } = arena;
    const pieces: { chunk: number; from: number; to: number }[] = [];
    arena.forEach((chunk) => {
      const { words } = chunks;
      if (words[chunk + kState] !== kFree || chunks.freedAtCount(chunk) !== 0) return;
      const start = words[chunk + kAddr]!;
      const bias = regions.get(words[chunk + kRegion]!).bias / kMinAllocationSize;
      const from = Math.ceil((start + bias) / grain) * grain - bias;
      const to = Math.floor((start + bias + words[chunk + kSize]!) / grain) * grain - bias;
      if (from < to) pieces.push({ chunk, from, to });
    });
    let bytes = 0;
    for (const { chunk, from, to } of pieces) {
      const region = regions.get(chunks.words[chunk + kRegion]!);
      const pointer = { buffer: region.memory, byteOffset: region.byteOffset(from) };
      if (!arena.cutOut(chunk, from, to)) break;
      const numBytes = (to - from) * kMinAllocationSize;
      this.#pool -= numBytes;
      bytes += numBytes;
      subAllocator.free(pointer, numBytes);
    }
    return bytes;
  }

  /** Gives one region back if all its chunks are free. Whether it did. */
  deallocateIfFree(region: BfcRegion): boolean {
    if (!this.#arena.isFree(region)) return false;
    this.#giveBack(region);
    return true;
  }

  /** Gives every region back, in use or not. */
  deallocateAllRegions(): void {
    this.#giveBackAll(this.#arena.regions.all.slice());
  }

  /** The regions whose chunks are all free. */
  #freeRegions(): BfcRegion[] {
    return this.#arena.regions.all.filter((region) => this.#arena.isFree(region));
  }

  /** One region that the sub-allocator fails to take does not spare the others; the first error is thrown at the end. */
  #giveBackAll(regions: readonly BfcRegion[]): void {
    disposeAll(regions.map((region) => ({ dispose: () => this.#giveBack(region) })));
  }

  #giveBack(region: BfcRegion): void {
    this.#arena.removeRegion(region);
    this.#pool -= region.units * kMinAllocationSize;
    this.subAllocator.free(region.pointer, region.bytesReceived);
  }

  /** A region of `wanted` bytes, or as near to it as there is, but not below `least`; null when there is none. */
  #takeRegion(wanted: number, least: number): SubAllocation | null {
    for (let bytes = wanted; ; ) {
      const given = this.subAllocator.alloc(kMinAllocationSize, bytes);
      if (given !== null) return given;
      const less = roundedBytes(Math.trunc(Math.fround(Math.fround(bytes) * kBackpedalFactor)));
      // Quirk: below 2560 bytes rounding up undoes the shrinking, and TensorFlow asks for the same forever.
      if (less < least || less >= bytes) return null;
      bytes = less;
    }
  }
}

/** The length of all regions. */
function unitsIn(arena: BfcArena): number {
  return arena.regions.all.reduce((sum, region) => sum + region.units, 0);
}
