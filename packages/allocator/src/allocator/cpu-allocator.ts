/**
 * CPUAllocator: allocates host memory, one ArrayBuffer per allocation (tsl/framework/cpu_allocator_impl.cc).
 *
 * TensorFlow calls aligned malloc here. The first byte of an ArrayBuffer counts as aligned to every power of two. Freeing drops the
 * reference, and the garbage collector frees the bytes later. Statistics need a table of sizes and are off until
 * `enableCpuAllocatorStats`. TensorFlow's warnings about large allocations are left out: they need the amount of free memory,
 * which JavaScript cannot find out.
 */
import type { AllocationAttributes } from "./allocation-attributes.ts";
import { Allocator, AllocatorMemoryType, checkAllocationRequest } from "./allocator.ts";
import { AllocatorStats } from "./allocator-stats.ts";
import type { Pointer } from "./pointer.ts";
import { checkPointer } from "../refs/allocator-check.ts";

/** Process-wide flags, as in TensorFlow. */
let collectStats = false;

/** Larger requests (over 1 TiB) are refused at once: the engine would run the garbage collector several times before it failed. */
const kMaxBytes = 2 ** 40;

/**
 * The allocator of plain host memory. Its name is "cpu", its memory type is host pageable, and it does not track sizes.
 *
 * @example
 * const allocator = new CPUAllocator();
 * allocator.allocateRaw(64, 100)?.buffer.byteLength; // => 100
 * allocator.allocateRaw(64, 2 ** 52); // => null
 * allocator.allocateRaw(3, 100); // throws INVALID_ARGUMENT
 */
export class CPUAllocator extends Allocator {
  #stats = new AllocatorStats();
  /** The sizes of the allocations made while statistics were on. Only these are subtracted when freed. */
  readonly #counted = new WeakMap<ArrayBufferLike, number>();

  /** "cpu". */
  override get name(): string {
    return "cpu";
  }

  /**
   * Allocates a new ArrayBuffer of exactly `numBytes` zero bytes. Returns null if the engine has no room. 0 bytes give a valid pointer, as
   * with malloc. Throws INVALID_ARGUMENT for a bad alignment or size.
   */
  override allocateRaw(alignment: number, numBytes: number, _attributes?: AllocationAttributes): Pointer | null {
    checkAllocationRequest(alignment, numBytes);
    if (numBytes > kMaxBytes) return null;
    let buffer: ArrayBuffer;
    try {
      buffer = new ArrayBuffer(numBytes);
    } catch {
      // The engine throws a RangeError if it has no room, where malloc returns null.
      return null;
    }
    if (collectStats) this.#countIn(buffer, numBytes);
    return { buffer, byteOffset: 0 };
  }

  /** Subtracts the allocation from the statistics; null is ignored. The garbage collector frees the memory once nothing refers to it. */
  override deallocateRaw(pointer: Pointer | null, _alignment?: number, _numBytes?: number): void {
    if (pointer === null) return;
    checkPointer(pointer);
    const bytes = this.#counted.get(pointer.buffer);
    if (bytes === undefined) return;
    this.#counted.delete(pointer.buffer);
    this.#stats.bytesInUse -= bytes;
  }

  /** True while statistics are off. While they are on, a dropped buffer must be subtracted from them, so it needs `deallocateRaw`. */
  override memoryIsCollected(): boolean {
    return !collectStats;
  }

  /** Returns a copy of the statistics, or null while they are off. */
  override getStats(): AllocatorStats | null {
    return collectStats ? Object.assign(new AllocatorStats(), this.#stats) : null;
  }

  /** Resets the statistics except `bytesInUse`, which also becomes the peak. Returns false while statistics are off. */
  override clearStats(): boolean {
    if (!collectStats) return false;
    const stats = new AllocatorStats();
    stats.bytesInUse = stats.peakBytesInUse = this.#stats.bytesInUse;
    this.#stats = stats;
    return true;
  }

  /** Host pageable. */
  override getMemoryType(): AllocatorMemoryType {
    return AllocatorMemoryType.kHostPageable;
  }

  #countIn(buffer: ArrayBuffer, numBytes: number): void {
    const stats = this.#stats;
    this.#counted.set(buffer, numBytes);
    stats.numAllocs++;
    stats.bytesInUse += numBytes;
    stats.peakBytesInUse = Math.max(stats.peakBytesInUse, stats.bytesInUse);
    stats.largestAllocSize = Math.max(stats.largestAllocSize, numBytes);
  }
}

let processAllocator: Allocator | null = null;
let tracked: ((allocator: Allocator) => Allocator) | null = null;

/** From the next call of `cpuAllocator` on, `track` wraps the process-wide allocator: see cpu-allocator-full-stats.ts. */
export function trackCpuAllocator(track: (allocator: Allocator) => Allocator): void {
  tracked = track;
}

/**
 * Returns the process-wide CPU allocator (TF's `cpu_allocator()`). The first call after `enableCpuAllocatorFullStats` wraps it in a
 * TrackingAllocator.
 *
 * @example
 * cpuAllocator().name; // => "cpu"
 * cpuAllocator().tracksAllocationSizes(); // => false
 */
export function cpuAllocator(): Allocator {
  processAllocator ??= new CPUAllocator();
  if (tracked !== null && !processAllocator.tracksAllocationSizes()) processAllocator = tracked(processAllocator);
  return processAllocator;
}

/**
 * Turns the statistics of CPU allocators on (TF's EnableCPUAllocatorStats).
 *
 * @example
 * enableCpuAllocatorStats();
 * cpuAllocator().getStats() !== null; // => true
 * disableCpuAllocatorStats();
 * cpuAllocator().getStats(); // => null
 */
export function enableCpuAllocatorStats(): void {
  collectStats = true;
}

/**
 * Turns the statistics of CPU allocators off.
 *
 * @example
 * disableCpuAllocatorStats();
 * cpuAllocatorStatsEnabled(); // => false
 */
export function disableCpuAllocatorStats(): void {
  collectStats = false;
}

/**
 * Returns true if the statistics of CPU allocators are on.
 *
 * @example
 * cpuAllocatorStatsEnabled(); // => false
 */
export function cpuAllocatorStatsEnabled(): boolean {
  return collectStats;
}
