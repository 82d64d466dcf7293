/**
 * SubAllocator: where an arena takes whole regions from (tsl/framework/allocator.h).
 *
 * Below a BFCAllocator sits something that knows how to get large pieces of memory: device memory in TensorFlow, the linear
 * memory here. Visitors watch the pieces come and go (TensorFlow registers memory with network cards that way).
 */
import { checkArray, checkFunction } from "@onebuffer/base";
import { AllocatorMemoryType } from "./allocator.ts";
import type { Pointer } from "./pointer.ts";

/** A region as a SubAllocator hands it out. */
export interface SubAllocation {
  /** Its first byte. */
  readonly pointer: Pointer;
  /** Its length in bytes; it may be more than was asked for, or less. */
  readonly bytesReceived: number;
}

/** Told of a region: its first byte, an index (TF: the NUMA node or device; 0 where there is one), its length in bytes. */
export type SubAllocatorVisitor = (pointer: Pointer, index: number, numBytes: number) => void;

/**
 * A source of regions. A subclass writes `alloc`, `free` and `supportsCoalescing`, and calls `visitAlloc` after every
 * region taken and `visitFree` before every region given back.
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

  constructor(allocVisitors: readonly SubAllocatorVisitor[] = [], freeVisitors: readonly SubAllocatorVisitor[] = []) {
    for (const visitors of [allocVisitors, freeVisitors]) {
      checkArray(visitors, "an array of visitors");
      for (const visitor of visitors) checkFunction(visitor, "a visitor");
    }
    this.#allocVisitors = allocVisitors.slice();
    this.#freeVisitors = freeVisitors.slice();
  }

  /** A region of about `numBytes` bytes at a multiple of `alignment`, or null when there is no room. */
  abstract alloc(alignment: number, numBytes: number): SubAllocation | null;

  /**
   * Takes a region back. With `supportsCoalescing` one call may return several regions that touch each other, as one
   * piece from the first one's pointer on.
   */
  abstract free(pointer: Pointer, numBytes: number): void;

  /** Whether regions that touch each other may be used, and given back, as one. */
  abstract supportsCoalescing(): boolean;

  /**
   * A region of about `numBytes` bytes that begins exactly at `pointer`, which is where a region handed out earlier ends; null when
   * that memory is not free. An arena that does not double its regions asks for it to lengthen one. Null unless the subclass knows better.
   */
  allocAt(_pointer: Pointer, _numBytes: number): SubAllocation | null {
    return null;
  }

  /**
   * With a number above 0, `free` takes parts of regions that begin and end at multiples of so many bytes in their memory. 0, unless
   * the subclass says otherwise: whole regions only.
   */
  pieceBytes(): number {
    return 0;
  }

  /** Where the memory lies: unknown unless the subclass says. */
  getMemoryType(): AllocatorMemoryType {
    return AllocatorMemoryType.kUnknown;
  }

  /** Calls the alloc visitors, in the order they were given. */
  protected visitAlloc(pointer: Pointer, index: number, numBytes: number): void {
    for (const visitor of this.#allocVisitors) visitor(pointer, index, numBytes);
  }

  /** Calls the free visitors, the last one first. */
  protected visitFree(pointer: Pointer, index: number, numBytes: number): void {
    for (let i = this.#freeVisitors.length - 1; i >= 0; i--) this.#freeVisitors[i]!(pointer, index, numBytes);
  }
}
