/**
 * CPUAllocator: host memory, one ArrayBuffer per allocation (tsl/framework/cpu_allocator_impl.cc).
 *
 * Where TensorFlow calls aligned malloc, this makes an ArrayBuffer: its first byte counts as aligned to
 * everything, and freeing drops the reference, after which the collector takes the bytes. Statistics cost a table and
 * are off until `enableCpuAllocatorStats`. TensorFlow's warnings about large allocations need the amount of free memory,
 * which JavaScript cannot ask for; they are left out.
 */
import type { AllocationAttributes } from "./allocation-attributes.ts";
import { Allocator, AllocatorMemoryType, checkAllocationRequest } from "./allocator.ts";
import { AllocatorStats } from "./allocator-stats.ts";
import type { Pointer } from "./pointer.ts";
import { checkPointer } from "../refs/allocator-check.ts";
import { TrackingAllocator } from "./tracking-allocator.ts";

/** Process-wide switches, as in TensorFlow. */
let collectStats = false;
let collectFullStats = false;

/** No machine has room for so many bytes; the engine, when asked, would collect garbage several times before it said so. */
const kHopeless = 2 ** 40;

/**
 * The allocator of plain host memory: name "cpu", host pageable, sizes not tracked.
 *
 * @example
 * const allocator = new CPUAllocator();
 * allocator.allocateRaw(64, 100)?.buffer.byteLength; // => 100
 * allocator.allocateRaw(64, 2 ** 52); // => null
 * allocator.allocateRaw(3, 100); // throws INVALID_ARGUMENT
 */
export class CPUAllocator extends Allocator {
  #stats = new AllocatorStats();
  /** Sizes of what was allocated while statistics were on: only that is subtracted when freed. */
  readonly #counted = new WeakMap<ArrayBufferLike, number>();

  /** "cpu". */
  override get name(): string {
    return "cpu";
  }

  /**
   * A fresh ArrayBuffer of exactly `numBytes` bytes (0 gives a valid pointer, as malloc does), or null when the engine
   * has no room. Throws INVALID_ARGUMENT for a bad alignment or size.
   */
  override allocateRaw(alignment: number, numBytes: number, _attributes?: AllocationAttributes): Pointer | null {
    checkAllocationRequest(alignment, numBytes);
    if (numBytes > kHopeless) return null;
    let buffer: ArrayBuffer;
    try {
      buffer = new ArrayBuffer(numBytes);
    } catch {
      // A RangeError, the engine's word for "no room": malloc returns null.
      return null;
    }
    if (collectStats) this.#countIn(buffer, numBytes);
    return { buffer, byteOffset: 0 };
  }

  /** Forgets the memory; null is ignored. The collector frees it when nothing refers to it. */
  override deallocateRaw(pointer: Pointer | null, _alignment?: number, _numBytes?: number): void {
    if (pointer === null) return;
    checkPointer(pointer);
    const bytes = this.#counted.get(pointer.buffer);
    if (bytes === undefined) return;
    this.#counted.delete(pointer.buffer);
    this.#stats.bytesInUse -= bytes;
  }

  /** True: a forgotten ArrayBuffer goes by itself. Not while statistics are kept, for it would stay in them. */
  override memoryIsCollected(): boolean {
    return !collectStats;
  }

  /** A copy of the figures, or null while statistics are off. */
  override getStats(): AllocatorStats | null {
    return collectStats ? Object.assign(new AllocatorStats(), this.#stats) : null;
  }

  /** Starts the figures anew from what is in use; false while statistics are off. */
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

/**
 * The process-wide CPU allocator (TF's `cpu_allocator()`), wrapped in a TrackingAllocator from the first use after
 * `enableCpuAllocatorFullStats` on.
 *
 * @example
 * cpuAllocator().name; // => "cpu"
 * cpuAllocator().tracksAllocationSizes(); // => false
 */
export function cpuAllocator(): Allocator {
  processAllocator ??= new CPUAllocator();
  if (collectFullStats && !processAllocator.tracksAllocationSizes()) processAllocator = new TrackingAllocator(processAllocator, true);
  return processAllocator;
}

/**
 * Turns the figures of CPU allocators on (TF's EnableCPUAllocatorStats).
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
 * Turns them off again.
 *
 * @example
 * disableCpuAllocatorStats();
 * cpuAllocatorStatsEnabled(); // => false
 */
export function disableCpuAllocatorStats(): void {
  collectStats = false;
}

/**
 * Whether CPU allocators keep figures.
 *
 * @example
 * cpuAllocatorStatsEnabled(); // => false
 */
export function cpuAllocatorStatsEnabled(): boolean {
  return collectStats;
}

/**
 * Makes the process-wide CPU allocator track the size of every allocation (TF's EnableCPUAllocatorFullStats). To be
 * called before the first use; buffers made earlier go on with the untracked one. There is no way back.
 *
 * @example
 * const measuring = false; // what a program would read from its command line
 * if (measuring) enableCpuAllocatorFullStats();
 * cpuAllocator().tracksAllocationSizes(); // => false
 */
export function enableCpuAllocatorFullStats(): void {
  collectFullStats = true;
}

/**
 * Whether `enableCpuAllocatorFullStats` was called.
 *
 * @example
 * cpuAllocatorFullStatsEnabled(); // => false
 */
export function cpuAllocatorFullStatsEnabled(): boolean {
  return collectFullStats;
}
