// Sources of regions for tests of BFCAllocator: virtual memory that nothing touches, with the habits one asks for.

import type { Pointer, SubAllocation, SubAllocatorVisitor } from "@onebuffer/allocator";
import { SubAllocator } from "@onebuffer/allocator";

export interface RegionHabits {
  /** Bytes left out between two regions. */
  readonly gap?: number;
  readonly coalesces?: boolean;
  /** Where the memory ends: a request that reaches beyond is refused. */
  readonly cap?: number;
  /** Where the first region starts. */
  readonly start?: number;
  /** What is given for a request; the request itself unless said. */
  readonly give?: (numBytes: number) => number;
}

/** Regions one behind the other, never reused. Keeps a record of what went out and what came back. */
export class TestRegions extends SubAllocator {
  readonly memory: ArrayBufferLike = { byteLength: 2 ** 38 } as ArrayBuffer;
  readonly asked: number[] = [];
  readonly given: [byteOffset: number, bytes: number][] = [];
  readonly returned: [byteOffset: number, bytes: number][] = [];
  private readonly habits: RegionHabits;
  private top: number;

  constructor(habits: RegionHabits = {}, allocVisitors?: readonly SubAllocatorVisitor[], freeVisitors?: readonly SubAllocatorVisitor[]) {
    super(allocVisitors, freeVisitors);
    this.habits = habits;
    this.top = habits.start ?? 0;
  }

  override alloc(_alignment: number, numBytes: number): SubAllocation | null {
    this.asked.push(numBytes);
    const { gap = 0, cap = 2 ** 38, give = (bytes: number) => bytes } = this.habits;
    if (this.top + numBytes > cap) return null;
    const byteOffset = this.top;
    const bytesReceived = give(numBytes);
    this.top += Math.max(numBytes, bytesReceived) + gap;
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
    return this.habits.coalesces ?? true;
  }
}

/** One ArrayBuffer per region: every region lies in a memory of its own. */
export class BlockRegions extends SubAllocator {
  override alloc(_alignment: number, numBytes: number): SubAllocation {
    return { pointer: { buffer: new ArrayBuffer(numBytes), byteOffset: 0 }, bytesReceived: numBytes };
  }
  override free(): void {}
  override supportsCoalescing(): boolean {
    return false;
  }
}
