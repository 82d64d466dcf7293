/**
 * BfcGrowth: takes regions for an arena from its sub-allocator, and frees them (Extend and DeallocateFreeRegions in
 * tsl/framework/bfc_allocator.cc).
 *
 * The first region has 2 MiB, and each further one is twice as long as the one before; their sum is at most the limit. If the
 * sub-allocator has no region of that length, shorter ones are tried, each nine tenths of the one before, down to the request.
 *
 * An arena that does not double its regions takes only the bytes that a request lacks, so that the free end of a region is used:
 *
 *     request   ==========                 the free end is too short by `missing`
 *     memory    [ in use | free ]         -> [ in use | free + missing, rounded up to slabs ]
 *
 * If the memory after the region is not free, it takes a new region of 2 MiB or of the size of the request, whichever is larger. It first
 * frees its own memory that is too short: regions without a chunk in use always, other pieces only if there is no room
 * otherwise. Together with memory that others have freed, these may form a range that is long enough.
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";
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

/** Takes and frees the regions of an arena. */
export class BfcGrowth {
  /** The source of the regions. */
  readonly subAllocator: SubAllocator;
  /** The largest number of bytes that the arena may take. */
  readonly limit: number;
  readonly #arena: BfcArena;
  readonly #doubles: boolean;
  #regionBytes: number;
  #pool: number = 0;
  #peakPool: number = 0;

  /** Throws INVALID_ARGUMENT if `totalMemory` is not an integer from 0 to 2^53 - 1. */
  constructor(arena: BfcArena, subAllocator: SubAllocator, totalMemory: number, allowGrowth: boolean, doubles: boolean) {
    if (!Number.isSafeInteger(totalMemory) || totalMemory < 0)
      throw new InvalidArgumentError(`total memory must be an integer in [0, 2^53), got ${shownValue(totalMemory)}`);
    this.#arena = arena;
    this.subAllocator = subAllocator;
    this.limit = totalMemory;
    this.#regionBytes = roundedBytes(allowGrowth ? Math.min(totalMemory, kFirstRegionBytes) : totalMemory);
    this.#doubles = doubles;
  }

  /** The number of bytes taken from the sub-allocator, in use or free. */
  get poolBytes(): number {
    return this.#pool;
  }

  /** The highest value of `poolBytes` so far. */
  get peakPoolBytes(): number {
    return this.#peakPool;
  }

  /** The minimum size in bytes of the next region that does not extend another one. */
  get currRegionAllocationBytes(): number {
    return this.#regionBytes;
  }

  /**
   * Takes memory so that there is a free chunk of `bytes` bytes, a multiple of 256. Returns false if the limit or the sub-allocator has no
   * room for it.
   */
  extend(bytes: number): boolean {
    if (this.#doubles) return this.#extendDoubling(bytes);
    // Unused regions are too short for the request; keeping them would only fragment the remaining memory.
    this.#giveBackAll(this.#freeRegions());
    if (this.#extendTightly(bytes)) return true;
    const grain = this.subAllocator.pieceBytes();
    return grain > 0 && this.deallocateFreePieces(grain) > 0 && this.#extendTightly(bytes);
  }

  /** TensorFlow's Extend: takes a region of at least `bytes` bytes. */
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

  /** Extends a region by the bytes that are missing, or takes a new one. */
  #extendTightly(bytes: number): boolean {
    const available = this.#availableBytes();
    if (this.#lengthen(bytes, available)) return true;
    if (bytes > available) return false;
    const given = this.#takeRegion(Math.min(Math.max(bytes, this.#regionBytes), available), bytes);
    return given !== null && this.#enter(given);
  }

  /**
   * Takes the memory after a region that ends with a free chunk, at most `available` bytes. Tries the region that lacks the fewest bytes
   * first.
   */
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

  /** Adds a region from the sub-allocator to the arena. If the arena has no room in its tables, frees the region and returns false. */
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

  /** Returns the bytes that the limit still allows, rounded down to whole units. */
  #availableBytes(): number {
    return Math.floor((this.limit - this.#pool) / kMinAllocationSize) * kMinAllocationSize;
  }

  /**
   * Adds a region that another allocator took, with the allocations in it. The limit may be exceeded, because the bytes are already taken.
   * Returns the units in use, or -1 (see BfcArena.adoptRegion).
   */
  adopt(given: SubAllocation, live: readonly AdoptedAllocation[], firstId: number): number {
    const before = unitsIn(this.#arena);
    const used = this.#arena.adoptRegion(given, live, firstId);
    this.#pool += (unitsIn(this.#arena) - before) * kMinAllocationSize;
    this.#peakPool = Math.max(this.#peakPool, this.#pool);
    return used;
  }

  /**
   * Frees all regions whose chunks are all free and returns true. Does nothing and returns false if there is none, or if the limit would
   * still not allow a region of `bytes` bytes.
   */
  deallocateFreeRegions(bytes: number): boolean {
    const free = this.#freeRegions();
    const freeBytes = free.reduce((sum, region) => sum + region.units * kMinAllocationSize, 0);
    if (freeBytes === 0 || bytes > this.limit - this.#pool + freeBytes) return false;
    this.#giveBackAll(free);
    return true;
  }

  /**
   * Frees all pieces of free memory that begin and end at multiples of `grainBytes` in their memory, also in the middle of a region.
   * Returns the number of bytes freed. The sub-allocator must accept such pieces (see SubAllocator.pieceBytes).
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

  /** Frees a region and returns true if all its chunks are free; otherwise returns false. */
  deallocateIfFree(region: BfcRegion): boolean {
    if (!this.#arena.isFree(region)) return false;
    this.#giveBack(region);
    return true;
  }

  /** Frees all regions, in use or not. */
  deallocateAllRegions(): void {
    this.#giveBackAll(this.#arena.regions.all.slice());
  }

  /** Returns the regions whose chunks are all free. */
  #freeRegions(): BfcRegion[] {
    return this.#arena.regions.all.filter((region) => this.#arena.isFree(region));
  }

  /** Frees regions. If the sub-allocator throws for one, the others are still freed and the first error is thrown at the end. */
  #giveBackAll(regions: readonly BfcRegion[]): void {
    disposeAll(regions.map((region) => ({ dispose: () => this.#giveBack(region) })));
  }

  #giveBack(region: BfcRegion): void {
    this.#arena.removeRegion(region);
    this.#pool -= region.units * kMinAllocationSize;
    this.subAllocator.free(region.pointer, region.bytesReceived);
  }

  /** Takes a region of `wanted` bytes, or a shorter one of at least `least` bytes. Returns null if there is none. */
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

/** Returns the length of all regions in units. */
function unitsIn(arena: BfcArena): number {
  return arena.regions.all.reduce((sum, region) => sum + region.units, 0);
}
