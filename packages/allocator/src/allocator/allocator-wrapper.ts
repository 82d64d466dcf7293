/**
 * AllocatorWrapper: an allocator that forwards every call to another one (tsl/framework/allocator.h).
 *
 * The starting point for an allocator that changes one thing: subclass it and override that method.
 */
import type { AllocationAttributes } from "./allocation-attributes.ts";
import { Allocator } from "./allocator.ts";
import type { AllocatorMemoryType } from "./allocator.ts";
import type { AllocatorStats } from "./allocator-stats.ts";
import type { Pointer } from "./pointer.ts";
import { checkAllocator } from "../refs/allocator-check.ts";

/**
 * Forwards everything to the wrapped allocator.
 *
 * @example
 * const wrapper = new AllocatorWrapper(cpuAllocator());
 * wrapper.name; // => "cpu"
 * wrapper.wrapped === cpuAllocator(); // => true
 */
export class AllocatorWrapper extends Allocator {
  /** The allocator that does the work. */
  readonly wrapped: Allocator;

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

  /** Forwards: a wrapper that keeps books of its own about what is live answers false instead. */
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
