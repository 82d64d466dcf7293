/**
 * SharedBuffer: a root buffer over memory that another thread allocated and shared, or that this thread shared and received back
 * (in TensorFlow two threads of one process simply refer to the same TensorBuffer).
 *
 *     thread A   Buffer --------+                                     control block: held by A and B, address, size
 *                               +--> the same bytes of the linear memory
 *     thread B   SharedBuffer --+
 *
 * The last `unref` releases this thread's hold; the thread that releases the last hold frees the memory. The lifetime net
 * (lifetime-net.ts in packages/allocator) watches a SharedBuffer like any other buffer of this thread.
 */
import type { AllocationDescription, Pointer } from "@onebuffer/allocator";
import { enabledLedger, unwatch, releaseHold, noteLine, sharedHolds, watchHold } from "@onebuffer/allocator/internal";
import { emptyAllocationDescription } from "@onebuffer/allocator";
import { BufferBase } from "./buffer-base.ts";
import type { ThreadArena } from "@onebuffer/allocator/internal";

/** Allocation sizes are multiples of this many bytes. */
const kGrain = 256;

/** A buffer over all the memory of the control block `slot`, on which this thread already has a hold. Never copies. */
export class SharedBuffer extends BufferBase {
  constructor({ allocator }: ThreadArena, pointer: Pointer, size: number, slot: number) {
    super(allocator, pointer, size, false);
    this.control = slot;
    const keeper = watchHold(allocator, pointer, size, slot, sharedHolds);
    if (enabledLedger.current !== null) noteLine(keeper, enabledLedger.current.lineOf(this));
    this.keeper = keeper;
  }

  override get className(): string {
    return "SharedBuffer";
  }

  /** Returns the size rounded up to a multiple of 256: the number of bytes that an arena reserves for it. */
  override getAllocatedBytes(): number | null {
    return this.pointer === null ? null : Math.ceil(this.size / kGrain) * kGrain;
  }

  /** Describes the memory as a Buffer does, but without the allocation id, which only the allocating thread knows. */
  override fillAllocationDescription(): AllocationDescription {
    const description = emptyAllocationDescription();
    description.requestedBytes = this.size;
    description.allocatorName = this.allocator.name;
    description.ptr = this.byteOffset;
    description.allocatedBytes = this.getAllocatedBytes() ?? 0;
    description.hasSingleReference = this.refCountIsOne();
    return description;
  }

  /** Releases this thread's hold. */
  protected override destroy(): void {
    const { keeper } = this;
    if (keeper !== null) {
      this.keeper = null;
      unwatch(keeper);
    }
    super.destroy();
    releaseHold(this.control);
  }
}
