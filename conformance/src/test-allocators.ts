/**
 * The allocators that vectors can name: TensorFlow's CPU allocator, and small allocators like those of TensorFlow's tests.
 *
 *     cpu, cpu_no_tracking   the process-wide CPUAllocator, which does not track sizes
 *     exact_tracking         tracks sizes; the allocated size is the requested size
 *     bfc                    an arena of 1 MiB, which tracks sizes and gives allocation ids
 *     null, no_memory        never has room
 *
 * It also has the sub-allocator for the scripts of BFCAllocator.
 */
import { Allocator, BFCAllocator, cpuAllocator, SubAllocator } from "@onebuffer/allocator";
import type { Pointer, SubAllocation } from "@onebuffer/allocator";
import { RunnerError } from "./vector.ts";
import type { Json } from "./vector.ts";

/** An allocator that never has room. */
class NullAllocator extends Allocator {
  override get name(): string {
    return "null";
  }

  override allocateRaw(): Pointer | null {
    return null;
  }

  override deallocateRaw(): void {}
}

/** A CPU allocator that tracks sizes; the allocated size is the requested size. */
class ExactTrackingAllocator extends Allocator {
  readonly #sizes = new Map<Pointer, number>();

  override get name(): string {
    return "exact_tracking";
  }

  override allocateRaw(alignment: number, numBytes: number): Pointer | null {
    const pointer = cpuAllocator().allocateRaw(alignment, numBytes);
    if (pointer !== null) this.#sizes.set(pointer, numBytes);
    return pointer;
  }

  override deallocateRaw(pointer: Pointer | null): void {
    if (pointer !== null) this.#sizes.delete(pointer);
    cpuAllocator().deallocateRaw(pointer);
  }

  override tracksAllocationSizes(): boolean {
    return true;
  }

  override requestedSize(pointer: Pointer): number {
    return this.#sizes.get(pointer) ?? 0;
  }
}

/** A sub-allocator with real memory, one ArrayBuffer per region, for a BFCAllocator whose chunks are written. */
class HeapSubAllocator extends SubAllocator {
  override alloc(_alignment: number, numBytes: number): SubAllocation {
    return { pointer: { buffer: new ArrayBuffer(numBytes), byteOffset: 0 }, bytesReceived: numBytes };
  }

  override free(): void {}

  override supportsCoalescing(): boolean {
    return false;
  }
}

/** Returns the allocator with a name. Throws RunnerError for an unknown name. */
export function toAllocator(json: Json | undefined): Allocator {
  if (json === "cpu" || json === "cpu_no_tracking") return cpuAllocator();
  if (json === "exact_tracking") return new ExactTrackingAllocator();
  if (json === "bfc") return new BFCAllocator(new HeapSubAllocator(), 2 ** 20, "bfc");
  if (json === "null" || json === "no_memory") return new NullAllocator();
  throw new RunnerError(`unknown allocator ${JSON.stringify(json)}`);
}

/**
 * A sub-allocator whose regions follow each other from offset 0, with a gap between them, and are never reused. Nothing reads or writes
 * the bytes, so the memory is only an object with a length.
 */
export class GapSubAllocator extends SubAllocator {
  readonly #memory = { byteLength: 2 ** 38 } as ArrayBuffer;
  readonly #gap: number;
  readonly #coalesces: boolean;
  #top = 0;

  constructor(gap: number, coalesces: boolean) {
    super();
    this.#gap = gap;
    this.#coalesces = coalesces;
  }

  override alloc(_alignment: number, numBytes: number): SubAllocation {
    const byteOffset = this.#top;
    this.#top += numBytes + this.#gap;
    return { pointer: { buffer: this.#memory, byteOffset }, bytesReceived: numBytes };
  }

  override free(): void {}

  override supportsCoalescing(): boolean {
    return this.#coalesces;
  }
}
