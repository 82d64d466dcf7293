// Sub-allocators for tests of BFCAllocator: they hand out addresses of virtual memory that is never touched, with configurable
// behavior.

import type { Pointer, SubAllocation, SubAllocatorVisitor } from "@onebuffer/allocator";
import { SubAllocator } from "@onebuffer/allocator";

export interface RegionHabits {
  /** Bytes left unused between two regions. */
  readonly gap?: number;
  readonly coalesces?: boolean;
  /** The end of the memory: a request that reaches beyond it is refused. */
  readonly cap?: number;
  /** The start of the first region. */
  readonly start?: number;
  /** Returns the number of bytes given for a request; the request itself unless set. */
  readonly give?: (numBytes: number) => number;
}

/** Adjacent regions, never reused. Records the requests, the regions given and the regions returned. */
export class TestRegions extends SubAllocator {
  readonly memory: ArrayBufferLike = { byteLength: 2 ** 38 } as ArrayBuffer;
  readonly asked: number[] = [];
  readonly given: [byteOffset: number, bytes: number][] = [];
  readonly returned: [byteOffset: number, bytes: number][] = [];
  readonly #habits: RegionHabits;
  #top: number;

  constructor(habits: RegionHabits = {}, allocVisitors?: readonly SubAllocatorVisitor[], freeVisitors?: readonly SubAllocatorVisitor[]) {
    super(allocVisitors, freeVisitors);
    this.#habits = habits;
    this.#top = habits.start ?? 0;
  }

  override alloc(_alignment: number, numBytes: number): SubAllocation | null {
    this.asked.push(numBytes);
    const { gap = 0, cap = 2 ** 38, give = (bytes: number) => bytes } = this.#habits;
    if (this.#top + numBytes > cap) return null;
    const byteOffset = this.#top;
    const bytesReceived = give(numBytes);
    this.#top += Math.max(numBytes, bytesReceived) + gap;
    this.given.push([byteOffset, bytesReceived]);
    const pointer = { buffer: this.memory, byteOffset };
    this.visitAlloc(pointer, 0, bytesReceived);
    return { pointer, bytesReceived };
  }

  override free(pointer: Pointer, numBytes: number): void {
    this.visitFree(pointer, 0, numBytes);
    this.returned.push([pointer.byteOffset, numBytes]);
  }

  override supportsCoalescing(): boolean {
    return this.#habits.coalesces ?? true;
  }
}

/** Gives each region its own ArrayBuffer. */
export class BlockRegions extends SubAllocator {
  override alloc(_alignment: number, numBytes: number): SubAllocation {
    return { pointer: { buffer: new ArrayBuffer(numBytes), byteOffset: 0 }, bytesReceived: numBytes };
  }
  override free(): void {}
  override supportsCoalescing(): boolean {
    return false;
  }
}
