/**
 * LinearMemorySubAllocator: regions of the linear memory (its place in TensorFlow: DeviceMemAllocator,
 * tensorflow/core/common_runtime/device/device_mem_allocator.h).
 *
 * Any number of them, on any number of threads, may draw on one memory: the memory itself keeps what is taken. Regions
 * given back keep their resident pages; the next one to ask gets them first.
 */
import { checkInteger, InvalidArgumentError, isStatusError } from "@onebuffer/base";
import type { LinearMemory } from "@onebuffer/wasm";
import { linearMemory } from "@onebuffer/wasm";
import { AllocatorMemoryType, checkAllocationRequest } from "./allocator.ts";
import type { Pointer } from "./pointer.ts";
import type { SubAllocation, SubAllocatorVisitor } from "./sub-allocator.ts";
import { SubAllocator } from "./sub-allocator.ts";
import { checkPointer } from "../refs/allocator-check.ts";

/** Sizes and places of regions are multiples of this. */
const kGrain = 256;

/**
 * A sub-allocator over a LinearMemory, by default the one of the process. Its regions start at multiples of 256, never at
 * offset 0. Nothing is constructed before the first `alloc`.
 *
 * @example
 * const regions = new LinearMemorySubAllocator();
 * const region = regions.alloc(256, 1000);
 * region?.bytesReceived; // => 1024
 * regions.alloc(256, 2 ** 40); // => null
 * if (region !== null) regions.free(region.pointer, region.bytesReceived);
 */
export class LinearMemorySubAllocator extends SubAllocator {
  /** The memory drawn on. */
  readonly memory: LinearMemory;

  constructor(
    memory: LinearMemory = linearMemory(),
    allocVisitors?: readonly SubAllocatorVisitor[],
    freeVisitors?: readonly SubAllocatorVisitor[],
  ) {
    super(allocVisitors, freeVisitors);
    this.memory = memory;
  }

  /**
   * `numBytes` rounded up to 256, or null when the memory has no such piece, or cannot be constructed at all. The bytes are
   * not promised to be zero. Throws INVALID_ARGUMENT for a bad alignment or size; 0 bytes are null.
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
   * Gives a region back. Throws INVALID_ARGUMENT for another memory's pointer, FAILED_PRECONDITION for bytes that are not
   * reserved; the visitors have been called by then.
   */
  override free(pointer: Pointer, numBytes: number): void {
    checkPointer(pointer);
    checkInteger(numBytes, "a number of bytes");
    if (!this.memory.isConstructed || pointer.buffer !== this.memory.buffer)
      throw new InvalidArgumentError(`the pointer at offset ${pointer.byteOffset} points into another memory than the sub-allocator's`);
    this.visitFree(pointer, 0, numBytes);
    this.memory.release(pointer.byteOffset, numBytes);
  }

  /** True: offsets that follow each other are memory that follows each other. */
  override supportsCoalescing(): boolean {
    return true;
  }

  /** Host pageable. */
  override getMemoryType(): AllocatorMemoryType {
    return AllocatorMemoryType.kHostPageable;
  }

  /** The memory's answer; one that cannot be constructed has no room. */
  #reserve(numBytes: number, alignment: number): number | null {
    try {
      return this.memory.reserve(numBytes, alignment);
    } catch (error) {
      if (isStatusError(error, "RESOURCE_EXHAUSTED")) return null;
      throw error;
    }
  }
}
