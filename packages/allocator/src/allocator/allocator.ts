/**
 * Allocator: the interface through which every buffer gets and returns its bytes (tsl/framework/allocator.h).
 *
 * An allocator hands out Pointers (memory and offset) or null when it has no room; it never throws for lack of memory.
 * This file holds the interface with TensorFlow's defaults. CPUAllocator takes its bytes from ArrayBuffers,
 * TrackingAllocator counts what another one does, AllocatorWrapper forwards.
 */
import { FailedPreconditionError, InvalidArgumentError, shownValue } from "@onebuffer/base";
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
 * Where an allocator's memory lies, by TensorFlow's numbers.
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

/** One of the numbers of AllocatorMemoryType. */
export type AllocatorMemoryType = (typeof AllocatorMemoryType)[keyof typeof AllocatorMemoryType];

/**
 * Where bytes come from. A subclass writes `name`, `allocateRaw` and `deallocateRaw`; the rest has TensorFlow's defaults
 * of an allocator that keeps no books.
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
  /** The allocator's name, as descriptions and logs print it. */
  abstract get name(): string;

  /**
   * `numBytes` bytes at a multiple of `alignment`, or null when there is no room. The bytes are not promised to be
   * zero. Throws INVALID_ARGUMENT when `alignment` is no power of two or `numBytes` no size.
   */
  abstract allocateRaw(alignment: number, numBytes: number, attributes?: AllocationAttributes): Pointer | null;

  /** Takes back what `allocateRaw` gave; null is ignored. The other arguments are hints that may be missing. */
  abstract deallocateRaw(pointer: Pointer | null, alignment?: number, numBytes?: number): void;

  /** Whether `requestedSize`, `allocatedSize` and `allocationId` answer for live pointers. */
  tracksAllocationSizes(): boolean {
    return false;
  }

  /** Whether the pointers are mere handles whose memory the host must not touch. */
  allocatesOpaqueHandle(): boolean {
    return false;
  }

  /**
   * Whether the engine's collector frees this memory by itself once nothing refers to it, and no books are wrong then. Where it
   * does not, every buffer is watched, and what was forgotten comes back through `deallocateRaw` (lifetime-net.ts; nothing
   * like it in TensorFlow).
   */
  memoryIsCollected(): boolean {
    return false;
  }

  /** The bytes asked for at `pointer`. Throws FAILED_PRECONDITION unless sizes are tracked. */
  requestedSize(_pointer: Pointer): number {
    throw new FailedPreconditionError(`allocator "${this.name}" does not track allocation sizes`);
  }

  /** The bytes really taken at `pointer`, at least those asked for. Throws FAILED_PRECONDITION unless tracked. */
  allocatedSize(pointer: Pointer): number {
    return this.requestedSize(pointer);
  }

  /** The number of the allocation at `pointer`, never used twice; 0 means that none is kept. */
  allocationId(_pointer: Pointer): number {
    return 0;
  }

  /** The bytes taken at `pointer`, found the slow way if need be; 0 when it cannot be known. */
  allocatedSizeSlow(pointer: Pointer): number {
    return this.tracksAllocationSizes() ? this.allocatedSize(pointer) : 0;
  }

  /** The allocator's figures, or null when it keeps none. */
  getStats(): AllocatorStats | null {
    return null;
  }

  /** Starts the figures anew; false when there are none to clear. */
  clearStats(): boolean {
    return false;
  }

  /** Tells up to which count freed memory may be reused; only allocators with a timing counter listen. */
  setSafeFrontier(_count: number): void {}

  /** Binds a device stream and takes the memory in advance; only device allocators listen. */
  setStreamAndPreallocateMemory(_stream: unknown): void {}

  /** Why there is no room (for `numBytes`), as text that an error can carry; "" when the allocator has nothing to tell. */
  exhaustionReport(_numBytes?: number | null): string {
    return "";
  }

  /** Where the memory lies: unknown unless the allocator says. */
  getMemoryType(): AllocatorMemoryType {
    return AllocatorMemoryType.kUnknown;
  }
}

/**
 * The check at the door of every `allocateRaw`: a power of two and a byte count that a number holds exactly.
 * Throws INVALID_ARGUMENT with the value otherwise.
 *
 * @example
 * checkAllocationRequest(64, 1000);
 * checkAllocationRequest(48, 1000); // throws INVALID_ARGUMENT
 * checkAllocationRequest(64, -1); // throws INVALID_ARGUMENT
 */
export function checkAllocationRequest(alignment: number, numBytes: number): void {
  // Powers of two above 2^31 would need more than an int32 test; no memory is aligned so coarsely.
  const isPower =
    typeof alignment === "number" &&
    alignment >= 1 &&
    alignment <= 0x40000000 &&
    (alignment | 0) === alignment &&
    (alignment & (alignment - 1)) === 0;
  if (!isPower || !Number.isSafeInteger(numBytes) || numBytes < 0) throw requestError(isPower, alignment, numBytes);
}

/** Apart from the check, which is part of every allocation. */
function requestError(isPower: boolean, alignment: number, numBytes: number): InvalidArgumentError {
  return new InvalidArgumentError(
    isPower
      ? `number of bytes must be an integer in [0, 2^53), got ${shownValue(numBytes)}`
      : `alignment must be a power of two up to 2^30, got ${shownValue(alignment)}`,
  );
}
