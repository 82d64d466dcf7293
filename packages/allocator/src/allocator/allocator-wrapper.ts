/**
 * AllocatorWrapper: an allocator that forwards every call to another one (tsl/framework/allocator.h).
 *
 * To change a single method of an allocator, subclass AllocatorWrapper and override that method.
 */
import type { AllocationAttributes } from "./allocation-attributes.ts";
import { Allocator } from "./allocator.ts";
import type { AllocatorMemoryType } from "./allocator.ts";
import type { AllocatorStats } from "./allocator-stats.ts";
import type { Pointer } from "./pointer.ts";
import { checkAllocator } from "../refs/allocator-check.ts";

/**
 * An allocator that forwards every call to the wrapped allocator.
 *
 * @example
 * const wrapper = new AllocatorWrapper(cpuAllocator());
 * wrapper.name; // => "cpu"
 * wrapper.wrapped === cpuAllocator(); // => true
 */
export class AllocatorWrapper extends Allocator {
  /** The allocator that the calls are forwarded to. */
  readonly wrapped: Allocator;

  /** Throws INVALID_ARGUMENT if `wrapped` is not an Allocator. */
  constructor(wrapped: Allocator) {
    super();
    checkAllocator(wrapped);
    this.wrapped = wrapped;
  }

  /** Forwards. */
  override get name(): string {
    return this.wrapped.name;
  }

  /** Forwards. */
  override allocateRaw(alignment: number, numBytes: number, attributes?: AllocationAttributes): Pointer | null {
    return this.wrapped.allocateRaw(alignment, numBytes, attributes);
  }

  /** Forwards. */
  override deallocateRaw(pointer: Pointer | null, alignment?: number, numBytes?: number): void {
    this.wrapped.deallocateRaw(pointer, alignment, numBytes);
  }

  /** Forwards. */
  override tracksAllocationSizes(): boolean {
    return this.wrapped.tracksAllocationSizes();
  }

  /** Forwards. */
  override allocatesOpaqueHandle(): boolean {
    return this.wrapped.allocatesOpaqueHandle();
  }

  /** Forwards. A subclass that keeps a record of live allocations must return false instead. */
  override memoryIsCollected(): boolean {
    return this.wrapped.memoryIsCollected();
  }

  /** Forwards. */
  override requestedSize(pointer: Pointer): number {
    return this.wrapped.requestedSize(pointer);
  }

  /** Forwards. */
  override allocatedSize(pointer: Pointer): number {
    return this.wrapped.allocatedSize(pointer);
  }

  /** Forwards. */
  override allocationId(pointer: Pointer): number {
    return this.wrapped.allocationId(pointer);
  }

  /** Forwards. */
  override allocatedSizeSlow(pointer: Pointer): number {
    return this.wrapped.allocatedSizeSlow(pointer);
  }

  /** Forwards. */
  override getStats(): AllocatorStats | null {
    return this.wrapped.getStats();
  }

  /** Forwards. */
  override clearStats(): boolean {
    return this.wrapped.clearStats();
  }

  /** Forwards. */
  override setSafeFrontier(count: number): void {
    this.wrapped.setSafeFrontier(count);
  }

  /** Forwards. */
  override setStreamAndPreallocateMemory(stream: unknown): void {
    this.wrapped.setStreamAndPreallocateMemory(stream);
  }

  /** Forwards. */
  override exhaustionReport(numBytes?: number | null): string {
    return this.wrapped.exhaustionReport(numBytes);
  }

  /** Forwards. */
  override getMemoryType(): AllocatorMemoryType {
    return this.wrapped.getMemoryType();
  }
}
