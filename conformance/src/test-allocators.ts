/**
 * The allocators that the vectors name: TensorFlow's CPU allocator, and the small ones its tests define for themselves.
 *
 *     cpu, cpu_no_tracking   the process-wide CPUAllocator, which tracks no sizes
 *     exact_tracking         reports as allocated exactly what was asked for
 *     bfc                    an arena of a mebibyte, which tracks sizes and numbers its allocations
 *     null, no_memory        always out of memory
 *
 * and the source of regions that the scripts of BFCAllocator describe.
 */
import { Allocator, BFCAllocator, cpuAllocator, SubAllocator } from "@onebuffer/allocator";
import type { Pointer, SubAllocation } from "@onebuffer/allocator";
import { RunnerError } from "./vector.ts";
import type { Json } from "./vector.ts";

/** An allocator that never has memory. */
class NullAllocator extends Allocator {
  override get name(): string {
    return "null";
  }

  override allocateRaw(): Pointer | null {
    return null;
  }

  override deallocateRaw(): void {}
}

/** The CPU allocator with a book of sizes: allocated is what was requested. */
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

/** Regions of memory of their own, for a BFCAllocator whose chunks are really written. */
class HeapSubAllocator extends SubAllocator {
  override alloc(_alignment: number, numBytes: number): SubAllocation {
    return { pointer: { buffer: new ArrayBuffer(numBytes), byteOffset: 0 }, bytesReceived: numBytes };
  }

  override free(): void {}

  override supportsCoalescing(): boolean {
    return false;
  }
}

/** The allocator a case names. */
export function toAllocator(json: Json | undefined): Allocator {
  if (json === "cpu" || json === "cpu_no_tracking") return cpuAllocator();
  if (json === "exact_tracking") return new ExactTrackingAllocator();
  if (json === "bfc") return new BFCAllocator(new HeapSubAllocator(), 2 ** 20, "bfc");
  if (json === "null" || json === "no_memory") return new NullAllocator();
  throw new RunnerError(`unknown allocator ${JSON.stringify(json)}`);
}

/**
 * Regions one behind the other from offset 0 on, with a gap between them, never handed out twice. Nothing touches the bytes,
 * so there are none: the memory is a length.
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
