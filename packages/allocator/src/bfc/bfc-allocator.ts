/**
 * BFCAllocator: best fit with coalescing (tsl/framework/bfc_allocator.cc), the allocator of most of TensorFlow's tensors.
 *
 * It takes large regions from a SubAllocator and splits them into chunks, multiples of 256 bytes. A request gets the smallest free
 * chunk that fits, at the lowest address. Freeing a chunk merges it with its free neighbors. If no chunk fits, the arena
 * grows: by 2 MiB, then by twice that, and so on up to its limit.
 *
 *     allocateRaw -> find -> grow, find -> merge stamped chunks, find -> empty the quarantine, find
 *                 -> free unused regions, grow, find -> onExhausted, all of it again -> null
 *
 * The state is in typed arrays (bfc-chunks.ts, bfc-free-tree.ts, bfc-handle-table.ts), so a call creates no object but the Pointer that
 * it returns. An arena is used by one thread only, so TensorFlow's locks are not needed.
 */
import { argumentError, checkInteger, checkNumber, checkObject, shownValue } from "@onebuffer/base/internal";
import { FailedPreconditionError, InvalidArgumentError, ResourceExhaustedError } from "@onebuffer/base";
import type { AllocationAttributes } from "../allocator/allocation-attributes.ts";
import type { AllocatorMemoryType } from "../allocator/allocator.ts";
import { Allocator, checkAllocationRequest } from "../allocator/allocator.ts";
import { AllocatorStats } from "../allocator/allocator-stats.ts";
import { sortedAllocations } from "./adopted-allocations.ts";
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
import type { BfcStampedChunks } from "./bfc-stamped-chunks.ts";
import type { SharedCounter } from "./shared-counter.ts";
import type { MemoryDump } from "./memory-dump.ts";
import type { Pointer } from "../allocator/pointer.ts";
import type { SubAllocator } from "../allocator/sub-allocator.ts";
import { checkPointer } from "../refs/allocator-check.ts";

/** Indices into the statistics. */
const kNumAllocs = 0;
const kBytesInUse = 1;
const kPeakBytesInUse = 2;
const kLargestAllocSize = 3;
const kNextAllocationId = 4;

// Local copies of imported constants, which engines inline: see bfc-free-tree.ts.
const SIZE = kSize;
const kUnit = kMinAllocationSize;

/**
 * An arena that does not double its regions splits a free chunk if a 32nd (2^-5) of the request or more would be left. TensorFlow splits
 * only above twice the request: regions that double have room for that waste, an arena with a fixed limit does not.
 */
const kWasteShift = 5;

/**
 * An arena of at most `totalMemory` bytes, which it takes from `subAllocator`. It takes no memory before the first allocation.
 *
 * All pointers are multiples of 256. The memory is uninitialized. `dispose` frees all regions, even if some of their memory is still
 * in use.
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
  /** The granularity of chunks: 256 bytes. */
  static readonly kMinAllocationSize: number = kMinAllocationSize;
  /** The number of bins: 21. */
  static readonly kNumBins: number = kNumBins;
  /** The value of every byte of freed memory in checked mode. */
  static readonly kPoisonByte: number = kPoisonByte;

  /** The name of the allocator. */
  override readonly name: string;
  readonly #unsettledArena: BfcArena = new BfcArena();
  readonly #warm: BfcWarmChunks = new BfcWarmChunks(this.#unsettledArena);
  /** Chunks with stamps; null until there is a timing counter. */
  #stamped: BfcStampedChunks | null = null;
  readonly #growth: BfcGrowth;
  readonly #quarantine: BfcQuarantine | null;
  readonly #onWriteAfterFree: ((write: WriteAfterFree) => void) | null;
  readonly #onExhausted: ((numBytes: number) => boolean) | null;
  readonly #onReport: (() => string) | null;
  readonly #garbageCollection: boolean;
  readonly #cutsClosely: boolean;
  readonly #maxWaste: number;
  #timingCounter: SharedCounter | null = null;
  #safeFrontier = 0;
  /** In a Float64Array, because a field with a count of 2^31 or more may need a heap object. */
  readonly #counters: Float64Array = new Float64Array(5);
  #isDisposed: boolean = false;
  #inOnExhausted: boolean = false;

  /** Throws INVALID_ARGUMENT if `subAllocator` is not an object, or `totalMemory` or an option is out of its range. */
  constructor(subAllocator: SubAllocator, totalMemory: number, name: string, options: BFCAllocatorOptions = {}) {
    super();
    checkObject(subAllocator, "a SubAllocator");
    const { fraction, checked, quarantineBytes } = checkedBFCOptions(options);
    this.name = name;
    this.#cutsClosely = options.doubleRegions === false;
    this.#growth = new BfcGrowth(this.#unsettledArena, subAllocator, totalMemory, options.allowGrowth ?? true, !this.#cutsClosely);
    this.#quarantine = checked === null ? null : new BfcQuarantine(this.#unsettledArena, quarantineBytes);
    this.#onWriteAfterFree = checked?.onWriteAfterFree ?? null;
    this.#onExhausted = (options.allowRetryOnFailure ?? true) ? (options.onExhausted ?? null) : null;
    this.#onReport = options.onReport ?? null;
    this.#garbageCollection = options.garbageCollection ?? false;
    // In units, at least one: with a waste of 0, as in TensorFlow, an exact fit would be split off a chunk of 0 bytes.
    const waste = fraction > 0 ? Math.trunc(fraction * totalMemory) : kMaxWaste;
    this.#maxWaste = Math.max(1, Math.ceil(waste / kUnit));
    this.#counters[kNextAllocationId] = 1;
  }

  /** Returns a size rounded up to a multiple of 256. Throws INVALID_ARGUMENT if it is not an integer from 0 to 2^53 - 1. */
  static roundedBytes(numBytes: number): number {
    return roundedBytes(numBytes);
  }

  /** Returns the bin of a size. Throws INVALID_ARGUMENT if it is not an integer from 0 to 2^53 - 1. */
  static binNumForSize(numBytes: number): number {
    return binNumForSize(numBytes);
  }

  /**
   * Allocates `numBytes` bytes at a multiple of 256. Returns null for 0 bytes, and if there is no room. Throws INVALID_ARGUMENT for a bad
   * alignment or size, FAILED_PRECONDITION after `dispose`, and in checked mode FAILED_PRECONDITION if a write after free is found.
   * Quirk: TensorFlow ignores `alignment`; here an alignment above 256, which the pointer may not have, is INVALID_ARGUMENT.
   */
  override allocateRaw(alignment: number, numBytes: number, attributes?: AllocationAttributes): Pointer | null {
    checkAllocationRequest(alignment, numBytes);
    if (alignment > kUnit) this.#refuseAlignment(alignment);
    if (this.#isDisposed) this.#refuseDisposed();
    if (numBytes === 0) return null;
    let chunk = this.#allocate(numBytes, attributes);
    if (chunk === 0 && this.#mayRetry(numBytes, attributes)) chunk = this.#allocate(numBytes, attributes);
    return chunk === 0 ? null : this.#unsettledArena.pointerTo(chunk);
  }

  /**
   * Frees the allocation at `pointer`, which may be a copy; null is ignored. Throws, changing nothing, INVALID_ARGUMENT if the pointer
   * cannot be the start of an allocation (Quirk: TensorFlow accepts any pointer into its first 256 bytes), and FAILED_PRECONDITION
   * if nothing is allocated there. A double free is detected unless the bytes were allocated again in between; in checked mode
   * that happens later.
   */
  override deallocateRaw(pointer: Pointer | null, _alignment?: number, _numBytes?: number): void {
    if (pointer === null) return;
    if (this.#isDisposed) this.#refuseDisposed();
    const arena = this.#unsettledArena;
    const warm = this.#warm;
    let chunk = arena.chunkIfAt(pointer);
    // Reading `#arena` settles the warm chunks first, so that the error describes the actual state.
    if (chunk === 0 || warm.has(chunk)) chunk = this.#arena.chunkAt(pointer);
    this.#counters[kBytesInUse]! -= arena.chunks.words[chunk + SIZE]! * kUnit;
    if (this.#quarantine === null && this.#timingCounter === null && warm.keep(chunk)) return;
    warm.end();
    if (this.#quarantine !== null) this.#hold(chunk, this.#quarantine);
    else {
      arena.retire(chunk, kFree);
      this.#makeFree(chunk);
    }
  }

  /** True. */
  override tracksAllocationSizes(): boolean {
    return true;
  }

  /** Returns the bytes requested for `pointer`. Throws as `deallocateRaw` does. */
  override requestedSize(pointer: Pointer): number {
    return this.#arena.chunks.requestedSize(this.#arena.chunkAt(pointer));
  }

  /** Returns the bytes of the chunk at `pointer`. Throws as `deallocateRaw` does. */
  override allocatedSize(pointer: Pointer): number {
    return this.#arena.chunks.words[this.#arena.chunkAt(pointer) + SIZE]! * kUnit;
  }

  /** Returns the id of the allocation at `pointer`, from 1 up, never reused. Throws as `deallocateRaw` does. */
  override allocationId(pointer: Pointer): number {
    return this.#arena.chunks.allocationId(this.#arena.chunkAt(pointer));
  }

  /** Returns a snapshot of the statistics. As in TensorFlow, the limit and the pool sizes are set, the other optional fields are not. */
  override getStats(): AllocatorStats {
    const counters = this.#counters;
    const stats = new AllocatorStats();
    stats.numAllocs = counters[kNumAllocs]!;
    stats.bytesInUse = counters[kBytesInUse]!;
    stats.peakBytesInUse = counters[kPeakBytesInUse]!;
    stats.largestAllocSize = counters[kLargestAllocSize]!;
    stats.bytesLimit = this.#growth.limit;
    stats.poolBytes = this.#growth.poolBytes;
    stats.peakPoolBytes = this.#growth.peakPoolBytes;
    return stats;
  }

  /** Sets the number of allocations and the largest size to 0, and the peak to the bytes in use. Returns true. */
  override clearStats(): boolean {
    const counters = this.#counters;
    counters[kNumAllocs] = 0;
    counters[kPeakBytesInUse] = counters[kBytesInUse]!;
    counters[kLargestAllocSize] = 0;
    return true;
  }

  /** Returns the memory type of the sub-allocator. */
  override getMemoryType(): AllocatorMemoryType {
    return this.#growth.subAllocator.getMemoryType();
  }

  /** Sets the counter that stamps freed chunks, which are not merged until the safe frontier has passed their stamp. Null: no stamps. */
  setTimingCounter(counter: SharedCounter | null): void {
    this.#warm.end();
    if (counter !== null) this.#stamped ??= queueOf(counter, this.#unsettledArena, this.#safeFrontier);
    this.#timingCounter = counter;
  }

  /** Sets the safe frontier: chunks with stamps below `count` may be merged. It never moves back. */
  override setSafeFrontier(count: number): void {
    checkNumber(count, "a count");
    this.#safeFrontier = Math.max(this.#safeFrontier, count);
    this.#stamped?.setSafeFrontier(count);
  }

  /** The minimum size of the next region in bytes: TensorFlow's curr_region_allocation_bytes_. */
  get currRegionAllocationBytes(): number {
    return this.#growth.currRegionAllocationBytes;
  }

  /** Returns the size of the largest free chunk in bytes. */
  largestFreeChunk(): number {
    return this.#arena.largestFree * kUnit;
  }

  /**
   * Returns the fraction of the free bytes that is not in the largest free chunk: 0 for a single free chunk, close to 1 for many small
   * ones. Quirk: without free bytes TensorFlow divides 0 by 0; here the result is 0.
   */
  fragmentation(): number {
    const free = this.freeBytes;
    return free === 0 ? 0 : (free - this.largestFreeChunk()) / free;
  }

  /** The number of bytes taken from the sub-allocator and not allocated. */
  get freeBytes(): number {
    return this.#growth.poolBytes - this.#counters[kBytesInUse]!;
  }

  /** Returns the statistics of each bin. Every chunk, free or in use, counts in the bin of its size (TF's get_bin_debug_info). */
  binDebugInfo(): BinDebugInfo[] {
    return binDebugInfo(this.#arena);
  }

  /** Returns a picture of all regions, end to end, in 100 characters: `_` free, `*` requested bytes, `x` padding of chunks in use. */
  renderOccupancy(): string {
    return renderOccupancy(this.#arena);
  }

  /** Returns a snapshot of all chunks, bins and statistics. */
  recordMemoryMap(): MemoryDump {
    return memoryDump(this.#arena, this.name, this.getStats(), this.fragmentation());
  }

  /** Returns the regions as `[address, size]` in bytes, in order of address. */
  regions(): [address: number, size: number][] {
    return this.#arena.regions.all.map(({ start, units }) => [start * kUnit, units * kUnit]);
  }

  /** Returns text that explains why there is no room (for `numBytes`): the statistics, the bins and a picture. */
  override exhaustionReport(numBytes: number | null = null): string {
    const ending = this.#onReport?.() ?? "";
    return exhaustionReport(this.#arena, this.name, this.getStats(), numBytes) + (ending === "" ? "" : `\n${ending}`);
  }

  /**
   * Takes over a region that another allocator took from the sub-allocator and no longer serves. `live` lists its allocations; the rest
   * of it becomes free. Afterwards the region is like one of this allocator's own, except that it is not merged with adjacent
   * regions. The limit may be exceeded, because the bytes are already taken.
   *
   * Throws, changing nothing, INVALID_ARGUMENT if an allocation does not start at a multiple of 256, is not inside the region or overlaps
   * another one, INTERNAL if the region overlaps one of the arena, RESOURCE_EXHAUSTED if the region contains no whole chunk or the engine
   * has no memory for the tables, and FAILED_PRECONDITION after `dispose`.
   */
  adoptRegion(pointer: Pointer, numBytes: number, live: readonly AdoptedAllocation[]): void {
    if (this.#isDisposed) this.#refuseDisposed();
    checkPointer(pointer);
    checkInteger(numBytes, "a number of bytes");
    const counters = this.#counters;
    const sorted = sortedAllocations(pointer, numBytes, live);
    const id = counters[kNextAllocationId]!;
    this.#warm.end();
    const units = this.#growth.adopt({ pointer, bytesReceived: numBytes }, sorted, id);
    if (units < 0)
      throw new ResourceExhaustedError(`allocator "${this.name}" cannot adopt a region of ${numBytes} bytes at ${pointer.byteOffset}`);
    counters[kNextAllocationId] = id + sorted.length;
    counters[kBytesInUse] = counters[kBytesInUse]! + units * kUnit;
    if (counters[kBytesInUse]! > counters[kPeakBytesInUse]!) counters[kPeakBytesInUse] = counters[kBytesInUse]!;
  }

  /**
   * Frees the region that contains the byte at `pointer`, regardless of the options. Returns false if a chunk of it is in use; true if it
   * was freed or does not exist.
   */
  deallocateRegionIfFree(pointer: Pointer): boolean {
    this.#warm.end();
    const region = this.#isDisposed ? null : this.#unsettledArena.regions.containing(pointer);
    return region === null || this.#growth.deallocateIfFree(region);
  }

  /**
   * Frees all regions without a chunk in use, if that could make room for `numBytes`. Does nothing unless the option `garbageCollection`
   * is set. Returns true if a region was freed.
   */
  deallocateFreeRegions(numBytes: number = 0): boolean {
    const bytes = roundedBytes(numBytes);
    this.#warm.end();
    return this.#garbageCollection && !this.#isDisposed && this.#growth.deallocateFreeRegions(bytes);
  }

  /**
   * Returns all free pieces that begin and end at multiples of `grainBytes` to the sub-allocator, which must accept such pieces, also
   * from regions with chunks in use. Returns the number of bytes freed. TensorFlow frees whole regions only. Throws INVALID_ARGUMENT if
   * `grainBytes` is not a positive multiple of 256.
   */
  deallocateFreePieces(grainBytes: number): number {
    if (!(typeof grainBytes === "number" && grainBytes >= kUnit && Number.isSafeInteger(grainBytes / kUnit)))
      throw new InvalidArgumentError(`the size of pieces must be a multiple of ${kUnit} bytes, got ${shownValue(grainBytes)}`);
    this.#warm.end();
    return this.#isDisposed ? 0 : this.#growth.deallocateFreePieces(grainBytes);
  }

  /**
   * Empties the quarantine of checked mode and looks for writes to the freed memory. Throws FAILED_PRECONDITION for the first write found,
   * unless there is a callback `onWriteAfterFree`.
   */
  flushQuarantine(): void {
    if (this.#quarantine !== null && !this.#isDisposed) this.#letOut(this.#quarantine, true);
  }

  /** Frees all regions, even with chunks in use. `allocateRaw` throws FAILED_PRECONDITION from then on. A second call does nothing. */
  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#counters[kBytesInUse] = 0;
    this.#warm.end();
    this.#growth.deallocateAllRegions();
  }

  /** `using` calls `dispose`. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  /** The arena after its warm chunks were freed. In `#unsettledArena` they may still be in use. */
  get #arena(): BfcArena {
    this.#warm.settle();
    return this.#unsettledArena;
  }

  /** Allocates a chunk, without `onExhausted`. Returns the chunk or 0. The common case: no attributes, no stamps, and a chunk that fits. */
  #allocate(numBytes: number, attributes: AllocationAttributes | undefined): number {
    if (attributes !== undefined || (this.#stamped !== null && !this.#stamped.isEmpty)) return this.#allocateHarder(numBytes, attributes);
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

  /** Allocates a chunk in all other cases: tries everything but `onExhausted`. Returns the chunk or 0. */
  #allocateHarder(numBytes: number, attributes: AllocationAttributes | undefined): number {
    const arena = this.#unsettledArena;
    this.#warm.end();
    const freedByFunc = attributes?.freedByFunc ?? null;
    const freedBefore = freedByFunc === null ? 0 : freedByFunc();
    if (!arena.canUse()) return 0;
    const bytes = Math.ceil(numBytes / kUnit) * kUnit;
    const units = bytes / kUnit;
    this.#stamped?.mergeSafe();
    let chunk = arena.find(units, freedBefore);
    if (chunk === 0 && this.#growth.extend(bytes)) chunk = arena.find(units, freedBefore);
    if (chunk === 0 && freedBefore === 0 && this.#stamped?.mergeUntil(units) === true) chunk = arena.find(units, 0);
    if (chunk === 0 && this.#quarantine !== null && !this.#quarantine.isEmpty) {
      this.#letOut(this.#quarantine, true);
      chunk = arena.find(units, freedBefore);
    }
    if (chunk === 0 && this.#garbageCollection && this.#growth.deallocateFreeRegions(bytes) && this.#growth.extend(bytes))
      chunk = arena.find(units, freedBefore);
    return chunk === 0 ? 0 : this.#handOut(chunk, units, freedBefore, numBytes);
  }

  /** Splits a free chunk if it is too large, and allocates it. */
  #handOut(found: number, units: number, freedBefore: number, numBytes: number): number {
    const minRemainder = this.#cutsClosely ? (units >>> kWasteShift) + 1 : Math.min(units, this.#maxWaste);
    return this.#count(this.#unsettledArena.use(found, units, freedBefore, minRemainder), numBytes);
  }

  /** Marks a chunk as allocated for `numBytes` bytes and updates the statistics. */
  #count(chunk: number, numBytes: number): number {
    const { chunks } = this.#unsettledArena;
    const counters = this.#counters;
    const id = counters[kNextAllocationId]!;
    counters[kNextAllocationId] = id + 1;
    chunks.use(chunk, numBytes, id);
    const bytes = chunks.words[chunk + SIZE]! * kUnit;
    const inUse = counters[kBytesInUse]! + bytes;
    counters[kNumAllocs] = counters[kNumAllocs]! + 1;
    counters[kBytesInUse] = inUse;
    if (inUse > counters[kPeakBytesInUse]!) counters[kPeakBytesInUse] = inUse;
    if (bytes > counters[kLargestAllocSize]!) counters[kLargestAllocSize] = bytes;
    return chunk;
  }

  /** Calls `onExhausted` if it is allowed and returns true if it freed memory. Allocations inside `onExhausted` do not call it again. */
  #mayRetry(numBytes: number, attributes: AllocationAttributes | undefined): boolean {
    if (this.#onExhausted === null || this.#inOnExhausted || attributes?.retryOnFailure === false) return false;
    this.#inOnExhausted = true;
    try {
      return this.#onExhausted(numBytes) && !this.#isDisposed;
    } finally {
      this.#inOnExhausted = false;
    }
  }

  /** Frees a retired chunk, with a stamp if there is a timing counter. */
  #makeFree(chunk: number): void {
    if (this.#timingCounter === null) this.#unsettledArena.release(chunk);
    else {
      this.#unsettledArena.releaseStamped(chunk, this.#timingCounter.next());
      this.#stamped?.push(chunk);
    }
  }

  /** Puts a chunk into the quarantine and lets the oldest ones out if it is overfull. */
  #hold(chunk: number, quarantine: BfcQuarantine): void {
    this.#unsettledArena.retire(chunk, kQuarantined);
    quarantine.add(chunk);
    this.#letOut(quarantine, false);
  }

  /** Frees the chunks that leave the quarantine (all, or those above its limit) and reports the writes found in them. */
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

/** Makes the queue of stamped chunks. Throws INVALID_ARGUMENT for anything but a SharedCounter. */
function queueOf(counter: SharedCounter, arena: BfcArena, safeFrontier: number): BfcStampedChunks {
  if (typeof (counter as Partial<SharedCounter> | undefined)?.stampedChunks !== "function") throw argumentError("a SharedCounter", counter);
  const queue = counter.stampedChunks(arena);
  queue.setSafeFrontier(safeFrontier);
  return queue;
}
