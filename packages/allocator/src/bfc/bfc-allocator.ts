/**
 * BFCAllocator: best fit with coalescing (tsl/framework/bfc_allocator.cc), the arena under most of TensorFlow's tensors.
 *
 * It takes large regions from a SubAllocator and cuts them into chunks, multiples of 256 bytes. A request gets the smallest free
 * chunk that fits, at the lowest address; a free joins the chunk with its free neighbours. When nothing fits, the arena
 * grows: by 2 MiB, then twice that, and so on up to its limit.
 *
 *     allocateRaw -> find -> grow, find -> join stamped chunks, find -> empty the quarantine, find
 *                 -> give free regions back, grow, find -> onExhausted, all of it again -> null
 *
 * The books are in typed arrays (bfc-chunks.ts and its neighbours), and a call makes no garbage but the Pointer it returns. What
 * TensorFlow does with threads and locks is not here: an arena belongs to one thread.
 */
import {
  checkArray,
  checkInteger,
  checkObject,
  FailedPreconditionError,
  InvalidArgumentError,
  ResourceExhaustedError,
  shownValue,
} from "@onebuffer/base";
import type { AllocationAttributes } from "../allocator/allocation-attributes.ts";
import type { AllocatorMemoryType } from "../allocator/allocator.ts";
import { Allocator, checkAllocationRequest } from "../allocator/allocator.ts";
import { AllocatorStats } from "../allocator/allocator-stats.ts";
import type { AdoptedAllocation } from "./bfc-chunk-list.ts";
import { BfcArena } from "./bfc-chunk-list.ts";
import type { BinDebugInfo } from "./bfc-bins.ts";
import { binNumForSize, kMinAllocationSize, kNumBins, roundedBytes } from "./bfc-bins.ts";
import { kFree, kQuarantined, kSize } from "./bfc-chunks.ts";
import { BfcGrowth } from "./bfc-growth.ts";
import type { WriteAfterFree } from "./bfc-quarantine.ts";
import { BfcQuarantine, kPoisonByte } from "./bfc-quarantine.ts";
import { binDebugInfo, exhaustionReport, memoryDump, renderOccupancy } from "./bfc-report.ts";
import { BfcWarmChunks } from "./bfc-warm-chunks.ts";
import type { BFCAllocatorOptions } from "./bfc-options.ts";
import { checkedBFCOptions, kMaxWaste } from "./bfc-options.ts";
import type { TimingCounter } from "./bfc-stamped-chunks.ts";
import { BfcStampedChunks } from "./bfc-stamped-chunks.ts";
import type { MemoryDump } from "./memory-dump.ts";
import type { Pointer } from "../allocator/pointer.ts";
import type { SubAllocator } from "../allocator/sub-allocator.ts";
import { checkPointer } from "../refs/allocator-check.ts";

/** Places in the figures. */
const kNumAllocs = 0;
const kBytesInUse = 1;
const kPeakBytesInUse = 2;
const kLargestAllocSize = 3;
const kNextAllocationId = 4;

// The module's own, to be folded into its code: see bfc-free-tree.ts.
const SIZE = kSize;
const kUnit = kMinAllocationSize;

/**
 * An arena that does not double its regions cuts a free chunk when a 32nd of the request or more would be left over. TensorFlow hands
 * out up to twice what is asked for, which its growing regions hide and a fixed limit does not.
 */
const kWasteShift = 5;

/**
 * An arena over `subAllocator` of at most `totalMemory` bytes. No memory is taken before the first allocation.
 *
 * Everything it hands out starts at a multiple of 256. Memory is uninitialized. An allocator that is disposed gives every
 * region back, whatever is still in use.
 *
 * @example
 * const arena = new BFCAllocator(new LinearMemorySubAllocator(), 16 * 1024 * 1024, "arena");
 * const pointer = arena.allocateRaw(64, 1000);
 * [arena.getStats().bytesInUse, arena.getStats().poolBytes]; // => [1024, 2 * 1024 * 1024]
 * if (pointer !== null) arena.deallocateRaw(pointer);
 * arena.deallocateRaw(pointer); // throws FAILED_PRECONDITION
 * arena.dispose();
 */
export class BFCAllocator extends Allocator {
  /** The grain of chunks: 256 bytes. */
  static readonly kMinAllocationSize: number = kMinAllocationSize;
  /** The number of bins: 21. */
  static readonly kNumBins: number = kNumBins;
  /** Every byte of freed memory in checked mode. */
  static readonly kPoisonByte: number = kPoisonByte;

  /** The allocator's name. */
  override readonly name: string;
  readonly #books: BfcArena = new BfcArena();
  readonly #warm: BfcWarmChunks = new BfcWarmChunks(this.#books);
  readonly #stamped: BfcStampedChunks = new BfcStampedChunks(this.#books);
  readonly #growth: BfcGrowth;
  readonly #quarantine: BfcQuarantine | null;
  readonly #onWriteAfterFree: ((write: WriteAfterFree) => void) | null;
  readonly #onExhausted: ((numBytes: number) => boolean) | null;
  readonly #onReport: (() => string) | null;
  readonly #garbageCollection: boolean;
  readonly #cutsClosely: boolean;
  readonly #maxWaste: number;
  #timingCounter: TimingCounter | null = null;
  /** Doubles, so that a count beyond 2^31 changes no field's kind. */
  readonly #figures: Float64Array = new Float64Array(5);
  #isDisposed: boolean = false;
  #isAsking: boolean = false;

  /** Throws INVALID_ARGUMENT for a limit, fraction or quarantine that is no size. */
  constructor(subAllocator: SubAllocator, totalMemory: number, name: string, options: BFCAllocatorOptions = {}) {
    super();
    checkObject(subAllocator, "a SubAllocator");
    const { fraction, checked, quarantineBytes } = checkedBFCOptions(options);
    this.name = name;
    this.#cutsClosely = options.doubleRegions === false;
    this.#growth = new BfcGrowth(this.#books, subAllocator, totalMemory, options.allowGrowth ?? true, !this.#cutsClosely);
    this.#quarantine = checked === null ? null : new BfcQuarantine(this.#books, quarantineBytes);
    this.#onWriteAfterFree = checked?.onWriteAfterFree ?? null;
    this.#onExhausted = (options.allowRetryOnFailure ?? true) ? (options.onExhausted ?? null) : null;
    this.#onReport = options.onReport ?? null;
    this.#garbageCollection = options.garbageCollection ?? false;
    // In units, at least one: a waste of nothing must not cut off a chunk of nothing, as it would in TensorFlow.
    const waste = fraction > 0 ? Math.trunc(fraction * totalMemory) : kMaxWaste;
    this.#maxWaste = Math.max(1, Math.ceil(waste / kUnit));
    this.#figures[kNextAllocationId] = 1;
  }

  /** A size rounded up to the grain of chunks; 0 stays 0. Throws INVALID_ARGUMENT for what is no size. */
  static roundedBytes(numBytes: number): number {
    return roundedBytes(numBytes);
  }

  /** The bin a size falls into. Throws INVALID_ARGUMENT for what is no size. */
  static binNumForSize(numBytes: number): number {
    return binNumForSize(numBytes);
  }

  /**
   * `numBytes` bytes at a multiple of 256, or null: for 0 bytes, and when there is no room.
   *
   * Quirk: TensorFlow ignores `alignment`, however large. Here one above 256, which would not be kept, is INVALID_ARGUMENT, as
   * are no power of two and no size. Throws FAILED_PRECONDITION after `dispose`, and in checked mode for a write after free.
   */
  override allocateRaw(alignment: number, numBytes: number, attributes?: AllocationAttributes): Pointer | null {
    checkAllocationRequest(alignment, numBytes);
    if (alignment > kUnit) this.#refuseAlignment(alignment);
    if (this.#isDisposed) this.#refuseDisposed();
    if (numBytes === 0) return null;
    let chunk = this.#allocate(numBytes, attributes);
    if (chunk === 0 && this.#mayRetry(numBytes, attributes)) chunk = this.#allocate(numBytes, attributes);
    return chunk === 0 ? null : this.#books.pointerTo(chunk);
  }

  /**
   * Frees what `pointer`, or a copy of it, was handed out for; null is ignored. Throws, changing nothing, INVALID_ARGUMENT for a
   * pointer that is no start of an allocation (Quirk: TensorFlow accepts any in its first 256 bytes), FAILED_PRECONDITION
   * where nothing is allocated now. A second free is noticed unless the bytes were handed out again in between; checked mode
   * puts that off.
   */
  override deallocateRaw(pointer: Pointer | null, _alignment?: number, _numBytes?: number): void {
    if (pointer === null) return;
    if (this.#isDisposed) this.#refuseDisposed();
    const books = this.#books;
    const warm = this.#warm;
    let chunk = books.chunkIfAt(pointer);
    // Refused with books that are up to date.
    if (chunk === 0 || warm.has(chunk)) chunk = this.#arena.chunkAt(pointer);
    this.#figures[kBytesInUse]! -= books.chunks.words[chunk + SIZE]! * kUnit;
    if (this.#quarantine === null && this.#timingCounter === null && warm.keep(chunk)) return;
    warm.end();
    if (this.#quarantine !== null) this.#hold(chunk, this.#quarantine);
    else {
      books.retire(chunk, kFree);
      this.#makeFree(chunk);
    }
  }

  /** True. */
  override tracksAllocationSizes(): boolean {
    return true;
  }

  /** The bytes asked for at `pointer`. Throws as `deallocateRaw` does. */
  override requestedSize(pointer: Pointer): number {
    return this.#arena.chunks.requestedSize(this.#arena.chunkAt(pointer));
  }

  /** The bytes of the chunk at `pointer`. Throws as `deallocateRaw` does. */
  override allocatedSize(pointer: Pointer): number {
    return this.#arena.chunks.words[this.#arena.chunkAt(pointer) + SIZE]! * kUnit;
  }

  /** The number of the allocation at `pointer`, from 1 up, never given twice. Throws as `deallocateRaw` does. */
  override allocationId(pointer: Pointer): number {
    return this.#arena.chunks.allocationId(this.#arena.chunkAt(pointer));
  }

  /** A snapshot of the figures; limit and pool sizes are filled in, the other optional ones are not, as in TensorFlow. */
  override getStats(): AllocatorStats {
    const figures = this.#figures;
    const stats = new AllocatorStats();
    stats.numAllocs = figures[kNumAllocs]!;
    stats.bytesInUse = figures[kBytesInUse]!;
    stats.peakBytesInUse = figures[kPeakBytesInUse]!;
    stats.largestAllocSize = figures[kLargestAllocSize]!;
    stats.bytesLimit = this.#growth.limit;
    stats.poolBytes = this.#growth.poolBytes;
    stats.peakPoolBytes = this.#growth.peakPoolBytes;
    return stats;
  }

  /** Sets the number of allocations and the largest one to 0, the peak to what is in use. True. */
  override clearStats(): boolean {
    const figures = this.#figures;
    figures[kNumAllocs] = 0;
    figures[kPeakBytesInUse] = figures[kBytesInUse]!;
    figures[kLargestAllocSize] = 0;
    return true;
  }

  /** The sub-allocator's kind of memory. */
  override getMemoryType(): AllocatorMemoryType {
    return this.#growth.subAllocator.getMemoryType();
  }

  /** From now on freed chunks are stamped by `counter` and joined only once the safe frontier has passed them; null ends that. */
  setTimingCounter(counter: TimingCounter | null): void {
    this.#warm.end();
    this.#timingCounter = counter;
  }

  /** Chunks stamped before `count` may be joined from now on. It never moves back. */
  override setSafeFrontier(count: number): void {
    this.#stamped.setSafeFrontier(count);
  }

  /** What the next region will be at least, in bytes: TensorFlow's curr_region_allocation_bytes_. */
  get currRegionAllocationBytes(): number {
    return this.#growth.currRegionAllocationBytes;
  }

  /** The largest free chunk in bytes. */
  largestFreeChunk(): number {
    return this.#arena.largestFree * kUnit;
  }

  /**
   * The part of the free bytes that is not in the largest free chunk: 0 unfragmented, towards 1 in many pieces. Quirk: with
   * nothing free TensorFlow divides 0 by 0; here that is 0.
   */
  fragmentation(): number {
    const free = this.freeBytes;
    return free === 0 ? 0 : (free - this.largestFreeChunk()) / free;
  }

  /** Bytes taken from the sub-allocator and not handed out. */
  get freeBytes(): number {
    return this.#growth.poolBytes - this.#figures[kBytesInUse]!;
  }

  /** Figures per bin, chunks in use and free ones by the bin of their size (TF's get_bin_debug_info). */
  binDebugInfo(): BinDebugInfo[] {
    return binDebugInfo(this.#arena);
  }

  /** All regions end to end in 100 characters: `_` free, `*` asked for, `x` padding inside chunks in use. */
  renderOccupancy(): string {
    return renderOccupancy(this.#arena);
  }

  /** A snapshot of every chunk and figure. */
  recordMemoryMap(): MemoryDump {
    return memoryDump(this.#arena, this.name, this.getStats(), this.fragmentation());
  }

  /** The regions as `[address, size]` in bytes, in order. */
  regions(): [address: number, size: number][] {
    return this.#arena.regions.all.map(({ start, units }) => [start * kUnit, units * kUnit]);
  }

  /** Why there is no room (for `numBytes`): figures, bins and a picture, some lines of text. */
  override exhaustionReport(numBytes: number | null = null): string {
    const ending = this.#onReport?.() ?? "";
    return exhaustionReport(this.#arena, this.name, this.getStats(), numBytes) + (ending === "" ? "" : `\n${ending}`);
  }

  /**
   * Takes over a region of the sub-allocator that another allocator had taken and can no longer serve, with what is still in
   * use there; all else of it is free. From then on everything is as if this allocator had taken the region and handed those bytes
   * out itself, but that it is no part of a region that it touches. It may go beyond the limit: the bytes are taken already.
   *
   * Throws, changing nothing, INVALID_ARGUMENT when an allocation does not start at a multiple of 256, does not lie in the
   * region, or two of them overlap, INTERNAL when the region overlaps one that is here, RESOURCE_EXHAUSTED when the engine has no memory
   * for the books, FAILED_PRECONDITION after `dispose`.
   */
  adoptRegion(pointer: Pointer, numBytes: number, live: readonly AdoptedAllocation[]): void {
    if (this.#isDisposed) this.#refuseDisposed();
    checkPointer(pointer);
    checkInteger(numBytes, "a number of bytes");
    checkArray(live, "an array of allocations");
    for (const each of live) checkObject(each, "an allocation");
    const figures = this.#figures;
    const sorted = live.slice().sort((a, b) => a.byteOffset - b.byteOffset);
    let top = Math.ceil(pointer.byteOffset / kUnit) * kUnit;
    const end = pointer.byteOffset + numBytes;
    for (const { byteOffset, bytes } of sorted) {
      if (
        !(
          byteOffset >= top &&
          byteOffset % kUnit === 0 &&
          Number.isSafeInteger(bytes) &&
          bytes > 0 &&
          byteOffset + roundedBytes(bytes) <= end
        )
      )
        throw new InvalidArgumentError(
          `an allocation of ${bytes} bytes at offset ${byteOffset} is none of a region of ${numBytes} bytes at ${pointer.byteOffset}, taken up to ${top}`,
        );
      top = byteOffset + roundedBytes(bytes);
    }
    const id = figures[kNextAllocationId]!;
    this.#warm.end();
    const units = this.#growth.adopt({ pointer, bytesReceived: numBytes }, sorted, id);
    if (units < 0)
      throw new ResourceExhaustedError(`allocator "${this.name}" cannot enter a region of ${numBytes} bytes at ${pointer.byteOffset}`);
    figures[kNextAllocationId] = id + sorted.length;
    figures[kBytesInUse] = figures[kBytesInUse]! + units * kUnit;
    if (figures[kBytesInUse]! > figures[kPeakBytesInUse]!) figures[kPeakBytesInUse] = figures[kBytesInUse]!;
  }

  /**
   * Gives the region that holds the byte at `pointer` back if no chunk of it is in use, whatever the options say. False when one
   * is; true also when there is no such region (any more).
   */
  deallocateRegionIfFree(pointer: Pointer): boolean {
    this.#warm.end();
    const region = this.#isDisposed ? null : this.#books.regions.containing(pointer);
    return region === null || this.#growth.deallocateIfFree(region);
  }

  /**
   * Gives every region without a chunk in use back to the sub-allocator, if that could make room for `numBytes`. Does nothing
   * unless the option `garbageCollection` is set. Whether anything was given back.
   */
  deallocateFreeRegions(numBytes: number = 0): boolean {
    const bytes = roundedBytes(numBytes);
    this.#warm.end();
    return this.#garbageCollection && !this.#isDisposed && this.#growth.deallocateFreeRegions(bytes);
  }

  /**
   * Gives back all free memory that begins and ends at a multiple of `grainBytes`, also out of regions with chunks in use, to a
   * sub-allocator that takes such pieces: how many bytes. TensorFlow gives back whole regions only. Throws INVALID_ARGUMENT for a
   * grain that is no multiple of 256.
   */
  deallocateFreePieces(grainBytes: number): number {
    if (!(typeof grainBytes === "number" && grainBytes >= kUnit && Number.isSafeInteger(grainBytes / kUnit)))
      throw new InvalidArgumentError(`pieces are multiples of ${kUnit} bytes, got ${shownValue(grainBytes)}`);
    this.#warm.end();
    return this.#isDisposed ? 0 : this.#growth.deallocateFreePieces(grainBytes);
  }

  /**
   * Lets everything out of the quarantine of checked mode, after looking for writes to it. Throws FAILED_PRECONDITION for the
   * first write found, unless there is a callback for them.
   */
  flushQuarantine(): void {
    if (this.#quarantine !== null && !this.#isDisposed) this.#letOut(this.#quarantine, true);
  }

  /** Gives all regions back, whatever is in use; every later call for memory throws FAILED_PRECONDITION. Twice is once. */
  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#figures[kBytesInUse] = 0;
    this.#warm.end();
    this.#growth.deallocateAllRegions();
  }

  /** The same, for `using`. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  /** The chunks as everybody may see them. */
  get #arena(): BfcArena {
    this.#warm.settle();
    return this.#books;
  }

  /** One round of trying: a chunk in use, or 0. Nearly always there is one that fits, and nothing else to be heeded. */
  #allocate(numBytes: number, attributes: AllocationAttributes | undefined): number {
    if (attributes !== undefined || !this.#stamped.isEmpty) return this.#allocateHarder(numBytes, attributes);
    const warm = this.#warm;
    const units = Math.ceil(numBytes / kUnit);
    const again = warm.take(units);
    if (again !== 0) return this.#count(again, numBytes);
    const arena = this.#arena;
    const found = arena.canUse() ? arena.find(units, 0) : 0;
    if (found === 0) return this.#allocateHarder(numBytes, attributes);
    const chunk = this.#handOut(found, units, 0, numBytes);
    warm.noteUsed(chunk);
    return chunk;
  }

  /** The whole of a round. */
  #allocateHarder(numBytes: number, attributes: AllocationAttributes | undefined): number {
    const arena = this.#books;
    this.#warm.end();
    const freedByFunc = attributes?.freedByFunc ?? null;
    const freedBefore = freedByFunc === null ? 0 : freedByFunc();
    if (!arena.canUse()) return 0;
    const bytes = Math.ceil(numBytes / kUnit) * kUnit;
    const units = bytes / kUnit;
    if (!this.#stamped.isEmpty) this.#stamped.mergeSafe();
    let chunk = arena.find(units, freedBefore);
    if (chunk === 0 && this.#growth.extend(bytes)) chunk = arena.find(units, freedBefore);
    if (chunk === 0 && freedBefore === 0 && !this.#stamped.isEmpty && this.#stamped.mergeUntil(units)) chunk = arena.find(units, 0);
    if (chunk === 0 && this.#quarantine !== null && !this.#quarantine.isEmpty) {
      this.#letOut(this.#quarantine, true);
      chunk = arena.find(units, freedBefore);
    }
    if (chunk === 0 && this.#garbageCollection && this.#growth.deallocateFreeRegions(bytes) && this.#growth.extend(bytes))
      chunk = arena.find(units, freedBefore);
    return chunk === 0 ? 0 : this.#handOut(chunk, units, freedBefore, numBytes);
  }

  /** Cuts a free chunk to size and hands it out. */
  #handOut(found: number, units: number, freedBefore: number, numBytes: number): number {
    const leastRest = this.#cutsClosely ? (units >>> kWasteShift) + 1 : Math.min(units, this.#maxWaste);
    return this.#count(this.#books.use(found, units, freedBefore, leastRest), numBytes);
  }

  /** Writes down that a chunk was handed out, and what for. */
  #count(chunk: number, numBytes: number): number {
    const { chunks } = this.#books;
    const figures = this.#figures;
    const id = figures[kNextAllocationId]!;
    figures[kNextAllocationId] = id + 1;
    chunks.use(chunk, numBytes, id);
    const bytes = chunks.words[chunk + SIZE]! * kUnit;
    const inUse = figures[kBytesInUse]! + bytes;
    figures[kNumAllocs] = figures[kNumAllocs]! + 1;
    figures[kBytesInUse] = inUse;
    if (inUse > figures[kPeakBytesInUse]!) figures[kPeakBytesInUse] = inUse;
    if (bytes > figures[kLargestAllocSize]!) figures[kLargestAllocSize] = bytes;
    return chunk;
  }

  /** Whether somebody freed memory for an allocation that may be tried again. What they allocate themselves is not. */
  #mayRetry(numBytes: number, attributes: AllocationAttributes | undefined): boolean {
    if (this.#onExhausted === null || this.#isAsking || attributes?.retryOnFailure === false) return false;
    this.#isAsking = true;
    try {
      return this.#onExhausted(numBytes) && !this.#isDisposed;
    } finally {
      this.#isAsking = false;
    }
  }

  /** Puts a retired chunk among the free ones, stamped if there is a timing counter. */
  #makeFree(chunk: number): void {
    if (this.#timingCounter === null) this.#books.release(chunk);
    else {
      this.#books.releaseStamped(chunk, this.#timingCounter.next());
      this.#stamped.push(chunk);
    }
  }

  /** Freeing in checked mode. */
  #hold(chunk: number, quarantine: BfcQuarantine): void {
    this.#books.retire(chunk, kQuarantined);
    quarantine.add(chunk);
    this.#letOut(quarantine, false);
  }

  /** Frees what leaves the quarantine, everything or what is too much, and tells of the writes found. */
  #letOut(quarantine: BfcQuarantine, everything: boolean): void {
    let first: WriteAfterFree | null = null;
    const found: WriteAfterFree[] = [];
    while (everything ? !quarantine.isEmpty : quarantine.isOverfull) {
      const chunk = quarantine.shift();
      const write = quarantine.inspect(chunk);
      this.#makeFree(chunk);
      if (write !== null) {
        first ??= write;
        found.push(write);
      }
    }
    if (first === null) return;
    if (this.#onWriteAfterFree !== null) found.forEach(this.#onWriteAfterFree);
    else
      throw new FailedPreconditionError(
        `offset ${first.byteOffset} was written after it was freed: it belonged to allocation ${first.allocationId} of ${first.requestedSize} bytes at offset ${first.allocationOffset} (${found.length} such allocations found)`,
      );
  }

  #refuseAlignment(alignment: number): never {
    throw new InvalidArgumentError(`allocator "${this.name}" aligns to ${kUnit} bytes, not to ${alignment}`);
  }

  #refuseDisposed(): never {
    throw new FailedPreconditionError(`allocator "${this.name}" was disposed`);
  }
}
