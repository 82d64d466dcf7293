/**
 * TrackingAllocator: counts what another allocator does (tensorflow/core/framework/tracking_allocator.h).
 *
 * Three modes. The inner allocator tracks sizes: its figures are used. It does not and `trackSizes` is set: a table of
 * pointer -> {requested, allocated, id} is kept here. Neither: only the bytes requested are summed up.
 * It lives by a count of its own, one for its maker and one per live allocation, because buffers outlive the step that
 * wanted the records. It passes memory through and never looks into it.
 */
import { FailedPreconditionError } from "@onebuffer/base";
import type { AllocationAttributes } from "./allocation-attributes.ts";
import { Allocator } from "./allocator.ts";
import type { AllocatorMemoryType } from "./allocator.ts";
import type { AllocatorStats } from "./allocator-stats.ts";
import type { Pointer } from "./pointer.ts";
import { PointerMap } from "./pointer-map.ts";
import { checkAllocator, checkPointer } from "../refs/allocator-check.ts";

/** One allocation (positive) or deallocation (negative) and when it happened. */
export interface AllocRecord {
  /** Bytes, signed. */
  readonly allocBytes: number;
  /** Microseconds since the epoch. */
  readonly allocMicros: number;
}

/** What the table keeps of a live allocation. */
interface Chunk {
  readonly requestedSize: number;
  readonly allocatedSize: number;
  readonly allocationId: number;
}

/**
 * An allocator that counts another one's work.
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
  /** TensorFlow's ref_ is the sum of these two: live allocations, and one for the maker until the records are fetched. */
  #live = 0;
  #unreferenced = false;
  #allocated = 0;
  #highWatermark = 0;
  #totalBytes = 0;
  #nextAllocationId = 0;

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

  /** As the inner allocator answers; a null passes through uncounted. Throws FAILED_PRECONDITION once deleted. */
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
   * Returns memory to the inner allocator; null is a no-op. The last one deletes this allocator when its records were
   * fetched. Throws FAILED_PRECONDITION for a pointer that is known not to be live (TF miscounts instead).
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

  /** Whether sizes are known, from the inner allocator or from the table here. */
  override tracksAllocationSizes(): boolean {
    return this.#trackSizesLocally || this.#allocator.tracksAllocationSizes();
  }

  /**
   * False, whatever the inner allocator answers: what is live is counted here, and a table of sizes keeps its memory reachable.
   */
  override memoryIsCollected(): boolean {
    return false;
  }

  /** As the inner allocator. */
  override allocatesOpaqueHandle(): boolean {
    return this.#allocator.allocatesOpaqueHandle();
  }

  /** From the table, 0 for an unknown pointer; without a table the inner allocator's answer. */
  override requestedSize(pointer: Pointer): number {
    return this.#trackSizesLocally ? (this.#inUse.get(pointer)?.requestedSize ?? 0) : this.#allocator.requestedSize(pointer);
  }

  /** From the table, 0 for an unknown pointer; without a table the inner allocator's answer. */
  override allocatedSize(pointer: Pointer): number {
    return this.#trackSizesLocally ? (this.#inUse.get(pointer)?.allocatedSize ?? 0) : this.#allocator.allocatedSize(pointer);
  }

  /** From the table (ids from 1 up), 0 for an unknown pointer; without a table the inner allocator's answer. */
  override allocationId(pointer: Pointer): number {
    return this.#trackSizesLocally ? (this.#inUse.get(pointer)?.allocationId ?? 0) : this.#allocator.allocationId(pointer);
  }

  /** The inner allocator's figures. */
  override getStats(): AllocatorStats | null {
    return this.#allocator.getStats();
  }

  /** Clears the inner allocator's figures; the counts here go on. */
  override clearStats(): boolean {
    return this.#allocator.clearStats();
  }

  /** The inner allocator's report. */
  override exhaustionReport(numBytes?: number | null): string {
    return this.#allocator.exhaustionReport(numBytes);
  }

  /** The inner allocator's kind of memory. */
  override getMemoryType(): AllocatorMemoryType {
    return this.#allocator.getMemoryType();
  }

  /** `[total ever allocated, high-water mark, still live]` in bytes; without tracking `[total requested, 0, 0]`. */
  getSizes(): [total: number, highWatermark: number, stillLive: number] {
    return [this.#totalBytes, this.#highWatermark, this.#allocated];
  }

  /** The records so far, which stay here; a fresh array. */
  getCurrentRecords(): AllocRecord[] {
    return this.#records.slice();
  }

  /**
   * Takes the records out and gives up the maker's reference: with the last live allocation the allocator is deleted,
   * and hands out no more. A second call throws FAILED_PRECONDITION.
   */
  getRecordsAndUnRef(): AllocRecord[] {
    if (this.#unreferenced)
      throw new FailedPreconditionError(`the records of the tracking allocator over "${this.name}" were fetched before`);
    this.#unreferenced = true;
    const records = this.#records;
    this.#records = [];
    return records;
  }

  /** Books an allocation whose size is known. */
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
      `the pointer at offset ${pointer.byteOffset} is no live allocation of the tracking allocator over "${this.name}"`,
    );
  }
}
