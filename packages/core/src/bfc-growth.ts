/**
 * BfcGrowth: how an arena takes regions and gives them back (Extend and DeallocateFreeRegions in
 * tsl/framework/bfc_allocator.cc).
 *
 * Each region is twice as long as the one before, the first 2 MiB, all together at most the limit. When the sub-allocator has no
 * region of that length, shorter ones are tried, each nine tenths of the last, down to what is needed.
 */
import { InvalidArgumentError, shownValue } from "@onebuffer/base";
import type { AdoptedAllocation, BfcArena } from "./bfc-arena.ts";
import { kMinAllocationSize, roundedBytes } from "./bfc-bins.ts";
import { kAddr, kFree, kRegion, kSize, kState } from "./bfc-chunks.ts";
import type { BfcRegion } from "./bfc-region.ts";
import { disposeAll } from "./dispose-all.ts";
import type { SubAllocation, SubAllocator } from "./sub-allocator.ts";

const kFirstRegionBytes = 2 * 1048576;
/** 0.9f: TensorFlow multiplies in single precision. */
const kBackpedalFactor = Math.fround(0.9);

/** The regions an arena has, and may have. */
export class BfcGrowth {
  /** Where the regions come from. */
  readonly subAllocator: SubAllocator;
  /** The most bytes the arena may take. */
  readonly limit: number;
  private readonly arena: BfcArena;
  private readonly firstRegionBytes: number;
  private readonly doubles: boolean;
  private regionBytes: number;
  private pool: number = 0;
  private peakPool: number = 0;

  /** Throws INVALID_ARGUMENT for a limit that is no size. */
  constructor(arena: BfcArena, subAllocator: SubAllocator, totalMemory: number, allowGrowth: boolean, doubles: boolean) {
    if (!Number.isSafeInteger(totalMemory) || totalMemory < 0)
      throw new InvalidArgumentError(`total memory must be an integer in [0, 2^53), got ${shownValue(totalMemory)}`);
    this.arena = arena;
    this.subAllocator = subAllocator;
    this.limit = totalMemory;
    this.firstRegionBytes = roundedBytes(allowGrowth ? Math.min(totalMemory, kFirstRegionBytes) : totalMemory);
    this.regionBytes = this.firstRegionBytes;
    this.doubles = doubles;
  }

  /** Bytes taken from the sub-allocator, in use or not. */
  get poolBytes(): number {
    return this.pool;
  }

  /** The highest `poolBytes` there was. */
  get peakPoolBytes(): number {
    return this.peakPool;
  }

  /** What the next region will be at least. */
  get currRegionAllocationBytes(): number {
    return this.regionBytes;
  }

  /** Takes a region of at least `bytes`, a multiple of 256, if there may be one and there is one. Whether it did. */
  extend(bytes: number): boolean {
    const available = Math.floor((this.limit - this.pool) / kMinAllocationSize) * kMinAllocationSize;
    if (bytes > available) return false;
    let doubled = false;
    while (bytes > this.regionBytes) {
      this.regionBytes *= 2;
      doubled = true;
    }
    const given = this.takeRegion(Math.min(this.regionBytes, available), bytes);
    if (!this.doubles) this.regionBytes = this.firstRegionBytes;
    if (given === null) return false;
    if (!doubled && this.doubles) this.regionBytes *= 2;
    const { arena, subAllocator } = this;
    const before = unitsIn(arena);
    if (!arena.addRegion(given, subAllocator.supportsCoalescing())) {
      subAllocator.free(given.pointer, given.bytesReceived);
      return false;
    }
    this.pool += (unitsIn(arena) - before) * kMinAllocationSize;
    this.peakPool = Math.max(this.peakPool, this.pool);
    return true;
  }

  /**
   * Enters a region that was taken by somebody else, with what is allocated in it; it may go beyond the limit, for the bytes are
   * taken already. The units in use, or -1 (see BfcArena).
   */
  adopt(given: SubAllocation, live: readonly AdoptedAllocation[], firstId: number): number {
    const before = unitsIn(this.arena);
    const used = this.arena.adoptRegion(given, live, firstId);
    this.pool += (unitsIn(this.arena) - before) * kMinAllocationSize;
    this.peakPool = Math.max(this.peakPool, this.pool);
    return used;
  }

  /**
   * Gives back every region whose chunks are all free, if there is one and the limit then allows a region of `bytes`. Whether it
   * did.
   */
  deallocateFreeRegions(bytes: number): boolean {
    const free = this.arena.regions.all.filter((region) => this.arena.isFree(region));
    const freeBytes = free.reduce((sum, region) => sum + region.units * kMinAllocationSize, 0);
    if (freeBytes === 0 || bytes > this.limit - this.pool + freeBytes) return false;
    this.giveBackAll(free);
    return true;
  }

  /**
   * Gives back every free piece of memory that begins and ends at a multiple of `grainBytes` in its memory, out of the middle of a
   * region, too: how many bytes. The sub-allocator must take such pieces one by one.
   */
  deallocateFreePieces(grainBytes: number): number {
    const { arena, subAllocator } = this;
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
      this.pool -= numBytes;
      bytes += numBytes;
      subAllocator.free(pointer, numBytes);
    }
    return bytes;
  }

  /** Gives one region back if all its chunks are free. Whether it did. */
  deallocateIfFree(region: BfcRegion): boolean {
    if (!this.arena.isFree(region)) return false;
    this.giveBack(region);
    return true;
  }

  /** Gives every region back, in use or not. */
  deallocateAllRegions(): void {
    this.giveBackAll(this.arena.regions.all.slice());
  }

  /** One region that the sub-allocator fails to take does not spare the others; the first error is thrown at the end. */
  private giveBackAll(regions: readonly BfcRegion[]): void {
    disposeAll(regions.map((region) => ({ dispose: () => this.giveBack(region) })));
  }

  private giveBack(region: BfcRegion): void {
    this.arena.removeRegion(region);
    this.pool -= region.units * kMinAllocationSize;
    this.subAllocator.free(region.pointer, region.bytesReceived);
  }

  /** A region of `wanted` bytes, or as near to it as there is, but not below `least`; null when there is none. */
  private takeRegion(wanted: number, least: number): SubAllocation | null {
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
