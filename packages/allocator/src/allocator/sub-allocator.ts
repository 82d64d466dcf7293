/**
 * SubAllocator: the interface that an arena gets its regions from (tsl/framework/allocator.h).
 *
 * A region is a large piece of memory that a BFCAllocator divides into allocations: device memory in TensorFlow, linear memory here.
 * Visitors are functions that are called when regions are allocated and freed (TensorFlow uses them to register memory with network
 * cards).
 */
import { checkArray, checkCallback } from "@onebuffer/base/internal";
import { AllocatorMemoryType } from "./allocator.ts";
import type { Pointer } from "./pointer.ts";

/** A region, as `alloc` returns it. */
export interface SubAllocation {
  /** The first byte of the region. */
  readonly pointer: Pointer;
  /** The length of the region in bytes; it may be more or less than was requested. */
  readonly bytesReceived: number;
}

/**
 * A function that is called with the first byte of a region, an index (the NUMA node or device in TensorFlow; 0 if there is only one) and
 * the length of the region in bytes.
 */
export type SubAllocatorVisitor = (pointer: Pointer, index: number, numBytes: number) => void;

/**
 * A source of regions. A subclass implements `alloc`, `free` and `supportsCoalescing`. It calls `visitAlloc` after it has allocated
 * a region and `visitFree` before it frees one.
 *
 * @example
 * class Blocks extends SubAllocator {
 *   override alloc(_alignment: number, numBytes: number): SubAllocation { return { pointer: { buffer: new ArrayBuffer(numBytes), byteOffset: 0 }, bytesReceived: numBytes }; }
 *   override free(): void {}
 *   override supportsCoalescing(): boolean { return false; }
 * }
 * new Blocks().alloc(256, 4096).bytesReceived; // => 4096
 */
export abstract class SubAllocator {
  readonly #allocVisitors: readonly SubAllocatorVisitor[];
  readonly #freeVisitors: readonly SubAllocatorVisitor[];

  /** Copies both lists. Throws INVALID_ARGUMENT if one of them is not an array of functions. */
  constructor(allocVisitors: readonly SubAllocatorVisitor[] = [], freeVisitors: readonly SubAllocatorVisitor[] = []) {
    for (const visitors of [allocVisitors, freeVisitors]) {
      checkArray(visitors, "an array of visitors");
      for (const visitor of visitors) checkCallback(visitor, "a visitor");
    }
    this.#allocVisitors = allocVisitors.slice();
    this.#freeVisitors = freeVisitors.slice();
  }

  /** Allocates a region of about `numBytes` bytes at a multiple of `alignment`. Returns null if there is no room. */
  abstract alloc(alignment: number, numBytes: number): SubAllocation | null;

  /**
   * Frees a region. If `supportsCoalescing` is true, one call may free several adjacent regions: `pointer` is that of the first
   * region and `numBytes` the sum of their lengths.
   */
  abstract free(pointer: Pointer, numBytes: number): void;

  /** Returns true if adjacent regions may be used, and freed, as one region. */
  abstract supportsCoalescing(): boolean;

  /**
   * Allocates a region of about `numBytes` bytes that begins exactly at `pointer`, the end of an earlier region. Returns null if that
   * memory is not free, and by default. An arena that does not double the size of its regions calls it to make a region longer.
   */
  allocAt(_pointer: Pointer, _numBytes: number): SubAllocation | null {
    return null;
  }

  /**
   * Returns the granularity, in bytes, of the parts of regions that `free` accepts: a part must begin and end at multiples of it in its
   * memory. 0, the default, means that `free` accepts only whole regions.
   */
  pieceBytes(): number {
    return 0;
  }

  /** Returns the kind of memory; kUnknown by default. */
  getMemoryType(): AllocatorMemoryType {
    return AllocatorMemoryType.kUnknown;
  }

  /** Calls the alloc visitors, in their order. */
  protected visitAlloc(pointer: Pointer, index: number, numBytes: number): void {
    for (const visitor of this.#allocVisitors) visitor(pointer, index, numBytes);
  }

  /** Calls the free visitors, in reverse order. */
  protected visitFree(pointer: Pointer, index: number, numBytes: number): void {
    for (let i = this.#freeVisitors.length - 1; i >= 0; i--) this.#freeVisitors[i]!(pointer, index, numBytes);
  }
}
