/**
 * LinearMemorySubAllocator: allocates regions of a linear memory for an arena (TensorFlow's DeviceMemAllocator has this role:
 * tensorflow/core/common_runtime/device/device_mem_allocator.h).
 *
 * Several sub-allocators, on several threads, can share one memory, because the memory itself records which regions are reserved.
 * Freed regions keep their resident pages and are reused first.
 */
import { checkInteger } from "@onebuffer/base/internal";
import { InvalidArgumentError, isStatusError } from "@onebuffer/base";
import type { LinearMemory } from "@onebuffer/wasm";
import { linearMemory } from "@onebuffer/wasm";
import { AllocatorMemoryType, checkAllocationRequest } from "./allocator.ts";
import type { Pointer } from "./pointer.ts";
import type { SubAllocation, SubAllocatorVisitor } from "./sub-allocator.ts";
import { SubAllocator } from "./sub-allocator.ts";
import { checkPointer } from "../refs/allocator-check.ts";

/** The sizes and offsets of regions are multiples of this many bytes. */
const kGrain = 256;

/**
 * A sub-allocator of a LinearMemory, by default that of the process. Its regions start at multiples of 256 bytes, never at
 * offset 0. The memory is constructed by the first `alloc`.
 *
 * @example
 * const regions = new LinearMemorySubAllocator();
 * const region = regions.alloc(256, 1000);
 * region?.bytesReceived; // => 1024
 * regions.alloc(256, 2 ** 40); // => null
 * if (region !== null) regions.free(region.pointer, region.bytesReceived);
 */
export class LinearMemorySubAllocator extends SubAllocator {
  /** The memory that the regions are part of. */
  readonly memory: LinearMemory;

  /** `allocVisitors` and `freeVisitors` are called for every region (see SubAllocator). */
  constructor(
    memory: LinearMemory = linearMemory(),
    allocVisitors?: readonly SubAllocatorVisitor[],
    freeVisitors?: readonly SubAllocatorVisitor[],
  ) {
    super(allocVisitors, freeVisitors);
    this.memory = memory;
  }

  /**
   * Allocates a region of `numBytes` bytes rounded up to a multiple of 256. Returns null if the memory has no such region or cannot be
   * constructed, and for 0 bytes. The bytes may have any value. Throws INVALID_ARGUMENT for a bad alignment or size.
   */
  override alloc(alignment: number, numBytes: number): SubAllocation | null {
    checkAllocationRequest(alignment, numBytes);
    const bytesReceived = Math.ceil(numBytes / kGrain) * kGrain;
    if (bytesReceived === 0 || bytesReceived > Number.MAX_SAFE_INTEGER) return null;
    const byteOffset = this.#reserve(bytesReceived, alignment);
    if (byteOffset === null) return null;
    const pointer = { buffer: this.memory.buffer, byteOffset };
    this.visitAlloc(pointer, 0, bytesReceived);
    return { pointer, bytesReceived };
  }

  /**
   * Frees a region. Throws INVALID_ARGUMENT if the pointer points into another memory, and FAILED_PRECONDITION if the bytes are not
   * reserved; in the second case the visitors have already been called.
   */
  override free(pointer: Pointer, numBytes: number): void {
    checkPointer(pointer);
    checkInteger(numBytes, "a number of bytes");
    if (!this.memory.isConstructed || pointer.buffer !== this.memory.buffer)
      throw new InvalidArgumentError(`the pointer at offset ${pointer.byteOffset} does not point into the sub-allocator's memory`);
    this.visitFree(pointer, 0, numBytes);
    this.memory.release(pointer.byteOffset, numBytes);
  }

  /** True: regions with adjacent offsets are adjacent in memory, so they can be merged. */
  override supportsCoalescing(): boolean {
    return true;
  }

  /** Host pageable. */
  override getMemoryType(): AllocatorMemoryType {
    return AllocatorMemoryType.kHostPageable;
  }

  /** Reserves bytes in the memory. Returns their offset, or null if there is no room or the memory cannot be constructed. */
  #reserve(numBytes: number, alignment: number): number | null {
    try {
      return this.memory.reserve(numBytes, alignment);
    } catch (error) {
      if (isStatusError(error, "RESOURCE_EXHAUSTED")) return null;
      throw error;
    }
  }
}
