/**
 * TrackingAllocator: records the allocations of another allocator (tensorflow/core/framework/tracking_allocator.h).
 *
 * It has three modes:
 *   - The inner allocator tracks sizes: its sizes are used.
 *   - The inner allocator does not, and `trackSizes` is set: this class keeps a table pointer -> {requested, allocated, id}.
 *   - Neither: only the requested bytes are added up.
 *
 * It has a reference count of its own, with one reference for its creator and one for each live allocation, because buffers can
 * outlive the step that the records are for. It never reads or writes the memory.
 */
import { FailedPreconditionError } from "@onebuffer/base";
import type { AllocationAttributes } from "./allocation-attributes.ts";
import { Allocator } from "./allocator.ts";
import type { AllocatorMemoryType } from "./allocator.ts";
import type { AllocatorStats } from "./allocator-stats.ts";
import type { Pointer } from "./pointer.ts";
import { PointerMap } from "./pointer-map.ts";
import { checkAllocator, checkPointer } from "../refs/allocator-check.ts";

/** The record of one allocation or deallocation. */
export interface AllocRecord {
  /** The number of bytes: positive for an allocation, negative for a deallocation. */
  readonly allocBytes: number;
  /** The time, in microseconds since the epoch. */
  readonly allocMicros: number;
}

/** The table's entry for a live allocation. */
interface Chunk {
  readonly requestedSize: number;
  readonly allocatedSize: number;
  readonly allocationId: number;
}

/**
 * An allocator that forwards to another one and records its allocations.
 *
 * @example
 * const tracking = new TrackingAllocator(cpuAllocator(), true);
 * const pointer = tracking.allocateRaw(64, 12);
 * tracking.deallocateRaw(pointer);
 * tracking.getSizes(); // => [12, 12, 0]
 * tracking.getRecordsAndUnRef().map((record) => record.allocBytes); // => [12, -12]
 * tracking.allocateRaw(64, 4); // throws FAILED_PRECONDITION
 */
export class TrackingAllocator extends Allocator {
  readonly #allocator: Allocator;
  readonly #trackSizesLocally: boolean;
  readonly #inUse = new PointerMap<Chunk>();
  #records: AllocRecord[] = [];
  /** TensorFlow's `ref_` is `#live` (the live allocations) plus one for the creator while `#unreferenced` is false. */
  #live = 0;
  #unreferenced = false;
  #allocated = 0;
  #highWatermark = 0;
  #totalBytes = 0;
  #nextAllocationId = 0;

  /**
   * `trackSizes` asks for a table of sizes if `allocator` does not track them itself. Throws INVALID_ARGUMENT if `allocator` is not an
   * Allocator.
   */
  constructor(allocator: Allocator, trackSizes: boolean) {
    super();
    this.#allocator = allocator;
    checkAllocator(allocator);
    this.#trackSizesLocally = trackSizes && !allocator.tracksAllocationSizes();
  }

  /** The inner allocator's name. */
  override get name(): string {
    return this.#allocator.name;
  }

  /**
   * Allocates from the inner allocator and records it. A null result is returned without a record. Throws FAILED_PRECONDITION if the
   * records were fetched and no allocation is live (TensorFlow has deleted the allocator then).
   */
  override allocateRaw(alignment: number, numBytes: number, attributes?: AllocationAttributes): Pointer | null {
    if (this.#unreferenced && this.#live === 0) throw new FailedPreconditionError(`the tracking allocator over "${this.name}" was deleted`);
    const pointer = this.#allocator.allocateRaw(alignment, numBytes, attributes);
    if (pointer === null) return null;
    if (this.#allocator.tracksAllocationSizes()) {
      this.#countIn(this.#allocator.allocatedSize(pointer));
    } else if (this.#trackSizesLocally) {
      const allocatedSize = Math.max(numBytes, this.#allocator.allocatedSizeSlow(pointer));
      this.#inUse.set(pointer, { requestedSize: numBytes, allocatedSize, allocationId: ++this.#nextAllocationId });
      this.#countIn(allocatedSize);
    } else {
      this.#totalBytes += numBytes;
      this.#record(numBytes);
    }
    this.#live++;
    return pointer;
  }

  /**
   * Frees memory of the inner allocator and records it; null is ignored. Once the records were fetched, freeing the last allocation
   * deletes this allocator. Throws FAILED_PRECONDITION for a pointer that is known not to be live (TensorFlow's counts go wrong instead).
   */
  override deallocateRaw(pointer: Pointer | null, alignment?: number, numBytes?: number): void {
    if (pointer === null) return;
    checkPointer(pointer);
    if (this.#live === 0) this.#refuseFree(pointer);
    let allocatedBytes = 0;
    const tracks = this.#allocator.tracksAllocationSizes();
    if (tracks) {
      allocatedBytes = this.#allocator.allocatedSize(pointer);
      if (allocatedBytes > this.#allocated) this.#refuseFree(pointer);
    } else if (this.#trackSizesLocally) {
      const chunk = this.#inUse.get(pointer);
      if (chunk === undefined) this.#refuseFree(pointer);
      this.#inUse.delete(pointer);
      allocatedBytes = chunk.allocatedSize;
    }
    if (tracks || this.#trackSizesLocally) {
      this.#allocated -= allocatedBytes;
      this.#record(-allocatedBytes);
    }
    this.#live--;
    this.#allocator.deallocateRaw(pointer, alignment, numBytes);
  }

  /** Returns true if sizes are known, from the inner allocator or from the table. */
  override tracksAllocationSizes(): boolean {
    return this.#trackSizesLocally || this.#allocator.tracksAllocationSizes();
  }

  /** False even if the inner allocator returns true: live allocations are counted here, and the table of sizes keeps memory reachable. */
  override memoryIsCollected(): boolean {
    return false;
  }

  /** Forwards to the inner allocator. */
  override allocatesOpaqueHandle(): boolean {
    return this.#allocator.allocatesOpaqueHandle();
  }

  /** Returns the requested size from the table, 0 for an unknown pointer. Without a table it forwards to the inner allocator. */
  override requestedSize(pointer: Pointer): number {
    return this.#trackSizesLocally ? (this.#inUse.get(pointer)?.requestedSize ?? 0) : this.#allocator.requestedSize(pointer);
  }

  /** Returns the allocated size from the table, 0 for an unknown pointer. Without a table it forwards to the inner allocator. */
  override allocatedSize(pointer: Pointer): number {
    return this.#trackSizesLocally ? (this.#inUse.get(pointer)?.allocatedSize ?? 0) : this.#allocator.allocatedSize(pointer);
  }

  /** Returns the id from the table (from 1 up), 0 for an unknown pointer. Without a table it forwards to the inner allocator. */
  override allocationId(pointer: Pointer): number {
    return this.#trackSizesLocally ? (this.#inUse.get(pointer)?.allocationId ?? 0) : this.#allocator.allocationId(pointer);
  }

  /** Returns the inner allocator's statistics. */
  override getStats(): AllocatorStats | null {
    return this.#allocator.getStats();
  }

  /** Resets the inner allocator's statistics. The sizes and records of this class stay. */
  override clearStats(): boolean {
    return this.#allocator.clearStats();
  }

  /** Forwards to the inner allocator. */
  override exhaustionReport(numBytes?: number | null): string {
    return this.#allocator.exhaustionReport(numBytes);
  }

  /** Forwards to the inner allocator. */
  override getMemoryType(): AllocatorMemoryType {
    return this.#allocator.getMemoryType();
  }

  /** Returns the bytes allocated so far, the peak of live bytes, and the live bytes. Without tracking: `[total requested, 0, 0]`. */
  getSizes(): [total: number, highWatermark: number, stillLive: number] {
    return [this.#totalBytes, this.#highWatermark, this.#allocated];
  }

  /** Returns a copy of the records so far and keeps them. */
  getCurrentRecords(): AllocRecord[] {
    return this.#records.slice();
  }

  /**
   * Returns the records, clears them, and releases the creator's reference: this allocator is deleted when no allocation is live, and
   * `allocateRaw` throws from then on. A second call throws FAILED_PRECONDITION.
   */
  getRecordsAndUnRef(): AllocRecord[] {
    if (this.#unreferenced)
      throw new FailedPreconditionError(`the records of the tracking allocator over "${this.name}" were fetched before`);
    this.#unreferenced = true;
    const records = this.#records;
    this.#records = [];
    return records;
  }

  /** Records an allocation whose size is known. */
  #countIn(bytes: number): void {
    this.#allocated += bytes;
    this.#highWatermark = Math.max(this.#highWatermark, this.#allocated);
    this.#totalBytes += bytes;
    this.#record(bytes);
  }

  #record(allocBytes: number): void {
    this.#records.push({ allocBytes, allocMicros: Date.now() * 1000 });
  }

  #refuseFree(pointer: Pointer): never {
    throw new FailedPreconditionError(
      `the pointer at offset ${pointer.byteOffset} is not a live allocation of the tracking allocator over "${this.name}"`,
    );
  }
}
