// Allocators that misbehave or record calls, for tests of everything that allocates.
import { Allocator, kAllocatorAlignment } from "@onebuffer/allocator";
import type { Pointer } from "@onebuffer/allocator";

/** An allocator that never has room. */
export class NoMemory extends Allocator {
  override get name(): string {
    return "no_memory";
  }
  override allocateRaw(): Pointer | null {
    return null;
  }
  override deallocateRaw(): void {}
}

/** An allocator whose addresses are not aligned: every `byteOffset` is `odd`. */
export class OddMemory extends Allocator {
  readonly odd: number;
  constructor(odd: number) {
    super();
    this.odd = odd;
  }
  override get name(): string {
    return "odd";
  }
  override allocateRaw(_alignment: number, numBytes: number): Pointer | null {
    return { buffer: new ArrayBuffer(numBytes + this.odd), byteOffset: this.odd };
  }
  override deallocateRaw(): void {}
}

/** An allocator that records live allocations, and throws for a free that does not match its allocation. */
export class CountingMemory extends Allocator {
  readonly live = new Map<ArrayBufferLike, number>();
  allocations = 0;
  override get name(): string {
    return "counting";
  }
  override allocateRaw(alignment: number, numBytes: number): Pointer | null {
    if (alignment !== kAllocatorAlignment) throw new Error(`alignment ${alignment}`);
    const buffer = new ArrayBuffer(numBytes);
    this.live.set(buffer, numBytes);
    this.allocations++;
    return { buffer, byteOffset: 0 };
  }
  override deallocateRaw(pointer: Pointer | null, alignment?: number, numBytes?: number): void {
    if (pointer === null) return;
    const size = this.live.get(pointer.buffer);
    if (size === undefined || alignment !== kAllocatorAlignment || numBytes !== size) throw new Error(`free of ${numBytes}, was ${size}`);
    this.live.delete(pointer.buffer);
  }
}

/** An allocator that tracks sizes exactly: allocated equals requested. */
export class ExactTracking extends Allocator {
  readonly sizes = new Map<ArrayBufferLike, number>();
  override get name(): string {
    return "exact_tracking";
  }
  override allocateRaw(_alignment: number, numBytes: number): Pointer | null {
    const buffer = new ArrayBuffer(numBytes);
    this.sizes.set(buffer, numBytes);
    return { buffer, byteOffset: 0 };
  }
  override deallocateRaw(pointer: Pointer | null): void {
    if (pointer !== null) this.sizes.delete(pointer.buffer);
  }
  override tracksAllocationSizes(): boolean {
    return true;
  }
  override requestedSize(pointer: Pointer): number {
    return this.sizes.get(pointer.buffer) ?? 0;
  }
  override allocationId(): number {
    return 41;
  }
}

/** An allocator whose addresses reach outside its memory. */
export class LyingMemory extends Allocator {
  readonly offset: number;
  freed = 0;
  constructor(offset: number) {
    super();
    this.offset = offset;
  }
  override get name(): string {
    return "lying";
  }
  override allocateRaw(_alignment: number, numBytes: number): Pointer | null {
    return { buffer: new ArrayBuffer(Math.max(0, numBytes - 1)), byteOffset: this.offset };
  }
  override deallocateRaw(): void {
    this.freed++;
  }
}

/** An allocator of handles that the host must not dereference. */
export class OpaqueHandles extends CountingMemory {
  override allocatesOpaqueHandle(): boolean {
    return true;
  }
}
