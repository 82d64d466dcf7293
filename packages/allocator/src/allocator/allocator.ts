/**
 * Allocator: the interface that every buffer gets its memory from (tsl/framework/allocator.h).
 *
 * An allocator returns a Pointer (a memory and an offset), or null if it has no room; it does not throw for lack of memory. This file
 * has the interface with TensorFlow's defaults. Its implementations: CPUAllocator (one ArrayBuffer per allocation), BFCAllocator
 * (an arena), TrackingAllocator (counts the allocations of another allocator), AllocatorWrapper (forwards to another allocator).
 */
import { FailedPreconditionError, InvalidArgumentError } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";
import type { AllocationAttributes } from "./allocation-attributes.ts";
import type { AllocatorStats } from "./allocator-stats.ts";
import type { Pointer } from "./pointer.ts";

/**
 * Every tensor buffer starts at a multiple of this many bytes (one cache line, one AVX-512 register).
 *
 * @example
 * kAllocatorAlignment; // => 64
 */
export const kAllocatorAlignment = 64;

/**
 * The kinds of memory that an allocator can have, with TensorFlow's numbers.
 *
 * @example
 * AllocatorMemoryType.kHostPageable; // => 2
 */
export const AllocatorMemoryType = {
  kUnknown: 0,
  kDevice: 1,
  kHostPageable: 2,
  kHostPinned: 3,
} as const;

/** A number of AllocatorMemoryType. */
export type AllocatorMemoryType = (typeof AllocatorMemoryType)[keyof typeof AllocatorMemoryType];

/**
 * A source of memory. A subclass implements `name`, `allocateRaw` and `deallocateRaw`. The other methods have TensorFlow's defaults,
 * which are those of an allocator that does not track its allocations.
 *
 * @example
 * class NoMemory extends Allocator {
 *   override get name(): string { return "no_memory"; }
 *   override allocateRaw(): Pointer | null { return null; }
 *   override deallocateRaw(): void {}
 * }
 * new NoMemory().allocateRaw(); // => null
 */
export abstract class Allocator {
  /** The name of the allocator in descriptions and logs. */
  abstract get name(): string;

  /**
   * Allocates `numBytes` bytes at a multiple of `alignment`. Returns null if there is no room. The bytes may have any value. Throws
   * INVALID_ARGUMENT if `alignment` is not a power of two or `numBytes` is not an integer from 0 to 2^53 - 1.
   */
  abstract allocateRaw(alignment: number, numBytes: number, attributes?: AllocationAttributes): Pointer | null;

  /** Frees a pointer that `allocateRaw` returned; null is ignored. The other arguments are hints and may be missing. */
  abstract deallocateRaw(pointer: Pointer | null, alignment?: number, numBytes?: number): void;

  /** Returns true if `requestedSize`, `allocatedSize` and `allocationId` work for live pointers. */
  tracksAllocationSizes(): boolean {
    return false;
  }

  /** Returns true if the pointers are opaque handles whose memory the host must not access. */
  allocatesOpaqueHandle(): boolean {
    return false;
  }

  /**
   * Returns true if the garbage collector frees this memory once nothing refers to it, without a call of `deallocateRaw`. If it returns
   * false, every buffer of this allocator is watched, and the memory of a dropped one is returned through `deallocateRaw`
   * (lifetime/lifetime-net.ts). No counterpart in TensorFlow.
   */
  memoryIsCollected(): boolean {
    return false;
  }

  /** Returns the number of bytes requested for `pointer`. Throws FAILED_PRECONDITION if sizes are not tracked. */
  requestedSize(_pointer: Pointer): number {
    throw new FailedPreconditionError(`allocator "${this.name}" does not track allocation sizes`);
  }

  /** Returns the number of bytes used for `pointer`, at least those requested. Throws FAILED_PRECONDITION if sizes are not tracked. */
  allocatedSize(pointer: Pointer): number {
    return this.requestedSize(pointer);
  }

  /** Returns the id of the allocation at `pointer`, which is never reused, or 0 if the allocator does not give ids. */
  allocationId(_pointer: Pointer): number {
    return 0;
  }

  /** Returns the number of bytes used for `pointer`, or 0 if it is unknown. May be slower than `allocatedSize`. */
  allocatedSizeSlow(pointer: Pointer): number {
    return this.tracksAllocationSizes() ? this.allocatedSize(pointer) : 0;
  }

  /** Returns the statistics, or null if the allocator keeps none. */
  getStats(): AllocatorStats | null {
    return null;
  }

  /** Resets the statistics. Returns false if there are none. */
  clearStats(): boolean {
    return false;
  }

  /** Sets the timing count up to which freed memory may be reused. Allocators without a timing counter ignore it. */
  setSafeFrontier(_count: number): void {}

  /** Binds a device stream and allocates the memory in advance. Ignored by allocators that are not for devices. */
  setStreamAndPreallocateMemory(_stream: unknown): void {}

  /** Returns text for an error message that explains why there is no room for `numBytes` bytes; "" by default. */
  exhaustionReport(_numBytes?: number | null): string {
    return "";
  }

  /** Returns the kind of memory; kUnknown by default. */
  getMemoryType(): AllocatorMemoryType {
    return AllocatorMemoryType.kUnknown;
  }
}

/**
 * Checks the arguments of `allocateRaw`. Throws INVALID_ARGUMENT if `alignment` is not a power of two up to 2^30 or `numBytes` is not an
 * integer from 0 to 2^53 - 1.
 *
 * @example
 * checkAllocationRequest(64, 1000);
 * checkAllocationRequest(48, 1000); // throws INVALID_ARGUMENT
 * checkAllocationRequest(64, -1); // throws INVALID_ARGUMENT
 */
export function checkAllocationRequest(alignment: number, numBytes: number): void {
  // The bit tests work on int32, so 2^30 is the largest power of two they can check. No allocation needs a larger alignment.
  const isPower =
    typeof alignment === "number" &&
    alignment >= 1 &&
    alignment <= 0x40000000 &&
    (alignment | 0) === alignment &&
    (alignment & (alignment - 1)) === 0;
  if (!isPower || !Number.isSafeInteger(numBytes) || numBytes < 0) throw requestError(isPower, alignment, numBytes);
}

/** Returns the error for a bad request. A function of its own, so that the check stays small enough to be inlined into every allocation. */
function requestError(isPower: boolean, alignment: number, numBytes: number): InvalidArgumentError {
  return new InvalidArgumentError(
    isPower
      ? `number of bytes must be an integer in [0, 2^53), got ${shownValue(numBytes)}`
      : `alignment must be a power of two up to 2^30, got ${shownValue(alignment)}`,
  );
}
