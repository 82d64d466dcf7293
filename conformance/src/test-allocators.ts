/**
 * The allocators that the vectors name: TensorFlow's CPU allocator, and the small ones its tests define for themselves.
 *
 *     cpu, cpu_no_tracking   the process-wide CPUAllocator, which tracks no sizes
 *     exact_tracking         reports as allocated exactly what was asked for
 *     null, no_memory        always out of memory
 */
import { Allocator, cpuAllocator } from "@onebuffer/core";
import type { Pointer } from "@onebuffer/core";
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

/** The allocator a case names. */
export function toAllocator(json: Json | undefined): Allocator {
  if (json === "cpu" || json === "cpu_no_tracking") return cpuAllocator();
  if (json === "exact_tracking") return new ExactTrackingAllocator();
  if (json === "null" || json === "no_memory") return new NullAllocator();
  throw new RunnerError(`unknown allocator ${JSON.stringify(json)}`);
}
